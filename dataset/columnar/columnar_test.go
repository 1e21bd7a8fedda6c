package columnar

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/slow"
)

// must is for what is not under test.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// eachOf calls f with every block of a source, or batch of a reader.
func eachOf[B any](s interface{ Next(*B) error }, f func(*B)) error {
	var b B
	for {
		if err := s.Next(&b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		f(&b)
	}
}

// vectors returns the vectors of all rows of a file, with their cells, after a first
// pass if p needs one.
func vectors(l *dataset.Layout, content string, p *dataset.Preprocessing) (rows []string,
	unused *dataset.Unused, err error) {
	if l, err = p.Apply(l); err != nil {
		return nil, nil, err
	}
	if p.NeedsFit() {
		s, err := l.Open(strings.NewReader(content))
		if err == nil {
			_, err = p.Fit(s)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	s, err := l.Open(strings.NewReader(content))
	if err != nil {
		return nil, nil, err
	}
	r, err := dataset.NewReader(s, p)
	if err != nil {
		return nil, s.Unused(), err
	}
	err = eachOf(r, func(b *dataset.Batch) {
		width := len(b.Dense) / b.Rows()
		for i := range b.Rows() {
			row := ""
			for _, x := range b.Dense[i*width : (i+1)*width] {
				row += fmt.Sprintf("%08x ", math.Float32bits(x))
			}
			for k := range p.CellNames() {
				row += fmt.Sprintf("%q ", b.Cell(i, k))
			}
			rows = append(rows, row)
		}
	})
	return rows, s.Unused(), err
}

func sniff(t testing.TB, name, content string) *dataset.Layout {
	t.Helper()
	return must(dataset.SniffFile(name, strings.NewReader(content), columns.Reading{}))
}

func fixture(t testing.TB, name string) string {
	t.Helper()
	return string(must(os.ReadFile(filepath.Join("testdata", name))))
}

// fixtures returns the names of the tables in testdata, or in a folder of it.
func fixtures(t testing.TB, folder string) (names []string) {
	t.Helper()
	for _, pattern := range []string{"*.parquet", "*.arrow"} {
		found, err := filepath.Glob(filepath.Join("testdata", folder, pattern))
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, found, err)
		}
		for _, name := range found {
			names = append(names, filepath.Join(folder, filepath.Base(name)))
		}
	}
	return names
}

func gzipped(content string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(content))
	w.Close()
	return b.String()
}

func zstandard(t testing.TB, content string) string {
	return string(must(zstd.NewWriter(nil)).EncodeAll([]byte(content), nil))
}

// TestFilesOfOthers: tables written by Apache Arrow's library give the vectors and cells
// of the same table as CSV, whatever their types, encodings and compressions; so do
// columns whose roles are not what they suggest.
func TestFilesOfOthers(t *testing.T) {
	slow.Emulated(t)
	csv := fixture(t, "table.csv")
	suggested := sniff(t, "table.csv", csv)
	all := *suggested
	all.Columns = append([]dataset.Column(nil), suggested.Columns...)
	for i := range all.Columns {
		switch c := &all.Columns[i]; c.Name {
		case "day", "when":
			c.Role = columns.AsDate
		case "word":
			c.Role = columns.AsKept
		case "label", "view":
			c.Role = columns.AsCategory
		default:
			c.Role = columns.AsNumber
		}
	}
	for _, l := range []*dataset.Layout{suggested, &all} {
		for _, scaling := range []columns.Scaling{columns.NoScaling, columns.Standard} {
			plan := func() *dataset.Preprocessing {
				p := dataset.NewPreprocessing(l)
				p.SetScaling(scaling)
				p.SetMissing(columns.Zero)
				p.SetMissing(columns.Mean)
				return p
			}
			want, _, err := vectors(l, csv, plan())
			if err != nil || len(want) != 20 {
				t.Fatal(len(want), err)
			}
			for _, name := range fixtures(t, "") {
				content := fixture(t, name)
				got, unused, err := vectors(sniff(t, name, content), content, plan())
				if err != nil || unused.Total > 0 || len(got) != len(want) {
					t.Fatalf("%s: %d rows, %v, unused %+v", name, len(got), err, unused)
				}
				for i := range want {
					if got[i] != want[i] && !(l == suggested && sameButTimes(got[i], want[i])) {
						t.Errorf("%s, row %d:\n%s\nwant\n%s", name, i+1, got[i], want[i])
						break
					}
				}
			}
		}
	}
}

