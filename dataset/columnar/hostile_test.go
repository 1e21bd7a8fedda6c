package columnar

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/slow"
)

// A call may take this long, and the heap may grow by this much.
const (
	mostTime = 2 * time.Second
	mostHeap = 200 << 20
)

// A visit opens a file and reads its first rows as the page does. It measures the slowest call.
type visit struct {
	slowest time.Duration
	call    string // the slowest
	blocks  int    // that are read at most, of each pass
}

func (v *visit) time(call string, f func() error) error {
	started := slow.Used()
	err := f()
	if took := slow.Used() - started; took > v.slowest {
		v.slowest, v.call = took, call
	}
	return err
}

func (v *visit) read(name, content string, reading columns.Reading) (rows int, err error) {
	file := strings.NewReader(content)
	var l *dataset.Layout
	if err = v.time("sniff", func() (err error) { l, err = dataset.SniffFile(name, file, reading); return }); err != nil {
		return 0, err
	}
	p := dataset.NewPreprocessing(l)
	p.SetScaling(l.SuggestedScaling())
	err = v.time("apply", func() error {
		_, err := json.Marshal(p.Reading)
		if err == nil {
			l, err = p.Apply(l)
		}
		return err
	})
	open := func() (s dataset.Source, err error) {
		err = v.time("open", func() (err error) { s, err = l.Open(file); return })
		return s, err
	}
	for fitted := !p.NeedsFit(); err == nil && !fitted; fitted = true {
		var s dataset.Source
		if s, err = open(); err == nil {
			err = v.time("fit", func() error { _, err := p.Fit(dataset.FirstRows(s, 1)); return err })
		}
	}
	if err != nil {
		return 0, err
	}
	s, err := open()
	if err != nil {
		return 0, err
	}
	var r *dataset.Reader
	if err = v.time("reader", func() (err error) { r, err = dataset.NewReader(s, p); return }); err != nil {
		return 0, err
	}
	var batch dataset.Batch
	for range v.blocks {
		if err = v.time("next", func() error { return r.Next(&batch) }); err != nil {
			break
		}
		rows += batch.Rows()
	}
	if err == io.EOF {
		err = nil
	}
	return rows, err
}

// heapOf returns by how many bytes the heap grew while f ran, garbage that was not yet collected among them.
func heapOf(f func()) (most uint64) {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	read := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	before, done, ended := read(), make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		for {
			most = max(most, max(read(), before)-before)
			select {
			case <-done:
				return
			case <-time.After(100 * time.Microsecond):
			}
		}
	}()
	f()
	close(done)
	<-ended
	return most
}

// A bomb is a file that would become more than memory holds, and what is said of it.
type bomb struct{ name, content, want string }

