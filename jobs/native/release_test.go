package native_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/privacy"
	"tensorsketch.example/sketch"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/noise"
)

var updateReleases = flag.Bool("updatereleases", false, "write testdata/releases.json anew")

func sha(piece []byte) ([]byte, error) {
	sum := sha256.Sum256(piece)
	return sum[:], nil
}

// ledgers are kept in memory.
type ledgers struct {
	kept   map[string][]byte
	locked string
}

func (l *ledgers) Lock(content string) ([]byte, error) {
	if l.locked != "" {
		return nil, errors.New("locked twice")
	}
	l.locked = content
	return l.kept[content], nil
}

func (l *ledgers) Unlock(next []byte) error {
	if next != nil && len(next) == 0 {
		delete(l.kept, l.locked)
	} else if next != nil {
		l.kept[l.locked] = next
	}
	l.locked = ""
	return nil
}

func newLedgers() *ledgers { return &ledgers{kept: map[string][]byte{}} }

// csvReading is a complete reading.
var csvReading = must(dataset.ParseReading([]byte(`{"format":"csv","compression":"none","encoding":"utf-8",
	"delimiter":",","quote":"\"","decimal":".","thousands":"","header":true,"dates":"iso"}`)))

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// rewritten is an output in memory.
type rewritten struct{ kept }

func (r *rewritten) Rewrite(head []byte) error {
	copy(r.Bytes(), head)
	return nil
}

// releaseOf asks for a release of a CSV in a format, and returns what is written.
func releaseOf(text, format, kind string, store jobs.LedgerStore, job string) (q *jobs.ReleaseRequest, out *rewritten) {
	out = &rewritten{}
	q = &jobs.ReleaseRequest{Rows: rowsOf(text), Ledger: store, Digest: sha, Random: noise.Fixed{},
		To: jobs.Target{Format: format, Create: func(bool) (jobs.Output, error) { return out, nil }}}
	q.Reading, q.Begin = csvReading, func(*jobs.Beginning) (string, error) { return job, nil }
	q.Columns.Roles = map[string][]string{"number": {"a,b", "c", "d"}}
	q.Map = jobs.MapParams{NComponents: 64, Coef0: new(1.0), Normalize: sketch.NormalizeKernel,
		Seed: jobs.Seed{Number: 5, Typed: true}}
	q.Asked = jobs.ReleaseOptions{Kind: kind, Guarantee: jobs.Guarantee{Epsilon: 4, Delta: 1e-5}, Radius: new(1.0),
		Budget: &jobs.Guarantee{Epsilon: 5, Delta: 1e-5}}
	if kind == "mean" {
		q.Asked.Count = int64(strings.Count(text, "\n")) - 1
	}
	return q, out
}

// A release with a fixed source of noise has the bytes that the page's program writes, too: test/api/release.test.mjs
// compares with the same file.
func TestReleaseBytes(t *testing.T) {
	const path = "testdata/releases.json"
	got := map[string]string{}
	for _, kind := range []string{"rows", "mean"} {
		for _, format := range []string{"npy", "csv", "parquet"} {
			q, out := releaseOf(noise.Table(300), format, kind, newLedgers(), "one")
			reply := need.Value(jobs.Release(nil, native.Mapper{}, q))(t)
			sum := sha256.Sum256(out.Bytes())
			got[kind+" as "+format] = hex.EncodeToString(sum[:])
			if want := (jobs.Seen{Clipped: 3, Unusable: 2}); reply.Seen != want {
				t.Errorf("%s: seen %+v, want %+v", kind, reply.Seen, want)
			}
		}
	}
	private := need.Value(jobs.PrivateFit(nil, native.Mapper{}, privateOf(noise.Points(400))))(t)
	sum := sha256.Sum256(need.Value(private.Model.File())(t))
	got["a private model"] = hex.EncodeToString(sum[:])
	text := append(need.Value(json.MarshalIndent(got, "", "  "))(t), '\n')
	if *updateReleases {
		need.OK(t, os.WriteFile(path, text, 0o666))
	}
	if want := need.Value(os.ReadFile(path))(t); !bytes.Equal(text, want) {
		t.Errorf("the releases are\n%s, want\n%s", text, want)
	}
}

