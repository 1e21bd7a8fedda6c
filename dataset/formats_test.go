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

	"tensorsketch.example/dataset/plan"
	"tensorsketch.example/test/slow"
)

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func zstandard(t testing.TB, text string, options ...zstd.EOption) string {
	t.Helper()
	w, err := zstd.NewWriter(nil, options...)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
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
		rows          []string
	}{
		"objects": {"f", "{\"a\":1,\"b\":2.5}\n{\"b\":3,\"a\":-4e1}\n", JSONLines,
			[]string{"|[1 2.5]", "|[-40 3]"}},
		"a key missing": {"f", "{\"a\":1,\"b\":2.5}\n{\"b\":3}\n", JSONLines, []string{"|[1 2.5]", "|[NaN 3]"}},
		"strings": {"f", `{"a":1,"s":"x\n\u00e9\ud83d\ude00\"\/"}` + "\n" + `{"a":2,"s":7}` + "\n" +
			`{"a":3,"s":"y"}` + "\n", JSONLines, []string{"x\né😀\"/|[1]", "7|[2]", "y|[3]"}},
		"booleans and null": {"f", "{\"a\":true,\"b\":1}\n{\"a\":false,\"b\":null}\n{\"a\":1,\"b\":NaN}\n",
			JSONLines, []string{"|[1 1]", "|[0 NaN]", "|[1 NaN]"}},
		"a list under a key": {"f", "{\"label\":\"x\",\"v\":[1,2]}\n{\"v\":[3,null],\"label\":\"y\"}\n" +
			"{\"label\":\"z\",\"v\":null}\n", JSONLines, []string{"x|[1 2]", "y|[3 NaN]", "z|[NaN NaN]"}},
		"lists":          {"f", "[1,2]\n [3 , 4.5]\r\n", JSONLines, []string{"|[1 2]", "|[3 4.5]"}},
		"an empty key":   {"f", "{\"\":[1,2]}\n{\"\":[3,4]}\n", JSONLines, []string{"|[1 2]", "|[3 4]"}},
		"an escaped key": {"f", "{\"\\u0061\":1}\n{\"a\":2}\n", JSONLines, []string{"|[1]", "|[2]"}},
		"ignored objects": {"f", "{\"a\":1,\"o\":null}\n{\"a\":2,\"o\":{\"x\":[1,{}]}}\n", JSONLines,
			[]string{"|[1]", "|[2]"}},
		"named as a table": {"f.csv", "{\"a\":1,\"b\":2.5}\n{\"b\":3,\"a\":-4e1}\n", JSONLines,
			[]string{"|[1 2.5]", "|[-40 3]"}},
		"lists in a .csv":    {"f.csv", "[1,2]\n[3,4.5]\n", JSONLines, []string{"|[1 2]", "|[3 4.5]"}},
		"a name in brackets": {"f.csv", "[a],{b}\n1,2\n", CSV, []string{"|[1 2]"}},
		"one array":          {"f", "[{\"a\":1,\"b\":2.5},{\"b\":3,\"a\":-4e1}]", JSON, []string{"|[1 2.5]", "|[-40 3]"}},
		"a long array": {"f.csv", "\xef\xbb\xbf[\n {\n  \"a\": [1,\n" +
			" 2],\r\n \"s\": \"],\\\"[{\"},\n {\"a\":[3,4],\"s\":\"\\\\\"}\n, {\"a\":null,\"s\":\"\"}]\n\n", JSON,
			[]string{"],\"[{|[1 2]", "\\|[3 4]", "|[NaN NaN]"}},
		"an array of lists": {"f", " [ [1,2] ,\n[3,4]\n]", JSON, []string{"|[1 2]", "|[3 4]"}},
		"sparse":            {"f", "1 1:0.5 3:2\n-1 2:1e1\n", LIBSVM, []string{"1|[]|0:0.5 2:2", "-1|[]|1:10"}},
		"base 0":            {"f", "1 0:0.5 3:2\n-1 2:1e1\n", LIBSVM, []string{"1|[]|0:0.5 3:2", "-1|[]|2:10"}},
		"comments and order": {"f", "# a file\n1 3:1 1:2 # x:y\n\n+1 qid:4 2:1 \n", LIBSVM,
			[]string{"1|[]|0:2 2:1", "+1|[]|1:1"}},
		"a row of zeros": {"f", "1 1:2\n0\n1 2:1\n", LIBSVM, []string{"1|[]|0:2", "0|[]|", "1|[]|1:1"}},
		"many labels":    {"f", "1,3 1:2\n2 2:1\n", LIBSVM, []string{"1,3|[]|0:2", "2|[]|1:1"}},
		"no labels":      {"f", "1:2 2:1\n2:4\n", LIBSVM, []string{"|[]|0:2 1:1", "|[]|1:4"}},
		"float32": {"f", npyFile("<f4", "(2, 1)", "\x00\x00\x80\x3f\x00\x00\x00\xc0"), NPY,
			[]string{"|[1]", "|[-2]"}},
		"big-endian": {"f", npyFile(">f4", "(2, 1)", "\x3f\x80\x00\x00\xc0\x00\x00\x00"), NPY,
			[]string{"|[1]", "|[-2]"}},
		"float16": {"f", npyFile("<f2", "(4,)", "\x00\x3c\x00\xc0\x01\x00\xff\x7b"), NPY,
			[]string{"|[1]", "|[-2]", "|[5.960464477539063e-08]", "|[65504]"}},
		"int8":   {"f", npyFile("|i1", "(2, 1)", "\xff\x7f"), NPY, []string{"|[-1]", "|[127]"}},
		"uint16": {"f", npyFile("<u2", "(1, 2)", "\xff\xff\x01\x00"), NPY, []string{"|[65535 1]"}},
		"int64":  {"f", npyFile("<i8", "(1, 1)", "\xfe\xff\xff\xff\xff\xff\xff\xff"), NPY, []string{"|[-2]"}},
		"uint64": {"f", npyFile("<u8", "(1, 1)", "\x00\x00\x00\x00\x00\x00\x00\x80"), NPY,
			[]string{"|[9.223372036854776e+18]"}},
		"booleans":         {"f", npyFile("|b1", "(1, 2)", "\x00\x01"), NPY, []string{"|[0 1]"}},
		"three dimensions": {"f", npyFile("|u1", "(2, 2, 1)", "\x01\x02\x03\x04"), NPY, []string{"|[1 2]", "|[3 4]"}},
		"Fortran, one row": {"f", npyHeader("{'descr': '|u1', 'fortran_order': True, 'shape': (1, 2), }\n") +
			"\x01\x02", NPY, []string{"|[1 2]"}},
		"version 2": {"f", npyMagic + "\x02\x00\x3b\x00\x00\x00" +
			"{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1), }" + "\x07", NPY, []string{"|[7]"}},
		"NaN": {"f", npyFile("<f4", "(1, 1)", "\x00\x00\xc0\x7f"), NPY, []string{"|[NaN]"}},
		"images": {"f",
			"\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02\x01\x02\x03\xff", IDX,
			[]string{"|[1 2]", "|[3 255]"}},
		"labels": {"f", "\x00\x00\x08\x01\x00\x00\x00\x02\x07\x08", IDX, []string{"|[7]", "|[8]"}},
		"shorts": {"f", "\x00\x00\x0b\x01\x00\x00\x00\x01\xff\xfe", IDX, []string{"|[-2]"}},
		"floats": {"f", "\x00\x00\x0d\x01\x00\x00\x00\x01\x3f\x80\x00\x00", IDX, []string{"|[1]"}},
		"text": {"f.txt", "one line\n\n  another, it is \r\n", PlainText,
			[]string{"one line|[]", "another, it is|[]"}},
		"a table as .txt": {"f.txt", "a,b\n1,2\n3,4\n", CSV, []string{"|[1 2]", "|[3 4]"}},
		"gzip":            {"f.gz", gzipped("a,b\n1,2\n"), CSV, []string{"|[1 2]"}},
		"gzip twice":      {"f.gz", gzipped("a,b\n1,2\n") + gzipped("3,4\n"), CSV, []string{"|[1 2]", "|[3 4]"}},
		"zstd":            {"f.zst", zstandard(t, "a,b\n1,2\n"), CSV, []string{"|[1 2]"}},
		"npy in gzip":     {"f.gz", gzipped(npyFile("|u1", "(1, 1)", "\x07")), NPY, []string{"|[7]"}},
	} {
		t.Run(name, func(t *testing.T) {
			l, rows, unused, err := read(t, test.file, test.content, plan.Reading{})
			if err != nil || unused.Total != 0 || !reflect.DeepEqual(rows, test.rows) || l.Format != test.format {
				t.Errorf("got %+v: %q, unused %+v, %v; want %q", l, rows, unused, err, test.rows)
			}
		})
	}
}

