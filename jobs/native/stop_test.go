package native_test

import (
	"bytes"
	"testing"

	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
)

// stopping makes models whose scores are stopped after some calls.
type stopping struct {
	native.Mapper
	calls int
}

type stoppingModel struct {
	jobs.Model
	left int
}

func (m stopping) OpenModel(file []byte, key *[32]byte) (jobs.Model, error) {
	model, err := m.Mapper.OpenModel(file, key)
	return &stoppingModel{model, m.calls}, err
}

func (m *stoppingModel) Scores(c *jobs.Control, X sketch.Rows) ([]float64, error) {
	if m.left--; m.left < 0 {
		return nil, jobs.ErrStopped
	}
	return m.Model.Scores(c, X)
}

// A prediction that is stopped while scores are computed counts the rows that it wrote, and no others.
func TestStoppedPredictionCountsWhatItWrote(t *testing.T) {
	rows := table(20_000, 4, false)
	model := fitted(t, &jobs.FitRequest{Rows: rows, Search: jobs.SearchOff, Map: jobs.MapParams{NComponents: 16}})
	for calls := range 3 {
		out := &pile{}
		q := &jobs.PredictRequest{Rows: rows, Model: model, To: target("csv")}
		q.To.Create = func(bool) (jobs.Output, error) { return out, nil }
		reply := need.Value(jobs.Predict(nil, stopping{calls: calls}, q))(t)
		lines := int64(bytes.Count(out.bytes, []byte("\n")) - 1)
		if !reply.Stopped || reply.Rows != lines || calls > 0 && lines == 0 {
			t.Errorf("after %d calls: stopped %v, %d rows, and %d lines", calls, reply.Stopped, reply.Rows, lines)
		}
	}
}
