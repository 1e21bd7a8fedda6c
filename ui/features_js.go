package main

import (
	"github.com/hack-pad/safejs"
	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
	"github.com/tensorsketch/tensorsketch/ui/internal/npy"
)

// features are those of an embedding, kept as Blobs of a few megabytes each,
// which the browser may move to disk when they become many. The model stays with
// them: it is what they were made by.
type features struct {
	model       *featureMap
	nFeatures   int
	nComponents int
	rows        int
	blocks      []featureBlock
}

// A featureBlock holds rows: their features, and the packed cells before them.
type featureBlock struct {
	features safejs.Value // Blob
	cells    safejs.Value // Blob
	rows     int
}

// add keeps a block: z is a Float32Array.
func (f *features) add(z safejs.Value, cells []byte) error {
	numbers, err := z.Length()
	if err != nil {
		return err
	}
	block := featureBlock{rows: numbers / f.nComponents}
	if block.features, err = newBlob(z); err != nil {
		return err
	}
	packed, err := uint8Array(cells)
	if err != nil {
		return err
	}
	if block.cells, err = newBlob(packed); err != nil {
		return err
	}
	f.blocks = append(f.blocks, block)
	f.rows += block.rows
	return nil
}

// npyFile returns the .npy file.
func (f *features) npyFile() (safejs.Value, error) {
	header, err := uint8Array(npy.Float32Header(f.rows, f.nComponents))
	if err != nil {
		return header, err
	}
	parts := []any{header}
	for _, block := range f.blocks {
		parts = append(parts, block.features)
	}
	return blobOf(parts, "application/octet-stream")
}

// linesAtOnce bounds the features written as text at a time.
const linesAtOnce = 1 << 16

// csvFile writes the features as text, a part at a time.
func (f *features) csvFile(names []string, p *pacer, progress func(done float64)) (safejs.Value, error) {
	var parts []any
	lines := csvfile.AppendHeader(nil, names, f.nComponents)
	flush := func() error {
		part, err := uint8Array(lines)
		if err != nil {
			return err
		}
		blob, err := newBlob(part)
		parts, lines = append(parts, blob), lines[:0]
		return err
	}
	written := 0
	for _, block := range f.blocks {
		packed, err := blobBytes(block.cells)
		if err != nil {
			return safejs.Undefined(), err
		}
		step := max(1, linesAtOnce/f.nComponents)
		for row := 0; row < block.rows; row += step {
			n := min(step, block.rows-row)
			z, err := f.read(block, row, n)
			if err != nil {
				return safejs.Undefined(), err
			}
			for len(z) > 0 {
				var cells []byte
				if cells, packed, err = csvfile.UnpackCells(packed); err != nil {
					return safejs.Undefined(), err
				}
				lines = csvfile.AppendRow(lines, cells, z[:f.nComponents])
				z = z[f.nComponents:]
				if err := p.Pace(); err != nil {
					return safejs.Undefined(), err
				}
			}
			if written += n; len(lines) > 4<<20 {
				if err := flush(); err != nil {
					return safejs.Undefined(), err
				}
			}
			progress(float64(written) / float64(f.rows))
		}
	}
	if err := flush(); err != nil {
		return safejs.Undefined(), err
	}
	return blobOf(parts, "text/csv")
}

// read returns n rows of features of a block.
func (f *features) read(block featureBlock, row, n int) ([]float32, error) {
	bytes, err := readBlob(block.features, 4*row*f.nComponents, 4*(row+n)*f.nComponents)
	if err != nil {
		return nil, err
	}
	z := make([]float32, len(bytes)/4)
	copy(bytesOf(z), bytes)
	return z, nil
}
