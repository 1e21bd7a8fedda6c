package sketch

// Products of a matrix of float32 numbers, kept column by column, with rows, summed in
// float64 in the order of the coordinates. Terms of value 0 change no bit of a sum that
// does not begin with −0, so that dense and sparse rows give the same.

// addDense adds the product with x to the sums, four columns at a time.
func addDense(sums []float64, matrix, x []float32) {
	n, i := len(sums), 0
	for ; i+4 <= len(x); i += 4 {
		if x[i] != 0 || x[i+1] != 0 || x[i+2] != 0 || x[i+3] != 0 {
			m := matrix[i*n:]
			addFour(sums, m, m[n:], m[2*n:], m[3*n:], [4]float32(x[i:]))
		}
	}
	for ; i < len(x); i++ {
		addColumn(sums, matrix, i, x[i])
	}
}

// addSparse adds the product with the row of these values.
func addSparse(sums []float64, matrix []float32, indices []int32, values []float32) {
	n := len(sums)
	for ; len(indices) >= 4; indices, values = indices[4:], values[4:] {
		addFour(sums, matrix[int(indices[0])*n:], matrix[int(indices[1])*n:],
			matrix[int(indices[2])*n:], matrix[int(indices[3])*n:], [4]float32(values))
	}
	for at, i := range indices {
		addColumn(sums, matrix, int(i), values[at])
	}
}

// addColumn adds v times column i.
func addColumn(sums []float64, matrix []float32, i int, v float32) {
	column := matrix[i*len(sums):][:len(sums)]
	factor := float64(v)
	for j := range sums {
		sums[j] += float64(factor * float64(column[j]))
	}
}

func addFour(sums []float64, a, b, c, d []float32, v [4]float32) {
	a, b, c, d = a[:len(sums)], b[:len(sums)], c[:len(sums)], d[:len(sums)]
	va, vb, vc, vd := float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])
	for j, sum := range sums {
		sum += float64(va * float64(a[j]))
		sum += float64(vb * float64(b[j]))
		sum += float64(vc * float64(c[j]))
		sums[j] = sum + float64(vd*float64(d[j]))
	}
}