// A release of rows that stops goes on with the rows that are left, and is charged once.
func TestReleaseGoesOn(t *testing.T) {
	store := newLedgers()
	text := noise.Table(30000)
	whole, wholeOut := releaseOf(text, "npy", "rows", newLedgers(), "whole")
	need.Value(jobs.Release(nil, native.Mapper{}, whole))(t)
	q, out := releaseOf(text, "npy", "rows", store, "one")
	c := new(jobs.Control)
	var so jobs.Written
	var seen jobs.Seen
	q.Wrote = func(w jobs.Written, s jobs.Seen) error {
		so, seen = w, s
		c.Stop()
		return nil
	}
	reply := need.Value(jobs.Release(c, native.Mapper{}, q))(t)
	if !reply.Stopped || so.Rows == 0 || so.Rows >= 30002 {
		t.Fatalf("after the stop: %+v, %+v", reply, so)
	}
	first := slices.Clone(out.Bytes())
	next, rest := releaseOf(text, "npy", "rows", store, "one")
	next.Job, next.From, next.Seen, next.Asked = "one", &so, seen, reply.Release.ReleaseOptions
	again := need.Value(jobs.Release(nil, native.Mapper{}, next))(t)
	if n := len(first) + rest.Len(); n != wholeOut.Len() {
		t.Errorf("both parts have %d bytes, want %d", n, wholeOut.Len())
	}
	if want := (jobs.Seen{Clipped: 3, Unusable: 2}); again.Seen != want || again.Written != 30002 {
		t.Errorf("of all rows: %+v", again)
	}
	next.From.Rows, next.Content = 0, strings.Repeat("0", 64)
	if _, err := jobs.Release(nil, native.Mapper{}, next); err == nil ||
		!strings.Contains(err.Error(), "is not the file this embedding was begun with") {
		t.Errorf("another file: %v", err)
	}
	l := ledgerOf(t, text, store, nil)
	if len(l.Releases) != 1 || math.Abs(l.Spent-4) > 0.02 || l.Releases[0].Rows != 30002 {
		t.Errorf("the ledger is %+v", l)
	}
}

// ledgerOf returns the ledger of a text.
func ledgerOf(t *testing.T, text string, store jobs.LedgerStore, change func(*jobs.LedgerRequest)) *jobs.LedgerReply {
	t.Helper()
	q := &jobs.LedgerRequest{File: rowsOf(text).Files[0], Store: store, Digest: sha}
	if change != nil {
		change(q)
	}
	return need.Value(jobs.Ledger(nil, q))(t)
}

