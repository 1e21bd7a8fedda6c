//go:build !js

package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"tensorsketch.example/tools/internal/lab"
)

// writeData writes MNIST, with and without labels, and basehock as plain numbers into folder, where Node,
// the browser and measureNative read them. It writes at most so many images.
func writeData(folder string, images int) error {
	return errors.Join(writeMNIST(folder, images), writeDigits(folder, images), writeBasehock(folder))
}

func writeMNIST(folder string, n int) error {
	images, err := lab.MNIST(n)
	if err != nil {
		return err
	}
	return writeNumbers(folder, "mnist.f32", slices.Concat(images...))
}

const basehockFeatures = 4862

// writeBasehock turns a LIBSVM file into CSR with rows of length 1.
func writeBasehock(folder string) error {
	r, err := lab.Open("basehock.libsvm.gz")
	if err != nil {
		return err
	}
	defer r.Close()
	indptr, indices, data := []int32{0}, []int32{}, []float32{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		columns, row, err := lab.ParseLIBSVM(lines.Text(), basehockFeatures)
		if err != nil {
			return err
		}
		lab.Unit(row)
		indices, data = append(indices, columns...), append(data, row...)
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
