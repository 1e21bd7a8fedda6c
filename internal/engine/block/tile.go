package block

// Tile is the number of projections whose entries for one coordinate are stored side by side. Their
// sums then stay in registers while a row is read.
const Tile = 64

// Rows is the number of rows side by side in double precision.
const Rows = 16

// Sums is the number of sums that SubtractProducts computes per call.
const Sums = 4