func TestBadJSONRows(t *testing.T) {
	testBadRows(t, "f.jsonl", AnyFormat, map[string]badRow{
		"not JSON": {"{\"a\":1}\n{\"a\":}\n", 1, `f.jsonl, line 2, character 6: ` +
			`the row is not JSON from here on; write one object, or one list of numbers, per line.`},
		"cut off": {"{\"a\":1}\n{\"a\":2", 1, `f.jsonl, line 2, character 6: ` +
			`the row is not JSON from here on; write one object, or one list of numbers, per line.`},
		"two values": {"{\"a\":1}\n{\"a\":2} 3\n", 1, `f.jsonl, line 2, character 9: ` +
			`the row is not JSON from here on; write one object, or one list of numbers, per line.`},
		"text": {"{\"a\":1}\n{\"a\":2}\n{\"a\":\"x\"}\n", 2, `f.jsonl, line 3, column 1 ("a"): ` +
			`the value "\"x\"" is not a number; correct it, or use the column for something else than a number.`},
		"too large": {"{\"a\":1}\n{\"a\":1e999}\n", 1, `f.jsonl, line 2, column 1 ("a"): the value "1e999" is ` +
			`too large for a 64-bit float; correct it, or use the column for something else than a number.`},
		"nested": {"{\"a\":1}\n{\"a\":{\"b\":1}}\n", 1, `f.jsonl, line 2, column 1 ("a"): the value ` +
			`"{\"b\":1}" is no single cell; write its parts under keys of their own, or ignore the column.`},
		"a key twice": {"{\"a\":1}\n{\"a\":1,\"a\":2}\n", 1,
			`f.jsonl, line 2, key "a": it occurs twice; give each key once.`},
		"an unknown key": {"{\"a\":1}\n" + strings.Repeat("{\"a\":2}\n", 500) + "{\"a\":1,\"b\":2}\n",
			501, `f.jsonl, line 502, key "b": no row at the beginning has this key; ` +
				`give it in the first rows, as null where it has no value, or type the keys of the reading.`},
		"a list": {"{\"a\":1}\n[1]\n", 1,
			`f.jsonl, line 2: the row is no object; write an object with the keys of the others.`},
		"an object": {"[1]\n{\"a\":1}\n", 1,
			`f.jsonl, line 2: the row is no list, as the first one is; write all rows in one form.`},
		"a short list": {"[1,2]\n[1]\n", 1,
			`f.jsonl, line 2: the list has 1 element where the first has 2; make all lists equally long.`},
		"a long list": {"{\"v\":[1,2]}\n{\"v\":[1,2,3]}\n", 1,
			`f.jsonl, line 2, key "v": the list has 3 elements where the first has 2; make all lists equally long.`},
		"no list": {"{\"v\":[1,2]}\n{\"v\":1}\n", 1,
			`f.jsonl, line 2, key "v": there is no list of 2 numbers; write one, or null.`},
		"bad escape": {"{\"a\":1,\"s\":\"x\"}\n{\"a\":1,\"s\":\"\\x\"}\n", 1,
			`f.jsonl, line 2, column 2 ("s"): the string "\"\\x\"" has an escape that JSON does not know; ` +
				`write \n, \u00e9 and the like, or the character itself.`},
		"not UTF-8": {"{\"a\":1,\"s\":\"x\"}\n{\"a\":1,\"s\":\"\xe9\"}\n", 1,
			`f.jsonl, line 2: the text is not UTF-8; ` + utf8Remedy + `.`},
		"too deep": {"{\"a\":1}\n{\"a\":" + strings.Repeat("[", 100) + "}\n", 1, `f.jsonl, line 2, ` +
			`character 71: the row is not JSON from here on; write one object, or one list of numbers, per line.`},
	})
}

