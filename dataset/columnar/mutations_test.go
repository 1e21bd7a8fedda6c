package columnar

import (
	"archive/zip"
	"compress/gzip"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

var (
	mutations    = flag.Int("mutations", 60, "mutated files of each format")
	mutationSeed = flag.Uint64("mutationseed", 38, "the seed of these")
)

// goodFiles are files of every format, which are mutated.
func goodFiles(t testing.TB) map[string][]string {
	files := map[string][]string{}
	for name, format := range map[string]dataset.Format{"csv": dataset.CSV, "jsonl": dataset.JSONLines,
		"npy": dataset.NPY, "parquet": dataset.Parquet, "arrow": dataset.Arrow} {
		files[name] = []string{encode(t, format, 60, 3, 25, nil)}
	}
	for _, name := range slices.Concat(fixtures(t, ""), fixtures(t, "nested"), workbooks, workbooksOfMakers) {
		format := strings.TrimPrefix(filepath.Ext(name), ".")
		files[format] = append(files[format], fixture(t, name))
	}
	table := must(os.ReadFile("testdata/table.csv"))
	files["csv"] = append(files["csv"], string(table), "sep=;\na;'b;c';d\n1,5;'x';2024-05-06\n2,5;'y';2024-05-07\n")
	files["tsv"] = []string{strings.ReplaceAll(string(table), ",", "\t"), "a b\n1 2\n3 4\n",
		"\xff\xfea\x00\t\x00b\x00\n\x001\x00\t\x002\x00\n\x00"}
	files["json"] = []string{`[{"a": 1, "b": [1, 2], "c": "\u00e9"}, {"a": null, "b": [3, 4], "c": "x"}]`, "[[1,2],[3,4]]"}
	files["jsonl"] = append(files["jsonl"], "[1,2]\n[3,4]\n", `{"a":{"b":[{}]},"c":true}`+"\n"+`{"c":1e5}`+"\n")
	files["svm"] = []string{"1 1:0.5 3:2\n-1 2:1 qid:4 # x\n+1 7:1e3\n", "0:1 5:2\n1:1\n"}
	files["txt"] = []string{"The quick brown fox.\nJumps over 13 lazy dogs.\n"}
	fortran := strings.Replace(npyOf("(4, 3)"), "False", "True", 1)
	length := binary.LittleEndian.AppendUint16(nil, uint16(len(fortran)-10))
	fortran = fortran[:8] + string(length) + fortran[10:] + zeros(96)
	files["npy"] = append(files["npy"], npyOf("(4, 3)")+zeros(96), fortran)
	files["npz"] = []string{zipOf(t, "x.npy", npyOf("(4, 3)")+zeros(96), "y.npy", npyOf("(4,)")+zeros(32))}
	files["idx"] = []string{"\x00\x00\x08\x03\x00\x00\x00\x04\x00\x00\x00\x02\x00\x00\x00\x02" +
		strings.Repeat("\x01", 16)}
	files["gz"] = []string{gzipped(string(table)), gzipped(files["npy"][1]), gzipped(files["parquet"][0])}
	files["zst"] = []string{zstandard(t, string(table)), zstandard(t, files["npy"][2])}
	files["zip"] = []string{zipOf(t, "table.csv", string(table)), zipOf(t, "t.parquet", files["parquet"][0])}
	return files
}

// A mutator draws mutations.
type mutator struct{ *rand.Rand }

// numbers are what announces too much, too little or nothing.
var wrongNumbers = []uint64{0, 1, 2, 7, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 1 << 16, 1 << 20, 1 << 24, 1 << 28,
	1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 40, 1<<63 - 1, 1 << 63, 1<<64 - 1}

var wrongTexts = []string{"", "0", "-1", "9", "99999999", "4294967296", "1e999", "nan", `"`, "'", ",", "\n", "\r",
	"\x00", "[", "{", "]", "}", ":", ";", "\t", "\xff", "\\u", "é", "null", "<c r=\"XFD1\">", "<row>", "&lt;",
	"r=\"ZZZ9\"", "\xef\xbb\xbf", "PAR1", "ARROW1", "PK\x03\x04"}

func (m mutator) mutate(content []byte) []byte {
	for range 1 + m.IntN(4) {
		if len(content) == 0 {
			return content
		}
		at := m.IntN(len(content))
		if m.IntN(3) == 0 { // heads and footers say most
			at = m.edge(len(content))
		}
		end := min(at+1+m.IntN(1<<m.IntN(8)), len(content))
		switch m.IntN(9) {
		case 0, 1: // bits
			content[at] ^= 1 << m.IntN(8)
		case 2: // a byte
			content[at] = byte(m.IntN(256))
		case 3: // an integer of any width and order
			n := wrongNumbers[m.IntN(len(wrongNumbers))]
			number := [][]byte{binary.LittleEndian.AppendUint64(nil, n), binary.LittleEndian.AppendUint32(nil, uint32(n)),
				binary.BigEndian.AppendUint32(nil, uint32(n)), binary.LittleEndian.AppendUint16(nil, uint16(n))}[m.IntN(4)]
			copy(content[at:], number)
		case 4: // a number of Thrift, which takes as many bytes as it needs
			n := wrongNumbers[m.IntN(len(wrongNumbers))]
			content = splice(content, at, min(at+1, len(content)), binary.AppendUvarint(nil, n))
		case 5: // cut off, or without a part
			if m.IntN(2) == 0 {
				content = content[:at]
			} else {
				content = splice(content, at, end, nil)
			}
		case 6: // a part again, elsewhere
			to := m.IntN(len(content))
			content = splice(content, to, to, content[at:end])
		case 7: // a part many times
			content = splice(content, at, at, []byte(strings.Repeat(string(content[at:end]), 1<<m.IntN(12))))
		default:
			text := wrongTexts[m.IntN(len(wrongTexts))]
			content = splice(content, at, end, []byte(text))
		}
		if len(content) > 1<<20 {
			content = content[:1<<20]
		}
	}
	return content
}

func (m mutator) edge(n int) int {
	at := m.IntN(min(n, 64))
	if m.IntN(2) == 0 {
		at = n - 1 - at
	}
	return at
}

func splice(content []byte, from, to int, with []byte) []byte {
	return slices.Concat(content[:from], with, content[to:])
}

// inside makes an archive of the mutated content of an archive, so that what is inside is reached.
func (m mutator) inside(t testing.TB, format, content string) string {
	switch format {
	case "gz", "zst":
		inner := string(m.mutate(unpacked(format, content)))
		if format == "gz" {
			return gzipped(inner)
		}
		return zstandard(t, inner)
	}
	files := unzip(content)
	i := 2*m.IntN(len(files)/2) + 1
	files[i] = string(m.mutate([]byte(files[i])))
	return zipOf(t, files...)
}

// TestMutated: whatever becomes of a file of any format, a reader does not panic, no call takes long or much memory,
// what is wrong is one sentence, and the next good file is read.
func TestMutated(t *testing.T) {
	slow.Elsewhere(t)
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	files := goodFiles(t)
	for format, good := range files {
		t.Run(format, func(t *testing.T) {
			reading := columns.Reading{}
			if format == "txt" {
				reading.Format = "text"
			}
			m := mutator{rand.New(rand.NewPCG(*mutationSeed, 1))}
			rows, taken, slowest := 0, uint64(0), time.Duration(0)
			for i := range *mutations {
				original := good[i%len(good)]
				content := string(m.mutate([]byte(original)))
				if isPacked := slices.Contains([]string{"gz", "zst", "zip", "npz", "xlsx"}, format); isPacked && i%2 == 1 {
					content = m.inside(t, format, original)
				}
				v, name := &visit{blocks: 20}, fmt.Sprintf("%d.%s", i, format)
				keep := func(what any) {
					path := filepath.Join(os.TempDir(), "mutated-"+name)
					_ = os.WriteFile(path, []byte(content), 0o600)
					t.Errorf("seed %d, %s: %v", *mutationSeed, path, what)
				}
				alarm := time.AfterFunc(30*time.Second, func() { keep("still reading"); panic("hangs") })
				n, err := 0, error(nil)
				heap := heapGrowth(func() {
					defer func() {
						if p := recover(); p != nil {
							keep(fmt.Sprint(p, "\n", string(debug.Stack())))
						}
					}()
					n, err = v.read(name, content, reading)
				})
				alarm.Stop()
				if n > 0 {
					rows++
				}
				if heap > mostHeap {
					keep(fmt.Sprintf("%d MB", heap>>20))
				}
				if v.slowest > mostTime {
					again := &visit{blocks: 20} // the machine may have been busy
					if again.read(name, content, reading); again.slowest > mostTime {
						keep(fmt.Sprintf("%s takes %v, then %v", v.call, v.slowest, again.slowest))
					}
				}
				if err != nil && (len(err.Error()) > 600 || strings.ContainsAny(err.Error(), "\n\x1b")) {
					keep(fmt.Sprintf("no sentence: %.700q", err))
				}
				taken, slowest = max(taken, heap), max(slowest, v.slowest)
				if i%20 == 0 {
					if _, err := (&visit{blocks: 20}).read("good."+format, original, reading); err != nil {
						t.Errorf("after %s a good file is not read: %v", name, err)
					}
				}
			}
			t.Logf("%d of %d have rows; %d MB, %v at most", rows, *mutations, taken>>20, slowest)
		})
	}
}

// heapGrowth is heapOf for many short calls: it measures only where more was allocated in all.
func heapGrowth(f func()) uint64 {
	if taken := uint64(need.Allocated(f)); taken <= mostHeap {
		return taken
	}
	return heapOf(f)
}

// unpacked returns the content of a compressed file.
func unpacked(format, content string) []byte {
	if format == "gz" {
		return must(io.ReadAll(must(gzip.NewReader(strings.NewReader(content)))))
	}
	return must(must(zstd.NewReader(nil)).DecodeAll([]byte(content), nil))
}

// unzip returns the names and contents of an archive in turns.
func unzip(content string) (files []string) {
	for _, f := range must(zip.NewReader(strings.NewReader(content), int64(len(content)))).File {
		files = append(files, f.Name, string(must(io.ReadAll(must(f.Open())))))
	}
	return files
}
