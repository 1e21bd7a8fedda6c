// Package lab has what the programs that measure share: the data sets, and the
// parts of documents they write their figures into.
package lab

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Folder returns the folder of the data sets: ../shared/data, or the one named by
// TENSORSKETCH_DATA.
func Folder() string { return cmp.Or(os.Getenv("TENSORSKETCH_DATA"), "../shared/data") }

// Open opens a gzipped data set in Folder; see ../shared/data/README.md.
func Open(name string) (io.ReadCloser, error) {
	f, err := os.Open(filepath.Join(Folder(), name))
	if err != nil {
		return nil, fmt.Errorf("%w: put %s into ../shared/data, or name its folder in TENSORSKETCH_DATA", err, name)
	}
	r, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{r, f}, nil
}

// MNISTFeatures is how many pixels a row of MNIST has: as in the papers, without
// the last 4 of 784.
const MNISTFeatures = 780

// MNIST returns the first n training images of 60,000 as rows of length 1.
func MNIST(n int) ([][]float32, error) {
	const name = "mnist-train-images-idx3-ubyte.gz"
	r, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var header [4]uint32
	if err := binary.Read(r, binary.BigEndian, &header); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	pixels := make([]byte, header[2]*header[3])
	rows := make([][]float32, n)
	for i := range rows {
		if _, err := io.ReadFull(r, pixels); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		rows[i] = make([]float32, MNISTFeatures)
		for k := range rows[i] {
			rows[i][k] = float32(pixels[k])
		}
		Unit(rows[i])
	}
	return rows, nil
}

// ParseLIBSVM returns the columns, from 0 to d−1, and values of a line
// "label column:value …", where columns are counted from 1.
func ParseLIBSVM(line string, d int) (columns []int32, values []float32, err error) {
	fields := strings.Fields(line)
	for _, field := range fields[min(1, len(fields)):] {
		column, value, _ := strings.Cut(field, ":")
		i, err := strconv.Atoi(column)
		if err != nil || i < 1 || i > d {
			return nil, nil, fmt.Errorf("%q must be column:value with a column from 1 to %d", field, d)
		}
		v, err := strconv.ParseFloat(value, 32)
		if err != nil {
			return nil, nil, fmt.Errorf("%q must be column:value with a number as its value", field)
		}
		columns, values = append(columns, int32(i-1)), append(values, float32(v))
	}
	return columns, values, nil
}

// Unit divides a row by its length, which must not be zero.
func Unit(row []float32) {
	square := 0.0
	for _, v := range row {
		square += float64(v) * float64(v)
	}
	for i, v := range row {
		row[i] = float32(float64(v) / math.Sqrt(square))
	}
}
