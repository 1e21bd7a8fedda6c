//go:build !js

package main

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// dataFolder holds the real data sets; see ../shared/data/README.md.
func dataFolder() string {
	if folder := os.Getenv("TENSORSKETCH_DATA"); folder != "" {
		return folder
	}
	return "../shared/data"
}

// writeData writes MNIST and basehock as plain numbers into folder, where Node,
// the browser and measureNative read them.
func writeData(folder string) error {
	return errors.Join(
		convert("mnist-train-images-idx3-ubyte.gz", func(r io.Reader) error { return writeMNIST(folder, r) }),
		convert("basehock.libsvm.gz", func(r io.Reader) error { return writeBasehock(folder, r) }))
}

func convert(name string, to func(io.Reader) error) error {
	f, err := os.Open(filepath.Join(dataFolder(), name))
	if err != nil {
		return fmt.Errorf("%s, so the workload on it: no such file in ../shared/data or TENSORSKETCH_DATA", name)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	return to(bufio.NewReader(r))
}

const mnistFeatures = 780 // as in the papers: without the last 4 of 784 pixels

// writeMNIST scales the images of an IDX file to rows of length 1.
func writeMNIST(folder string, r io.Reader) error {
	var header [4]uint32
	if err := binary.Read(r, binary.BigEndian, &header); err != nil {
		return err
	}
	pixels := make([]byte, header[2]*header[3])
	var rows []float32
	for range header[1] {
		if _, err := io.ReadFull(r, pixels); err != nil {
			return err
		}
		square := 0.0
		for _, v := range pixels[:mnistFeatures] {
			square += float64(v) * float64(v)
		}
		for _, v := range pixels[:mnistFeatures] {
			rows = append(rows, float32(float64(v)/math.Sqrt(square)))
		}
	}
	return writeNumbers(folder, "mnist.f32", rows)
}

// writeBasehock turns a LIBSVM file into CSR with rows of length 1.
func writeBasehock(folder string, r io.Reader) error {
	indptr, indices, data := []int32{0}, []int32{}, []float32{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		start, square := len(data), 0.0
		for _, field := range strings.Fields(lines.Text())[1:] {
			column, value, _ := strings.Cut(field, ":")
			i, err := strconv.Atoi(column)
			if err != nil {
				return err
			}
			v, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return err
			}
			indices, data = append(indices, int32(i-1)), append(data, float32(v))
			square += v * v
		}
		for i := start; i < len(data); i++ {
			data[i] /= float32(math.Sqrt(square))
		}
		indptr = append(indptr, int32(len(data)))
	}
	return errors.Join(lines.Err(), writeNumbers(folder, "basehock.indptr.i32", indptr),
		writeNumbers(folder, "basehock.indices.i32", indices), writeNumbers(folder, "basehock.data.f32", data))
}

func writeNumbers(folder, name string, numbers any) error {
	f, err := os.Create(filepath.Join(folder, name))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return errors.Join(binary.Write(w, binary.LittleEndian, numbers), w.Flush(), f.Close())
}

// readNumbers returns the float32 or int32 numbers of a file that writeData wrote.
func readNumbers[T float32 | int32](folder, name string) ([]T, error) {
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	numbers := make([]T, len(data)/4)
	_, err = binary.Decode(data, binary.LittleEndian, numbers)
	return numbers, err
}
