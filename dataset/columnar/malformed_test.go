package columnar

import (
	"encoding/binary"
	"hash/crc32"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// parquetWith is a Parquet file whose footer is made by write, with pages before it.
func parquetWith(pages string, write func(t *thriftWriter)) string {
	t := &thriftWriter{}
	t.begin()
	write(t)
	t.end()
	return parquetMagic + pages + string(t.b) +
		string(binary.LittleEndian.AppendUint32(nil, uint32(len(t.b)))) + parquetMagic
}

// oneColumn writes the footer of a file of one required column and one row group.
func oneColumn(physical, rows, codec, at, length int64, path ...string) func(t *thriftWriter) {
	return func(t *thriftWriter) {
		t.i32(1, 1)
		t.list(2, thriftStruct, 2)
		t.begin()
		t.text(4, "schema")
		t.i32(5, 1)
		t.end()
		t.begin()
		t.i32(1, physical)
		t.i32(3, parquetRequired)
		t.text(4, "x")
		t.end()
		t.i64(3, rows)
		t.list(4, thriftStruct, 1)
		t.begin()
		t.list(1, thriftStruct, 1)
		t.begin()
		for _, name := range path {
			t.text(1, name)
		}
		t.i64(2, at)
		t.structure(3)
		t.i32(1, physical)
		t.i32(4, codec)
		t.i64(5, rows)
		t.i64(6, length)
		t.i64(7, length)
		t.i64(9, at)
		t.end()
		t.end()
		t.i64(2, length)
		t.i64(3, rows)
		t.end()
	}
}

// page is one with a head that says what is given.
func page(values, unpacked, packed, encoding int64, content string) string {
	return checkedPage(values, unpacked, packed, encoding, content, noCRC)
}

// checkedPage is page with a checksum.
func checkedPage(values, unpacked, packed, encoding int64, content string, crc int64) string {
	t := &thriftWriter{}
	t.begin()
	t.i32(1, dataPage)
	t.i32(2, unpacked)
	t.i32(3, packed)
	if crc != noCRC {
		t.i32(4, crc)
	}
	t.structure(5)
	t.i32(1, values)
	t.i32(2, encoding)
	t.i32(3, encodingRLE)
	t.i32(4, encodingRLE)
	t.end()
	t.end()
	return string(t.b) + content
}

// onePage is a file of one page.
func onePage(physical, rows, codec int64, page string) string {
	return parquetWith(page, oneColumn(physical, rows, codec, 4, int64(len(page))))
}

func arrowHead(kind byte, header []flatField, body string, length int) string {
	return string(appendMessage(nil, kind, header, length)) + body
}

// oneFloat is the schema of one column of float32.
func oneFloat(kind byte, details ...flatField) string {
	field := arrowField("x", kind, details)
	return arrowHead(arrowSchemaMessage, []flatField{flatNumber(0, 2), flatTables([][]flatField{field})}, "", 0)
}

// batchOf is a record batch of one column with one buffer behind the one that says which
// cells are there.
func batchOf(rows, bufferAt, bufferSize, body int, compression ...flatField) string {
	var nodes, buffers []byte
	for _, n := range []int{rows, 0} {
		nodes = binary.LittleEndian.AppendUint64(nodes, uint64(n))
	}
	for _, n := range []int{0, 0, bufferAt, bufferSize} {
		buffers = binary.LittleEndian.AppendUint64(buffers, uint64(n))
	}
	header := []flatField{flatNumber(rows, 8), flatStructs(nodes, 16), flatStructs(buffers, 16)}
	if compression != nil {
		header = append(header, flatTableField(compression))
	}
	return arrowHead(arrowRecordMessage, header, strings.Repeat("\x00", min(body, 1<<16)), body)
}

// TestChecksum: a page whose checksum is right is read, also where the checksum has its highest bit and is negative.
func TestChecksum(t *testing.T) {
	for cell, want := range map[string]string{"\x00\x00\x80\x3f": "1", "\x00\x00\x00\x40": "2", "\x00\x00\x40\x40": "3"} {
		crc := int64(int32(crc32.ChecksumIEEE([]byte(cell))))
		file := strings.NewReader(onePage(parquetFloat, 1, codecNone, checkedPage(1, 4, 4, encodingPlain, cell, crc)))
		l := need.Value(dataset.SniffFile("f.parquet", file, columns.Reading{}))(t)
		var b dataset.Block
		if err := need.Value(l.With(0, columns.AsKept).Open(file))(t).Next(&b); err != nil || string(b.Text(0, 0)) != want {
			t.Errorf("with the checksum %d: %v, want %s", crc, err, want)
		}
	}
}

// TestMalformed: whatever is wrong is one sentence with file, place and remedy, and takes
// no memory that is only announced.
func TestMalformed(t *testing.T) {
	floats, zeros := oneFloat(arrowFloatingPoint, flatNumber(1, 2)), strings.Repeat("\x00", 1<<20)
	stream := floats + batchOf(1, 0, 8, 8) + endOfStream
	one, xs := page(1, 4, 4, encodingPlain, "\x00\x00\x80\x3f"), page(1, 4, 4, encodingPlain, "xxxx")
	floatPage := func(rows, codec int64, page string) string { return onePage(parquetFloat, rows, codec, page) }
	gzipBomb, zstdBomb := gzipped(zeros), zstandard(t, zeros)
	problems := map[string]error{}
	for name, content := range map[string]string{
		"Parquet, magic alone":      "PAR1",
		"Parquet, cut off":          "PAR1" + strings.Repeat("x", 20),
		"Parquet, encrypted":        "PAR1" + strings.Repeat("x", 20) + "PARE",
		"Parquet, absurd footer":    "PAR1xxxx\xff\xff\xff\x7fPAR1",
		"Parquet, empty footer":     "PAR1\x00\x01\x00\x00\x00PAR1",
		"Parquet, damaged footer":   "PAR1\x19\x1c\x7f\x03\x00\x00\x00PAR1",
		"Parquet, absurd list":      "PAR1\x29\xfc\xff\xff\xff\x7f\x06\x00\x00\x00PAR1",
		"Parquet, no rows":          floatPage(0, codecNone, ""),
		"Parquet, absurd rows":      floatPage(1<<50, codecNone, one),
		"Parquet, negative rows":    floatPage(-1, codecNone, ""),
		"Parquet, too few rows":     floatPage(2, codecNone, one),
		"Parquet, too few values":   floatPage(2, codecNone, page(2, 4, 4, encodingPlain, "\x00\x00\x80\x3f")),
		"Parquet, absurd page":      floatPage(1, codecSnappy, page(1, 1<<30, 4, encodingPlain, "xxxx")),
		"Parquet, page beyond":      floatPage(1, codecNone, page(1, 4, 1<<30, encodingPlain, "xxxx")),
		"Parquet, other checksum":   floatPage(1, codecNone, checkedPage(1, 4, 4, encodingPlain, "xxxx", 7)),
		"Parquet, column beyond":    parquetWith("", oneColumn(parquetFloat, 1, 0, 1<<40, 8)),
		"Parquet, unknown codec":    floatPage(1, 3, xs),
		"Parquet, unknown encoding": floatPage(1, codecNone, page(1, 4, 4, 17, "xxxx")),
		"Parquet, no dictionary":    floatPage(1, codecNone, page(1, 4, 4, encodingRLEDictionary, "xxxx")),
		"Parquet, damaged gzip":     floatPage(1, codecGzip, xs),
		"Parquet, bomb of gzip":     floatPage(1, codecGzip, page(1, 4, int64(len(gzipBomb)), encodingPlain, gzipBomb)),
		"Parquet, bomb of zstd":     floatPage(1, codecZstd, page(1, 4, int64(len(zstdBomb)), encodingPlain, zstdBomb)),
		"Parquet, announced by LZ4": floatPage(1, codecLZ4Raw, page(1, 1<<26, 4, encodingPlain, "xxxx")),
		"Parquet, announced by s2":  floatPage(1, codecSnappy, page(1, 4, 5, encodingPlain, "\xff\xff\xff\xff\x0f")),
		"Parquet, text too long": onePage(parquetByteArray, 1, codecNone,
			page(1, 4, 4, encodingPlain, "\xff\xff\xff\x7f")),
		"Parquet, in other files": parquetWith("", oneColumn(parquetFloat, 1, 0, 4, 8, "x.parquet")),
		"Parquet, no columns": parquetWith("", func(t *thriftWriter) {
			t.list(2, thriftStruct, 1)
			t.begin()
			t.text(4, "schema")
			t.end()
			t.i64(3, 1)
			t.list(4, thriftStruct, 1)
			t.begin()
			t.list(1, thriftStruct, 0)
			t.i64(2, 0)
			t.i64(3, 1)
			t.end()
		}),
		"Arrow, two streams":      stream + stream,
		"Arrow, magic alone":      "ARROW1\x00\x00",
		"Arrow, cut off":          "ARROW1\x00\x00" + strings.Repeat("x", 20),
		"Arrow, absurd head":      "\xff\xff\xff\xff\xff\xff\xff\x7f",
		"Arrow, no schema":        batchOf(1, 0, 8, 8),
		"Arrow, no columns":       arrowHead(arrowSchemaMessage, []flatField{flatNumber(0, 2)}, "", 0),
		"Arrow, big-endian":       arrowHead(arrowSchemaMessage, []flatField{flatNumber(1, 2)}, "", 0),
		"Arrow, unknown type":     oneFloat(99),
		"Arrow, no rows":          floats,
		"Arrow, body cut off":     floats + batchOf(1<<20, 0, 1<<22, 1<<22),
		"Arrow, absurd rows":      oneFloat(arrowNull) + batchOf(1<<50, 0, 8, 8),
		"Arrow, negative rows":    floats + batchOf(-1, 0, 8, 8),
		"Arrow, buffer too short": floats + batchOf(3, 0, 8, 8),
		"Arrow, buffer outside":   floats + batchOf(1, 8, 8, 8),
		"Arrow, absurd buffer": floats + strings.TrimSuffix(batchOf(1, 0, 16, 16, flatNumber(1, 1)), zeros[:16]) +
			"\x00\x00\x00\x00\x01\x00\x00\x00xxxxxxxx",
		"Arrow, unknown compression": floats + batchOf(1, 0, 16, 16, flatNumber(9, 1)),
		"Arrow, damaged lz4":         floats + batchOf(1, 0, 16, 16, flatNumber(0, 1)),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := readAll("f", content)
			runtime.ReadMemStats(&after)
			checkSentence(t, err)
			problems[name] = err
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 20<<20 {
				t.Errorf("it took %d MB", taken>>20)
			}
		})
	}
	golden.Errors(t, problems)
}

