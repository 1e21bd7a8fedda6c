package jobs

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
)

// A Mapper is what jobs ask of mathematics. Its calls may take long: those with a Control call Control.Check at least
// every 50 ms of work, and return its error. They come from one goroutine. Errors about arguments are *sketch.Error.
type Mapper interface {
	NewMap(p sketch.Params) (Map, error)
	// OpenMap opens the map of a model file. A keyed map needs its key.
	OpenMap(file []byte, key *[32]byte) (Map, error)
	OpenModel(file []byte, key *[32]byte) (Model, error)
	// NewLearner returns what adds up or keeps the rows of a fit.
	NewLearner(s Spec) (Learner, error)
	// Search chooses the map and the preparation for rows (learn.Searcher).
	Search(c *Control, X sketch.Rows, kinds []prepare.Kind, targets learn.Targets, choices learn.Choices) (Spec,
		*learn.Candidates, error)
	// OpenLearner opens a file of sums, as Learner.File returns it.
	OpenLearner(file []byte) (Learner, error)
	// FitExact fits ridge regression with the exact kernel, and returns the scores of held, dense rows like the rows of e.
	FitExact(c *Control, e *Exact, held []float32) ([]float64, error)
}

// Exact is a fit with the exact kernel of a map's parameters to dense rows.
type Exact struct {
	Params  sketch.Params
	X       []float32
	Classes []int32 // of K; nil for targets
	K       int
	Targets []float64
	Alpha   float64
}

// A Map makes features of rows.
type Map interface {
	Params() sketch.Params
	NFeatures() int
	NComponents() int // of a row of features, repeats included
	// Features returns the features of rows, n × NComponents. They are valid until the next call.
	Features(c *Control, X sketch.Rows) ([]float32, error)
	// Fit fits a map whose method needs it to rows.
	Fit(c *Control, X sketch.Rows) error
	// Fitter fits a map of method k-space to rows in parts.
	Fitter(c *Control) (Fitter, error)
	// Bound returns C, to which the features of a private release are clipped, for rows of length at most radius, which is
	// NaN if it was not given (privacy.MapBound).
	Bound(radius float64) (float64, error)
	// File returns the map as a model file, with the preprocessing of its rows or nil.
	File(p *dataset.Preprocessing) ([]byte, error)
	Close()
}

// A Fitter gets all rows by Measure, then all by Add, and then Step until it has finished. *sketch.Fitter is one.
type Fitter interface {
	Measure(X sketch.Rows) error
	Add(X sketch.Rows) error
	Step() (done float64, finished bool, err error)
}

// A Spec says what is learned: learn.Spec with a Map that may be elsewhere. Its own Map is nil.
type Spec struct {
	learn.Spec
	Features Map
	Loss     string // learn.LossSquared is fitted from sums, others by passes over rows that the learner keeps
	Passes   bool   // also learn.LossSquared is fitted by passes, for too many columns: its learner does not merge
}

// A Learner takes rows with labels or targets, and fits a model to them.
type Learner interface {
	Spec() Spec
	Rows() int64
	// Add adds rows with labels or, for regression, targets. The other one is nil. For comparing, both are nil.
	Add(c *Control, X sketch.Rows, labels []learn.Label, targets []float64) error
	Fit(c *Control, o FitOptions) (Model, error)
	// Release returns the sums of a private learner with noise. The caller has charged a ledger for it.
	Release(c *Control, g Guarantee, random io.Reader) (*ReleasedSums, error)
	Merge(o Learner) error
	Subtract(o Learner) error
	Compare(c *Control, o Learner) (*learn.Comparison, error)
	File() ([]byte, error)
	Close()
}

// FitOptions are how a model is fitted to the rows of a learner.
type FitOptions struct {
	learn.RidgeOptions         // for the squared loss
	C                  float64 // for the others; 0 chooses it
}

// A Model predicts labels or numbers.
type Model interface {
	// About returns all that the model file says but its map and weights: Map may be nil, and Linear have its sizes alone.
	About() *learn.Model
	Map() Map
	// Scores returns the scores of rows, n × outputs.
	Scores(c *Control, X sketch.Rows) ([]float64, error)
	File() ([]byte, error)
	Close()
}

// A Named is a small file by its name, such as a model.
type Named struct {
	Name    string    `json:"name"` // "": an error about it is as the Mapper says it
	Content []byte    `json:"-"`
	Key     *[32]byte `json:"-"` // of a keyed map
}

// isPrepared reports whether a model file has a preparation of its rows.
func (q *Named) isPrepared() bool { return bytes.Contains(q.Content, []byte(`"preparation":{`)) }

// The formats of model files and of sums.
const modelFormat, sumsFormat = "tensorsketch-model", "tensorsketch-learner"

// format returns the format that a file names, and whether its end is missing.
func (q *Named) format() (name string, isCut bool) {
	if bytes.HasPrefix(q.Content, []byte("TSLEARN")) {
		return sumsFormat, false
	}
	if bytes.Contains(q.Content, []byte(modelFormat)) {
		name = modelFormat
	}
	if bytes.Contains(q.Content, []byte(sumsFormat)) { // which has the format of its map, too
		name = sumsFormat
	}
	return name, name != "" && !strings.ContainsRune("}\n", rune(q.Content[len(q.Content)-1]))
}

// isNone is the error of a file that does not hold what is wanted: no model, give one; no sums, give some.
func (q *Named) isNone(wanted, some string, isCut bool) error {
	if isCut {
		return failure("%s begins as a saved model or sums, and is cut off or damaged; give another copy, or save it again",
			q.Name)
	}
	return failure("%s: it holds no %s; give %s that fit has saved", q.Name, wanted, some)
}

// open opens a model file, and reads its preprocessing, which is nil if there is none.
func open[T any](q *Named, by func(file []byte, key *[32]byte) (T, error)) (value T, p *dataset.Preprocessing,
	err error) {
	value, err = by(q.Content, q.Key)
	var keys struct{ Preprocessing json.RawMessage }
	if err == nil && json.Unmarshal(q.Content, &keys) == nil && keys.Preprocessing != nil {
		p, err = dataset.FromModel(q.Content)
	}
	if err != nil && q.Name != "" {
		format, isCut := q.format()
		if format == sumsFormat {
			return value, nil, failure("%s holds sums of rows, and no model; fit one to them with {from}", q.Name)
		}
		if isCut || format != modelFormat {
			return value, nil, q.isNone("model", "one", isCut)
		}
		before, after, isKeyed := strings.Cut(Plain(err), "give it to UnmarshalKeyed")
		if isKeyed {
			return value, nil, failure("%s: %sgive it by {keyFile}%s", q.Name, before, after)
		}
		return value, nil, failure("%s: %s", q.Name, before)
	}
	return value, p, err
}