// The ledger adds up, knows a job once, keeps its budget, and says when more is spent than it has.
func TestLedgerOfFile(t *testing.T) {
	store, text := newLedgers(), noise.Table(20)
	if l := ledgerOf(t, text, store, nil); l != nil {
		t.Fatalf("there is a ledger: %+v", l)
	}
	if l := ledgerOf(t, text, store, func(q *jobs.LedgerRequest) {
		q.Budget = &jobs.Guarantee{Epsilon: 2, Delta: 1e-5}
	}); l.Spent != 0 || math.Abs(l.Left-2) > 0.01 {
		t.Errorf("a new ledger is %+v", l)
	}
	ask := func(job string, epsilon float64, change func(o *jobs.ReleaseOptions)) error {
		q, _ := releaseOf(text, "npy", "rows", store, job)
		q.Asked.Epsilon = epsilon
		if change != nil {
			change(&q.Asked)
		}
		_, err := jobs.Release(nil, native.Mapper{}, q)
		if store.locked != "" {
			t.Error("the ledger stays locked")
		}
		return err
	}
	need.OK(t, ask("one", 4, nil))
	golden.Errors(t, map[string]error{"epsilon": ask("two", 4, nil),
		"budget": ask("two", 4, func(o *jobs.ReleaseOptions) { o.Budget = &jobs.Guarantee{Epsilon: 50, Delta: 1e-5} })})
	need.OK(t, ask("two", 2, nil))
	twice := ledgerOf(t, text, store, nil)
	if len(twice.Releases) != 2 || twice.Spent < 4.3 || twice.Spent > 5 {
		t.Errorf("the ledger is %+v", twice)
	}
	// A ledger of another program, with a release that this one does not know.
	load := func(text string) func(q *jobs.LedgerRequest) {
		return func(q *jobs.LedgerRequest) { q.Load = text }
	}
	if l := ledgerOf(t, text, store, load(twice.JSON)); l.Over != "" || len(l.Releases) != 2 {
		t.Errorf("its own ledger again: %+v", l)
	}
	other := strings.Replace(twice.JSON, `"one"`, `"another"`, 1)
	// All that was spent is told, also what the budget does not have.
	sigma := func(epsilon float64) float64 { return need.Value(privacy.Sigma(epsilon, 1e-5))(t) }
	rho := 1/(sigma(4)*sigma(4)) + 1/(2*sigma(2)*sigma(2))
	all := privacy.EpsilonOf(rho, 1e-5)
	isOver := func(l *jobs.LedgerReply) bool {
		return l.Over != "" && len(l.Releases) == 3 && math.Abs(l.Spent-all) < 1e-4 && l.Left == 0
	}
	if l := ledgerOf(t, text, store, load(other)); !isOver(l) {
		t.Errorf("ledgers that spend ε %g, more than the budget: %+v", all, l)
	}
	if l := ledgerOf(t, text, store, load(other)); !isOver(l) {
		t.Errorf("a release that is known is entered again: %+v", l)
	}
	golden.Errors(t, map[string]error{"beyond the budget": ask("three", 1e-3, nil)})
	saved := ledgerOf(t, text, store, nil).JSON
	if l := ledgerOf(t, text, store, func(q *jobs.LedgerRequest) { q.Reset = true }); !strings.Contains(l.Said,
		"That does not undo them") || len(store.kept) != 0 {
		t.Errorf("reset says %+v", l)
	}
	if l := ledgerOf(t, text, store, load(saved)); !isOver(l) {
		t.Errorf("a saved ledger that is over its budget becomes %+v", l)
	}
	for name, wrong := range map[string]string{
		"of another file":         strings.Replace(saved, `"content":"`, `"content":"0`, 1),
		"changed since":           strings.Replace(saved, `"epsilon":4`, `"epsilon":3`, 1),
		"no file ledger":          `{"format":"tensorsketch-ledger"}`,
		"no JSON":                 "[",
		"of a newer release":      strings.Replace(saved, `"version":1`, `"version":2`, 1),
		"beyond, of a wrong kind": strings.Replace(saved, `"beyond":[{"kind":"rows"`, `"beyond":[{"kind":"row"`, 1),
	} {
		q := &jobs.LedgerRequest{File: rowsOf(text).Files[0], Store: store, Digest: sha, Load: wrong}
		_, err := jobs.Ledger(nil, q)
		golden.Errors(t, map[string]error{name: err})
	}
}

// A ledger as the page keeps it, without its format and content, is read.
func TestKeptLedger(t *testing.T) {
	store, text := newLedgers(), noise.Table(20)
	q, _ := releaseOf(text, "npy", "rows", store, "one")
	need.Value(jobs.Release(nil, native.Mapper{}, q))(t)
	for _, kept := range store.kept { // as the page keeps it
		var record map[string]any
		need.OK(t, json.Unmarshal(kept, &record))
		store.kept[record["content"].(string)] = need.Value(json.Marshal(map[string]any{"turn": 3, "jobs": record["jobs"],
			"ledger": record["ledger"]}))(t)
	}
	if l := ledgerOf(t, text, store, nil); len(l.Releases) != 1 {
		t.Errorf("as the page keeps it: %+v", l)
	}
	// One that was cut is no wrong choice of a file.
	for content, kept := range store.kept {
		store.kept[content] = kept[:len(kept)-9]
	}
	_, err := jobs.Ledger(nil, &jobs.LedgerRequest{File: rowsOf(text).Files[0], Store: store, Digest: sha})
	golden.Errors(t, map[string]error{"cut": err})
}

