package learn

import (
	"math"
	"slices"
	"time"

	"tensorsketch.example/dataset/columns"
)

// A Phase is a state of the learning.
type Phase uint8

// The phases.
const (
	Idle Phase = iota
	Reading
	Measuring
	Training
	Band  // other seeds
	Exact // the exact kernel
	Checking
	Searching // among kernels and preparations
	Done
	Stopped
	Failed
)

// Runs reports whether something is being computed.
func (p Phase) Runs() bool { return p > Idle && p < Done }

// A Session is what has been learned from the rows so far.
type Session struct {
	ID      int // counts the sessions of the worker
	Phase   Phase
	Done    float64 // share of the work, 0 to 1
	Rows    int
	Paused  bool
	Elapsed time.Duration
	Message string // why it failed, or what else there is to say

	Head   *Head
	Points []Point           // by D; the linear model, D 0, comes first
	Seeds  map[int][]float64 // scores of other seeds, by D
	Kernel *Kernel
	At     int // D of the model whose predictions are shown; 0 if it is the last one
	Detail *Detail
	Map    *RowsMap
	Check  *Check
	Found  *Found
	Curves bool // the model of the curve is in use, although a search has found one
	Cell   int  // of the confusion matrix, or the point, from 1, or after these a row of the map; 0: none is picked
	Behind *Behind

	changes int // counts what changed the picture
}

// Head is what is known of the rows before a model is fitted.
type Head struct {
	Task        string
	IsKept      bool           // the rows are kept, so that they need not be read again
	IsUnit      bool           // rows are divided by their length
	Train, Held int            // rows to learn from, and rows held out
	HeldOf      int            // of so many rows that were held out, Held are kept
	Unused      []string       // columns of texts that all rows showed to say nothing
	Notes       []columns.Note // of the file and its rows
}

// IsNumber reports whether numbers are predicted.
func (h *Head) IsNumber() bool { return h.Task == TaskRegress }

// A Point is a model with D components, or the linear one if D is 0, and how it predicts the held-out rows.
type Point struct {
	D                       int
	Score, Low, High, Alpha float64 // accuracy or R², with its interval
	Time                    time.Duration
	Rows, Clipped           int
	Problem                 string // why there is no model
}

// A Kernel is the machine of the exact kernel.
type Kernel struct {
	Rows, Of                int
	Score, Low, High, Alpha float64
	Time                    time.Duration
}

// A Found is what a search has chosen by held-out rows, and the model fitted to all rows.
type Found struct {
	Name             string   // of the chosen candidate
	Tried            int      // candidates
	Score, Low, High float64  // Low and High are NaN where the interval is not known, as of R²
	Rows             int      // that no choice has seen; 0: they were too few to spare some
	Learned          int      // rows that the model was fitted to; 0: not known
	Used             []string // the columns that the model learned from, if it says so
	Notes            []string // what else there is to say
	Model            string   // the text of the file
}

// A Detail is what a model predicts for the held-out rows.
type Detail struct {
	D                       int
	Classes                 []string
	Confusion               []float64 // row after row; a row is a true class
	Rows                    []float64 // numbers of the held-out rows that are shown
	Truth, Predicted        []float64
	RMSE, RMSELow, RMSEHigh float64
	MAE                     float64
}

// A Row is a held-out row.
type Row struct {
	Place            int
	Label, Predicted string
	Scores, Values   []float64
}

// Behind are rows behind a cell or a point.
type Behind struct {
	Cell  int // that they are behind
	Total int
	Width int // of the rows; only their first values are here
	Rows  []Row
}

// ExactRows is the maximum number of rows for the exact kernel, as in jobs/curve.go.
const ExactRows = 4000

// Pick shows the predictions of the model with D components, and has it used.
func (r *Session) Pick(d int) {
	r.At, r.Curves = d, true
	r.changes++
}

// PickCell picks a cell or a point, from 0.
func (r *Session) PickCell(item int) {
	r.Cell, r.Behind = item+1, nil
}

// Begin forgets what was learned, for a new session, but not what a search has found in the same rows.
func (r *Session) Begin(isSame bool) {
	next := Session{ID: r.ID + 1, Phase: Reading, At: r.At, changes: r.changes + 1}
	if isSame {
		next.Found, next.Curves = r.Found, true // the curve has other settings now
	}
	*r = next
}

