package dataset

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/slow"
)

// zipped makes an archive of files, as name and content in turn. Those whose names begin
// with = are stored, not compressed.
func zipped(t testing.TB, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		name, stored := strings.CutPrefix(files[i], "=")
		header := &zip.FileHeader{Name: name, Method: zip.Deflate}
		if stored {
			header.Method = zip.Store
		}
		f, err := w.CreateHeader(header)
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fortran is a file of numbers u1 in Fortran order.
func fortran(shape, numbers string) string {
	return npyHeader("{'descr': '|u1', 'fortran_order': True, 'shape': "+shape+", }\n") + numbers
}

func TestZip(t *testing.T) {
	slow.Emulated(t)
	matrix, vector := npyFile("|u1", "(2, 2)", "\x01\x02\x03\x04"), npyFile("|u1", "(2,)", "\x05\x06")
	wide := strings.Repeat("1,2,3\n", 1<<20)
	for name, test := range map[string]struct {
		content, inside, stem string
		format                Format
		rows                  []string
		says                  string
	}{
		"one file": {zipped(t, "in/iris.csv", "a,b\n1,2\n"), "f.zip/in/iris.csv", "f", CSV, []string{"|[1 2]"}, ""},
		"stored":   {zipped(t, "=x.jsonl", `{"a":1}`), "f.zip/x.jsonl", "f", JSONLines, []string{"|[1]"}, ""},
		"with a folder": {zipped(t, "=in/", "", "in/x.npy", matrix, "__MACOSX/in/._x.npy", "?", "in/.DS_Store", "?",
			"in/Thumbs.db", "?"),
			"f.zip/in/x.npy", "f", NPY, []string{"|[1 2]", "|[3 4]"}, ""},
		"an .npz": {zipped(t, "y.npy", vector, "X.npy", matrix), "f.zip/X.npy", "f", NPY, []string{"|[1 2]", "|[3 4]"},
			`array "X.npy" is read, and not y.npy; save the others with numpy.save if you need them`},
		"Fortran": {zipped(t, "X.npy", fortran("(2, 2)", "\x01\x03\x02\x04")), "f.zip/X.npy", "f", NPY,
			[]string{"|[1 2]", "|[3 4]"}, ""},
		"large": {zipped(t, "w.csv", "a,b,c\n"+wide[:6<<18]), "f.zip/w.csv", "f", CSV, nil, ""},
	} {
		l, rows, unused, err := read(t, "f.zip", test.content, columns.Reading{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if l.Name != test.inside || l.Stem() != test.stem || l.Format != test.format || l.Compression != Zip {
			t.Errorf("%s: %s, %s, %v in %v", name, l.Name, l.Stem(), l.Format, l.Compression)
		}
		said := ""
		for _, n := range l.Notes() {
			if n.Code == columns.NotePart {
				said = n.String()
			}
		}
		if said != test.says {
			t.Errorf("%s: the note is %q, want %q", name, said, test.says)
		}
		if unused.Total > 0 || test.rows != nil && !reflect.DeepEqual(rows, test.rows) ||
			test.rows == nil && len(rows) != 1<<18 {
			t.Errorf("%s: %.200q, %v", name, rows, unused)
		}
	}
}

// TestBadZip: every refusal names the file, what is wrong and what to do.
func TestBadZip(t *testing.T) {
	good := zipped(t, "x.csv", "a,b\n1,2\n")
	change := func(at int, b byte) string {
		content := []byte(good)
		content[(at+len(content))%len(content)] ^= b
		return string(content)
	}
	directory := strings.Index(good, zipDirectory)
	one := npyFile("|u1", "(1, 1)", "\x01")
	testBad(t, "f.zip", AnyFormat, map[string]bad{
		"a workbook":      {zipped(t, "[Content_Types].xml", "", "xl/workbook.bin", ""), 0},
		"several files":   {zipped(t, "a.csv", "1", "b.csv", "2", "c.txt", ""), 0},
		"several arrays":  {zipped(t, "a.npy", one, "b.npy", one), 0},
		"odd names":       {zipped(t, "a\n.csv", "1", "b\xff.csv", "2"), 0},
		"no files":        {zipped(t, "=in/", ""), 0},
		"compressed more": {zipped(t, "a.csv.gz", gzipped("a\n1\n")), 0},
		"a ZIP in it":     {zipped(t, "a.zip", good), 0},
		"cut":             {good[:len(good)-30], 0},
		"no directory":    {change(directory, 1), 0},
		"encrypted":       {change(directory+8, 1), 0},
		"other method":    {change(directory+10, 1), 0},
		"checksum":        {change(directory+16, 1), 0},
		"size":            {change(directory+24, 1), 0},
		"place":           {change(directory+43, 1), 0},
	})
	if _, err := Sniff("f.zip", []byte(good[:40]), false, columns.Reading{}); err != ErrShortHead {
		t.Errorf("the head of a ZIP: %v", err)
	}
	l := sniffAs(t, "f.zip", good, columns.Reading{Compression: "zip"})
	if _, err := l.Open(bytes.NewBufferString(good)); err == nil ||
		!strings.Contains(err.Error(), "not read from front to back") {
		t.Errorf("a ZIP as a stream: %v", err)
	}
	if _, err := Sniff("f.csv", []byte("a\n1\n"), true, columns.Reading{Compression: "zip"}); err == nil ||
		!strings.Contains(err.Error(), "it is no ZIP archive") {
		t.Errorf("a table as a ZIP: %v", err)
	}
}

// TestFortranOrder: an array stored column by column gives the rows of the same array
// stored row by row, of any shape, also where a strip has some of its rows alone.
func TestFortranOrder(t *testing.T) {
	for _, shape := range [][]int{{1, 5}, {5, 1}, {4, 3}, {3, 2, 2}, {2, 3, 4, 2}, {1<<15 + 1, 70, 4}} {
		size, text := 1, "("
		for _, n := range shape {
			size *= n
			text += fmt.Sprint(n, ", ")
		}
		rows, columns := make([]byte, size), make([]byte, size)
		for at := range size { // in rows
			to, stride, rest, outer := 0, 1, at, size
			for _, n := range shape {
				outer /= n
				to += rest / outer * stride
				rest %= outer
				stride *= n
			}
			rows[at] = byte(at * 7919 >> 3)
			columns[to] = rows[at]
		}
		read := func(content string) []float64 {
			l := mustSniff(t, "f.npy", content)
			if l.Columns[0].Example != fmt.Sprint(rows[0]) {
				t.Errorf("%v: the first example is %s, want %d", shape, l.Columns[0].Example, rows[0])
			}
			var numbers []float64
			if err := each(open(t, l, content), func(b *Block) { numbers = append(numbers, b.Numbers...) }); err != nil {
				t.Fatal(shape, err)
			}
			return numbers
		}
		want := read(npyFile("|u1", text+")", string(rows)))
		if got := read(fortran(text+")", string(columns))); !reflect.DeepEqual(got, want) || len(want) != size {
			t.Errorf("%v: got %d numbers, want %d, or others", shape, len(got), len(want))
		}
	}
	content := fortran("(2, 2)", "\x01\x03\x02\x04")
	l := mustSniff(t, "f.npy", content)
	for file, want := range map[string]string{content[:len(content)-1]: "ends before its last column",
		content + "\x00": "there is more behind the 2 rows"} {
		if _, err := l.Open(strings.NewReader(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := l.Open(bytes.NewBufferString(content)); err == nil ||
		!strings.Contains(err.Error(), "open it as a File") {
		t.Errorf("as a stream: %v", err)
	}
}

// FuzzZip: whatever claims to be a ZIP archive is read, or refused in a sentence.
func FuzzZip(f *testing.F) {
	f.Add([]byte(zipped(f, "x.csv", "a,b\n1,2\n")))
	f.Add([]byte(zipped(f, "y.npy", npyFile("|u1", "(2,)", "\x05\x06"), "=X.npy", fortran("(2, 2)", "\x01\x02\x03\x04"))))
	end := binary.LittleEndian.AppendUint64([]byte(zipMagic+zip64End+strings.Repeat("\xff", 52)+zip64Locator+
		"\x00\x00\x00\x00"), 4)
	f.Add(append(end, zipEnd+"\x00\x00\x00\x00"+strings.Repeat("\xff", 14)...))
	f.Fuzz(func(t *testing.T, content []byte) {
		l, err := SniffFile("f.zip", bytes.NewReader(content), columns.Reading{})
		if err == nil {
			_, _, err = readAll(l, bytes.NewReader(content))
		}
		var noCodec *NoCodecError // of a table that package columnar reads
		if err != nil && !errors.As(err, &noCodec) && !strings.HasPrefix(err.Error(), "f.zip") {
			t.Errorf("%v", err)
		}
	})
}