// What would depend on the rows and have no noise is refused, and so is a wrong number of rows.
func TestReleaseRefuses(t *testing.T) {
	text := noise.Table(20)
	for name, c := range map[string]struct {
		kind   string
		change func(q *jobs.ReleaseRequest)
	}{
		"kind":      {"row", nil},
		"no rows":   {"mean", func(q *jobs.ReleaseRequest) { q.Asked.Count = 0 }},
		"too few":   {"mean", func(q *jobs.ReleaseRequest) { q.Asked.Count-- }},
		"too many":  {"mean", func(q *jobs.ReleaseRequest) { q.Asked.Count += 2 }},
		"more rows": {"rows", func(q *jobs.ReleaseRequest) { q.Asked.Count = 5 }},
		"less rows": {"rows", func(q *jobs.ReleaseRequest) { q.Asked.Count = 25 }},
		"reading":   {"rows", func(q *jobs.ReleaseRequest) { q.Reading.Header = nil }},
		"numbers":   {"rows", func(q *jobs.ReleaseRequest) { q.To.RowNumbers = true }},
		"budget":    {"rows", func(q *jobs.ReleaseRequest) { q.Asked.Budget = nil }},
		"columns":   {"rows", func(q *jobs.ReleaseRequest) { q.Columns = jobs.Columns{} }},
		"kept": {"rows", func(q *jobs.ReleaseRequest) {
			q.Columns.Roles["keep"] = []string{"name"}
		}},
		"drop": {"rows", func(q *jobs.ReleaseRequest) { q.Columns.Missing = "drop" }},
		"scaling": {"rows", func(q *jobs.ReleaseRequest) {
			q.Columns.Scaling = columns.MinMax.String()
		}},
		"method": {"rows", func(q *jobs.ReleaseRequest) {
			q.Map.Method = "nystroem"
		}},
		"radius":  {"rows", func(q *jobs.ReleaseRequest) { q.Asked.Radius = new(-1.0) }},
		"epsilon": {"rows", func(q *jobs.ReleaseRequest) { q.Asked.Epsilon = 0 }},
		"no norm": {"rows", func(q *jobs.ReleaseRequest) {
			q.Asked.Radius, q.Map.Normalize = nil, ""
		}},
	} {
		store := newLedgers()
		q, out := releaseOf(text, "npy", c.kind, store, "one")
		if c.change != nil {
			c.change(q)
		}
		_, err := jobs.Release(nil, native.Mapper{}, q)
		golden.Errors(t, map[string]error{name: err})
		if len(store.kept) != 0 || out.Len() > 128 {
			t.Errorf("%s: %d ledgers, %d bytes", name, len(store.kept), out.Len())
		}
	}
}

// A row that the map cannot take counts as zeros, and changes no other.
func TestReleaseZeroes(t *testing.T) {
	calm, wild := newLedgers(), newLedgers()
	rows := func(cell string, store *ledgers) []float32 {
		q, out := releaseOf("a,b,c,d\n1,0,0,0\n"+cell+",0,0,0\n0,1,0,0\n", "npy", "rows", store, "one")
		q.Asked.Radius = nil
		q.Map = jobs.MapParams{Method: sketch.MethodTaylorSketch, NComponents: 64}
		reply := need.Value(jobs.Release(nil, native.Mapper{}, q))(t)
		if want := map[string]int64{"3e38": 1}[cell]; reply.Seen.Zeroed != want {
			t.Errorf("%s: %+v", cell, reply.Seen)
		}
		bytes := out.Bytes()[128:]
		Z := make([]float32, len(bytes)/4)
		need.Value(binary.Decode(bytes, binary.LittleEndian, Z))(t)
		return Z
	}
	if a, b := rows("0", calm), rows("3e38", wild); !slices.Equal(a, b) {
		t.Error("a row that the map cannot take is not as zeros")
	}
}
