package columnar_test

import (
	"bytes"
	"slices"
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/need"
)

// TestCellsAlone: Parquet and Arrow have cells without features, and those that are numbers as float64, with NaN for an
// empty one, also behind a block where an encoder was taken up again.
func TestCellsAlone(t *testing.T) {
	rows := [][]string{{"a", "0.1", "-2.5e-300", "why"}, {"", "", "NaN", ""}, {"ü", "1e400", "9007199254740993", "x"}}
	want := [][]string{{"a", "0.1", "-2.5e-300", "why"}, {"", "", "", ""}, {"ü", "+Inf", "9.007199254740992e+15", "x"}}
	for _, format := range []dataset.Format{dataset.Parquet, dataset.Arrow} {
		encoder := func(state []byte) *dataset.Encoder {
			return need.Value(dataset.NewEncoderWith(format, []string{"text", "x", "y", "why"}, 0,
				dataset.EncoderOptions{CellsAlone: true, Numbers: 2, Texts: 1, State: state}))(t)
		}
		e := encoder(nil)
		content := e.AppendHeader(nil)
		for i, row := range rows {
			if i == 2 {
				content = e.AppendBlock(content)
				e = encoder(e.State())
			}
			var cells [][]byte
			for _, cell := range row {
				cells = append(cells, []byte(cell))
			}
			content = need.Value(e.AppendRow(content, cells, nil))(t)
		}
		content = e.AppendFooter(e.AppendBlock(content))
		l := need.Value(dataset.SniffFile("f."+format.String(), bytes.NewReader(content), columns.Reading{}))(t)
		for i, kind := range []columns.Type{columns.Text, columns.Number, columns.Number, columns.Text} {
			if c := l.Columns[i]; len(l.Columns) != 4 || c.Type != kind {
				t.Errorf("%v: column %s of %d is of type %v, want %v", format, c.Name, len(l.Columns), c.Type, kind)
			}
		}
		for i, row := range allCells(t, l, bytes.NewReader(content)) {
			if !slices.Equal(row, want[i]) {
				t.Errorf("%v: row %d is %q, want %q", format, i, row, want[i])
			}
		}
	}
}
