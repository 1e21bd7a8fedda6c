package solve

// RowData are the rows that a Solver learns from. Source and Labels have the same number of rows.
type RowData struct {
	Source Source
	Labels RowLabels
}

// RunOptions say how Run passes over the rows. They do not affect the result.
type RunOptions struct {
	Goroutines int // below 2: the caller's alone
	// Progress is called after each pass, with how much of the work is done, from 0 to 1. If it
	// returns false, Run stops.
	Progress func(done float64) bool
	// Frugal has products compute again what a pass would keep of each row and class, 8 bytes.
	Frugal bool
}

// FitRows minimises a problem over rows in memory, or computed from them. It returns the model and the
// solver that found it, which knows how far it converged: s.Converged().
//
// The error is a *sketch.Error as of NewSolver, Problem.Check and the source; it names the row.
func FitRows(p Problem, data RowData, o SolverOptions, run RunOptions) (*Linear, *Solver, error) {
	rows := data.Source.Rows()
	s, err := NewSolver(p, rows, o)
	if err != nil {
		return nil, nil, err
	}
	if err := p.Check(rows, data.Labels); err != nil {
		return nil, nil, err
	}
	if data.Source.NComponents() != p.NComponents {
		panic("learn: a source with rows of another length than the problem's")
	}
	if err := s.Run(data, run); err != nil {
		return nil, s, err
	}
	return s.Linear(), s, nil
}

// Run passes over the rows until the solver has finished, or Progress returns false. Then another
// Run goes on from the last pass. The labels must have passed Problem.Check. The error is
// the source's.
func (s *Solver) Run(data RowData, run RunOptions) error {
	rows := data.Source.Rows()
	if Blocks(rows) != s.blocks {
		panic("learn: Run with another number of rows than the solver's")
	}
	teams := make([]*reader, max(1, run.Goroutines))
	if s.memo == nil && !run.Frugal {
		s.memo = make([]float64, s.problem.MemoLength(rows))
	}
	for i := range teams {
		source := data.Source
		if i > 0 {
			source = source.Clone()
		}
		teams[i] = &reader{source: source, labels: data.Labels, worker: NewWorker(s.problem), memo: s.memo,
			partial: make([]float64, len(s.total))}
	}
	for r := s.Next(); r != nil; r = s.Next() {
		if err := passBlocks(s, r, teams); err != nil {
			s.given = 0
			return err
		}
		if run.Progress != nil && !run.Progress(s.Done()) {
			return nil
		}
	}
	return nil
}

// A reader computes blocks for one goroutine.
type reader struct {
	source  Source
	labels  RowLabels
	worker  *Worker
	memo    []float64 // of all rows, or nil
	partial []float64
}

// compute computes what a request asks of a block.
func (t *reader) compute(r *Request, block int) error {
	p := &t.worker.problem
	from := block * BlockRows
	to := min(from+BlockRows, t.source.Rows())
	X, err := t.source.Read(from, to)
	if err != nil {
		return err
	}
	var memo []float64
	if t.memo != nil {
		memo = t.memo[p.MemoLength(from):p.MemoLength(to)]
	}
	t.worker.Block(t.partial, memo, r, X, t.labels.Slice(from, to, p.Targets))
	return nil
}

// passInOrder computes all blocks one after another.
func passInOrder(s *Solver, r *Request, t *reader) error {
	for b := range s.blocks {
		if err := t.compute(r, b); err != nil {
			return err
		}
		s.Give(t.partial)
	}
	return nil
}
