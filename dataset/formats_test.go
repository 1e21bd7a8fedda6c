package dataset

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// skippable is a skippable frame of zstd, with n bytes.
func skippable(n int) string {
	return "\x5f\x2a\x4d\x18" + string(binary.LittleEndian.AppendUint32(nil, uint32(n))) + strings.Repeat("s", n)
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func zstandard(t testing.TB, text string, options ...zstd.EOption) string {
	t.Helper()
	return string(must(zstd.NewWriter(nil, options...)).EncodeAll([]byte(text), nil))
}

// npyFile makes a file of version 1.
func npyFile(descr, shape, numbers string) string {
	return npyHeader("{'descr': '"+descr+"', 'fortran_order': False, 'shape': "+shape+", }\n") + numbers
}

func npyHeader(header string) string {
	return npyMagic + "\x01\x00" + string([]byte{byte(len(header)), byte(len(header) >> 8)}) + header
}

// examples is a file of every format, by name.
func examples(t testing.TB) map[string]string {
	const table = "a,b,label\r\n1,2,\"x\ny\"\r\n3,q,z\r\n4,5,w"
	return map[string]string{
		"f.csv":     "\xef\xbb\xbf" + table,
		"f.csv.gz":  gzipped(table),
		"f.csv.zst": zstandard(t, table),
		"f.jsonl":   "{\"a\":1,\"b\":\"x\",\"v\":[1,2.5]}\n{\"a\":true}\n\n{\"b\":\"\\u00e9\",\"a\":null,\"v\":null}\n[1]\n",
		"f.json":    "[{\"a\":1,\"v\":[1,2.5]},\n{\"a\":true},{\"a\":\"x\"}]",
		"g.jsonl":   "[1,2]\n[3,-4.5e1]\n[5]",
		"f.libsvm":  "1 1:0.5 3:2 # first\n-1 2:1\n0 3:1 1:7\n2 1:x\n",
		"f.npy":     npyFile("<f4", "(2, 1)", "\x00\x00\x80\x3f\x00\x00\xc0\x7f"),
		"f.idx":     "\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02\x01\x02\x03\x04",
		"f.txt":     "one line of words\n\nanother, with a comma\ncaf\xe9\n",
	}
}

func TestGoodFiles(t *testing.T) {
	for name, test := range map[string]struct {
		file, content string
		format        Format
		rows          string // a line each
	}{
		"header and label": {"f.csv", "a,b,label\n1,2,x\n3,4.5,y\n", CSV, "x|[1 2]\ny|[3 4.5]"},
		"no header":        {"f.csv", "1,2\n3,4\n", CSV, "|[1 2]\n|[3 4]"},
		"CRLF":             {"f.csv", "a,b\r\n1,2\r\n3,4\r\n", CSV, "|[1 2]\n|[3 4]"},
		"byte order mark":  {"f.csv", "\xef\xbb\xbfa,b\n1,2\n", CSV, "|[1 2]"},
		"no last newline":  {"f.csv", "a,b\n1,2", CSV, "|[1 2]"},
		"empty lines":      {"f.csv", "a,b\n\n1,2\n\n3,4\n\n", CSV, "|[1 2]\n|[3 4]"},
		"quotes":           {"f.csv", "a,name\n1,\"x, \"\"y\"\"\"\n2,\"two\nlines\"\n", CSV, "x, \"y\"|[1]\ntwo\nlines|[2]"},
		"quoted numbers":   {"f.csv", "\"a\",\"b\"\n\"1\",\" 2 \"\n", CSV, "|[1 2]"},
		"a quoted header":  {"f.csv", "\"a\nb\",c\n1,2\n", CSV, "|[1 2]"},
		"semicolons":       {"f.csv", "a;b\n1;2.5\n", CSV, "|[1 2.5]"},
		"decimal commas":   {"f.csv", "a;b\n1;2,5\n", CSV, "|[1 2.5]"},
		"tabs":             {"f.csv", "a\tb\n1\t2\n", CSV, "|[1 2]"},
		"bars":             {"f.csv", "a|b\n1|2\n", CSV, "|[1 2]"},
		"spaces between":   {"f.csv", "1  2.5 3\n 4 5 6 \n", CSV, "|[1 2.5 3]\n|[4 5 6]"},
		"spaces and quotes": {"f.csv", "x y z k\n1 2 3 r\n" + strings.Repeat("4  5 6 s\n", 20) + "7\t8 9 \"u  v\"\n", CSV,
			"r|[1 2 3]\n" + strings.Repeat("s|[4 5 6]\n", 20) + "u  v|[7 8 9]"},
		"one column":         {"f.csv", "7\n8\n", CSV, "|[7]\n|[8]"},
		"one row":            {"f.csv", "1,2,3\n", CSV, "|[1 2 3]"},
		"signs and exponent": {"f.csv", "a,b,c\n-1,+2,-1.5e-3\n", CSV, "|[-1 2 -0.0015]"},
		"spaces":             {"f.csv", "a,b\n 1 ,\t2\n", CSV, "|[1 2]"},
		"numbered columns":   {"f.csv", "0,1,2\n5,6,7\n8,9,10\n", CSV, "|[5 6 7]\n|[8 9 10]"},
		"an index column":    {"f.csv", ",a\n0,5\n1,6\n", CSV, "0|[5]\n1|[6]"},
		"missing cells":      {"f.csv", "a,b,c\n1,,NA\nnan,2,null\n3,?,4\n", CSV, "|[1 NaN NaN]\n|[NaN 2 NaN]\n|[3 NaN 4]"},
		"only texts": {"f.csv", "name,colour\nu,red\nv,red\nw,blue\nx,blue\n", CSV,
			"u;red|[]\nv;red|[]\nw;blue|[]\nx;blue|[]"},
		"objects":       {"f", "{\"a\":1,\"b\":2.5}\n{\"b\":3,\"a\":-4e1}\n", JSONLines, "|[1 2.5]\n|[-40 3]"},
		"a key missing": {"f", "{\"a\":1,\"b\":2.5}\n{\"b\":3}\n", JSONLines, "|[1 2.5]\n|[NaN 3]"},
		"strings": {"f", `{"a":1,"s":"x\n\u00e9\ud83d\ude00\"\/"}` + "\n" + `{"a":2,"s":7}` + "\n" + `{"a":3,"s":"y"}` + "\n",
			JSONLines, "x\né😀\"/|[1]\n7|[2]\ny|[3]"},
		"booleans and null": {"f", "{\"a\":true,\"b\":1}\n{\"a\":false,\"b\":null}\n{\"a\":1,\"b\":NaN}\n", JSONLines,
			"|[1 1]\n|[0 NaN]\n|[1 NaN]"},
		"a list under a key": {"f",
			"{\"label\":\"x\",\"v\":[1,2]}\n{\"v\":[3,null],\"label\":\"y\"}\n{\"label\":\"z\",\"v\":null}\n", JSONLines,
			"x|[1 2]\ny|[3 NaN]\nz|[NaN NaN]"},
		"lists":              {"f", "[1,2]\n [3 , 4.5]\r\n", JSONLines, "|[1 2]\n|[3 4.5]"},
		"an empty key":       {"f", "{\"\":[1,2]}\n{\"\":[3,4]}\n", JSONLines, "|[1 2]\n|[3 4]"},
		"an escaped key":     {"f", "{\"\\u0061\":1}\n{\"a\":2}\n", JSONLines, "|[1]\n|[2]"},
		"ignored objects":    {"f", "{\"a\":1,\"o\":null}\n{\"a\":2,\"o\":{\"x\":[1,{}]}}\n", JSONLines, "|[1]\n|[2]"},
		"named as a table":   {"f.csv", "{\"a\":1,\"b\":2.5}\n{\"b\":3,\"a\":-4e1}\n", JSONLines, "|[1 2.5]\n|[-40 3]"},
		"lists in a .csv":    {"f.csv", "[1,2]\n[3,4.5]\n", JSONLines, "|[1 2]\n|[3 4.5]"},
		"a name in brackets": {"f.csv", "[a],{b}\n1,2\n", CSV, "|[1 2]"},
		"one array":          {"f", "[{\"a\":1,\"b\":2.5},{\"b\":3,\"a\":-4e1}]", JSON, "|[1 2.5]\n|[-40 3]"},
		"a long array": {"f.csv", "\xef\xbb\xbf[\n {\n  \"a\": [1,\n 2],\r\n \"s\": \"],\\\"[{\"},\n " +
			"{\"a\":[3,4],\"s\":\"\\\\\"}\n, {\"a\":null,\"s\":\"\"}]\n\n", JSON, "],\"[{|[1 2]\n\\|[3 4]\n|[NaN NaN]"},
		"an array of lists":  {"f", " [ [1,2] ,\n[3,4]\n]", JSON, "|[1 2]\n|[3 4]"},
		"sparse":             {"f", "1 1:0.5 3:2\n-1 2:1e1\n", LIBSVM, "1|[]|0:0.5 2:2\n-1|[]|1:10"},
		"base 0":             {"f", "1 0:0.5 3:2\n-1 2:1e1\n", LIBSVM, "1|[]|0:0.5 3:2\n-1|[]|2:10"},
		"comments and order": {"f", "# a file\n1 3:1 1:2 # x:y\n\n+1 qid:4 2:1 \n", LIBSVM, "1|[]|0:2 2:1\n+1|[]|1:1"},
		"a row of zeros":     {"f", "1 1:2\n0\n1 2:1\n", LIBSVM, "1|[]|0:2\n0|[]|\n1|[]|1:1"},
		"many labels":        {"f", "1,3 1:2\n2 2:1\n", LIBSVM, "1,3|[]|0:2\n2|[]|1:1"},
		"no labels":          {"f", "1:2 2:1\n2:4\n", LIBSVM, "|[]|0:2 1:1\n|[]|1:4"},
		"float32":            {"f", npyFile("<f4", "(2, 1)", "\x00\x00\x80\x3f\x00\x00\x00\xc0"), NPY, "|[1]\n|[-2]"},
		"big-endian":         {"f", npyFile(">f4", "(2, 1)", "\x3f\x80\x00\x00\xc0\x00\x00\x00"), NPY, "|[1]\n|[-2]"},
		"float16": {"f", npyFile("<f2", "(4,)", "\x00\x3c\x00\xc0\x01\x00\xff\x7b"), NPY,
			"|[1]\n|[-2]\n|[5.960464477539063e-08]\n|[65504]"},
		"int8":   {"f", npyFile("|i1", "(2, 1)", "\xff\x7f"), NPY, "|[-1]\n|[127]"},
		"uint16": {"f", npyFile("<u2", "(1, 2)", "\xff\xff\x01\x00"), NPY, "|[65535 1]"},
		"int64":  {"f", npyFile("<i8", "(1, 1)", "\xfe\xff\xff\xff\xff\xff\xff\xff"), NPY, "|[-2]"},
		"uint64": {"f", npyFile("<u8", "(1, 1)", "\x00\x00\x00\x00\x00\x00\x00\x80"), NPY,
			"|[9.223372036854776e+18]"},
		"booleans":         {"f", npyFile("|b1", "(1, 2)", "\x00\x01"), NPY, "|[0 1]"},
		"three dimensions": {"f", npyFile("|u1", "(2, 2, 1)", "\x01\x02\x03\x04"), NPY, "|[1 2]\n|[3 4]"},
		"Fortran, one row": {"f", npyHeader("{'descr': '|u1', 'fortran_order': True, 'shape': (1, 2), }\n") + "\x01\x02", NPY,
			"|[1 2]"},
		"version 2": {"f",
			npyMagic + "\x02\x00\x3b\x00\x00\x00{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1), }\x07", NPY, "|[7]"},
		"NaN": {"f", npyFile("<f4", "(1, 1)", "\x00\x00\xc0\x7f"), NPY, "|[NaN]"},
		"images": {"f", "\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02\x01\x02\x03\xff", IDX,
			"|[1 2]\n|[3 255]"},
		"labels":          {"f", "\x00\x00\x08\x01\x00\x00\x00\x02\x07\x08", IDX, "|[7]\n|[8]"},
		"shorts":          {"f", "\x00\x00\x0b\x01\x00\x00\x00\x01\xff\xfe", IDX, "|[-2]"},
		"floats":          {"f", "\x00\x00\x0d\x01\x00\x00\x00\x01\x3f\x80\x00\x00", IDX, "|[1]"},
		"text":            {"f.txt", "one line\n\n  another, it is \r\n", PlainText, "one line|[]\nanother, it is|[]"},
		"a table as .txt": {"f.txt", "a,b\n1,2\n3,4\n", CSV, "|[1 2]\n|[3 4]"},
		"gzip":            {"f.gz", gzipped("a,b\n1,2\n"), CSV, "|[1 2]"},
		"gzip twice":      {"f.gz", gzipped("a,b\n1,2\n") + gzipped("3,4\n"), CSV, "|[1 2]\n|[3 4]"},
		"zstd":            {"f.zst", zstandard(t, "a,b\n1,2\n"), CSV, "|[1 2]"},
		"zstd behind a skippable frame": {"f.zst",
			skippable(3) + zstandard(t, "a,b\n1,2\n"), CSV, "|[1 2]"},
		"zstd in frames": {"f.zst", skippable(0) + zstandard(t, "a,b\n1,2\n") + skippable(300<<10) +
			zstandard(t, "3,4\n") + skippable(1), CSV, "|[1 2]\n|[3 4]"},
		"zstd behind much": {"f.zst", skippable(300<<10) + zstandard(t, "a,b\n1,2\n"), CSV, "|[1 2]"},
		"npy in gzip":      {"f.gz", gzipped(npyFile("|u1", "(1, 1)", "\x07")), NPY, "|[7]"},
	} {
		t.Run(name, func(t *testing.T) {
			reading := columns.Reading{}
			if test.format == PlainText {
				reading.Format = "text"
			}
			l, rows, unused, err := read(t, test.file, test.content, reading)
			if err != nil || unused.Total != 0 || strings.Join(rows, "\n") != test.rows || l.Format != test.format {
				t.Errorf("got %+v: %q, unused %+v, %v; want %q", l, rows, unused, err, test.rows)
			}
		})
	}
}

func TestBadJSON(t *testing.T) {
	testBad(t, "f.jsonl", AnyFormat, map[string]bad{
		"not JSON":       {"{\"a\":1}\n{\"a\":}\n", 1},
		"cut off":        {"{\"a\":1}\n{\"a\":2", 1},
		"two values":     {"{\"a\":1}\n{\"a\":2} 3\n", 1},
		"text":           {"{\"a\":1}\n{\"a\":2}\n{\"a\":\"x\"}\n", 2},
		"too large":      {"{\"a\":1}\n{\"a\":1e999}\n", 1},
		"nested":         {"{\"a\":1}\n" + strings.Repeat("{\"a\":2}\n", 500) + "{\"a\":{\"b\":1}}\n", 501},
		"a key twice":    {"{\"a\":1}\n{\"a\":1,\"a\":2}\n", 1},
		"an unknown key": {"{\"a\":1}\n" + strings.Repeat("{\"a\":2}\n", 500) + "{\"a\":1,\"b\":2}\n", 501},
		"a list":         {"{\"a\":1}\n[1]\n", 1},
		"an object":      {"[1]\n{\"a\":1}\n", 1},
		"a short list":   {"[1,2]\n[1]\n", 1},
		"a long list":    {strings.Repeat("{\"v\":[1,2]}\n", 10) + "{\"v\":[1,2,3]}\n", 10},
		"no list":        {"{\"v\":[1,2]}\n{\"v\":1}\n", 1},
		"bad escape":     {"{\"a\":1,\"s\":\"x\"}\n{\"a\":1,\"s\":\"\\x\"}\n", 1},
		"not UTF-8":      {"{\"a\":1,\"s\":\"x\"}\n{\"a\":1,\"s\":\"\xe9\"}\n", 1},
		"too deep":       {"{\"a\":1}\n{\"a\":" + strings.Repeat("[", 100) + "}\n", 1},
	})
	testBad(t, "f.json", AnyFormat, map[string]bad{
		"not JSON":   {"[{\"a\":1},\n{\"a\":}]", 1},
		"nothing":    {"[{\"a\":1},,{\"a\":2}]", 2},
		"last comma": {"[{\"a\":1},]", 1},
		"a line end": {"[{\"a\":1,\"s\":\"\"},{\"a\":1,\"s\":\"x\ny\"}]", 1},
		"text":       {"[{\"a\":1},{\"a\":2},{\"a\":\"x\"}]", 2},
	})
	testBad(t, "f.jsonl", AnyFormat, map[string]bad{
		"array cut":    {"[{\"a\":1},{\"a\":2}", 0},
		"array first":  {"[{\"a\"},{\"a\":2}]", 0},
		"two arrays":   {"[{\"a\":1}]\n[{\"a\":2}]", 0},
		"broken":       {"{\"a\" 1}\n{\"a\":2}\n", 0},
		"empty":        {"\n", 0},
		"empty lists":  {"[]\n", 0},
		"endless line": {"{\"a\":1}\n{\"a\":\"" + strings.Repeat("x", 9<<20), 0},
	})
}

// TestArrayIsNoRelease: rows of an array may change where others end.
func TestArrayIsNoRelease(t *testing.T) {
	const content = `[{"a":1},{"a":2}]`
	rows := open(t, mustSniff(t, "f.json", content), content)
	rows.Unused().Keep = true
	if err := rows.Next(new(Block)); err == nil || !strings.Contains(err.Error(), "write one row per line") {
		t.Errorf("got %v", err)
	}
}

func TestBadLIBSVM(t *testing.T) {
	slow.Emulated(t)
	testBad(t, "f.svm", LIBSVM, map[string]bad{
		"negative index":  {"1 1:2\n1 -1:5\n", 1},
		"absurd index":    {"1 1:2\n1 1:1 99999999999999999999:5\n", 1},
		"no index":        {"1 1:2\n1 x:5\n", 1},
		"no colon":        {"1 1:2\n1 1:1 7\n", 1},
		"no value":        {"1 1:2\n1 1:\n", 1},
		"NaN":             {"1 1:2\n1 1:nan\n", 1},
		"too large":       {"1 1:2\n1 1:1e999\n", 1},
		"duplicate index": {"1 1:2\n1 3:1 2:1 3:2\n", 1},
		"adjacent":        {"1 1:2\n1 3:1 3:2\n", 1},
		"not UTF-8":       {"1 1:2\ncaf\xe9 3:1\n", 1},
		"comments":        {"# nothing\n", 0},
		"endless line":    {"1 1:2\n1" + strings.Repeat(" 1:2", 3<<20), 0},
	})
	late := "1 1:2\n" + strings.Repeat("1 2:1\n", 100) + "1 0:5\n"
	l := must(Sniff("f.svm", []byte(late[:50]), false, columns.Reading{}))
	_, unused, _ := readAll(l, strings.NewReader(late))
	const want = `f.svm, line 102, entry 1 ("0:5"): the index is 0 where indices count from 1; ` +
		`count from 1 in all rows, or read the file with base 0.`
	if unused.Total != 1 || unused.First[0].Error() != want {
		t.Errorf("a late index 0: got %+v", unused)
	}
}

func TestBadArrays(t *testing.T) {
	testBad(t, "f.npy", AnyFormat, map[string]bad{
		"wrong magic":      {"\x93NUMPX\x01\x00", 0},
		"cut in the magic": {"\x93NUM", 0},
		"cut in header":    {npyHeader("{'descr': '<f4'")[:14], 0},
		"version 9":        {npyMagic + "\x09\x00\x01\x00\x00\x00", 0},
		"absurd header":    {npyMagic + "\x02\x00\xff\xff\xff\xff", 0},
		"no dictionary":    {npyHeader("{'shape': (1, 1), }\n"), 0},
		"negative":         {npyFile("<f4", "(-1, 2)", ""), 0},
		"objects":          {npyFile("|O", "(1, 1)", ""), 0},
		"complex":          {npyFile("<c8", "(1, 1)", ""), 0},
		"dates":            {npyFile("<M8[D]", "(1, 1)", ""), 0},
		"long doubles":     {npyFile("<f16", "(1, 1)", ""), 0},
		"no type":          {npyHeader("{'descr': '', 'fortran_order': False, 'shape': (3,), }\n"), 0},
		"structures": {npyHeader("{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': False, 'shape': (3,), }\n"),
			0},
		"Fortran order":  {npyHeader("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n"), 0},
		"a scalar":       {npyFile("<f4", "()", "\x00\x00\x80\x3f"), 0},
		"no rows":        {npyFile("<f4", "(0, 3)", ""), 0},
		"no columns":     {npyFile("<f4", "(3, 0)", ""), 0},
		"absurd columns": {npyFile("<f4", "(3, 4294967296, 4294967296)", ""), 0},
		"absurd rows":    {npyFile("<f4", "(9223372036854775807, 2)", ""), 0},
		"truncated":      {npyFile("<f4", "(3, 1)", "\x00\x00\x80\x3f\x00\x00"), 0},
		"too long":       {npyFile("|u1", "(2, 1)", "\x01\x02\x03"), 0},
		"infinite":       {npyFile("<f4", "(1, 1)", "\x00\x00\x80\x7f"), 0},
	})
	testBad(t, "f.idx", AnyFormat, map[string]bad{
		"cut in header": {"\x00\x00\x08\x02\x00\x00", 0},
		"absurd":        {"\x00\x00\x08\x03\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff", 0},
		"truncated":     {"\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x02\x01\x02\x03", 0},
		"too long":      {"\x00\x00\x08\x01\x00\x00\x00\x01\x01\x02", 0},
	})
	testBad(t, "f.idx", IDX, map[string]bad{
		"wrong magic": {"\x00\x00\x07\x01\x00\x00", 0},
	})
}

func TestBadText(t *testing.T) {
	testBad(t, "f.txt", PlainText, map[string]bad{
		"not UTF-8": {"some words\ncaf\xe9\n", 1},
	})
	testBad(t, "f.txt", PlainText, map[string]bad{
		"blank":        {" \n\n", 0},
		"binary":       {"a\x01b\n", 0},
		"endless line": {"a\n" + strings.Repeat("word ", 2<<20), 0},
	})
}

func TestBadCompression(t *testing.T) {
	slow.Emulated(t)
	const table = "a,b\n1,2\n3,4\n"
	testBad(t, "f.csv.gz", AnyFormat, map[string]bad{
		"cut header":  {gzipped(table)[:5], 0},
		"cut off":     {gzipped(table)[:20], 0},
		"bad sum":     {gzipped(table)[:len(gzipped(table))-8] + "12345678", 0},
		"more behind": {gzipped(table) + "x,y\n1,2\n3,4\n", 0},
		"twice":       {gzipped(gzipped(table)), 0},
		"endless row": {gzipped("1" + strings.Repeat(",2.25", 2<<20)), 0},
		"empty":       {gzipped(""), 0},
	})
	testBad(t, "f.csv.zst", AnyFormat, map[string]bad{
		"cut off": {zstandard(t, table)[:12], 0},
		"bad sum": {zstandard(t, table)[:len(zstandard(t, table))-1] + "\x00", 0},
		"window":  {"\x28\xb5\x2f\xfd\x00\x98\x01\x00\x00", 0},
	})
}

// TestBombs: a small file that unpacks to gigabytes is refused early.
func TestBombs(t *testing.T) {
	slow.Elsewhere(t)
	const unpacks = ": it unpacks to more than 300 times its size, as no table does; unpack it first if you trust it."
	zeros := "1,0\n1,0\n" + strings.Repeat("0,0\n", 20<<20)
	for name, c := range map[string][2]string{
		"b.csv.gz": {gzipped(zeros), unpacks},
		"b.zip":    {zipped(t, "x.csv", zeros), "/x.csv" + unpacks},
		"0.csv.gz": {gzipped("1,0\n1,0\n" + strings.Repeat("0", 80<<20)), ", line 3" + endlessRow},
	} {
		err := each(open(t, mustSniff(t, name, c[0]), c[0]), func(*Block) {})
		if err == nil || err.Error() != name+c[1] {
			t.Errorf("%s: got %v, want %s", name, err, c[1])
		}
	}
}

// table is rows of numbers that float32 holds exactly.
var table = [][]float32{{1, -2.5, 0, 3e10}, {0, 0, 0, 0}, {0.125, 16777216, -0.0078125, 7}, {255, 0, 1, 2}}

// tableFiles is the table in every format that holds numbers, compressed also.
func tableFiles(t *testing.T) map[string]string {
	t.Helper()
	var f4, f8, big, idx []byte
	idx = append(idx, 0, 0, 0x0d, 2, 0, 0, 0, byte(len(table)), 0, 0, 0, 4)
	for _, row := range table {
		for _, x := range row {
			f4 = binary.LittleEndian.AppendUint32(f4, math.Float32bits(x))
			f8 = binary.LittleEndian.AppendUint64(f8, math.Float64bits(float64(x)))
			big = binary.BigEndian.AppendUint64(big, math.Float64bits(float64(x)))
			idx = binary.BigEndian.AppendUint32(idx, math.Float32bits(x))
		}
	}
	files := map[string]string{"f4.npy": npyFile("<f4", "(4, 4)", string(f4)),
		"f8.npy": npyFile("<f8", "(4, 4)", string(f8)), "big.npy": npyFile(">f8", "(4, 4)", string(big)),
		"lists.jsonl": "", "t.idx": string(idx)}
	for _, row := range table {
		line := strings.ReplaceAll(fmt.Sprint(row), " ", ",")
		files["lists.jsonl"] += line + "\n"
	}
	for name, format := range map[string]Format{"t.csv": CSV, "t.jsonl": JSONLines, "t.svm": LIBSVM, "t.npy": NPY} {
		files[name] = encode(t, format, nil)
	}
	files["t.tsv"] = strings.ReplaceAll(files["t.csv"], ",", "\t")
	files["comma.csv"] = strings.ReplaceAll(strings.ReplaceAll(files["t.csv"], ",", ";"), ".", ",")
	files["t.csv.gz"] = gzipped(files["t.csv"])
	files["t.npy.zst"] = zstandard(t, files["t.npy"])
	return files
}

// encode writes the table, with labels and kept cells as the names ask.
func encode(t *testing.T, format Format, names []string) string {
	t.Helper()
	e := must(NewEncoder(format, names, 4))
	text := e.AppendHeader(nil)
	headerSize := len(text)
	for i, row := range table {
		cells := [][]byte{[]byte(strconv.Itoa(i % 2)), []byte([]string{"a,b", "say \"so\"", "two\nlines\té", ""}[i])}
		text = must(e.AppendRow(text, cells[:len(names)], row))
	}
	if header := e.FinalHeader(int64(len(table))); len(header) > 0 {
		if len(header) != headerSize {
			t.Fatalf("the final header has %d bytes, the first %d", len(header), headerSize)
		}
		copy(text, header)
	}
	return string(text)
}

// TestEncodedCells: labels and kept cells come back as they were.
func TestEncodedCells(t *testing.T) {
	for _, format := range []Format{CSV, JSONLines} {
		content := encode(t, format, []string{"la,bel", "features"})
		l := sniffAs(t, "t", content, columns.Reading{Format: string(format)})
		l = l.With(0, columns.AsLabel).With(1, columns.AsKept)
		rows, _, err := readAll(l, strings.NewReader(content))
		want := []string{"0;a,b|[1 -2.5 0 3e+10]", "1;say \"so\"|[0 0 0 0]",
			"0;two\nlines\té|[0.125 1.6777216e+07 -0.0078125 7]", "1;|[255 0 1 2]"}
		if err != nil || !reflect.DeepEqual(rows, want) || l.Columns[0].Name != "la,bel" {
			t.Errorf("%v: got %q, %v\nwant %q", format, rows, err, want)
		}
	}
	if got, want := encode(t, LIBSVM, []string{"y"}),
		"0 1:1 2:-2.5 4:3e+10\n1\n0 1:0.125 2:1.6777216e+07 3:-0.0078125 4:7\n1 1:255 3:1 4:2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEncoderErrors(t *testing.T) {
	errors := map[string]error{}
	for name, c := range map[string]struct {
		format Format
		names  []string
		n      int
	}{
		"npy with a label": {NPY, []string{"y"}, 1}, "LIBSVM with a kept column": {LIBSVM, []string{"y", "k"}, 1},
		"idx": {IDX, nil, 1}, "feather": {"feather", nil, 1}, "no format": {AnyFormat, nil, 1},
		"parquet": {Parquet, nil, 1}, "no features": {CSV, nil, 0}, "2^31 features": {CSV, nil, 1 << 31},
	} {
		_, errors[name] = NewEncoder(c.format, c.names, c.n)
	}
	_, errors["a label of letters in LIBSVM"] = must(NewEncoder(LIBSVM, []string{"y"}, 1)).AppendRow(nil,
		[][]byte{[]byte("cat")}, []float32{1})
	golden.Errors(t, errors)
}

// python runs a program in a folder, with one that has the modules, or skips.
func python(t *testing.T, folder, modules, program string) {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import "+modules).Run() != nil {
			continue
		}
		command := exec.Command(name, "-c", program)
		command.Dir = folder
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	t.Skip("no python3 here has ", modules)
}