func TestBadArrayRows(t *testing.T) {
	testBadRows(t, "f.json", AnyFormat, map[string]badRow{
		"not JSON": {"[{\"a\":1},\n{\"a\":}]", 1, `f.json, row 2, character 6: the row is not JSON from here on; ` +
			`write an array of objects, or of lists of numbers.`},
		"nothing": {"[{\"a\":1},,{\"a\":2}]", 2,
			`f.json, row 2: the row is no object; write an object with the keys of the others.`},
		"last comma": {"[{\"a\":1},]", 1,
			`f.json, row 2: the row is no object; write an object with the keys of the others.`},
		"a line end": {"[{\"a\":1,\"s\":\"\"},{\"a\":1,\"s\":\"x\ny\"}]", 1, `f.json, row 2, character 14: ` +
			`the row is not JSON from here on; write an array of objects, or of lists of numbers.`},
		"text": {"[{\"a\":1},{\"a\":2},{\"a\":\"x\"}]", 2, `f.json, row 3, column 1 ("a"): ` +
			`the value "\"x\"" is not a number; correct it, or use the column for something else than a number.`},
	})
}

// TestArrayIsNoRelease: rows of an array may change where others end.
func TestArrayIsNoRelease(t *testing.T) {
	const content = `[{"a":1},{"a":2}]`
	l, err := Sniff("f.json", []byte(content), true, plan.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := l.Open(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	rows.Unused().Keep = true
	if err := rows.Next(new(Block)); err == nil || !strings.Contains(err.Error(), "write one row per line") {
		t.Errorf("got %v", err)
	}
}

func TestBadJSONFiles(t *testing.T) {
	testBadFiles(t, "f.jsonl", AnyFormat, map[string][2]string{
		"array cut": {"[{\"a\":1},{\"a\":2}",
			"f.jsonl: the array is not closed; fetch or export the file again, it is cut off."},
		"array first": {"[{\"a\"},{\"a\":2}]", "f.jsonl, row 1, character 5: the row is not JSON from here on; " +
			"write an array of objects, or of lists of numbers."},
		"two arrays": {"[{\"a\":1}]\n[{\"a\":2}]",
			"f.jsonl: there is more behind the array; write one array of rows, or one row per line."},
		"pretty": {"{\n \"a\": 1\n}\n", "f.jsonl, line 1: one JSON value goes over several lines; " +
			"write one object, or one list of numbers, per line, as jq -c '.[]' does."},
		"broken": {"{\"a\" 1}\n{\"a\":2}\n", "f.jsonl, line 1, character 6: " +
			"the row is not JSON from here on; write one object, or one list of numbers, per line."},
		"empty": {"\n", "f.jsonl: the file has no rows; write one object, or one list of numbers, per line."},
		"empty lists": {"[]\n",
			"f.jsonl, line 1: the rows are lists, but not of numbers; write objects, or lists of numbers."},
		"endless line": {"{\"a\":1}\n{\"a\":\"" + strings.Repeat("x", 9<<20),
			"f.jsonl, line 2: the row is longer than 8 MB; write one object, or one list of numbers, per line."},
	})
}

func TestBadLIBSVM(t *testing.T) {
	testBadRows(t, "f.svm", LIBSVM, map[string]badRow{
		"negative index": {"1 1:2\n1 -1:5\n", 1,
			`f.svm, line 2, entry 1 ("-1:5"): the index is negative; count coordinates from 0 or from 1.`},
		"absurd index": {"1 1:2\n1 1:1 99999999999999999999:5\n", 1, `f.svm, line 2, ` +
			`entry 2 ("99999999999999999999:5"): the index is above 2147483647; hash the indices into fewer.`},
		"no index": {"1 1:2\n1 x:5\n", 1,
			`f.svm, line 2, entry 1 ("x:5"): the index is not an integer; write index:value, as 3:0.5.`},
		"no colon": {"1 1:2\n1 1:1 7\n", 1,
			`f.svm, line 2, entry 2 ("7"): there is no colon; write index:value, as 3:0.5.`},
		"no value": {"1 1:2\n1 1:\n", 1,
			`f.svm, line 2, entry 1 ("1:"): the value is not a number; correct it, or leave the entry out.`},
		"NaN": {"1 1:2\n1 1:nan\n", 1,
			`f.svm, line 2, entry 1 ("1:nan"): the value is not a number; correct it, or leave the entry out.`},
		"too large": {"1 1:2\n1 1:1e999\n", 1, `f.svm, line 2, entry 1 ("1:1e999"): ` +
			`the value is too large for a 64-bit float; correct it, or leave the entry out.`},
		"duplicate index": {"1 1:2\n1 3:1 2:1 3:2\n", 1, `f.svm, line 2: index 3 occurs twice; give each index once.`},
		"adjacent":        {"1 1:2\n1 3:1 3:2\n", 1, `f.svm, line 2: index 3 occurs twice; give each index once.`},
		"not UTF-8":       {"1 1:2\ncaf\xe9 3:1\n", 1, `f.svm, line 2, label: the text is not UTF-8; ` + utf8Remedy + `.`},
	})
	testBadFiles(t, "f.svm", LIBSVM, map[string][2]string{
		"comments": {"# nothing\n", "f.svm: the file has no rows; choose one with lines like 1 3:0.5 7:2."},
		"endless line": {"1 1:2\n1" + strings.Repeat(" 1:2", 3<<20),
			"f.svm, line 2: the row is longer than 8 MB; write one row per line."},
	})
	late := "1 1:2\n" + strings.Repeat("1 2:1\n", 100) + "1 0:5\n"
	l, err := Sniff("f.svm", []byte(late[:50]), false, plan.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	_, unused, _ := readAll(t, l, strings.NewReader(late))
	const want = `f.svm, line 102, entry 1 ("0:5"): the index is 0 where indices count from 1; ` +
		`count from 1 in all rows, or read the file with base 0.`
	if unused.Total != 1 || unused.First[0].Error() != want {
		t.Errorf("a late index 0: got %+v", unused)
	}
}

func TestBadArrays(t *testing.T) {
	testBadFiles(t, "f.npy", AnyFormat, map[string][2]string{
		"wrong magic": {"\x93NUMPX\x01\x00",
			`f.npy: the file does not begin with \x93NUMPY, so it is no .npy; save the array with numpy.save.`},
		"cut in the magic": {"\x93NUM",
			`f.npy: the file ends inside its header; fetch or export the file again, it is cut off.`},
		"cut in header": {npyHeader("{'descr': '<f4'")[:14],
			`f.npy: the file ends inside its header; fetch or export the file again, it is cut off.`},
		"version 9": {npyMagic + "\x09\x00\x01\x00\x00\x00",
			`f.npy: version 9 of .npy is not known; save the array with numpy.save, which writes 1, 2 or 3.`},
		"absurd header": {npyMagic + "\x02\x00\xff\xff\xff\xff",
			`f.npy: the header has 4294967295 bytes, more than any array of numbers needs; save the array again.`},
		"no dictionary": {npyHeader("{'shape': (1, 1), }\n"),
			`f.npy: its header is not one of .npy: "{'shape': (1, 1), }"; save the array with numpy.save.`},
		"negative": {npyFile("<f4", "(-1, 2)", ""),
			`f.npy: its header is not one of .npy: "{'descr': '<f4', 'fortra…"; save the array with numpy.save.`},
		"objects": {npyFile("|O", "(1, 1)", ""), `f.npy: its elements are of type '|O', ` +
			`not numbers that fit a float64; save array.astype('f4') or array.astype('f8').`},
		"complex": {npyFile("<c8", "(1, 1)", ""), `f.npy: its elements are of type '<c8', ` +
			`not numbers that fit a float64; save array.astype('f4') or array.astype('f8').`},
		"structures": {npyHeader("{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': " +
			"False, 'shape': (3,), }\n"), `f.npy: its elements are of type [('a', '<f4'), ('b', '<i…, ` +
			`not numbers that fit a float64; save array.astype('f4') or array.astype('f8').`},
		"Fortran order": {npyHeader("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n"),
			`f.npy: the file ends before its last column, of 2 rows; fetch or export the file again, it is cut off.`},
		"a scalar": {npyFile("<f4", "()", "\x00\x00\x80\x3f"),
			`f.npy: the array is a single number; save an array of rows.`},
		"no rows": {npyFile("<f4", "(0, 3)", ""), `f.npy: the array has no rows; choose one with at least one row.`},
		"no columns": {npyFile("<f4", "(3, 0)", ""),
			`f.npy: the rows of the array have no numbers; choose one with at least one column.`},
		"absurd columns": {npyFile("<f4", "(3, 4294967296, 4294967296)", ""), `f.npy: a row has more than 262144 ` +
			`numbers; save fewer columns, or write the rows as LIBSVM, which is sparse.`},
		"absurd rows": {npyFile("<f4", "(9223372036854775807, 2)", ""),
			`f.npy: the header announces 9223372036854775807 rows, more than any file holds; export the file again.`},
		"truncated": {npyFile("<f4", "(3, 1)", "\x00\x00\x80\x3f\x00\x00"),
			`f.npy, row 2: the file ends here, of 3 rows; fetch or export the file again, it is cut off.`},
		"too long": {npyFile("|u1", "(2, 1)", "\x01\x02\x03"),
			`f.npy: there is more behind the 2 rows that its header announces; export the file again.`},
		"infinite": {npyFile("<f4", "(1, 1)", "\x00\x00\x80\x7f"), `f.npy, row 1, column 1: ` +
			`none of the 1 row can be used: the number is infinite; replace it by a finite one.`},
	})
	testBadFiles(t, "f.idx", AnyFormat, map[string][2]string{
		"cut in header": {"\x00\x00\x08\x02\x00\x00",
			`f.idx: the file ends inside its header; fetch or export the file again, it is cut off.`},
		"absurd": {"\x00\x00\x08\x03\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff", `f.idx: a row has ` +
			`more than 262144 numbers; save fewer columns, or write the rows as LIBSVM, which is sparse.`},
		"truncated": {"\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x02\x01\x02\x03",
			`f.idx, row 2: the file ends here, of 2 rows; fetch or export the file again, it is cut off.`},
		"too long": {"\x00\x00\x08\x01\x00\x00\x00\x01\x01\x02",
			`f.idx: there is more behind the 1 row that its header announces; export the file again.`},
	})
	testBadFiles(t, "f.idx", IDX, map[string][2]string{
		"wrong magic": {"\x00\x00\x07\x01\x00\x00", `f.idx: the file does not begin as IDX does, with 0, 0, ` +
			`a type and 1 to 8 dimensions; choose another format, or export the file again.`},
	})
}

func TestBadText(t *testing.T) {
	testBadRows(t, "f.txt", AnyFormat, map[string]badRow{
		"not UTF-8": {"some words\ncaf\xe9\n", 1, `f.txt, line 2: the text is not UTF-8; ` + utf8Remedy + `.`},
	})
	testBadFiles(t, "f.txt", PlainText, map[string][2]string{
		"blank": {" \n\n", "f.txt: the file has no rows; choose a text with one row per line."},
		"binary": {"a\x01b\n", "f.txt, line 1, character 2: the byte 0x01 does not occur in text, " +
			"and the file is of no format known here; choose a text file, or export the table as CSV."},
		"endless line": {"a\n" + strings.Repeat("word ", 2<<20),
			"f.txt, line 2: the line is longer than 8 MB; break it into lines."},
	})
}

func TestBadCompression(t *testing.T) {
	const table = "a,b\n1,2\n3,4\n"
	testBadFiles(t, "f.csv.gz", AnyFormat, map[string][2]string{
		"cut header": {gzipped(table)[:5], "f.csv.gz: the gzip data ends too early; fetch it again."},
		"cut off":    {gzipped(table)[:20], "f.csv.gz: the gzip data ends too early; fetch it again."},
		"bad sum": {gzipped(table)[:len(gzipped(table))-8] + "12345678",
			"f.csv.gz: the gzip data is damaged; fetch or compress it again."},
		"more behind": {gzipped(table) + "x,y\n1,2\n3,4\n",
			"f.csv.gz: the gzip data is damaged; fetch or compress it again."},
		"twice": {gzipped(gzipped(table)), "f.csv.gz: the file is compressed twice; unpack it once."},
		"endless row": {gzipped("1" + strings.Repeat(",2.25", 2<<20)),
			"f.csv.gz: its first rows have more than 8 MB; write one row per line."},
		"empty": {gzipped(""), "f.csv.gz: the file is empty; choose one with at least one row."},
	})
	testBadFiles(t, "f.csv.zst", AnyFormat, map[string][2]string{
		"cut off": {zstandard(t, table)[:12], "f.csv.zst: the zstd data ends too early; fetch it again."},
		"bad sum": {zstandard(t, table)[:len(zstandard(t, table))-1] + "\x00",
			"f.csv.zst: the zstd data is damaged; fetch or compress it again."},
		"window": {"\x28\xb5\x2f\xfd\x00\x98" + "\x01\x00\x00",
			"f.csv.zst: the zstd data needs a window of more than 32 MB; compress it without --ultra and --long."},
	})
}

// TestBombs: a small file that unpacks to gigabytes is refused early.
func TestBombs(t *testing.T) {
	slow.Elsewhere(t)
	for _, line := range []string{"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n", "0"} {
		var packed bytes.Buffer
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		block := []byte(strings.Repeat(line, 1<<20/len(line)))
		w.Write([]byte("1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n"))
		for range 80 {
			w.Write(block)
		}
		w.Close()
		l, err := Sniff("b.csv.gz", packed.Bytes()[:20000], false, plan.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := l.Open(&packed)
		var b Block
		for err == nil {
			err = s.Next(&b)
		}
		want := "b.csv.gz: it unpacks to more than 300 times its size, as no table does; unpack it first if you trust it."
		if len(line) == 1 {
			want = "b.csv.gz, line 3: the row runs on for more than 8 MB, as after a quote that is never closed; " +
				"close the quote or write it twice."
		}
		if err.Error() != want {
			t.Errorf("got %v", err)
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
	e, err := NewEncoder(format, names, 4)
	if err != nil {
		t.Fatal(err)
	}
	text := e.AppendHeader(nil)
	headerSize := len(text)
	for i, row := range table {
		cells := [][]byte{[]byte(strconv.Itoa(i % 2)), []byte([]string{"a,b", "say \"so\"", "two\nlines\té", ""}[i])}
		if text, err = e.AppendRow(text, cells[:len(names)], row); err != nil {
			t.Fatal(err)
		}
	}
	if header := e.FinalHeader(int64(len(table))); len(header) > 0 {
		if len(header) != headerSize {
			t.Fatalf("the final header has %d bytes, the first %d", len(header), headerSize)
		}
		copy(text, header)
	}
	return string(text)
}

// TestEveryFormatSameNumbers: the same rows through every format are the same numbers.
func TestEveryFormatSameNumbers(t *testing.T) {
	var want []string
	for _, row := range table {
		want = append(want, fmt.Sprint(row))
	}
	for name, content := range tableFiles(t) {
		l, err := Sniff(name, []byte(content), true, plan.Reading{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		l = l.WithLabel(-1)
		for i := range l.Columns {
			if l.Sparse {
				l = l.With(i, plan.AsIgnored)
			}
		}
		s, err := l.Open(strings.NewReader(content))
		if err != nil {
			t.Fatal(name, err)
		}
		var b Block
		if err := s.Next(&b); err != nil {
			t.Fatal(name, err)
		}
		for i := range want {
			row := make([]float64, 4)
			copy(row, b.Numbers[min(4*i, len(b.Numbers)):])
			indices, values := b.Entries(i)
			for k := range indices {
				row[indices[k]] = values[k]
			}
			narrow := make([]float32, 4)
			for k := range row {
				narrow[k] = float32(row[k])
			}
			if got := fmt.Sprint(narrow); got != want[i] {
				t.Errorf("%s, row %d: got %s, want %s", name, i, got, want[i])
			}
		}
	}
}

// TestEncodedCells: labels and kept cells come back as they were.
func TestEncodedCells(t *testing.T) {
	for _, format := range []Format{CSV, JSONLines} {
		content := encode(t, format, []string{"la,bel", "features"})
		l, err := Sniff("t", []byte(content), true, readAs(format))
		if err != nil {
			t.Fatal(err)
		}
		l = l.With(0, plan.AsLabel).With(1, plan.AsKept)
		rows, _, err := readAll(t, l, strings.NewReader(content))
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
	for _, test := range []struct {
		format Format
		names  []string
		n      int
		want   string
	}{
		{NPY, []string{"y"}, 1, "dataset: .npy holds numbers alone; write labels and kept columns beside it, " +
			"as CSV or JSON Lines with row numbers and nComponents 0"},
		{LIBSVM, []string{"y", "k"}, 1,
			"dataset: LIBSVM holds one label and no kept columns; save these as CSV or JSON Lines"},
		{IDX, nil, 1, "dataset: format must be one of csv, jsonl, libsvm, npy, parquet, arrow, got idx"},
		{Parquet, nil, 1, "dataset: parquet is read and written by package dataset/columnar; import it"},
		{CSV, nil, 0, "dataset: nComponents must be from 1 to 16777216, got 0"},
		{CSV, nil, 1 << 31, "dataset: nComponents must be from 1 to 16777216, got 2147483648"},
	} {
		if _, err := NewEncoder(test.format, test.names, test.n); err == nil || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	e, err := NewEncoder(LIBSVM, []string{"y"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	const want = `dataset: row 1: the label "cat" is not a number, as LIBSVM needs; ` +
		`save as CSV or JSON Lines, or without the label`
	if _, err := e.AppendRow(nil, [][]byte{[]byte("cat")}, []float32{1}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
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
	text, err := os.ReadFile(filepath.Join(folder, "want.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want map[string][][]float64
	if err := json.Unmarshal(text, &want); err != nil || len(want) != 63 {
		t.Fatalf("%d files, %v", len(want), err)
	}
	for name, rows := range want {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		_, got, _, err := read(t, name, string(content), plan.Reading{})
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
		l, rows := fileRows(t, data(t, name))
		if l.Format != want.format || len(rows) != want.rows || !strings.HasPrefix(rows[0], want.first) {
			t.Errorf("%s: %v, %d rows, the first %s", name, l.Format, len(rows), rows[0])
		}
	}
}

func TestSniffNeedsMore(t *testing.T) {
	for name, content := range examples(t) {
		for n := range min(len(content), 40) {
			if _, err := Sniff(name, []byte(content[:n]), false, plan.Reading{}); err != nil &&
				!errors.Is(err, ErrShortHead) && n > 0 && !strings.Contains(err.Error(), "empty") {
				t.Errorf("%s, %d bytes: %v", name, n, err)
			}
		}
	}
}

// TestFormatsHaveRows: the table of package plan and the one of this package have the same formats, and a row has the
// functions that its format needs.
func TestFormatsHaveRows(t *testing.T) {
	if len(formats) != len(plan.Formats) {
		t.Errorf("%d rows for %d formats", len(formats), len(plan.Formats))
	}
	for i := range plan.Formats {
		f := &plan.Formats[i]
		row := Format(f.Name).of()
		if row.name != Format(f.Name) {
			t.Errorf("%s has no row in formats.go", f.Name)
		}
		isOwn := row.looks != nil && (row.header != nil || row.sniff != nil && row.open != nil)
		if isOwn == f.Columnar || (row.encoding.row != nil) != (f.Written && !f.Columnar) {
			t.Errorf("%s is columnar %v and written %v, which its row in formats.go does not say", f.Name, f.Columnar, f.Written)
		}
	}
	if _, err := (&Layout{Name: "f", Format: "pdf"}).Open(strings.NewReader("")); err == nil {
		t.Error("a layout of an unknown format is opened")
	}
}