func bombs(t testing.TB) []bomb {
	const columns, names = "more than 262144 c", "the names of its columns have more than 16 MB; shorten them."
	long := strings.Repeat("k", 1<<20)
	list := "[" + strings.Repeat("1,", 1<<18-1) + "1]"
	wide := func(n int) string {
		return `<row><c r="` + strings.Repeat("A", n) + `1"><v>1</v></c></row>`
	}
	keys := &strings.Builder{}
	for i := range 1<<18 + 1 {
		fmt.Fprintf(keys, `"%d":0,`, i)
	}
	elements := func(t *thriftWriter, n int, name string) {
		for range n {
			t.begin()
			t.text(4, name)
			t.end()
		}
	}
	schema := func(n int, name string, groups int) string {
		return parquetWith("", func(t *thriftWriter) {
			t.i32(1, 1)
			t.list(2, thriftStruct, n)
			elements(t, n, name)
			t.list(4, thriftStruct, groups)
			elements(t, groups, "")
		})
	}
	nested := func(n int) string { // a group with a long name, and columns in it
		return parquetWith("", func(t *thriftWriter) {
			t.list(2, thriftStruct, n+2)
			for i, name := range []string{"schema", long} {
				t.begin()
				t.text(4, name)
				t.i32(5, []int64{1, int64(n)}[i])
				t.end()
			}
			for range n {
				t.begin()
				t.i32(1, parquetFloat)
				t.text(4, "x")
				t.end()
			}
		})
	}
	float := arrowField("x", arrowFloatingPoint, []flatField{flatNumber(1, 2)})
	arrow := func(fields ...[]flatField) string {
		return arrowHead(arrowSchemaMessage, []flatField{flatNumber(0, 2), flatTables(fields)}, "", 0)
	}
	many := make([][]flatField, 1000)
	for i := range many {
		many[i] = float
	}
	group := arrowField(long, arrowStruct, nil, many...)
	return []bomb{
		{"commas.csv", strings.Repeat(",", 8e6), columns},
		{"quoted.csv", `"",` + strings.Repeat(",", 8e6), columns},
		{"header.csv", "a" + strings.Repeat(",", 1<<18) + "\n1\n", columns},
		{"spaces.csv", strings.Repeat("1 ", 4e6), columns},
		{"tabs.tsv", strings.Repeat("\t", 8e6), "no column becomes a number"},
		{"commas.csv.gz", gzipped(strings.Repeat(",", 8e6)), columns},
		{"commas.csv.zst", zstandard(t, strings.Repeat(",", 8e6)), columns},
		{"commas.zip", zipOf(t, "commas.csv", strings.Repeat(",", 8e6)), columns},
		{"keys.jsonl", "{" + strings.TrimSuffix(keys.String(), ",") + "}\n", columns},
		{"keys.json", "[{" + strings.TrimSuffix(keys.String(), ",") + "}]", columns},
		{"elements.jsonl", strings.Replace(list, "1]", "1,1]\n", 1), columns},
		{"names.jsonl", `{"` + long + `":` + list + "}\n", names},
		{"names.json", `[{"` + long + `":` + list + "}]", names},
		{"nested.jsonl", `{"` + long + `":{` + numbered(1000, `"k%[1]d":%[1]d`, ",") + "}}\n", names},
		{"nested.json", `{"data":[{"` + long + `":{` + numbered(1000, `"k%[1]d":%[1]d`, ",") + "}}]}", names},
		{"deep.json", strings.Repeat(`{"k":`, 1<<20), ""},
		{"split.json", `{"columns":[` + numbered(1<<18+1, `"c%d"`, ",") + `],"data":[[1]]}`, ""},
		{"labels.svm", strings.Repeat("1", 5e6) + " 1:1\n" + strings.Repeat("1\n", 5e6), ""},
		{"wide.npy", npyOf("(2, 1000000000)"), "a row has more than 262144 numbers"},
		{"long.npy", npyOf("(1000000000, 200000)"), "the file ends here, of 1000000000 rows"},
		{"header.npy", "\x93NUMPY\x02\x00\xff\xff\xff\x7f", "more than any array of numbers needs"},
		{"wide.idx", "\x00\x00\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "a row has more than"},
		{"wide.xlsx", book(t, "<sheetData>"+strings.Repeat(wide(1), 400)+wide(3)+strings.Repeat(wide(1), 9)+
			"</sheetData>"), ""},
		{"wider.xlsx", book(t, "<sheetData>"+strings.Repeat(wide(1), 400)+wide(5)+"</sheetData>"), columns},
		{"elements.parquet", schema(1<<20, "", 0), columns},
		{"groups.parquet", schema(2, "x", 1<<20), "a row group lists columns without a place"},
		{"names.parquet", nested(1000), names},
		{"names.arrow", arrow(group), names},
	}
}

// npyOf is the header of an array.
func npyOf(shape string) string {
	header := "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }\n"
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(header)))) + header
}

// TestBombs: a file that announces, or is, more than a table may have is refused before memory is taken.
func TestBombs(t *testing.T) {
	for _, b := range bombs(t) {
		t.Run(b.name, func(t *testing.T) {
			v := &visit{blocks: 2}
			var err error
			taken := heapOf(func() { _, err = v.read(b.name, b.content, columns.Reading{}) })
			if got := fmt.Sprint(err); b.want != "" && !strings.Contains(got, b.want) || len(got) > 300 {
				t.Errorf("got %.300v, want %q", err, b.want)
			}
			for tries := 0; taken > mostHeap && tries < 2; tries++ { // a busy machine collects garbage late
				taken = heapOf(func() { (&visit{blocks: 2}).read(b.name, b.content, columns.Reading{}) })
			}
			if taken > mostHeap {
				t.Errorf("it took %d MB, three times", taken>>20)
			}
			if again := (&visit{blocks: 2}); v.slowest > mostTime {
				if again.read(b.name, b.content, columns.Reading{}); again.slowest > mostTime {
					t.Errorf("%s took %v, then %v", v.call, v.slowest, again.slowest)
				}
			}
			t.Logf("%d MB, %s %v", taken>>20, v.call, v.slowest)
		})
	}
}

