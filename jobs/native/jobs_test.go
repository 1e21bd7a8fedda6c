package native_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	_ "tensorsketch.example/dataset/columnar"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/noise"
	"tensorsketch.example/test/slow"
)

// table returns rows of d numbers as a file, with a label: whether the first two have equal signs, or for numbers their
// product.
func table(rows, d int, isNumber bool) jobs.Rows {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for j := range d {
		fmt.Fprintf(&text, "x%d,", j)
	}
	text.WriteString("label\n")
	for range rows {
		var x [2]float64
		for j := range d {
			v := math.Round(1e4*random.NormFloat64()) / 1e4
			if j < 2 {
				x[j] = v
			}
			fmt.Fprintf(&text, "%v,", v)
		}
		if isNumber {
			fmt.Fprintf(&text, "%.4f\n", x[0]*x[1])
		} else {
			fmt.Fprintf(&text, "%s\n", map[bool]string{true: "same", false: "other"}[x[0]*x[1] > 0])
		}
	}
	return rowsOf(text.String())
}

func rowsOf(text string) (r jobs.Rows) {
	r.Files = []jobs.File{jobs.NewFile("rows.csv", bytes.NewReader([]byte(text)))}
	return r
}

// nowhere is an output that forgets.
type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Rewrite([]byte) error        { return nil }
func (nowhere) Commit() error               { return nil }

func target(format string) jobs.Target {
	return jobs.Target{Format: format, Create: func(bool) (jobs.Output, error) { return nowhere{}, nil }}
}

func off() *bool { return new(bool) }

// fitted returns the model file of rows.
func fitted(t *testing.T, q *jobs.FitRequest) jobs.Named {
	t.Helper()
	return modelFile(t, need.Value(jobs.Fit(nil, native.Mapper{}, q))(t))
}

func modelFile(t *testing.T, reply *jobs.FitReply) jobs.Named {
	t.Helper()
	return jobs.Named{Name: "model.json", Content: need.Value(reply.Model.File())(t)}
}

// notesOf fits a model, and returns also what is noted when it predicts a text and is evaluated by it.
func notesOf(t *testing.T, q *jobs.FitRequest, text string) (
	reply *jobs.FitReply, predicted, evaluated []columns.Note,
) {
	t.Helper()
	reply = need.Value(jobs.Fit(nil, native.Mapper{}, q))(t)
	model := modelFile(t, reply)
	p := &jobs.PredictRequest{Rows: rowsOf(text), Model: model, To: target("csv")}
	e := &jobs.EvaluateRequest{Rows: rowsOf(text), Model: model}
	return reply, need.Value(jobs.Predict(nil, native.Mapper{}, p))(t).Notes,
		need.Value(jobs.Evaluate(nil, native.Mapper{}, e))(t).Notes
}

