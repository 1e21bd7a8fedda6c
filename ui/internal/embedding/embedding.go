// Package embedding runs rows through a feature map, block by block: it cuts a
// stream of rows into blocks, keeps several of them at work, and gathers what the
// page shows of the result. It knows nothing of browsers.
package embedding

import (
	"io"

	"tensorsketch.example/ui/internal/report"
)

// Sizes of a block, and how many are at work at a time.
const (
	blockBytes  = 1 << 20
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

// Rows are consecutive rows of a source, wherever they are kept.
type Rows interface {
	Len() int
	Numbers() int                // that they hold
	Place(i int) int             // of row i in the file, its line or number from 1; 0 where there is none
	Label(i int) string          // its first cell that is no feature
	Vector(dst []float32, i int) // writes the coordinates of row i
	Slice(from, to int) Rows
}

// A Source gives rows, that many at most, until io.EOF.
type Source interface {
	Next(most int) (Rows, error)
}

// A Mapper embeds blocks of rows.
type Mapper interface {
	// Start begins to embed a block. Wait returns the features, valid until the next
	// Wait, or a *RowError where the core refuses a row of the block.
	Start(Rows) (wait func() ([]float32, error), err error)
}

// A RowError says that the core refuses a row.
type RowError struct {
	Row      int    // of the block, from 0; the one that Run returns counts all rows
	Place    int    // in the file, its line or number from 1; set by Run, 0 where the rows are of no file
	Overflow bool   // a feature exceeds what float32 holds
	Message  string // the core's
}

func (e *RowError) Error() string { return e.Message }

// A Job embeds the rows of a source: all, or the first ones.
type Job struct {
	Source      Source
	Mapper      Mapper
	NFeatures   int
	NComponents int
	Most        int // rows; 0: all
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
	rows Rows
	wait func() ([]float32, error)
}

// Run embeds the rows. After an error the outcome is about the rows before it.
func (j *Job) Run() (*Outcome, error) {
	outcome := &Outcome{Sample: report.NewReservoir(j.NFeatures, j.NComponents)}
	var atWork []block
	for k, started, ended := 0, 0, false; !ended || len(atWork) > 0; k++ {
		if !ended {
			most := j.rowsOfBlock(k)
			if j.Most > 0 {
				most = min(most, j.Most-started)
			}
			next, err := j.startBlock(most)
			if err != nil && err != io.EOF {
				return outcome, err
			}
			if next != nil {
				atWork = append(atWork, *next)
				started += next.rows.Len()
			}
			ended = err == io.EOF || started == j.Most && j.Most > 0
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

// startBlock reads up to that many rows and has them embedded.
func (j *Job) startBlock(most int) (*block, error) {
	if err := j.Pace(); err != nil {
		return nil, err
	}
	rows, err := j.Source.Next(most)
	if err != nil {
		return nil, err
	}
	wait, err := j.Mapper.Start(rows)
	return &block{rows, wait}, err
}

// finishBlock waits for a block and gathers what is shown of it.
func (j *Job) finishBlock(b *block, outcome *Outcome) error {
	z, err := b.wait()
	if refused, ok := err.(*RowError); ok {
		refused.Place = b.rows.Place(refused.Row)
		refused.Row += outcome.Rows
	}
	if err != nil {
		return err
	}
	D := j.NComponents
	for i := range b.rows.Len() {
		features := z[i*D : (i+1)*D]
		outcome.Sample.Add(features, func(x []float32) { b.rows.Vector(x, i) })
		if isZero(features) {
			outcome.ZeroRows++
		}
		if len(outcome.Preview) < previewRows {
			outcome.Preview = append(outcome.Preview, newPreviewRow(b.rows.Label(i), features))
		}
	}
	outcome.Rows += b.rows.Len()
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