// TestHostileCases: the files that stopped a reader are refused, or read, at once.
func TestHostileCases(t *testing.T) {
	for name, path := range cases.Files(t, "hostile") {
		v := &visit{blocks: 100}
		rows, err := v.read(name, string(must(os.ReadFile(path))), columns.Reading{})
		if v.slowest > mostTime {
			t.Errorf("%s: %s took %v", name, v.call, v.slowest)
		}
		t.Logf("%s: %d rows, %v, %.200v", name, rows, v.slowest, err)
	}
}

// grown are files whose size in one respect is n.
var grown = map[string]struct {
	n    int
	make func(t *testing.T, n int) string
}{
	"names.csv": {16_000, func(_ *testing.T, n int) string {
		return numbered(n, "c%d", ",") + "\n" + strings.Repeat(numbered(n, "%d", ",")+"\n", 3)
	}},
	"same names.csv": {16_000, func(_ *testing.T, n int) string {
		return strings.Repeat("a,", n-1) + "a\n" + strings.Repeat(numbered(n, "%d", ",")+"\n", 3)
	}},
	"names taken.csv": {16_000, func(_ *testing.T, n int) string {
		return strings.Repeat("a,", n/2) + numbered(n/2, "a (%d)", ",") + "\n" +
			strings.Repeat(numbered(n, "%d", ",")+"\n", 3)
	}},
	"texts.tsv": {8_000, func(_ *testing.T, n int) string {
		return numbered(n, "c%d", "\t") + "\n" + strings.Repeat(numbered(n, "t%d", "\t")+"\n", 3)
	}},
	"a long cell.csv": {1 << 20, func(_ *testing.T, n int) string {
		return "a,b\n1," + strings.Repeat("x", n) + "\n2,y\n"
	}},
	"a long name.csv": {1 << 20, func(_ *testing.T, n int) string {
		return "a," + strings.Repeat("x", n) + "\n1,2\n2,3\n"
	}},
	"a long number.csv": {1 << 20, func(_ *testing.T, n int) string {
		return "a,b\n1," + strings.Repeat("1", n) + "\n2,3\n"
	}},
	"quotes.csv": {1 << 20, func(_ *testing.T, n int) string {
		return "a,b\n1,\"" + strings.Repeat(`""`, n/2) + "\"\n2,3\n"
	}},
	"lines in a cell.csv": {1 << 19, func(_ *testing.T, n int) string {
		return "a,b\n1,\"" + strings.Repeat("\n", n) + "\"\n2,3\n"
	}},
	"keys.jsonl": {16_000, func(_ *testing.T, n int) string {
		return strings.Repeat("{"+numbered(n, `"k%[1]d":%[1]d`, ",")+"}\n", 3)
	}},
	"keys in turn.jsonl": {16_000, func(_ *testing.T, n int) string {
		return "{" + numbered(n, `"k%[1]d":%[1]d`, ",") + "}\n" + strings.Repeat("{"+backwards(n)+"}\n", 3)
	}},
	"a list.jsonl": {1 << 16, func(_ *testing.T, n int) string {
		return strings.Repeat(`{"a":[`+numbered(n, "%d", ",")+"]}\n", 3)
	}},
	"a long key.jsonl": {1 << 20, func(_ *testing.T, n int) string {
		return `{"` + strings.Repeat("k", n) + "\":1}\n"
	}},
	"brackets.jsonl": {1 << 20, func(_ *testing.T, n int) string {
		return `{"a":1,"b":` + strings.Repeat("[", n) + "\n"
	}},
	"rows.json": {1 << 16, func(_ *testing.T, n int) string {
		return "[" + numbered(n, `{"a":%d,"b":2}`, ",") + "]"
	}},
	"entries.svm": {1 << 16, func(_ *testing.T, n int) string {
		return strings.Repeat("1 "+numbered(n, "%d:1", " ")+"\n", 3)
	}},
	"backwards.svm": {1 << 16, func(_ *testing.T, n int) string {
		return strings.Repeat("1 "+descending(n)+"\n", 3)
	}},
	"words.txt": {1 << 17, func(_ *testing.T, n int) string { return numbered(n, "w%d", " ") + "\n" }},
	"columns.npy": {1 << 16, func(_ *testing.T, n int) string {
		return npyOf("(3, "+strconv.Itoa(n)+")") + zeros(24*n)
	}},
	"columns.parquet": {4_000, func(t *testing.T, n int) string { return columnsOf(t, dataset.Parquet, n) }},
	"columns.arrow":   {4_000, func(t *testing.T, n int) string { return columnsOf(t, dataset.Arrow, n) }},
	"cells.xlsx":      {20_000, func(t *testing.T, n int) string { return book(t, sheetOf(n, 1)) }},
	"rows.xlsx":       {20_000, func(t *testing.T, n int) string { return book(t, sheetOf(1, n)) }},
	"entries.zip":     {4_000, func(t *testing.T, n int) string { return zipOf(t, entries(n)...) }},
	"blank lines.csv": {1 << 20, func(_ *testing.T, n int) string {
		return "a,b\n1,2\n" + strings.Repeat("\n", n) + "2,3\n"
	}},
	"blank lines.jsonl": {1 << 20, func(_ *testing.T, n int) string {
		return "{\"a\":1}\n" + strings.Repeat("\n", n) + "{\"a\":1}\n"
	}},
}

