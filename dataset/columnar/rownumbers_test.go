package columnar

import (
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// TestRowNumbers: Parquet and Arrow have the places of rows as their first column, also
// behind a block where an encoder was taken up again, and without the option no byte more.
func TestRowNumbers(t *testing.T) {
	for _, format := range []dataset.Format{dataset.Parquet, dataset.Arrow} {
		encoder := func(state []byte) *dataset.Encoder {
			return must(dataset.NewEncoderWith(format, []string{"row", "y"}, 2,
				dataset.EncoderOptions{RowNumbers: true, State: state}))
		}
		e := encoder(nil)
		content := e.AppendHeader(nil)
		for i, place := range []int64{2, 5, 1 << 40} {
			if i == 2 {
				content = e.AppendBlock(content)
				e = encoder(e.State())
			}
			content = must(e.AppendRowAt(content, place, [][]byte{[]byte("r"), []byte("q")}, []float32{1, 2}))
		}
		content = e.AppendFooter(e.AppendBlock(content))
		l := sniff(t, "f."+format.String(), string(content))
		for i, name := range []string{"row", "row (2)", "y"} {
			if l.Columns[i].Name != name {
				t.Errorf("%v: column %d is %s, want %s", format, i, l.Columns[i].Name, name)
			}
		}
		p := dataset.NewPreprocessing(l.With(0, columns.AsKept).With(1, columns.AsIgnored).With(2, columns.AsIgnored))
		rows, _, err := vectors(l, string(content), p)
		if err != nil || len(rows) != 3 {
			t.Fatalf("%v: %q, %v", format, rows, err)
		}
		for i, want := range []string{`"2" `, `"5" `, `"1099511627776" `} {
			if got := rows[i][len(rows[i])-len(want):]; got != want {
				t.Errorf("%v: row %d ends in %s, want %s", format, i, got, want)
			}
		}
	}
}