// sameButTimes: a time of day that is kept has no zeros at its end, and a decimal none either.
func sameButTimes(got, want string) bool {
	return strings.ReplaceAll(got, " ", "") == strings.ReplaceAll(want, " ", "")
}

// TestLayout: columns have the types and roles that they have in CSV, but that texts of
// digits stay texts; what cannot be read is ignored, and says why.
func TestLayout(t *testing.T) {
	csv := sniff(t, "table.csv", fixture(t, "table.csv"))
	want := map[string]string{}
	for _, c := range csv.Columns {
		want[c.Name] = c.Type.String() + " " + c.Role.String()
	}
	want["ragged"], want["flag"] = "empty ignore", "boolean number" // table.csv has 1 and 0
	for _, name := range fixtures(t, "") {
		l := sniff(t, name, fixture(t, name))
		got := map[string]string{}
		for i, c := range l.Columns {
			got[c.Name] = c.Type.String() + " " + c.Role.String()
			if c.Name == "ragged" {
				if c.Example != "(lists of different lengths)" {
					t.Errorf("%s: %+v", name, c)
				}
				_, err := l.With(i, columns.AsNumber).Open(strings.NewReader(fixture(t, name)))
				if want := name + `, column 26 ("ragged"): it cannot be used: it holds lists of different lengths; ignore ` +
					`the column, or write its values as numbers or texts in columns of their own.`; err == nil || err.Error() != want {
					t.Errorf("got %v, want %s", err, want)
				}
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v\nwant %v", name, got, want)
		}
		if strings.HasSuffix(name, "parquet") && l.Total != 20 {
			t.Errorf("%s has %d rows", name, l.Total)
		}
	}
}

// someRows are random numbers, which have few decimals, and cells.
func someRows(n, width int) (features [][]float32, cells [][][]byte) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		row := make([]float32, width)
		for k := range row {
			row[k] = float32(random.IntN(20001)-10000) / 8
		}
		features = append(features, row)
		cells = append(cells, [][]byte{[]byte([]string{"yes", "no"}[i%2]), []byte(strings.Repeat("é,", i%5) + fmt.Sprint(i))})
	}
	return features, cells
}

// encode writes rows in blocks; stop is called behind each with what there is, the state
// and the rows.
func encode(t testing.TB, format dataset.Format, n, width, perBlock int,
	stop func(content, state []byte, rows int)) string {
	t.Helper()
	names := []string{"label", "kept"}
	if format == dataset.NPY {
		names = nil
	}
	e := must(dataset.NewEncoder(format, names, width))
	features, cells := someRows(n, width)
	content := e.AppendHeader(nil)
	for i := range n {
		content = must(e.AppendRow(content, cells[i][:len(names)], features[i]))
		if (i+1)%perBlock == 0 || i+1 == n {
			content = e.AppendBlock(content)
			if stop != nil {
				stop(content, e.State(), i+1)
			}
		}
	}
	copy(content, e.FinalHeader(int64(n)))
	return string(e.AppendFooter(content))
}

// TestEveryFormatSameBits: the same rows in every format, alone or compressed, give the
// same bits, also after a scaling that was learned from them; cells come back as they
// were, where there are any.
func TestEveryFormatSameBits(t *testing.T) {
	const nRows = 400 // in three blocks
	for _, width := range []int{1, 2, 40} {
		files := map[string]string{}
		for _, format := range []dataset.Format{dataset.CSV, dataset.JSONLines, dataset.NPY, dataset.Parquet, dataset.Arrow} {
			content := encode(t, format, nRows, width, 170, nil)
			files["t."+format.String()] = content
			files["t."+format.String()+".gz"] = gzipped(content)
			files["t."+format.String()+".zst"] = zstandard(t, content)
		}
		for _, scaling := range []columns.Scaling{columns.NoScaling, columns.Standard, columns.MinMax} {
			var want []string
			for _, name := range slices.Sorted(maps.Keys(files)) {
				l := sniff(t, name, files[name])
				hasCells := l.Format != dataset.NPY
				if hasCells {
					l = l.With(0, columns.AsLabel).With(1, columns.AsKept)
				} else {
					l = l.WithLabel(-1)
				}
				p := dataset.NewPreprocessing(l)
				p.SetScaling(scaling)
				got, unused, err := vectors(l, files[name], p)
				if want == nil {
					want = got
				}
				for i := range min(len(got), len(want)) {
					wanted := want[i]
					if !hasCells {
						wanted, _, _ = strings.Cut(wanted, `"`)
					}
					if got[i] != wanted {
						t.Fatalf("%s, %v, row %d: got %s, want %s", name, scaling, i+1, got[i], wanted)
					}
				}
				if err != nil || unused.Total > 0 || len(got) != nRows {
					t.Errorf("%s, %v: %d rows, %d unused, %v", name, scaling, len(got), unused.Total, err)
				}
			}
		}
	}
}