func zeros(n int) string { return strings.Repeat("\x00", n) }

// numbered is a text for each number below n, which stands in it.
func numbered(n int, form, separator string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf(form, i+1)
	}
	return strings.Join(texts, separator)
}

func backwards(n int) string {
	texts := make([]string, n)
	for i := range texts {
		texts[n-1-i] = fmt.Sprintf(`"k%d":1`, i+1)
	}
	return strings.Join(texts, ",")
}

func descending(n int) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strconv.Itoa(n-i) + ":1"
	}
	return strings.Join(texts, " ")
}

func sheetOf(columns, rows int) string {
	row := "<row>" + strings.Repeat("<c><v>1</v></c>", columns) + "</row>"
	return "<sheetData>" + strings.Repeat(row, rows+1) + "</sheetData>"
}

func entries(n int) (files []string) {
	for i := range n {
		files = append(files, fmt.Sprintf("%d.npy", i), npyOf("(2,)")+zeros(16))
	}
	return files
}

// columnsOf is a table of n columns of texts and one feature.
func columnsOf(t *testing.T, format dataset.Format, n int) string {
	names, cells := make([]string, n), make([][]byte, n)
	for i := range names {
		names[i], cells[i] = fmt.Sprintf("c%d", i), []byte("t")
	}
	e := must(dataset.NewEncoder(format, names, 1))
	content := e.AppendHeader(nil)
	for range 3 {
		content = must(e.AppendRow(content, cells, []float32{1}))
	}
	return string(e.AppendFooter(e.AppendBlock(content)))
}

// TestGrowth: four times the columns, the names or the bytes take at most nine times as long, in any format. A step
// that is quadratic takes sixteen times as long. Garbage is collected between reads: idle processors would help with
// it, and their time counts.
func TestGrowth(t *testing.T) {
	slow.Elsewhere(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for name, g := range grown {
		t.Run(name, func(t *testing.T) {
			content := [2]string{g.make(t, g.n/2), g.make(t, 2*g.n)}
			var took [2]time.Duration
			for try := range 8 {
				for i := range content {
					v := visit{blocks: 1 << 20}
					runtime.GC()
					started := slow.Used()
					rows, err := v.read(name, content[i], columns.Reading{})
					if now := slow.Used() - started; try == 0 || now < took[i] {
						took[i] = now
					}
					if try == 0 {
						t.Logf("%d rows, %.100v", rows, err)
					}
				}
				if took[1] < 9*took[0] || took[1] < 2*time.Millisecond {
					t.Log(took)
					return
				}
			}
			t.Errorf("for four times the size it took %v, and before %v", took[1], took[0])
		})
	}
}