// encodeFiles writes the table in every format.
func encodeFiles(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, format := range map[string]Format{"t.npy": NPY, "t.csv": CSV, "t.jsonl": JSONLines, "t.svm": LIBSVM} {
		names := []string{"y", "k"}
		switch format {
		case NPY:
			names = nil
		case LIBSVM:
			names = names[:1]
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(encode(t, format, names)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

const pythonTable = `
rows = numpy.array([[1, -2.5, 0, 3e10], [0, 0, 0, 0], [0.125, 16777216, -0.0078125, 7], [255, 0, 1, 2]], 'f4')
kept = ['a,b', 'say "so"', 'two\nlines\té', '']
`

// TestReadBackByNumPy: Python's own csv and json, and NumPy, read what is written.
func TestReadBackByNumPy(t *testing.T) {
	slow.Emulated(t)
	python(t, encodeFiles(t), "numpy", "import csv, json, numpy"+pythonTable+`
a = numpy.load('t.npy')
assert a.dtype == numpy.float32 and (a == rows).all(), a
c = list(csv.DictReader(open('t.csv', newline='')))
assert (numpy.array([[r['f0'], r['f1'], r['f2'], r['f3']] for r in c], 'f4') == rows).all(), c
assert [r['k'] for r in c] == kept and [r['y'] for r in c] == ['0', '1', '0', '1'], c
j = [json.loads(line) for line in open('t.jsonl')]
assert (numpy.array([r['features'] for r in j], 'f4') == rows).all() and [r['k'] for r in j] == kept, j
s = numpy.zeros((4, 4), 'f4')
for i, line in enumerate(open('t.svm')):
    label, *entries = line.split()
    assert float(label) == i % 2
    for entry in entries:
        k, v = entry.split(':')
        s[i, int(k) - 1] = float(v)
assert (s == rows).all(), s
`)
}

func TestReadBackByPandas(t *testing.T) {
	slow.Emulated(t)
	python(t, encodeFiles(t), "numpy, pandas", "import numpy, pandas"+pythonTable+`
c = pandas.read_csv('t.csv', keep_default_na=False)
assert (c[['f0', 'f1', 'f2', 'f3']].to_numpy('f4') == rows).all() and list(c.k) == kept and list(c.y) == [0, 1, 0, 1], c
j = pandas.read_json('t.jsonl', lines=True)
assert (numpy.array(list(j.features), 'f4') == rows).all() and list(j.k) == kept, j
`)
}

// TestReadNumPy: arrays of every type and version that NumPy writes are read as it
// prints them.
func TestReadNumPy(t *testing.T) {
	folder := t.TempDir()
	python(t, folder, "numpy", `
import json, numpy
want = {}
for kind in ['<f2', '>f2', '<f4', '>f4', '<f8', '>f8', 'i1', '<i2', '>i2', '<i4', '>i4', '<i8', '>i8',
             'u1', '<u2', '>u2', '<u4', '>u4', '<u8', '>u8', '?']:
    for version in [(1, 0), (2, 0), (3, 0)]:
        a = numpy.arange(-3, 9).reshape(4, 3).astype(kind)
        if numpy.dtype(kind).kind == 'f':
            a = a / numpy.array(7, kind)
        a = a.astype(kind)
        name = '%s-%d.npy' % (numpy.dtype(kind).str.replace('<', 'l').replace('>', 'b').replace('|', '-'), version[0])
        with open(name, 'wb') as f:
            numpy.lib.format.write_array(f, a, version)
        want[name] = a.astype('f8').tolist()
json.dump(want, open('want.json', 'w'))
`)
	text := must(os.ReadFile(filepath.Join(folder, "want.json")))
	var want map[string][][]float64
	if err := json.Unmarshal(text, &want); err != nil || len(want) != 63 {
		t.Fatalf("%d files, %v", len(want), err)
	}
	for name, rows := range want {
		content := must(os.ReadFile(filepath.Join(folder, name)))
		_, got, _, err := read(t, name, string(content), columns.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			if want := "|" + fmt.Sprint(rows[i]); got[i] != want {
				t.Errorf("%s, row %d: got %s, want %s", name, i, got[i], want)
			}
		}
	}
}

// TestSharedFiles reads real files of four formats.
func TestSharedFiles(t *testing.T) {
	slow.Elsewhere(t)
	for name, want := range map[string]struct {
		format Format
		rows   int
		first  string
	}{
		"a9a.libsvm.gz":                   {LIBSVM, 32561, "-1|[]|2:1 10:1 13:1"},
		"usps-zip.train.gz":               {CSV, 7291, "|[6 -1 -1 -1"},
		"covtype20k.csv.gz":               {CSV, 20000, "5|[2596 51 3 258"},
		"mnist-t10k-images-idx3-ubyte.gz": {IDX, 10000, "|[0 0 0"},
		"mnist-t10k-labels-idx1-ubyte.gz": {IDX, 10000, "|[7]"},
	} {
		l, rows, first := fileRows(t, name)
		if l.Format != want.format || rows != want.rows || !strings.HasPrefix(first, want.first) {
			t.Errorf("%s: %v, %d rows, the first %s", name, l.Format, rows, first)
		}
	}
}

func TestSniffNeedsMore(t *testing.T) {
	for name, content := range examples(t) {
		for n := range min(len(content), 40) {
			if _, err := Sniff(name, []byte(content[:n]), false, columns.Reading{}); err != nil &&
				!errors.Is(err, ErrShortHead) && n > 0 && !strings.Contains(err.Error(), "empty") {
				t.Errorf("%s, %d bytes: %v", name, n, err)
			}
		}
	}
}

// TestFormatsHaveRows: the table of package columns and the one of this package have the same formats, a row has the
// functions that its format needs, and dataset.d.ts and docs/formats.md have them too.
func TestFormatsHaveRows(t *testing.T) {
	declared, err := os.ReadFile("../public/api/dataset.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	_, types, _ := strings.Cut(string(declared), "export type Format =")
	types, _, _ = strings.Cut(types, ";")
	_, said, _ := strings.Cut(string(need.Value(os.ReadFile("../docs/formats.md"))(t)), "| format | a row is |")
	said, _, _ = strings.Cut(said, "\n\n")
	if len(formats) != len(columns.Formats) {
		t.Errorf("%d rows for %d formats", len(formats), len(columns.Formats))
	}
	for i := range columns.Formats {
		f := &columns.Formats[i]
		row := Format(f.Name).of()
		if row.name != Format(f.Name) {
			t.Errorf("%s has no row in formats.go", f.Name)
		}
		if !strings.Contains(types, strconv.Quote(f.Name)) {
			t.Errorf("type Format of dataset.d.ts does not have %s", f.Name)
		}
		if !strings.Contains(said, f.Label) && !strings.Contains(said, "."+f.Name) {
			t.Errorf("the first table of docs/formats.md does not have %s (%s)", f.Label, f.Name)
		}
		isOwn := (row.looks != nil || f.Name == "text") && (row.header != nil || row.sniff != nil && row.open != nil)
		if isOwn == f.Columnar || (row.encoding.row != nil) != (f.Written && !f.Columnar) {
			t.Errorf("%s is columnar %v and written %v, which its row in formats.go does not say", f.Name, f.Columnar, f.Written)
		}
	}
	if _, err := (&Layout{Name: "f", Format: "pdf"}).Open(strings.NewReader("")); err == nil {
		t.Error("a layout of an unknown format is opened")
	}
}

// TestVersionsAreDeclared: tensorsketch.d.ts and docs/formats.md have every version of the preprocessing that is read.
func TestVersionsAreDeclared(t *testing.T) {
	_, declared, _ := strings.Cut(string(need.Value(os.ReadFile("../public/api/tensorsketch.d.ts"))(t)),
		"export interface Preprocessing {")
	_, declared, _ = strings.Cut(declared, "readonly version: ")
	declared, _, _ = strings.Cut(declared, ";")
	want := "1"
	for version := 2; version <= versionNew; version++ {
		want += fmt.Sprintf(" | %d", version)
	}
	if declared != want {
		t.Errorf("the type Preprocessing of tensorsketch.d.ts has the versions %s, want %s", declared, want)
	}
	heading := fmt.Sprintf("## JSON of the preprocessing, versions 1 to %d\n", versionNew)
	if said := string(need.Value(os.ReadFile("../docs/formats.md"))(t)); !strings.Contains(said, heading) {
		t.Errorf("docs/formats.md lacks the heading %s", heading)
	}
}