// endOfStream is what a stream of Arrow ends with.
const endOfStream = "\xff\xff\xff\xff\x00\x00\x00\x00"

// TestPaddedStream: zeros behind the end of a stream are no table.
func TestPaddedStream(t *testing.T) {
	stream := oneFloat(arrowFloatingPoint, flatNumber(1, 2)) + batchOf(1, 0, 8, 8)
	for _, end := range []string{"", endOfStream, endOfStream + "\x00", endOfStream + strings.Repeat("\x00", 64)} {
		if _, err := readAll("f", stream+end); err != nil {
			t.Errorf("with %q at its end: %v", end, err)
		}
	}
}

// TestEqualNames: names of columns that are empty, or the same as another, get a number, with a note.
func TestEqualNames(t *testing.T) {
	for _, format := range []dataset.Format{dataset.Parquet, dataset.Arrow} {
		e := must(dataset.NewEncoder(format, []string{"name1", "name2", ""}, 1))
		content := must(e.AppendRow(e.AppendHeader(nil), [][]byte{{'1'}, {'2'}, {'3'}}, []float32{1}))
		content = e.AppendFooter(e.AppendBlock(content))
		l := sniff(t, "f", strings.ReplaceAll(string(content), "name2", "name1"))
		names := ""
		for _, c := range l.Columns {
			names += c.Name + "|"
		}
		if want := "name1|name1 (2)|column 3|features[0]|"; names != want {
			t.Errorf("%v: the names are %q, want %q", format, names, want)
		}
		isNoted := func(n columns.Note) bool { return n.Code == columns.NoteNames && n.Count == 2 }
		if !slices.ContainsFunc(l.Notes(), isNoted) {
			t.Errorf("%v: the notes are %v", format, l.Notes())
		}
	}
}

