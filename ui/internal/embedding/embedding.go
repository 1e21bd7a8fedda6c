// Package embedding runs rows through a feature map, block by block: it cuts a
// stream of rows into blocks, keeps several of them at work, and gathers what the
// page shows of the result. It knows nothing of browsers.
package embedding

import (
	"io"
	"math"

	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
	"github.com/tensorsketch/tensorsketch/ui/internal/report"
)

// Sizes of a block, and how many are at work at a time.
const (
	blockBytes  = 4 << 20
	blockRows   = 4096
	blocksAhead = 3
)

// The first blocks of a job that begins small. The core does those in the page's
// thread, so that the first picture does not wait for workers to start.
const (
	smallBlocks    = 8
	smallBlockRows = 128
)

// rowsOfBlock returns how many rows the k-th block has.
func (j *Job) rowsOfBlock(k int) int {
	rows := blockBytes / (4 * max(j.NComponents, j.NFeatures))
	if j.BeginSmall && k < smallBlocks {
		rows = min(rows, smallBlockRows)
	}
	return max(1, min(rows, blockRows))
}

// A Source gives rows until io.EOF. A row is valid until the next call.
type Source interface {
	Next() (*csvfile.Row, error)
}

// A Mapper embeds blocks of rows and keeps their features.
type Mapper interface {
	// Start begins to embed a block; x and cells may be used again after it
	// returns. Wait returns the features, valid until the next Wait, or a *RowError
	// where the core refuses a row of the block.
	Start(x []float32, cells []byte) (wait func() ([]float32, error), err error)
}

// A RowError says that the core refuses a row.
type RowError struct {
	Row      int    // of the block, from 0; the one that Run returns counts all rows
	Line     int    // of the file, from 1; set by Run, 0 where the rows are of no file
	Overflow bool   // a feature exceeds what float32 holds
	Message  string // the core's
}

func (e *RowError) Error() string { return e.Message }

// A Job embeds all rows of a source.
type Job struct {
	Source      Source
	Mapper      Mapper
	NFeatures   int
	NComponents int
	Unit        bool // scale each row to length 1 first
	HasLabel    bool
	BeginSmall  bool
	Pace        func() error   // called often: lets the page breathe, and returns an error to stop
	Progress    func(rows int) // called after each block with the rows embedded so far
}

// An Outcome is what the page shows, of all rows or of the first ones.
type Outcome struct {
	Rows     int
	ZeroRows int // rows whose features are all zero
	Preview  []PreviewRow
	Sample   *report.Reservoir
}

// A block at work.
type block struct {
	x      []float32
	lines  []int    // of the file
	labels []string // of the preview
	wait   func() ([]float32, error)
}

// Run embeds the rows. After an error the outcome is about the rows before it.
func (j *Job) Run() (*Outcome, error) {
	outcome := &Outcome{Sample: report.NewReservoir(j.NFeatures, j.NComponents)}
	var atWork []block
	for k, ended := 0, false; !ended || len(atWork) > 0; k++ {
		if !ended {
			next, err := j.startBlock(j.rowsOfBlock(k))
			if err == io.EOF {
				ended = true
			} else if err != nil {
				return outcome, err
			}
			if next != nil {
				atWork = append(atWork, *next)
			}
		}
		if len(atWork) > 0 && (ended || len(atWork) >= blocksAhead) {
			if err := j.finishBlock(&atWork[0], outcome); err != nil {
				return outcome, err
			}
			atWork = atWork[1:]
		}
	}
	return outcome, nil
}

// startBlock reads up to that many rows and has them embedded. It returns nil
// where no row is left, and io.EOF with or after the last block.
func (j *Job) startBlock(rows int) (*block, error) {
	b := &block{x: make([]float32, 0, rows*j.NFeatures)}
	var packed, cells []byte
	var ended error
	for range rows {
		if err := j.Pace(); err != nil {
			return nil, err
		}
		row, err := j.Source.Next()
		if err == io.EOF {
			ended = err
			break
		}
		if err != nil {
			return nil, err
		}
		b.x = append(b.x, row.Features...)
		b.lines = append(b.lines, row.Line)
		if len(b.labels) < previewRows {
			b.labels = append(b.labels, row.Label)
		}
		cells = csvfile.AppendCells(cells[:0], j.HasLabel, row)
		packed = csvfile.PackCells(packed, cells)
	}
	if len(b.x) == 0 {
		return nil, ended
	}
	if j.Unit {
		for at := 0; at < len(b.x); at += j.NFeatures {
			Unit(b.x[at : at+j.NFeatures])
		}
	}
	wait, err := j.Mapper.Start(b.x, packed)
	if err != nil {
		return nil, err
	}
	b.wait = wait
	return b, ended
}

// finishBlock waits for a block and gathers what is shown of it.
func (j *Job) finishBlock(b *block, outcome *Outcome) error {
	z, err := b.wait()
	if refused, ok := err.(*RowError); ok {
		refused.Line = b.lines[refused.Row]
		refused.Row += outcome.Rows
	}
	if err != nil {
		return err
	}
	D := j.NComponents
	for r := range len(z) / D {
		x, features := b.x[r*j.NFeatures:(r+1)*j.NFeatures], z[r*D:(r+1)*D]
		outcome.Sample.Add(x, features)
		if isZero(features) {
			outcome.ZeroRows++
		}
		if len(outcome.Preview) < previewRows {
			outcome.Preview = append(outcome.Preview, newPreviewRow(b.labels[r], features))
		}
	}
	outcome.Rows += len(z) / D
	j.Progress(outcome.Rows)
	return j.Pace()
}

func isZero(x []float32) bool {
	for _, v := range x {
		if v != 0 {
			return false
		}
	}
	return true
}

// Unit scales x to length 1, by its norm in float64; a row of zeros stays as it
// is.
func Unit(x []float32) {
	squares := 0.0
	for _, v := range x {
		squares += float64(float64(v) * float64(v))
	}
	if squares == 0 {
		return
	}
	norm := math.Sqrt(squares)
	for i, v := range x {
		x[i] = float32(float64(v) / norm)
	}
}
