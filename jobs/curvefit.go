package jobs

import (
	"errors"
	"slices"
	"time"

	"tensorsketch.example/dataset"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// A learning is a model that is being learned: of D components, or of the rows themselves if D is 0.
type learning struct {
	D       int
	learner Learner
	took    time.Duration
	problem error
}

// begin returns the learning of a size. What keeps it from being learned is its problem.
func (v *curve) begin(c *Control, q MapParams, D int) *learning {
	l := &learning{D: D}
	params, err := identity(v.head.NFeatures), error(nil)
	if D > 0 {
		q.NComponents = D
		params, err = q.params()
		params.NFeatures = v.head.NFeatures
	} else if v.head.NFeatures > solve.MaxComponents {
		err = failure("%d columns are more than the linear model takes here, %d", v.head.NFeatures, solve.MaxComponents)
	}
	spec := Spec{Spec: v.spec, Loss: learn.LossSquared}
	if err == nil {
		spec.Features, err = v.mapper.NewMap(params)
	}
	if facts := factsOf(params.Method); err == nil && facts != nil && facts.Fitted {
		if n := len(v.train.rows); n < D {
			err = failure("%d rows are too few for %d landmarks", n, D)
		} else {
			err = fitTo(c, spec.Features, v.train.all())
		}
	}
	if err == nil {
		l.learner, err = v.mapper.NewLearner(spec)
	}
	l.problem = err
	return l
}

// fit fits a model for each size that is not known, and for the sizes of a curve the linear model. Kept rows are
// learned from for one size after the other; others are read once, for all sizes at the same time.
func (v *curve) fit(c *Control, q MapParams, sizes []int, known map[int]*point, report func(*point)) error {
	sizes = order(sizes, known != nil)
	for D, p := range known {
		if !slices.Contains(sizes, D) {
			p.close()
			delete(known, D)
		}
	}
	var left []int
	for _, D := range sizes {
		if p := known[D]; p != nil {
			report(p)
		} else {
			left = append(left, D)
		}
	}
	keep := func(p *point) {
		if known != nil {
			known[p.D].close()
			known[p.D] = p
		}
		report(p)
		if known == nil {
			p.close()
		}
	}
	if v.isWhole {
		return v.fitKept(c, q, left, keep)
	}
	return v.fitRead(c, q, left, known != nil, keep)
}

func (p *point) close() {
	if p != nil && p.model != nil {
		p.model.Close()
	}
}

// fitKept fits one size after the other to the rows that are kept.
func (v *curve) fitKept(c *Control, q MapParams, sizes []int, report func(*point)) error {
	c.Begin("training")
	work := func(D int) float64 {
		if D == 0 {
			D = v.head.NFeatures
		}
		return float64(D*D) * (float64(v.head.All) + 2*float64(D))
	}
	all, done := 0.0, 0.0
	for _, D := range sizes {
		all += work(D)
	}
	for _, D := range sizes {
		if err := c.Check(); err != nil {
			return err
		}
		l := v.begin(c, q, D)
		err := v.add(c, l, &v.batch, func(share float64) error {
			return c.At(v.head.All, (done+work(D)*share/2)/all)
		})
		if err == nil {
			err = v.conclude(c, l, true, report)
		}
		if err != nil {
			return err
		}
		done += work(D)
	}
	return c.At(v.head.All, 1)
}

// add adds rows to a learning. It fails if it was stopped.
func (v *curve) add(c *Control, l *learning, b *batch, at func(share float64) error) error {
	if l.problem != nil {
		return nil
	}
	started := time.Now()
	defer func() { l.took += time.Since(started) }()
	d, n := v.head.NFeatures, len(b.labels)+len(b.targets)
	each := rowsToAdd(l.learner.Spec().Features)
	for from := 0; from < n; from += each {
		to := min(from+each, n)
		X, labels, targets := slice(b.X, d, from, to), []learn.Label(nil), []float64(nil)
		if b.labels != nil {
			labels = b.labels[from:to]
		} else {
			targets = b.targets[from:to]
		}
		if err := l.learner.Add(c, X, labels, targets); errors.Is(err, ErrStopped) {
			return err
		} else if err != nil {
			l.problem = err
			return nil
		}
		if err := at(float64(to) / float64(n)); err != nil {
			return err
		}
	}
	return nil
}

// slice returns rows from … to − 1 of X.
func slice(X sketch.Rows, d, from, to int) sketch.Rows {
	if X, ok := X.(sketch.CSR); ok {
		return X.Slice(from, to)
	}
	return X.(sketch.Dense)[from*d : to*d]
}

// conclude fits the model of a learning and reports its point. It fails if it was stopped.
func (v *curve) conclude(c *Control, l *learning, isFinal bool, report func(*point)) error {
	p := &point{Point: Point{D: l.D, IsFinal: isFinal}}
	if isFinal && l.learner != nil {
		defer l.learner.Close()
	}
	started, err := time.Now(), l.problem
	if err == nil {
		p.model, err = l.learner.Fit(c, FitOptions{})
	}
	p.MS = float64((l.took + time.Since(started)).Microseconds()) / 1000
	if err == nil {
		err = v.score(c, p)
	}
	switch {
	case errors.Is(err, ErrStopped):
		p.close()
		return err
	case err != nil:
		p.close()
		p.model, p.Problem = nil, Plain(err)
	}
	report(p)
	return nil
}

// score tries the model of a point on the rows held out.
func (v *curve) score(c *Control, p *point) error {
	about := p.model.About()
	p.scoring = newScoring(about, nil)
	var err error
	if p.predicted, err = v.scores(c, p.model, v.held); err != nil {
		return err
	}
	labels, targets := v.held.labels()
	if err = p.scoring.addAll(c, p.predicted, labels, targets); err != nil {
		return err
	}
	score := p.scoring.score()
	p.Score, p.Low, p.High = known(score.Value), known(score.Low), known(score.High)
	p.Alpha, p.Clipped, p.Rows = about.Alpha, about.Report.Clipped, about.Report.Rows
	return nil
}

// scores returns the scores of all rows of a sample.
func (v *curve) scores(c *Control, m Model, s *sample) (scores []float64, err error) {
	each := rowsToScore(m)
	for from := 0; from < len(s.rows) && err == nil; from += each {
		var own []float64
		if own, err = m.Scores(c, s.input(from, min(from+each, len(s.rows)))); err == nil {
			scores = append(scores, own...)
			err = c.Check()
		}
	}
	return scores, err
}

// fitRead fits all sizes while the rows are read. The rows so far are learned from also after a stop.
func (v *curve) fitRead(c *Control, q MapParams, sizes []int, isFirst bool, report func(*point)) error {
	var all []*learning
	defer func() {
		for _, l := range all {
			if l.learner != nil {
				l.learner.Close()
			}
		}
	}()
	rows, grown := int64(0), int64(0)
	err := v.batches(c, isFirst, func(b *batch, share float64) error {
		if all == nil {
			for _, D := range sizes {
				all = append(all, v.begin(c, q, D))
			}
		}
		rows += int64(len(b.labels) + len(b.targets))
		for _, l := range all {
			if err := v.add(c, l, b, func(float64) error { return c.At(rows, share) }); err != nil {
				return err
			}
		}
		if !isFirst || rows < 2*grown || share > .7 {
			return nil
		}
		grown = rows
		v.tellHead()
		for _, l := range all {
			if l.D <= growsTo {
				if err := v.conclude(c, l, false, report); err != nil {
					return err
				}
			}
		}
		return nil
	})
	stopped := errors.Is(err, ErrStopped)
	if err != nil && !stopped || c.dropped() {
		return err
	}
	if isFirst {
		v.tellHead()
		if err := v.checkDealt(); err != nil {
			return err
		}
	}
	last := c
	if stopped {
		last = c.afterStop()
	}
	for _, l := range all {
		if err := v.conclude(last, l, true, report); err != nil {
			return err
		}
	}
	all = nil
	return err
}

// batches reads the rows again, and passes those to learn from.
func (v *curve) batches(c *Control, isFirst bool, use func(b *batch, share float64) error) error {
	t, err := v.open(c)
	if err != nil {
		return err
	}
	own := v
	if v.newSamples(); !isFirst {
		copied := *v
		own = &copied // whose samples nobody sees
	}
	deal, read := newDealer(v.Deal), t.labelReaderOf(v.numbers)
	some, numbers := &block{Batch: new(dataset.Batch)}, 0
	var cells []string
	take := func() error {
		some.to = len(cells)
		made := own.deal(deal, read, some, cells)
		some, cells, numbers = &block{Batch: new(dataset.Batch)}, nil, 0
		return use(&made, t.share())
	}
	for b, err := range t.blocks("training", 1<<12) {
		if err != nil {
			return err
		}
		X := b.rows(v.head.NFeatures)
		some.join(X)
		for i := range b.to - b.from {
			cells, some.Places = append(cells, string(b.Cell(b.from+i, 0))), append(some.Places, b.Places[b.from+i])
		}
		if numbers += sizeOf(X); numbers >= batchNumbers {
			if err := take(); err != nil {
				return err
			}
		}
	}
	if len(cells) == 0 {
		return nil
	}
	return take()
}
