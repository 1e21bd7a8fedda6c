package dataset

import (
	"fmt"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// TestFirstRows: it ends with the block in which the rows wanted end, and what a first pass learns is of these.
func TestFirstRows(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b\n")
	const rows = 20000
	for i := range rows {
		fmt.Fprintf(&b, "%d,%d\n", i, -i)
	}
	layout := mustSniff(t, "f.csv", b.String())
	for _, n := range []int64{1, 4096, 4097, rows - 1, rows, rows + 1} {
		total, last := int64(0), int64(0)
		err := each(FirstRows(open(t, layout, b.String()), n), func(block *Block) {
			if total >= n {
				t.Errorf("%d rows wanted, %d read before the last block", n, total)
			}
			total += int64(block.Rows())
			last = block.Places[block.Rows()-1]
		})
		if err != nil || total < min(n, rows) || last != total+1 {
			t.Errorf("%d rows wanted: %d, the last of line %d, %v", n, total, last, err)
		}
	}
	p := NewPreprocessing(layout)
	p.SetScaling(columns.MinMax)
	counts, err := p.Fit(FirstRows(open(t, layout, b.String()), 10))
	if err != nil || counts.Rows < 10 || p.Columns[0].Scale != float64(counts.Rows-1) {
		t.Errorf("learned of %+v, %v: scale %v", counts, err, p.Columns[0].Scale)
	}
}