// Clear forgets what was learned where nothing can be learned now.
func (r *Session) Clear() {
	r.Begin(false)
	r.Phase = Idle
}

// Changes counts the changes of the picture.
func (r *Session) Changes() int { return r.changes }

// TakePoint adds a point, or replaces it.
func (r *Session) TakePoint(p Point) {
	r.changes++
	i, found := slices.BinarySearchFunc(r.Points, p.D, func(p Point, d int) int { return p.D - d })
	if !found {
		r.Points = slices.Insert(r.Points, i, p)
		return
	}
	r.Points[i] = p
}

// TakeSeed adds the score of another seed.
func (r *Session) TakeSeed(d int, score float64) {
	if r.Seeds == nil {
		r.Seeds = map[int][]float64{}
	}
	r.Seeds[d] = append(r.Seeds[d], score)
	r.changes++
}

// TakeKernel shows the exact kernel.
func (r *Session) TakeKernel(k *Kernel) {
	r.Kernel = k
	r.changes++
}

// TakeFound shows what a search has chosen, and has it used.
func (r *Session) TakeFound(f *Found) {
	r.Found, r.Curves = f, false
	r.changes++
}

// InUse returns what a search has found if that is the model in use, or nil.
func (r *Session) InUse() *Found {
	if r.Curves {
		return nil
	}
	return r.Found
}

// TakeCheck shows how far a model can be trusted.
func (r *Session) TakeCheck(c *Check) {
	r.Check = c
	r.changes++
}

// Linear returns the point of the linear model, or nil.
func (r *Session) Linear() *Point {
	if len(r.Points) > 0 && r.Points[0].D == 0 {
		return &r.Points[0]
	}
	return nil
}

// Sketches returns the points of the sketch that have a score.
func (r *Session) Sketches() []Point {
	var points []Point
	for _, p := range r.Points {
		if p.D > 0 && p.Problem == "" {
			points = append(points, p)
		}
	}
	return points
}

// Chosen returns the point whose predictions are shown: the one picked, or else the last. It is nil if there is none.
func (r *Session) Chosen() *Point {
	points := r.Sketches()
	for i := range points {
		if points[i].D == r.At {
			return &points[i]
		}
	}
	if len(points) == 0 {
		return nil
	}
	return &points[len(points)-1]
}

// WantsDetail returns the D whose predictions are to be asked for, or 0 if they are here.
func (r *Session) WantsDetail() int {
	if p := r.Chosen(); p != nil && (r.Detail == nil || r.Detail.D != p.D) && (!r.Phase.Runs() || r.At == p.D) {
		return p.D
	}
	return 0
}

// TakeDetail shows the predictions of a model. Picked cells stay picked if they still exist.
func (r *Session) TakeDetail(d *Detail) {
	r.Detail, r.Behind = d, nil
	if r.Cell > d.Items() {
		r.Cell = 0
	}
	r.changes++
}

// Items returns the number of cells or points that can be picked.
func (d *Detail) Items() int {
	if d.IsNumber() {
		return len(d.Truth)
	}
	return len(d.Classes) * len(d.Classes)
}

// IsNumber reports whether numbers are predicted.
func (d *Detail) IsNumber() bool { return d.Classes == nil }

// Count returns how many rows of a true class were predicted as another.
func (d *Detail) Count(truth, predicted int) int {
	return int(d.Confusion[truth*len(d.Classes)+predicted])
}

// Truths returns how many rows a true class has.
func (d *Detail) Truths(class int) (n int) {
	for p := range d.Classes {
		n += d.Count(class, p)
	}
	return n
}

// seeds returns the lowest and highest score over all seeds, and their number.
func (r *Session) seeds(p *Point) (low, high float64, n int) {
	low, high = p.Score, p.Score
	for _, s := range r.Seeds[p.D] {
		low, high = math.Min(low, s), math.Max(high, s)
	}
	return low, high, 1 + len(r.Seeds[p.D])
}

// TakeBehind shows the rows behind what is picked, after the first ones that are listed already.
func (r *Session) TakeBehind(cell, from int, b *Behind) {
	b.Cell = cell
	if from > 0 && r.Behind != nil {
		b.Rows = append(slices.Clone(r.Behind.Rows), b.Rows...)
	}
	r.Behind = b
}
