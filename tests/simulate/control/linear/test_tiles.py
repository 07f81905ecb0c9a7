import itertools

import numpy as np
import pytest

from simulate.control.linear.learner import tile

SIZES = [(16, 4), (5, 4), (1, 3)]
sizes = pytest.mark.parametrize(("tilings", "tiles"), SIZES)


def active(u, v, tilings, tiles):
    return [tile(j, u, v, tilings, tiles) for j in range(tilings)]


def points(count):
    return np.random.default_rng(1).random((count, 2))


@sizes
def test_each_tiling_has_one_active_tile_of_its_own(tilings, tiles):
    seen = [active(u, v, tilings, tiles) for u, v in points(2000)]
    of_tiling = np.array(seen) // tiles**2
    assert (of_tiling == np.arange(tilings)).all()


@sizes
def test_every_feature_is_active_somewhere(tilings, tiles):
    seen = {feature for u, v in points(20_000) for feature in active(u, v, tilings, tiles)}
    assert seen == set(range(tilings * tiles**2))


@sizes
def test_the_edges_and_corners_of_the_square_belong_to_its_outermost_tiles(tilings, tiles):
    for j in range(tilings):
        corners = [tile(j, u, v, tilings, tiles) - j * tiles**2 for u in (0.0, 1.0) for v in (0.0, 1.0)]
        assert corners == [0, tiles - 1, tiles * (tiles - 1), tiles**2 - 1]
        # What rounding takes out of the square stays in the same tiles.
        assert tile(j, -1e-17, 1 + 1e-15, tilings, tiles) == tile(j, 0.0, 1.0, tilings, tiles)


@sizes
@pytest.mark.parametrize("axis", [0, 1])
def test_the_grids_are_evenly_displaced_along_each_side(tilings, tiles, axis):
    # Walking through one tile's width, one tiling after the other changes its tile, at equal distances.
    width, small = 1 / (tiles * tilings), 1e-9
    for place in range(tilings):
        before, after = np.full(2, 0.4), np.full(2, 0.4)
        before[axis] = 1 / tiles + place * width - small
        after[axis] = 1 / tiles + place * width + small
        one, other = active(*before, tilings, tiles), active(*after, tilings, tiles)
        assert sum(a != b for a, b in zip(one, other, strict=True)) == 1


@sizes
def test_neighbours_share_tiles_and_the_more_the_nearer_they_are(tilings, tiles):
    def shared(distance):
        # Inside: the outermost tiles of displaced grids are wider.
        return len(set(active(0.3, 0.5, tilings, tiles)) & set(active(0.3 + distance, 0.5, tilings, tiles)))

    counts = [shared(distance) for distance in np.linspace(0, 1 / tiles, 4 * tilings + 1)]
    assert counts[0] == tilings
    assert counts[-1] == 0
    assert counts == sorted(counts, reverse=True)


def test_tilings_are_displaced_unequally():
    # With equal displacements the diagonal crosses a row and a column of a tiling at once, 16 times on one tile's
    # length, so that points generalise further along it than across; with unequal ones it crosses them in turn.
    walk = [active(0.3 + d, 0.3 + d, 16, 4) for d in np.linspace(0, 0.25, 2000)]
    crossings = [len(set(one) - set(other)) for one, other in itertools.pairwise(walk)]
    assert sum(crossings) > 24
