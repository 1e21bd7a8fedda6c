package embedding

// Dense are rows in the page's own memory, of no file.
type Dense struct {
	X      []float32 // row after row
	Labels []string
}

func (d *Dense) Len() int           { return len(d.Labels) }
func (d *Dense) Numbers() int       { return len(d.X) }
func (d *Dense) Place(int) int      { return 0 }
func (d *Dense) Label(i int) string { return d.Labels[i] }

func (d *Dense) Vector(dst []float32, i int) { copy(dst, d.X[i*len(dst):(i+1)*len(dst)]) }

func (d *Dense) Slice(from, to int) Rows {
	width := len(d.X) / max(len(d.Labels), 1)
	return &Dense{d.X[from*width : to*width], d.Labels[from:to]}
}
