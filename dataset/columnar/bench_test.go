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
	var block dataset.Block
	for b.Loop() {
		s, err := l.Open(strings.NewReader(content))
		for err == nil {
			err = s.Next(&block)
		}
	}
}

func BenchmarkParquet(b *testing.B) { benchmarkRead(b, dataset.Parquet) }
func BenchmarkArrow(b *testing.B)   { benchmarkRead(b, dataset.Arrow) }
