package columnar

import (
	"strings"
	"testing"

	"tensorsketch.example/dataset"
)

// benchmarkRead reads a file of rows of 784 numbers.
func benchmarkRead(b *testing.B, format dataset.Format) {
	content := encode(b, format, 2000, 784, 500, nil)
	l := sniff(b, "t", content)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		s, err := l.Open(strings.NewReader(content))
		if err == nil {
			err = eachOf(s, func(*dataset.Block) {})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParquet(b *testing.B) { benchmarkRead(b, dataset.Parquet) }
func BenchmarkArrow(b *testing.B)   { benchmarkRead(b, dataset.Arrow) }