// works are jobs that take long, on rows of numbers.
func works(t *testing.T) map[string]func(c *jobs.Control) error {
	numbers, classes := table(4000, 10, true), table(4000, 10, false)
	fit := jobs.FitRequest{Rows: numbers, Map: jobs.MapParams{NComponents: 768}, Search: "off"}
	fit.Columns.UnitNorm = off()
	search := jobs.FitRequest{Rows: table(600, 10, true), Map: jobs.MapParams{NComponents: 64}} // takes 2 s
	search.Columns.UnitNorm = off()
	small := fit
	small.Map.NComponents = 64
	m := fitted(t, &small)
	basis := jobs.FitRequest{Rows: numbers, Map: jobs.MapParams{Method: "k-space", NComponents: 64}}
	passes := jobs.FitRequest{Rows: classes, Loss: "logistic", Map: jobs.MapParams{NComponents: 256}}
	wide := jobs.MapParams{NComponents: 2048}
	session := jobs.NewSession(native.Mapper{})
	released, points := noise.Table(8000), noise.Points(4000)
	return map[string]func(c *jobs.Control) error{
		"fit":        func(c *jobs.Control) error { return second(jobs.Fit(c, native.Mapper{}, &fit)) },
		"fit search": func(c *jobs.Control) error { return second(jobs.Fit(c, native.Mapper{}, &search)) },
		"fit basis":  func(c *jobs.Control) error { return second(jobs.Fit(c, native.Mapper{}, &basis)) },
		"fit passes": func(c *jobs.Control) error { return second(jobs.Fit(c, native.Mapper{}, &passes)) },
		"predict": func(c *jobs.Control) error {
			return second(jobs.Predict(c, native.Mapper{}, &jobs.PredictRequest{Rows: numbers, Model: m, To: target("csv")}))
		},
		"evaluate": func(c *jobs.Control) error {
			return second(jobs.Evaluate(c, native.Mapper{}, &jobs.EvaluateRequest{Rows: numbers, Model: m}))
		},
		"embed": func(c *jobs.Control) error {
			return second(jobs.Embed(c, native.Mapper{}, &jobs.EmbedRequest{Rows: numbers, Map: wide, To: target("csv")}))
		},
		"curve": func(c *jobs.Control) error {
			return second(session.Curve(c, &jobs.CurveRequest{Rows: classes, ID: rand.Float64(), Sizes: []int{64, 512}}))
		},
		"importance": func(c *jobs.Control) error {
			return second(jobs.Evaluate(c, native.Mapper{}, &jobs.EvaluateRequest{Rows: numbers, Model: m, Importance: true}))
		},
		"release": func(c *jobs.Control) error {
			q, _ := releaseOf(released, "npy", "rows", newLedgers(), "one")
			q.Map.NComponents = 512
			return second(jobs.Release(c, native.Mapper{}, q))
		},
		"mean": func(c *jobs.Control) error {
			q, _ := releaseOf(released, "npy", "mean", newLedgers(), "one")
			return second(jobs.Release(c, native.Mapper{}, q))
		},
		"private": func(c *jobs.Control) error {
			q := privateOf(points)
			q.Map.NComponents = 512
			return second(jobs.PrivateFit(c, native.Mapper{}, q))
		},
	}
}

func second[T any](_ T, err error) error { return err }

// A job obeys Stop within 200 ms in each of its phases, as far as the machine is its own.
func TestStop(t *testing.T) {
	allowed := 200 * time.Millisecond * time.Duration(runtime.GOMAXPROCS(0))
	for name, work := range works(t) {
		phases := map[string]bool{}
		listen := &jobs.Control{Hear: func(p jobs.Progress) { phases[p.Phase] = true }}
		if err := work(listen); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "fit search" { // "fit" has the phases after the search, and comes to them sooner
			delete(phases, "learning")
			delete(phases, "fitting")
		}
		for phase := range phases {
			least := time.Duration(math.MaxInt64)
			for range 3 {
				if least = min(least, stopIn(t, name, phase, work)); least < allowed {
					break
				}
			}
			if least > allowed {
				t.Errorf("%s: stopped %v after Stop in %q", name, least, phase)
			}
		}
	}
}

// stopIn stops a job some time after the begin of a phase, and returns the processor time that it takes to end.
func stopIn(t *testing.T, name, phase string, work func(c *jobs.Control) error) time.Duration {
	t.Helper()
	stopped := make(chan time.Duration, 1)
	c := &jobs.Control{}
	begun := false
	c.Hear = func(p jobs.Progress) {
		if p.Phase == phase && !begun {
			begun = true
			time.AfterFunc(30*time.Millisecond, func() { stopped <- slow.Used(); c.Stop() })
		}
	}
	if err := work(c); err != nil && !errors.Is(err, jobs.ErrStopped) {
		t.Errorf("%s: stopped in %q, it ended with %v", name, phase, err)
	}
	select {
	case at := <-stopped:
		return slow.Used() - at
	default:
		return 0 // it was done before
	}
}

