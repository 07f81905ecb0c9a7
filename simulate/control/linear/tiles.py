"""Tile coding of the unit square: displaced grids, each of which has one active tile."""

from __future__ import annotations


def tile(tiling: int, u: float, v: float, tilings: int, tiles: int) -> int:
    """Return the feature that a point of the unit square makes active in one tiling.

    A tiling is a grid of tiles x tiles. Tiling j is displaced against tiling 0 by j and 3 j, modulo their number and
    over it, of a tile's sides: unequal displacements, since along a common diagonal points would generalise further
    than across (Sutton and Barto 2018, section 9.5.4). What a displaced grid does not cover belongs to its last row or
    column, so that each tiling has exactly tiles x tiles features and divides the whole square.

    Args:
        tiling: from 0 to tilings - 1.
        u, v: in [0, 1].
        tilings: how many there are.
        tiles: on a side.

    Returns:
        A number from 0 to tilings tiles^2 - 1; tilings share none.
    """
    row = min(int(u * tiles + tiling % tilings / tilings), tiles - 1)
    column = min(int(v * tiles + 3 * tiling % tilings / tilings), tiles - 1)
    return (tiling * tiles + row) * tiles + column
