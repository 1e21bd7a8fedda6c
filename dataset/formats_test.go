package dataset

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func zstandard(t testing.TB, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

// npyFile makes a file of version 1.
func npyFile(descr, shape, numbers string) string {
	header := "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n"
	return npyMagic + "\x01\x00" + string([]byte{byte(len(header)), byte(len(header) >> 8)}) + header + numbers
}

// examples is a file of every format, by name.
func examples(t testing.TB) map[string]string {
	const table = "a,b,label\r\n1,2,\"x\ny\"\r\n3,q,z\r\n4,5,w"
	return map[string]string{
		"f.csv":     "\xef\xbb\xbf" + table,
		"f.csv.gz":  gzipped(table),
		"f.csv.zst": zstandard(t, table),
		"f.jsonl":   "{\"a\":1,\"b\":\"x\",\"v\":[1,2.5]}\n{\"a\":true}\n\n{\"b\":\"\\u00e9\",\"a\":null,\"v\":null}\n[1]\n",
		"g.jsonl":   "[1,2]\n[3,-4.5e1]\n[5]",
		"f.libsvm":  "1 1:0.5 3:2 # first\n-1 2:1\n0 3:1 1:7\n2 1:x\n",
		"f.npy":     npyFile("<f4", "(2, 1)", "\x00\x00\x80\x3f\x00\x00\xc0\x7f"),
		"f.idx":     "\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02\x01\x02\x03\x04",
		"f.txt":     "one line of words\n\nanother, with a comma\ncaf\xe9\n",
	}
}
