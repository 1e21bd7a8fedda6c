package block

// Tile is the number of projections whose entries for one coordinate stand side by
// side, so that their sums stay in registers while a row goes by.
const Tile = 64

// Rows is the number of rows side by side in double precision.
const Rows = 16

// Sums is the number of sums that SubtractProducts takes at a time.
const Sums = 4