// parquetOf is a file of one column of texts, beside a feature.
func parquetOf(t *testing.T, cells ...string) string {
	t.Helper()
	e := must(dataset.NewEncoder(dataset.Parquet, []string{"n"}, 1))
	content := e.AppendHeader(nil)
	for _, cell := range cells {
		content = must(e.AppendRow(content, [][]byte{[]byte(cell)}, []float32{1}))
	}
	return string(e.AppendFooter(e.AppendBlock(content)))
}

// TestNotNumbers: cells that are no numbers in a column of numbers, or infinite, pass over
// their rows; missing ones are NaN.
func TestNotNumbers(t *testing.T) {
	content := parquetOf(t, "1.5", "x", "NA", " 2 ", "\xff")
	l := sniff(t, "f", content).With(0, columns.AsNumber)
	p := dataset.NewPreprocessing(l)
	p.SetMissing(columns.Zero)
	rows, unused, err := vectors(l, content, p)
	if err != nil || len(rows) != 3 || rows[0][:8] != "3fc00000" || rows[1][:8] != "00000000" ||
		rows[2][:8] != "40000000" {
		t.Errorf("got %q, %v", rows, err)
	}
	if want := `f, row 2, column 1 ("n"): "x" is not a number; ` +
		`correct it, or use the column for something else.`; unused.Total != 2 || unused.First[0].Error() != want {
		t.Errorf("got %+v, want %s", unused, want)
	}
}

