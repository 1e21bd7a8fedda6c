package columnar

import (
	"encoding/binary"
	"strings"
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// TestArrowJS: files of arrow-js have their schema in the footer alone. They give the rows
// of the same table as a stream, and are read by the
// places that the footer lists.
func TestArrowJS(t *testing.T) {
	var want []string
	for _, name := range []string{"arrow-js/stream.arrow", "arrow-js/file.arrow"} {
		content := fixture(t, name)
		l := sniff(t, name, content)
		if l.Total != 600 || l.BytesPerRow < 10 || l.BytesPerRow > 40 {
			t.Errorf("%s: %d rows, %g bytes each, want 600 of 10 to 40", name, l.Total, l.BytesPerRow)
		}
		p := dataset.NewPreprocessing(l)
		rows, unused, err := vectors(l, content, p)
		if err != nil || unused.Total > 0 || len(rows) != 600 {
			t.Fatalf("%s: %d rows, %v, %+v", name, len(rows), err, unused)
		}
		if want == nil {
			want = rows
		}
		if strings.Join(rows, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: other rows than the stream's", name)
		}
	}
	if got := want[599]; got != `4315c000 "blue" "note 599" ` {
		t.Errorf("the last row is %s", got)
	}
}

// TestArrowRows: what is not known of the rows is not guessed. A cut stream gives what it
// has, of very many record batches the first ones tell what a row takes.
func TestArrowRows(t *testing.T) {
	whole := fixture(t, "arrow-js/stream.arrow")
	cut := whole[:len(whole)-200]
	l := sniff(t, "cut.arrow", cut)
	if l.Total != 0 || l.BytesPerRow < 10 || l.BytesPerRow > 40 {
		t.Errorf("a cut stream: %d rows, %g bytes each, want an unknown number of 10 to 40", l.Total, l.BytesPerRow)
	}
	rows, _, err := vectors(l, cut, dataset.NewPreprocessing(l))
	if err == nil || !strings.Contains(err.Error(), "the file is cut off") || len(rows) != 500 {
		t.Errorf("a cut stream: %d rows and %v, want 500 and that it is cut off", len(rows), err)
	}
	e := must(dataset.NewEncoder(dataset.Arrow, nil, 2))
	many := e.AppendHeader(nil)
	for range mostCounted + 1 {
		many = e.AppendBlock(must(e.AppendRow(many, nil, []float32{1, 2})))
	}
	l = sniff(t, "many.arrow", string(e.AppendFooter(many)))
	if l.Total != 0 || l.BytesPerRow < 100 || l.BytesPerRow > 400 {
		t.Errorf("many batches: %d rows, %g bytes each", l.Total, l.BytesPerRow)
	}
}

// TestArrowFooter: places in a footer that lie outside the file or come twice.
func TestArrowFooter(t *testing.T) {
	whole := fixture(t, "arrow-js/file.arrow")
	blocks := func(content []byte) []byte {
		length := int(binary.LittleEndian.Uint32(content[len(content)-10:]))
		return flatRoot(content[len(content)-10-length:]).vector(3, arrowBlock)
	}
	for _, test := range []struct {
		name, want string
		change     func(blocks []byte)
	}{
		{"outside", "lists a message outside the file", func(b []byte) { binary.LittleEndian.PutUint64(b, 1<<40) }},
		{"negative", "lists a message outside the file", func(b []byte) {
			binary.LittleEndian.PutUint64(b[arrowBlock:], 1<<63)
		}},
		{"twice", "lists a message twice", func(b []byte) { copy(b[arrowBlock:2*arrowBlock], b[:arrowBlock]) }},
		{"inside a message", "the file is cut off", func(b []byte) {
			binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+16)
		}},
	} {
		content := []byte(whole)
		test.change(blocks(content))
		l, err := dataset.SniffFile("f.arrow", strings.NewReader(string(content)), columns.Reading{})
		if err == nil {
			_, _, err = vectors(l, string(content), dataset.NewPreprocessing(l))
		}
		if err == nil || !strings.HasPrefix(err.Error(), "f.arrow") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}
