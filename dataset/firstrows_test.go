package dataset_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/plan"
)

// TestFirstRows: it ends with the block in which the rows wanted end, and what a first pass learns is of these.
func TestFirstRows(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b\n")
	const rows = 20000
	for i := range rows {
		fmt.Fprintf(&b, "%d,%d\n", i, -i)
	}
	layout, err := dataset.Sniff("f.csv", []byte(b.String()), true, plan.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int64{1, 4096, 4097, rows - 1, rows, rows + 1} {
		whole, err := layout.Open(strings.NewReader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		head := dataset.FirstRows(whole, n)
		var block dataset.Block
		total, last := int64(0), int64(0)
		for err = head.Next(&block); err == nil; err = head.Next(&block) {
			if total >= n {
				t.Errorf("%d rows wanted, %d read before the last block", n, total)
			}
			total += int64(block.Rows())
			last = block.Places[block.Rows()-1]
		}
		if err != io.EOF || total < min(n, rows) || last != total+1 {
			t.Errorf("%d rows wanted: %d, the last of line %d, %v", n, total, last, err)
		}
	}
	whole, err := layout.Open(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	p := dataset.NewPreprocessing(layout)
	p.SetScaling(plan.MinMax)
	counts, err := p.Fit(dataset.FirstRows(whole, 10))
	if err != nil || counts.Rows < 10 || p.Columns[0].Scale != float64(counts.Rows-1) {
		t.Errorf("learned of %+v, %v: scale %v", counts, err, p.Columns[0].Scale)
	}
}