// TestResume: an encoder that goes on from a state writes what would have been written,
// and whatever was written until then is a valid file with a footer.
func TestResume(t *testing.T) {
	for _, format := range []dataset.Format{dataset.Parquet, dataset.Arrow} {
		features, cells := someRows(100, 7)
		want := encode(t, format, 100, 7, 30, nil)
		encode(t, format, 100, 7, 30, func(content, state []byte, rows int) {
			e := must(resumed(format, []string{"label", "kept"}, 7, bytes.Clone(state)))
			part := string(e.AppendFooter(bytes.Clone(content)))
			l := sniff(t, "part", part)
			if got, _, err := vectors(l, part, dataset.NewPreprocessing(l)); err != nil || len(got) != rows {
				t.Errorf("%v: %d rows of %d, %v", format, len(got), rows, err)
			}
			content = bytes.Clone(content)
			for i := rows; i < 100; i++ {
				content = must(e.AppendRow(content, cells[i], features[i]))
				if (i+1)%30 == 0 || i == 99 {
					content = e.AppendBlock(content)
				}
			}
			if got := string(e.AppendFooter(content)); got != want {
				t.Errorf("%v: after %d rows it goes on otherwise", format, rows)
			}
		})
		if _, err := resumed(format, []string{"a"}, 7, []byte{1, 2, 3}); err == nil {
			t.Errorf("%v takes a damaged state", format)
		}
	}
}

// readAll reads all rows of a file, however damaged, and returns a digest of them.
func readAll(name, content string) (digest uint64, err error) {
	l, err := dataset.SniffFile(name, strings.NewReader(content), columns.Reading{})
	if err != nil {
		return 0, err
	}
	s, err := l.Open(strings.NewReader(content))
	if err != nil {
		return 0, err
	}
	h := fnv.New64a()
	err = eachOf(s, func(b *dataset.Block) { fmt.Fprint(h, b.Numbers) })
	return h.Sum64(), err
}

// checkSentence fails unless the error is a Problem: one sentence with file and remedy.
func checkSentence(t testing.TB, err error) {
	t.Helper()
	var p *dataset.Problem
	if err != nil && (!errors.As(err, &p) || p.File == "" || p.What == "" || p.Remedy == "" ||
		!strings.HasSuffix(err.Error(), ".") || strings.Count(err.Error(), "\n") > 0) {
		t.Errorf("not a sentence: %v", err)
	}
}

// TestTruncated: a file that ends anywhere is a sentence.
func TestTruncated(t *testing.T) {
	slow.Elsewhere(t)
	for _, name := range slices.Concat(fixtures(t, ""), workbooks, workbooksOfMakers) {
		content := fixture(t, name)
		step := 1 + len(content)/150
		for n := len(content) - 1; n > 0; n -= step {
			_, err := readAll(name, content[:n])
			if err == nil && !strings.Contains(name, "stream") { // which may end behind any record batch
				t.Errorf("%s: the first %d bytes of %d are read", name, n, len(content))
			}
			checkSentence(t, err)
		}
	}
}

// TestDamaged: bytes that are wrong are a sentence or other cells, at once.
func TestDamaged(t *testing.T) {
	slow.Elsewhere(t)
	random := rand.New(rand.NewPCG(3, 4))
	for _, name := range slices.Concat(fixtures(t, ""), workbooks, workbooksOfMakers) {
		content := []byte(fixture(t, name))
		for range 150 {
			damaged := bytes.Clone(content)
			for range 1 + random.IntN(3) {
				damaged[random.IntN(len(damaged))] = byte(random.Uint32())
			}
			_, err := readAll(name, string(damaged))
			checkSentence(t, err)
		}
	}
}