// TestBadUTF8: texts that are not UTF-8 pass over their rows.
func TestBadUTF8(t *testing.T) {
	content := parquetOf(t, "\xff", "a")
	rows, problems, err := keptRows(sniff(t, "f", content), content)
	if err != nil || !slices.Equal(rows, []string{"a|1"}) || !slices.Equal(problems, []string{
		`f, row 1, column 1 ("n"): the text is not UTF-8; ignore the column, or write the file with texts in UTF-8.`}) {
		t.Errorf("got %q, %q, %v", rows, problems, err)
	}
}

// TestTableMemory: tables of 60 MB keep less than 40 MB of memory: what is kept from strip to
// strip, and a few strips.
func TestTableMemory(t *testing.T) {
	slow.Elsewhere(t)
	for _, format := range []dataset.Format{dataset.Parquet, dataset.Arrow} {
		content := encode(t, format, 16_000, 1000, 4_000, nil)
		l := sniff(t, "t", content)
		var before, during runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := must(l.Open(strings.NewReader(content)))
		most, blocks := uint64(0), 0
		err := eachOf(s, func(*dataset.Block) {
			if blocks++; blocks%8 == 0 {
				runtime.GC()
				runtime.ReadMemStats(&during)
				most = max(most, during.HeapAlloc-min(before.HeapAlloc, during.HeapAlloc))
			}
		})
		if err != nil || most > 40<<20 {
			t.Errorf("%v: %d MB of heap, %v", format, most>>20, err)
		}
	}
}

// TestLongWords: a text of any length in a column of numbers is quoted by its first 24 characters.
func TestLongWords(t *testing.T) {
	for _, n := range []int{24, 25, 30, 97, 1000} {
		for _, letter := range []string{"x", "é", "😀"} {
			word := strings.Repeat(letter, n)
			workbook := book(t, `<sheetData><row><c t="inlineStr"><is><t>`+word+`</t></is></c></row></sheetData>`)
			for name, file := range map[string]string{"parquet": parquetOf(t, word), "workbook": workbook} {
				l := must(dataset.SniffFile("f", strings.NewReader(file), columns.Reading{Header: new(false)}))
				source := must(l.With(0, columns.AsNumber).Open(strings.NewReader(file)))
				err := eachOf(source, func(*dataset.Block) {})
				want := word
				if n > 24 {
					want = strings.Repeat(letter, 24) + "…"
				}
				if first := source.Unused().First; err != nil || len(first) != 1 ||
					first[0].What != strconv.Quote(want)+" is not a number" {
					t.Errorf("%s, %d of %s: got %v, %v", name, n, letter, first, err)
				}
			}
		}
	}
}
