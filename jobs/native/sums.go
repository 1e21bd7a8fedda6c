package native

import (
	"io"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/jobs"
	"tensorsketch.example/privacy"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

// sums are a *learn.Learner.
type sums struct{ *learn.Learner }

func (l *sums) Spec() jobs.Spec { return specOf(l.Learner.Spec(), learn.LossSquared) }

// Novelty returns what says how unlike rows are to the rows of these sums.
func (l *sums) Novelty() (jobs.Novelty, error) {
	n, err := l.Learner.Novelty()
	if err != nil {
		return nil, err
	}
	return n, nil
}

// specOf returns a spec for package jobs.
func specOf(s learn.Spec, loss string) jobs.Spec {
	made := jobs.Spec{Spec: s, Features: &Map{FeatureMap: s.Map}, Loss: loss}
	made.Map = nil
	return made
}

func (l *sums) Add(_ *jobs.Control, X sketch.Rows, labels []learn.Label, targets []float64) error {
	if targets != nil {
		return l.Learner.AddTargets(X, targets, nil)
	}
	return l.Learner.Add(X, labels, nil)
}

func (l *sums) Fit(c *jobs.Control, o jobs.FitOptions) (jobs.Model, error) {
	m, err := fit(c, l.Learner, o.RidgeOptions)
	return modelOf(m, err)
}

// Release returns the sums with noise.
func (l *sums) Release(_ *jobs.Control, g jobs.Guarantee, random io.Reader) (*jobs.ReleasedSums, error) {
	moments := l.Moments()
	m, err := privacy.NewMomentsMechanism(g.Epsilon, g.Delta, moments.Shape(), moments.Grid(), moments.Rows())
	if err != nil {
		return nil, err
	}
	released, err := m.Release(moments, privacy.NewNoise(random))
	if err != nil {
		return nil, err
	}
	return &jobs.ReleasedSums{Bound: moments.Grid().Bound, Sigma: m.Sigma(), Fit: func(*jobs.Control) (jobs.Model,
		error) {
		head, err := released.Fit()
		if err != nil {
			return nil, err
		}
		spec := l.Learner.Spec()
		return modelOf(spec.Model(head), nil)
	}}, nil
}

// fit fits a model to sums, and asks the control between the steps.
func fit(c *jobs.Control, l *learn.Learner, o learn.RidgeOptions) (*learn.Model, error) {
	f, err := l.Begin(o)
	if err != nil {
		return nil, err
	}
	for {
		done, finished, err := f.Step()
		if err != nil {
			return nil, err
		}
		if finished {
			return f.Model(), nil
		}
		if err := c.At(0, done); err != nil {
			return nil, err
		}
	}
}

func (l *sums) Merge(o jobs.Learner) error { return l.Learner.Merge(o.(*sums).Learner) }

func (l *sums) Subtract(o jobs.Learner) error { return l.Learner.Subtract(o.(*sums).Learner) }

func (l *sums) Compare(_ *jobs.Control, o jobs.Learner) (*learn.Comparison, error) {
	return l.Learner.Compare(o.(*sums).Learner)
}

func (l *sums) File() ([]byte, error) { return model.MarshalLearnerBinary(l.Learner) }

func (l *sums) Close() {}

// unlabelled are sums of rows without labels, for Compare.
type unlabelled struct {
	jobs.Learner // nil: it is only added to and compared
	spec         learn.Spec
	moments      *learn.Moments
}

func newUnlabelled(s learn.Spec) (*unlabelled, error) {
	step, err := solve.GridStep(s.Map, s.Radius)
	if err != nil {
		return nil, err
	}
	moments, err := learn.NewMoments(learn.Shape{NComponents: s.Map.NComponents()}, learn.Grid{Step: step}, 0)
	if err != nil {
		return nil, err
	}
	moments.SetGoroutines(goroutines())
	return &unlabelled{spec: s, moments: moments}, nil
}

func (l *unlabelled) Spec() jobs.Spec { return specOf(l.spec, "") }

func (l *unlabelled) Add(_ *jobs.Control, X sketch.Rows, _ []learn.Label, _ []float64) error {
	Z, err := l.spec.Map.TransformRows(nil, X)
	if err != nil {
		return err
	}
	return l.moments.AddFeatures(Z, nil, nil, nil)
}

func (l *unlabelled) Compare(c *jobs.Control, o jobs.Learner) (*learn.Comparison, error) {
	t, err := solve.NewTwoSample(l.moments.System(), o.(*unlabelled).moments.System())
	if err != nil {
		return nil, err
	}
	c.Begin("testing")
	for {
		if done, finished, err := t.Step(); err != nil {
			return nil, err
		} else if finished {
			return t.Comparison(), nil
		} else if err := c.At(0, done); err != nil {
			return nil, err
		}
	}
}

func (l *unlabelled) Close() {}