func fuzz(f *testing.F, format dataset.Format) {
	if format != dataset.XLSX {
		f.Add([]byte(fixture(f, "seeds/tiny."+format.String())))
		f.Add([]byte(encode(f, format, 5, 3, 2, nil)))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		first, err := readAll("f", string(content))
		checkSentence(t, err)
		if second, again := readAll("f", string(content)); second != first || fmt.Sprint(again) != fmt.Sprint(err) {
			t.Errorf("read twice: %x, %v and %x, %v", first, err, second, again)
		}
	})
}

func FuzzParquet(f *testing.F) { fuzz(f, dataset.Parquet) }
func FuzzArrow(f *testing.F)   { fuzz(f, dataset.Arrow) }

func FuzzWorkbook(f *testing.F) {
	f.Add([]byte(fixture(f, "openpyxl-1900.xlsx")))
	for _, sheet := range sheets {
		f.Add([]byte(book(f, sheet[0])))
	}
	fuzz(f, dataset.XLSX)
}

// TestFooterOfManyRows: the memory for a footer does not depend on the rows that a state claims.
func TestFooterOfManyRows(t *testing.T) {
	state := binary.AppendUvarint(nil, math.MaxInt32)
	state = append(state, 1, 1) // bytes of the two columns of cells
	for _, format := range []dataset.Format{dataset.Parquet, dataset.Arrow} {
		e := must(resumed(format, []string{"label", "kept"}, 3, state))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e.AppendFooter(nil)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
			t.Errorf("%v: the footer of 2^31 - 1 rows takes %d bytes", format, got)
		}
	}
}

// FuzzEncoderState: whatever claims to be the state of an encoder is refused, or goes on
// as it is.
func FuzzEncoderState(f *testing.F) {
	for _, format := range []dataset.Format{dataset.Parquet, dataset.Arrow} {
		encode(f, format, 6, 3, 2, func(_, state []byte, _ int) { f.Add(state, format == dataset.Arrow) })
	}
	// a block of 2^40 rows
	f.Add(binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(nil, 1<<40), 1), 1), false)
	features, cells := someRows(3, 3)
	f.Fuzz(func(t *testing.T, state []byte, arrow bool) {
		format := dataset.Parquet
		if arrow {
			format = dataset.Arrow
		}
		e, err := resumed(format, []string{"label", "kept"}, 3, bytes.Clone(state))
		if err != nil {
			return
		}
		again, err := resumed(format, []string{"label", "kept"}, 3, e.State())
		if err != nil {
			t.Fatalf("state %x is taken, and the one written after it, %x, is not: %v", state, e.State(), err)
		}
		for _, e := range []*dataset.Encoder{e, again} {
			var content []byte
			for i := range cells {
				content = must(e.AppendRow(content, cells[i][:2], features[i]))
			}
			e.AppendFooter(e.AppendBlock(content))
		}
		if !bytes.Equal(e.State(), again.State()) || !bytes.Equal(e.AppendFooter(nil), again.AppendFooter(nil)) {
			t.Errorf("state %x goes on otherwise after it was written again", state)
		}
	})
}

// TestBrotli: what another library packs is unpacked, at every level.
func TestBrotli(t *testing.T) {
	text := fixture(t, "table.csv") + strings.Repeat("again and again ", 1000)
	for level := range brotli.BestCompression + 1 {
		var packed bytes.Buffer
		w := brotli.NewWriterLevel(&packed, level)
		w.Write([]byte(text))
		w.Close()
		if got := new(unpacker).unpack(codecBrotli, packed.Bytes(), len(text)); string(got) != text {
			t.Errorf("level %d gives %d bytes of %d, or others", level, len(got), len(text))
		}
	}
}

// resumed returns an encoder that goes on from a state.
func resumed(format dataset.Format, names []string, nComponents int, state []byte) (*dataset.Encoder, error) {
	return dataset.NewEncoderWith(format, names, nComponents, dataset.EncoderOptions{State: state})
}
