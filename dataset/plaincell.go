package dataset

// plainNumber reports whether a cell is a number that reads the same in every style, up to what its sign means: digits,
// with perhaps a minus before them and one point or comma between them. It returns that sign, or 0, and its place. Most
// cells of wide tables are such, and the guesses ask several times for each.
func plainNumber(cell string) (sign byte, at int, ok bool) {
	begin := 0
	if len(cell) > 0 && cell[0] == '-' {
		begin = 1
	}
	if len(cell) > plainDigits || len(cell) == begin || cell[len(cell)-1]-'0' > 9 || cell[begin]-'0' > 9 {
		return 0, 0, false
	}
	for i := begin; i < len(cell); i++ {
		switch b := cell[i]; {
		case b-'0' <= 9:
		case (b == '.' || b == ',') && sign == 0:
			sign, at = b, i
		default:
			return 0, 0, false
		}
	}
	return sign, at, true
}

// plainDigits is the number of bytes of a plainNumber at most.
const plainDigits = 16