// A paused job waits for Resume, and Stop ends it.
func TestPause(t *testing.T) {
	fit := jobs.FitRequest{Rows: table(2000, 4, false), Map: jobs.MapParams{NComponents: 64}}
	for _, stops := range []bool{false, true} {
		c, heard := &jobs.Control{}, make(chan jobs.Progress, 1)
		c.Hear = func(p jobs.Progress) {
			if p.Paused {
				heard <- p
			}
		}
		c.Pause()
		ended := make(chan error)
		go func() { ended <- second(jobs.Fit(c, native.Mapper{}, &fit)) }()
		<-heard
		select {
		case err := <-ended:
			t.Fatalf("a paused job ended: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
		if c.Resume(); stops {
			c.Stop()
		}
		if err := <-ended; stops != errors.Is(err, jobs.ErrStopped) || !stops && err != nil {
			t.Errorf("after Resume, and Stop %v, it ended with %v", stops, err)
		}
	}
}

// The points of a curve come once each; the next request of the same rows takes those that are known, and what is asked
// about a model agrees with its point.
func TestCurve(t *testing.T) {
	s := jobs.NewSession(native.Mapper{})
	defer s.Close()
	var points []jobs.Point
	var head jobs.CurveHead
	q := &jobs.CurveRequest{Rows: table(2000, 4, false), ID: 1, Sizes: []int{16, 256}, Deal: 1,
		Map: jobs.MapParams{Coef0: new(1.0)}, Head: func(h jobs.CurveHead) { head = h },
		Point: func(p jobs.Point) { points = append(points, p) }}
	if _, err := s.Curve(nil, q); err != nil {
		t.Fatal(err)
	}
	if head.All != 2000 || head.Train+head.HeldOf != 2000 || head.Held != int(head.HeldOf) || head.HeldOf < 400 ||
		head.HeldOf > 600 || head.Task != "classify" || !head.IsKept {
		t.Errorf("the head is %+v", head)
	}
	var order []int
	for _, p := range points {
		if order = append(order, p.D); p.Problem != "" || p.Score == nil || !p.IsFinal || p.Rows != head.Train {
			t.Fatalf("%+v", p)
		}
	}
	if !slices.Equal(order, []int{16, 0, 256}) || *points[2].Score < 0.85 || *points[1].Score > 0.6 {
		t.Errorf("the points are %v; linear %v, D 256 %v", order, *points[1].Score, *points[2].Score)
	}
	again := *q
	again.Sizes = []int{256, 64}
	points = nil
	if _, err := s.Curve(nil, &again); err != nil || len(points) != 3 || points[0].MS != points[0].MS {
		t.Errorf("again: %v, %d points", err, len(points))
	}
	d := s.Detail(256)
	all, right := int64(0), int64(0)
	for i := range d.Confusion {
		for j, n := range d.Confusion[i] {
			all += n
			if i == j {
				right += n
			}
			if r := s.Behind(&jobs.BehindRequest{D: 256, Truth: i, Predicted: j, Most: 3}); int64(r.Total) != n {
				t.Errorf("%d rows stand behind the cell of %d rows", r.Total, n)
			}
		}
	}
	if all != head.HeldOf || float64(right)/float64(all) != *points[0].Score {
		t.Errorf("%d of %d rows are right, and the score is %v", right, all, *points[0].Score)
	}
	placed, err := s.MapRows(nil, 256)
	if err != nil || len(placed.Rows) != 300 || len(placed.XY) != 600 || placed.Of != head.Held ||
		!(placed.Share[0] >= placed.Share[1] && placed.Share[1] > 0) {
		t.Fatalf("the map: %+v, %v", placed, err)
	}
	for k, row := range placed.Rows {
		b := s.Behind(&jobs.BehindRequest{D: 256, Row: &row, Most: 1}).Rows[0]
		if (b.Label == b.Predicted) != (placed.Truth[k] == placed.Predicted[k]) {
			t.Errorf("row %d of the map: %v as %v, and behind it %s as %s", row, placed.Truth[k], placed.Predicted[k],
				b.Label, b.Predicted)
		}
	}
	if none, err := s.MapRows(nil, 32); none != nil || err != nil {
		t.Errorf("without a model the map is %+v, %v", none, err)
	}
	exact, err := s.Exact(nil)
	if err != nil || *exact.Value < 0.85 || int64(exact.Rows) != head.Train {
		t.Errorf("the exact kernel: %+v, %v", exact, err)
	}
	seeds := map[int]int{}
	count := func(D, _ int, _ float64) { seeds[D]++ }
	_, err = s.Band(nil, &jobs.BandRequest{Seeds: 2, Point: count})
	if err != nil || seeds[256] != 2 || seeds[64] != 2 || seeds[0] != 0 {
		t.Errorf("the band has %v, %v", seeds, err)
	}
	text, err := s.File(nil, 256)
	m, bad := model.UnmarshalModel(text)
	if err != nil || bad != nil || m.Calibration == nil || m.Report.Rows != head.Train+head.HeldOf {
		t.Fatalf("the file: %v, %v", err, bad)
	}
	whole, err := jobs.Fit(nil, native.Mapper{}, &jobs.FitRequest{Rows: q.Rows, Map: jobs.MapParams{NComponents: 256},
		Search: jobs.SearchOff, Folds: new(5)})
	if want, bad := whole.Model.File(); err != nil || bad != nil || !bytes.Equal(text, want) {
		t.Errorf("the file is not the one that fit writes: %v, %v", err, bad)
	}
}

// A check counts every row held out once, and finds the two columns that the labels are made of.
func TestCheck(t *testing.T) {
	for _, isNumber := range []bool{false, true} {
		s := jobs.NewSession(native.Mapper{})
		var point jobs.Point
		q := &jobs.CurveRequest{Rows: table(2000, 4, isNumber), ID: 1, Sizes: []int{256}, Deal: 1,
			Map: jobs.MapParams{Coef0: new(1.0)}, Point: func(p jobs.Point) {
				if p.D == 256 {
					point = p
				}
			}}
		if _, err := s.Curve(nil, q); err != nil {
			t.Fatal(err)
		}
		r, err := s.Check(nil, 256)
		if err != nil || len(r.Importance) != 4 || r.NoProbabilities+r.NoImportance != "" ||
			(r.ClassScores == nil) != isNumber || (r.TargetScores != nil) != isNumber {
			t.Fatalf("numbers %v: %+v, %v", isNumber, r, err)
		}
		rows, right, said := int64(0), 0.0, 0.0
		if !isNumber {
			for _, b := range r.Calibration {
				rows += b.Rows
				right += b.Right * float64(b.Rows)
				said += b.Sure * float64(b.Rows)
				if !(*b.Interval.Low <= b.Right && b.Right <= *b.Interval.High && *b.Interval.Low < *b.Interval.High) {
					t.Errorf("bin %+v", b)
				}
			}
			if held := int64(r.ImportanceRows); rows != held || math.Abs(right-said) > .1*float64(held) ||
				math.Abs(right/float64(held)-*point.Score) > .03 {
				t.Errorf("%d of %d rows in bins, %.1f are right and %.1f should be; accuracy %v", rows, held, right,
					said, *point.Score)
			}
		}
		for k, c := range r.Importance {
			isReal := c.Name == "x0" || c.Name == "x1"
			if isReal != (k < 2) || isReal != (c.Drop > .2) || !(c.StdError < .2) {
				t.Errorf("numbers %v: column %d is %+v", isNumber, k, c)
			}
		}
		if r, err := s.Check(nil, 64); r != nil || err != nil {
			t.Errorf("without the model: %+v, %v", r, err)
		}
		stopped := new(jobs.Control)
		stopped.Stop()
		if _, err := s.Check(stopped, 256); !errors.Is(err, jobs.ErrStopped) {
			t.Errorf("after Stop: %v", err)
		}
		s.Close()
	}
}

// A pile is an output in memory. ended is where its last block ends.
type pile struct {
	bytes []byte
	ended int
	has   jobs.Written
}

func (p *pile) Write(b []byte) (int, error) {
	p.bytes = append(p.bytes, b...)
	return len(b), nil
}

func (p *pile) Rewrite(head []byte) error {
	copy(p.bytes, head)
	return nil
}

func (p *pile) Commit() error { return nil }

// request returns a request that writes to a pile, and goes on with what it has.
func (p *pile) request(rows jobs.Rows, format, only string) *jobs.EmbedRequest {
	q := &jobs.EmbedRequest{Rows: rows, Map: jobs.MapParams{NComponents: 512}, Only: only, To: target(format)}
	q.To.Create = func(bool) (jobs.Output, error) { return p, nil }
	q.Wrote = func(w jobs.Written) error {
		p.ended, p.has = len(p.bytes), w
		return nil
	}
	if p.has.Rows > 0 {
		p.bytes = p.bytes[:p.ended]
		q.From = &p.has
	}
	return q
}

// An embedding that was stopped goes on and writes the bytes of one that was not.
func TestEmbedGoesOn(t *testing.T) {
	rows := table(5000, 4, false)
	odd := rowsOf("a,b,c\n" + strings.Repeat("1,2,a\n1,2,b\n1,2,a\n1,2,b\n3,x,b\n", 10_000))
	odd.Columns.Roles = map[string][]string{"number": {"b"}}
	for _, c := range []struct {
		rows         jobs.Rows
		format, only string
	}{{rows, "csv", ""}, {rows, "npy", ""}, {rows, "parquet", ""}, {rows, "csv", "cells"}, {odd, "csv", "unused"}} {
		whole, parts := &pile{}, &pile{}
		all, err := jobs.Embed(nil, native.Mapper{}, whole.request(c.rows, c.format, c.only))
		if err != nil {
			t.Fatal(err)
		}
		stops := 0
		for {
			control := &jobs.Control{}
			q := parts.request(c.rows, c.format, c.only)
			wrote, before := q.Wrote, parts.has.Rows
			q.Wrote = func(w jobs.Written) error {
				if w.Rows > before+1000 {
					control.Stop()
				}
				return wrote(w)
			}
			reply, err := jobs.Embed(control, native.Mapper{}, q)
			if err != nil {
				t.Fatal(err)
			}
			if reply.Stopped {
				stops++
				continue
			}
			if reply.Rows != all.Rows {
				t.Errorf("%s %s: %d rows, want %d", c.format, c.only, reply.Rows, all.Rows)
			}
			break
		}
		if stops == 0 || !bytes.Equal(parts.bytes, whole.bytes) {
			t.Errorf("%s %s: after %d stops the %d bytes are others than %d", c.format, c.only, stops, len(parts.bytes),
				len(whole.bytes))
		}
	}
}

// A request that comes as JSON fits the model of the same struct, with every digit of the seed.
func TestProtocol(t *testing.T) {
	rows := table(300, 4, false)
	typed := &jobs.FitRequest{Rows: rows, Task: "classify", Folds: new(0),
		Map: jobs.MapParams{NComponents: 64, Coef0: new(0.5), Seed: jobs.Seed{Number: math.MaxUint64},
			MethodParams: map[string]any{"distribution": "gaussian"}, Method: "random-maclaurin"}}
	typed.Columns.Roles = map[string][]string{"ignore": {"x3"}}
	var q jobs.FitRequest
	if err := json.Unmarshal([]byte(`{"task": "classify", "folds": 0, "columns": {"roles": {"ignore": ["x3"]}}, "map":
		{"method": "random-maclaurin", "nComponents": 64, "coef0": 0.5, "seed": 18446744073709551615,
		"methodParams": {"distribution": "gaussian"}}}`), &q); err != nil {
		t.Fatal(err)
	}
	q.Files = rows.Files
	want, got := fitted(t, typed), fitted(t, &q)
	if !bytes.Equal(want.Content, got.Content) || !bytes.Contains(got.Content, []byte("18446744073709551615")) {
		t.Errorf("the models differ, or the seed has lost digits: %.300s", got.Content)
	}
	if err := json.Unmarshal([]byte(`{"seed": "5"}`), &q.Map); err != nil || q.Map.Seed.Text != "5" || !q.Map.Seed.IsText {
		t.Errorf("a text became %+v, %v", q.Map.Seed, err)
	}
	if err := json.Unmarshal([]byte(`{"seed": -1}`), &q.Map); err == nil ||
		!strings.Contains(err.Error(), "seed must be a whole number from 0 to 2^64") {
		t.Errorf("seed -1: %v", err)
	}
}

// What contradicts itself is an Error that names the field, in the words of each program.
func TestErrors(t *testing.T) {
	flag := func(field string) string { return "--" + field }
	rows := rowsOf("x,y\n1,a\n2,b\n3,{x}\n")
	labelled := func(names ...string) jobs.Rows {
		r := rows
		r.Columns.Roles = map[string][]string{"label": names}
		return r
	}
	wide := rowsOf("species,b,c,d,e,f,g,h,i,j,k,l,m,n\n" + strings.Repeat("u,1,2,3,4,5,6,7,8,9,10,11,12,13\n", 3))
	wide.Columns.Roles = map[string][]string{"label": {"SPECIE"}}
	for _, c := range []struct {
		q              jobs.FitRequest
		argument, want string
	}{
		{jobs.FitRequest{Rows: rows, C: 2}, "C", "--C is for --loss squared-hinge and logistic; give --alpha"},
		{jobs.FitRequest{Rows: labelled("x", "y")}, "label", "--label must be one column, got 2"},
		{jobs.FitRequest{Rows: labelled("{x}")}, "label", `rows.csv has no column "{x}"; its columns are "x", "y"`},
		{jobs.FitRequest{Rows: wide}, "label", `rows.csv has no column "SPECIE" (did you mean "species"?); ` +
			`its columns are "species", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l" and 2 others`},
		{jobs.FitRequest{Rows: labelled("y"), Map: jobs.MapParams{NComponents: -1}}, "nComponents", "--nComponents must be"},
		{jobs.FitRequest{}, "files", "name a file"},
		{jobs.FitRequest{Rows: rowsOf("a,b,label\n" + strings.Repeat("1,2,p\n1,2,q\n", 30))}, "columns", `rows.csv has ` +
			`no column to learn from: column "a" is not used: all its cells are equal; add one that tells rows apart, or ` +
			`name one with --use`},
	} {
		_, err := jobs.Fit(nil, native.Mapper{}, &c.q)
		e, ok := errors.AsType[*jobs.Error](err)
		if !ok || e.OfData || e.Argument != c.argument || !strings.HasPrefix(e.Message(flag), c.want) {
			t.Errorf("got %v, want %s: %s", err, c.argument, c.want)
		}
	}
}

// What fit says of numbers outside the range of a column, and of missing ones where it saw none, predict and evaluate
// say in the same words, and once.
func TestCutCellsAreSaid(t *testing.T) {
	rows := make([]string, 201)
	for i := range rows[1:] {
		rows[i+1] = fmt.Sprintf("%d,%d,%d", i%40, i%7, i%40/20)
	}
	rows[0], rows[77] = "hour,day,late", "900,1,1"
	const outside = ` of column "hour" lies outside the range that the model was prepared for, and counts as its end`
	const text, want = "hour,day,late\n9999,1,1\n3,,0\nx,1,1\n3,3,0\n", "1 number" + outside + "\n1 number of column " +
		"\"day\" is missing and counts as the mean, since no row that the model was prepared with lacked one\n"
	fitted, predicted, evaluated := notesOf(t, &jobs.FitRequest{Rows: rowsOf(strings.Join(rows, "\n")),
		Search: "linear", Task: "classify"}, text)
	said := func(notes []columns.Note) (all string) {
		for _, n := range notes {
			if n.Code == columns.NoteCutCells || n.Code == columns.NoteReplacedCells {
				all += n.What + "\n"
			}
		}
		return all
	}
	if got := said(fitted.Notes); got != "1 number"+outside+"\n" {
		t.Error(got)
	}
	for _, got := range []string{said(predicted), said(evaluated)} {
		if got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

// A number to be predicted that outweighs all others is named. Without it nothing is said.
func TestWildTarget(t *testing.T) {
	rows := []string{"area,target"}
	for i := range 60 {
		rows = append(rows, fmt.Sprintf("%d,%d", i*i%97, 1000*(i*i%97)+i))
	}
	for last, want := range map[string]string{"5,5100": "", "5,99999999": "the number 99999999 of column \"target\" " +
		"makes up 98 % of the variance that is to be predicted; correct it, or leave the row out"} {
		fitted, err := jobs.Fit(nil, native.Mapper{}, &jobs.FitRequest{Task: "regress", Search: "linear",
			Rows: rowsOf(strings.Join(append(rows, last), "\n"))})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range fitted.Notes {
			if n.Code == columns.NoteWildTarget {
				got += n.String()
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", last, got, want)
		}
	}
}

// Labels that are taken as classes are named where that may be wrong: many whole numbers, or hardly any label twice.
// Nothing was said.
func TestGuessedClasses(t *testing.T) {
	for name, c := range map[string]struct {
		label func(i int) string
		want  string
	}{
		"ages": {func(i int) string { return fmt.Sprint(20 + i%14) }, `the 14 whole numbers of column "target" are ` +
			`classes; if they are amounts, set the task to regress`},
		"digits": {func(i int) string { return fmt.Sprint(i % 10) }, ""},
		"numbers": {func(i int) string { return fmt.Sprint(i) }, `the numbers of column "target" are to be predicted; ` +
			`if they are names of classes, set the task to classify`},
		"names": {func(i int) string { return "id" + fmt.Sprint(i) }, `60 rows have 60 different labels in column ` +
			`"target", and each is a class; choose another label, or write amounts as numbers`},
		"words": {func(i int) string { return "id" + fmt.Sprint(i%20) }, ""},
	} {
		rows := []string{"area,target"}
		for i := range 60 {
			rows = append(rows, fmt.Sprintf("%d,%s", i*i%97, c.label(i)))
		}
		reply := need.Value(jobs.Fit(nil, native.Mapper{}, &jobs.FitRequest{Search: "off",
			Map: jobs.MapParams{NComponents: 8}, Rows: rowsOf(strings.Join(rows, "\n"))}))(t)
		got := ""
		for _, n := range reply.Notes {
			if n.Code == columns.NoteGuessedTask {
				got += n.String()
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A number that is none of the codes of its column has no coordinate of its own, and every job says so.
func TestNumbersThatAreNoCodes(t *testing.T) {
	rows := []string{"hour,minute,late"}
	for i := range 400 {
		rows = append(rows, fmt.Sprintf("%d,%.1f,%d", i%24, float64(i*37%600)/10, i%24*7%24/12))
	}
	rows = append(rows, "7.5,0.5,1")
	const text = "hour,minute,late\n7.5,1,1\n8,2,0\n9999,3,1\n3.25,4,1\n"
	fitted, predicted, evaluated := notesOf(t, &jobs.FitRequest{Rows: rowsOf(strings.Join(rows, "\n")),
		Search: "codes-linear", Task: "classify"}, text)
	const one = `1 number of column "hour" is no code that the model knows, and counts by its size alone`
	const two = `2 numbers of column "hour" are no codes that the model knows, and count by their size alone`
	for i, notes := range [][]columns.Note{fitted.Notes, predicted, evaluated} {
		want, said := []string{one, two, two}[i], ""
		for _, n := range notes {
			if n.Code == columns.NoteNoCode {
				said += n.What
			}
		}
		if said != want {
			t.Errorf("%d: got %q, want %q", i, said, want)
		}
	}
	said := strings.Join(fitted.Report.Warnings, "\n")
	if !strings.Contains(said, "recur in 1 column are also coordinates") {
		t.Error(said)
	}
}

// TestCheckOfRowsThatRecur: of a table with twelve distinct rows, the probabilities of a model of the curve are those
// of the rows held out. Where copies of a row were held out together, they came from models that had seen no copy.
func TestCheckOfRowsThatRecur(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var text strings.Builder
	text.WriteString("cabin,sex,age,survived\n")
	want, n := 0.0, 4000 // the job learns from 3,000, more than KeptRows
	for range n {
		class, sex, age := r.IntN(3), min(r.IntN(4), 1), min(r.IntN(20), 1)
		p := []float64{.9, .3, .8, .15, .5, .1}[2*class+sex]
		want += 2 * p * (1 - p) / float64(n)
		fmt.Fprintf(&text, "%d. class,%s,%s,%s\n", class+1, []string{"female", "male"}[sex], []string{"child", "adult"}[age],
			map[bool]string{true: "yes", false: "no"}[r.Float64() < p])
	}
	s := jobs.NewSession(native.Mapper{})
	defer s.Close()
	q := &jobs.CurveRequest{Rows: rowsOf(text.String()), Sizes: []int{64}, Deal: 1, Map: jobs.MapParams{Coef0: new(1.0)}}
	q.Columns.Roles = map[string][]string{"label": {"survived"}}
	if _, err := s.Curve(nil, q); err != nil {
		t.Fatal(err)
	}
	for _, D := range []int{0, 64} {
		c, err := s.Check(nil, D)
		if err != nil {
			t.Fatal(err)
		}
		if c.Probabilities == nil {
			t.Fatalf("D %d: no probabilities: %s", D, c.NoProbabilities)
		}
		if got := *c.Brier; math.Abs(got-want) > 0.02 || *c.ECE > *c.ByChance+0.03 {
			t.Errorf("D %d: Brier %.3f, ECE %.3f (%.3f by chance); want %.3f", D, got, *c.ECE, *c.ByChance, want)
		}
	}
}

// The page's curve left a column of names out because its first rows hold more than 50, and said that the columns may
// say nothing of the label, while fit learned from it: all rows decide for both, unless somebody chose.
func TestCurveTexts(t *testing.T) {
	var text strings.Builder
	text.WriteString("name,note,age,kind\n")
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1500 {
		name := r.IntN(150)
		fmt.Fprintf(&text, "n%d,x%d,%d,%s\n", name, i, 20+r.IntN(50), []string{"a", "b"}[name*7919%13/7])
	}
	rows := rowsOf(text.String())
	plan := func(name jobs.ColumnPlan) *jobs.TablePlan {
		return &jobs.TablePlan{Columns: []jobs.ColumnPlan{name, {Name: "note", Role: "keep"},
			{Name: "age", Role: "number", Scaling: "min-max"}, {Name: "kind", Role: "label"}}}
	}
	for _, c := range []struct {
		name        jobs.ColumnPlan
		unused      []string
		least, most float64
	}{
		{jobs.ColumnPlan{Name: "name", Role: "keep"}, []string{"note"}, 0.85, 1},
		{jobs.ColumnPlan{Name: "name", Role: "keep", Chosen: true}, []string{"note"}, 0.4, 0.65},
		{jobs.ColumnPlan{Name: "name", Role: "ignore", Chosen: true}, []string{"note"}, 0.4, 0.65},
	} {
		rows.Plan = plan(c.name)
		s := jobs.NewSession(native.Mapper{})
		var head jobs.CurveHead
		scores := map[int]float64{}
		if _, err := s.Curve(nil, &jobs.CurveRequest{Rows: rows, Sizes: []int{64}, Map: jobs.MapParams{Coef0: new(1.0)},
			Head:  func(h jobs.CurveHead) { head = h },
			Point: func(p jobs.Point) { scores[p.D] = *p.Score }}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(head.Unused, c.unused) || scores[0] < c.least || scores[0] > c.most {
			t.Errorf("%+v: unused %v, scores %v", c.name, head.Unused, scores)
		}
		found, err := s.Search(nil)
		if err != nil {
			t.Fatal(err)
		}
		file := string(need.Value(found.Model.File())(t))
		if used := strings.Contains(file, `"n149"`); used != (c.least > 0.65) {
			t.Errorf("%+v: the search uses the names: %v", c.name, used)
		}
		found.Close()
		s.Close()
	}
}

// TestUnitsOfLabels: fit and the curve count the labels beyond the first rows whose unit is not the one of these.
func TestUnitsOfLabels(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,weight\n")
	for i := range 900 {
		fmt.Fprintf(&text, "%d,%d%s\n", i%7, i%2, []string{" kg", "", " g"}[max(0, i-597)%3])
	}
	q := &jobs.FitRequest{Rows: rowsOf(text.String()), Map: jobs.MapParams{NComponents: 16}, Search: jobs.SearchOff}
	q.Columns.Roles = map[string][]string{"label": {"weight"}}
	fitted, err := jobs.Fit(nil, native.Mapper{}, q)
	if err != nil {
		t.Fatal(err)
	}
	defer fitted.Close()
	s := jobs.NewSession(native.Mapper{})
	defer s.Close()
	var head jobs.CurveHead
	_, err = s.Curve(nil, &jobs.CurveRequest{Rows: q.Rows, Sizes: []int{16}, Map: jobs.MapParams{Coef0: new(1.0)},
		Head: func(h jobs.CurveHead) { head = h }})
	if err != nil {
		t.Fatal(err)
	}
	for i, notes := range [][]columns.Note{fitted.Notes, head.Notes} {
		said := map[string]int64{}
		for _, n := range notes {
			if n.Code == columns.NoteUnits && strings.Contains(n.What, "have no") || strings.Contains(n.What, "classes of") {
				said[n.What] = n.Count
			}
		}
		const bare = `101 numbers of column "weight" have no "kg" beside them, and count as if they had`
		const other = `101 labels of column "weight", such as "1 g", which is not a number of "kg", are classes of their own`
		if len(said) != 2 || said[bare] != 101 || said[other] != 101 {
			t.Errorf("%d: it says %v", i, said)
		}
	}
}
