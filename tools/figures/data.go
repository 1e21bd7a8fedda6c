package main

import (
	"bufio"
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

// openData opens a gzipped data set; see ../shared/data/README.md.
func openData(name string) (io.ReadCloser, error) {
	folder := os.Getenv("TENSORSKETCH_DATA")
	if folder == "" {
		folder = "../shared/data"
	}
	f, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		return nil, fmt.Errorf("%w: put %s there, or name its folder in TENSORSKETCH_DATA", err, name)
	}
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{r, f}, nil
}

const a9aRows, a9aFeatures = 32561, 123

// readA9A returns n rows of Adult, spread evenly over the file.
func readA9A(n int) ([][]float32, error) {
	r, err := openData("a9a.libsvm.gz")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var rows [][]float32
	lines := bufio.NewScanner(r)
	for k := 0; len(rows) < n && lines.Scan(); k++ {
		if k != len(rows)*a9aRows/n {
			continue
		}
		row, err := parseLIBSVM(lines.Text(), a9aFeatures)
		if err != nil {
			return nil, fmt.Errorf("a9a.libsvm.gz, line %d: %w", k+1, err)
		}
		rows = append(rows, row)
	}
	if lines.Err() == nil && len(rows) < n {
		return nil, fmt.Errorf("a9a.libsvm.gz holds fewer than %d rows", a9aRows)
	}
	return rows, lines.Err()
}

// parseLIBSVM returns the d features of a line "label column:value …", columns
// counted from 1.
func parseLIBSVM(line string, d int) ([]float32, error) {
	row := make([]float32, d)
	fields := strings.Fields(line)
	for _, field := range fields[min(1, len(fields)):] {
		column, value, _ := strings.Cut(field, ":")
		i, err := strconv.Atoi(column)
		if err != nil || i < 1 || i > d {
			return nil, fmt.Errorf("%q must be column:value with a column from 1 to %d", field, d)
		}
		v, err := strconv.ParseFloat(value, 32)
		if err != nil {
			return nil, fmt.Errorf("%q must be column:value with a number as its value", field)
		}
		row[i-1] = float32(v)
	}
	return row, nil
}

const mnistFeatures = 780 // as in the papers: without the last 4 of 784 pixels

// readMNIST returns the first n training images as rows of length 1.
func readMNIST(n int) ([][]float32, error) {
	const name = "mnist-train-images-idx3-ubyte.gz"
	r, err := openData(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var header [4]uint32
	if err := binary.Read(r, binary.BigEndian, &header); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	pixels := make([]byte, header[2]*header[3])
	var rows [][]float32
	for range n {
		if _, err := io.ReadFull(r, pixels); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		row := make([]float32, mnistFeatures)
		for i := range row {
			row[i] = float32(pixels[i])
		}
		rows = append(rows, row)
	}
	return unit(rows), nil
}

// unit returns the rows divided by their lengths; none may be zero.
func unit(rows [][]float32) [][]float32 {
	var units [][]float32
	for _, row := range rows {
		square := 0.0
		for _, v := range row {
			square += float64(v) * float64(v)
		}
		of := make([]float32, len(row))
		for i, v := range row {
			of[i] = float32(float64(v) / math.Sqrt(square))
		}
		units = append(units, of)
	}
	return units
}
