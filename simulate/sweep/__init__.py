"""Parameter studies: problems x algorithms x step-size rules x grids, stored piece by piece."""
