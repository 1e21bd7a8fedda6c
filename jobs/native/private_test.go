package native_test

import (
	"strings"
	"testing"

	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/noise"
)

// privateOf asks for a private model of the points.
func privateOf(text string) *jobs.PrivateFitRequest {
	q := &jobs.PrivateFitRequest{Rows: rowsOf(text), Task: learn.TaskClassify, Classes: []string{"outside", "inside"},
		Ranges: []jobs.NumberRange{{Name: "x", Low: -1, High: 1}, {Name: "y", Low: -1, High: 1}},
		Map: jobs.MapParams{NComponents: 64, Coef0: new(1.0), Normalize: sketch.NormalizeKernel,
			Seed: jobs.Seed{Number: 5, Typed: true}}, Guarantee: jobs.Guarantee{Epsilon: 4, Delta: 1e-5},
		Budget: &jobs.Guarantee{Epsilon: 5, Delta: 1e-5}, Job: "one", Ledger: newLedgers(), Digest: sha,
		Random: noise.Fixed{}}
	q.Reading = csvReading
	q.Columns.Roles = map[string][]string{"number": {"x", "y"}, "label": {"kind"}}
	return q
}

// A private model is charged once, predicts nearly as well as the one without noise, and has nothing of the rows but
// what is public.
func TestPrivateFit(t *testing.T) {
	text, store := noise.Points(4000), newLedgers()
	ask := func(change func(q *jobs.PrivateFitRequest)) (*jobs.PrivateFitReply, error) {
		q := privateOf(text)
		if q.Ledger = store; change != nil {
			change(q)
		}
		return jobs.PrivateFit(nil, native.Mapper{}, q)
	}
	r := need.Value(ask(nil))(t)
	if r.Odd != 2 || r.Rows+int64(r.Held) > 4000 || r.Held < 900 || len(r.Ledger.Releases) != 1 ||
		r.Ledger.Releases[0].Kind != "moments" || r.Ledger.Releases[0].Sigma != r.Sigma || r.Ledger.Releases[0].Bound <= 0 {
		t.Errorf("the reply is %+v, with the ledger %+v", r, r.Ledger)
	}
	if *r.Noisy.Value < 0.8 || *r.Plain.Value < *r.Noisy.Value-0.02 {
		t.Errorf("accuracy %.3f with noise, %.3f without", *r.Noisy.Value, *r.Plain.Value)
	}
	if file := string(need.Value(r.Model.File())(t)); strings.Contains(file, "secret") {
		t.Errorf("the model file is %s", file)
	}
	for name, change := range map[string]func(q *jobs.PrivateFitRequest){
		"epsilon": func(q *jobs.PrivateFitRequest) { q.Job = "two" },
		"range of no number": func(q *jobs.PrivateFitRequest) {
			q.Columns.Roles = map[string][]string{"number": {"x"}, "label": {"kind"}}
		},
		"no classes": func(q *jobs.PrivateFitRequest) { q.Classes = nil },
		"kept":       func(q *jobs.PrivateFitRequest) { q.Columns.Roles["keep"] = []string{"x"} },
		"no label":   func(q *jobs.PrivateFitRequest) { delete(q.Columns.Roles, "label") },
		"reading":    func(q *jobs.PrivateFitRequest) { q.Reading.Header = nil },
		"two ranges": func(q *jobs.PrivateFitRequest) {
			q.Ranges = append(q.Ranges[:2:2], jobs.NumberRange{Name: "x", High: 9})
		},
	} {
		_, err := ask(change)
		golden.Errors(t, map[string]error{name: err})
	}
	// Numbers: targets are cut to the public range, and the rows of the sample charge nothing.
	numbers := need.Value(ask(func(q *jobs.PrivateFitRequest) {
		q.Task, q.Classes, q.Targets, q.Ledger = learn.TaskRegress, nil, [2]float64{-1, 1}, nil
		q.Columns.Roles, q.Ranges = map[string][]string{"number": {"x"}, "label": {"y"}}, q.Ranges[:1]
	}))(t)
	if numbers.Odd != 0 || numbers.Ledger != nil || numbers.Noisy == nil {
		t.Errorf("of numbers: %+v", numbers)
	}
}

// Every row is in one of the counts that the owner is told, and the counts are of all rows.
func TestPrivateFitCounts(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,y,kind\n")
	for range 25 {
		b.WriteString("0.1,0.2,inside\n-0.1,0.3,outside\nwhat,0.2,inside\n1,2\n0.1,0.2,other\n0.3,0.1,\n1e400,0,inside\n")
	}
	q := privateOf(b.String())
	r := need.Value(jobs.PrivateFit(nil, native.Mapper{}, q))(t)
	if r.Odd != 50 || r.Unusable != 75 || r.Cut != 0 {
		t.Errorf("of 175 rows %+v: want 50 odd and 75 unusable", r)
	}
	q = privateOf(strings.NewReplacer("inside", "0.5", "outside", "7", "other", "-9").Replace(b.String()))
	q.Task, q.Classes, q.Targets = learn.TaskRegress, nil, [2]float64{-1, 1}
	r = need.Value(jobs.PrivateFit(nil, native.Mapper{}, q))(t)
	if r.Odd != 25 || r.Unusable != 75 || r.Cut != 50 {
		t.Errorf("of 175 rows %+v: want 25 odd, 75 unusable and 50 targets cut", r)
	}
}
