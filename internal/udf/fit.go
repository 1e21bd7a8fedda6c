package udf

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/sketch/model"
)

// The functions by which SQL learns. A row of the arguments is a group of rows of the query:
//
//	Spec   options String, rows Array(Array(Float32)), labels Array(String)   a Spec, String
//	Sums   spec String, rows Array(Array(Float32)), labels Array(String)      sums, String
//	Merge  sums Array(String)                                                 sums, String
//	SpecOf sums String                                                        their Spec, String
//	Fit    sums String, options String                                        a model file, String
//
// A Spec is the JSON of model.MarshalSpec. Any file of a learner will do, whose rows are not read. Sums are the file of
// a learner in its binary form. Labels are classes, or numbers for a Spec of task regress, Targets for each row.
const (
	wantSpec  = "options String, rows Array(Array(Float32)), labels Array(String)"
	wantSums  = "spec String, rows Array(Array(Float32)), labels Array(String)"
	wantMerge = "sums Array(String)"
	wantOf    = "sums String"
	wantFit   = "sums String, options String"
)

// groups appends the result of each row of the block to dst, a String. After an error the result of that row is
// missing, and with it all others, unless why is true: then the results are the errors, empty where there is none.
func groups(dst, block []byte, rows int, want string, why bool, of func(r *reader) ([]byte, error)) ([]byte, error) {
	r, err := newReader(block, rows, want)
	if err != nil {
		return nil, err
	}
	for row := range rows {
		text, err := of(r)
		switch {
		case r.err != nil:
			return nil, r.err
		case why && err != nil:
			text = []byte(err.Error())
		case why:
			text = nil
		case err != nil:
			return nil, atRow(err, row)
		}
		if len(dst)+len(text) > maxResults {
			return nil, errors.New("the results of " + strconv.Itoa(rows) + " rows need over " + strconv.Itoa(maxResults) +
				" bytes: give fewer rows at a time")
		}
		dst = append(binary.AppendUvarint(dst, uint64(len(text))), text...)
	}
	return dst, r.end()
}

// at returns an error as one of an argument. Places in arrays are those of SQL, from 1.
func at(argument string, err error) error { return atOf(argument, err, 1) }

// atOf is at for rows with so many targets each.
func atOf(argument string, err error, targets int) error {
	e, ok := err.(*sketch.Error)
	if !ok {
		return errors.New(argument + ": " + err.Error())
	}
	of := *e
	switch of.Argument {
	case "X":
		of.Argument = "rows"
	case "y":
		of.Argument = "labels"
		if of.Row < 0 {
			break
		}
		of.Row, of.Column = of.Row*targets+max(0, of.Column), -1
	}
	if of.Row >= 0 {
		of.Argument += place(of.Row)
		if of.Column >= 0 {
			of.Argument += place(of.Column)
		}
	}
	of.Row, of.Column = -1, -1
	return &of
}

func place(i int) string { return "[" + strconv.Itoa(i+1) + "]" }

// A table has rows with their labels, as bytes of the block.
type table struct {
	rows   [][]byte
	labels [][]byte
}

// table reads rows and their labels.
func (r *reader) table() (t table) {
	t.rows = r.list(4)
	t.labels = r.list(1)
	return t
}

// list reads an array of arrays, or of texts.
func (r *reader) list(each uint64) [][]byte {
	list := make([][]byte, r.length(1))
	for i := range list {
		list[i] = r.bytes(each)
	}
	return list
}

// check returns an error unless all rows have d numbers, and each has so many labels.
func (t *table) check(d, labels int) error {
	if len(t.rows) == 0 {
		return sketch.ErrShape.New("rows", "none", "be at least one")
	}
	for i, row := range t.rows {
		if n := len(row) / 4; n != d {
			return sketch.ErrShape.New("rows"+place(i), strconv.Itoa(n), "have "+strconv.Itoa(d)+" numbers")
		}
	}
	if len(t.labels) != len(t.rows)*labels {
		return sketch.ErrShape.New("labels", strconv.Itoa(len(t.labels)), "be "+strconv.Itoa(len(t.rows)*labels)+
			", since there are "+strconv.Itoa(len(t.rows))+" rows: lists of SQL may leave NULL out, so filter such rows first")
	}
	return nil
}

// names returns the labels from a row up to another. Without classes, a label is a number if it is written as this
// program writes numbers. Among classes, 1.0 is the class 1.
func (t *table) names(classes []learn.Label, from, to int) []learn.Label {
	labels := make([]learn.Label, to-from)
	for i := range labels {
		labels[i] = nameOf(string(t.labels[from+i]), classes)
	}
	return labels
}

func nameOf(text string, classes []learn.Label) learn.Label {
	for _, class := range classes {
		if labelText(class) == text {
			return class
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return learn.TextLabel(text)
	}
	number := learn.NumberLabel(x)
	for _, class := range classes {
		if class == number {
			return class
		}
	}
	if math.Abs(x) < 1<<53 && labelText(number) == text {
		return number
	}
	return learn.TextLabel(text)
}

// targets returns the targets from a row up to another, each of them.
func (t *table) targets(each, from, to int) ([]float64, error) {
	y := make([]float64, (to-from)*each)
	for i := range y {
		text := string(t.labels[from*each+i])
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || x-x != 0 {
			return nil, sketch.ErrParam.New("labels"+place(from*each+i), strconv.Quote(text),
				"be a finite number, since the task is regress")
		}
		y[i] = x
	}
	return y, nil
}

// dense returns rows from one up to another as numbers.
func (t *table) dense(dst []float32, from, to int) []float32 {
	for _, row := range t.rows[from:to] {
		dst = appendNumbers(dst, row)
	}
	return dst
}

func readSpec(text []byte) (*learn.Spec, error) {
	spec, err := model.UnmarshalSpec(text)
	if err != nil {
		return nil, err
	}
	return &spec, nil
}

// Sums appends the sums of each group of rows, a String, to dst.
func (f *Functions) Sums(dst, block []byte, rows int) ([]byte, error) {
	return f.sums(dst, block, rows, false)
}

// SumsErrors appends why Sums has none of each group, or an empty text, a String, to dst.
func (f *Functions) SumsErrors(dst, block []byte, rows int) ([]byte, error) {
	return f.sums(dst, block, rows, true)
}

func (f *Functions) sums(dst, block []byte, rows int, why bool) ([]byte, error) {
	f.specs.begin()
	return groups(dst, block, rows, wantSums, why, func(r *reader) ([]byte, error) {
		text, t := r.bytes(1), r.table()
		if r.err != nil {
			return nil, nil
		}
		spec, err := f.specs.of(text)
		if err != nil {
			return nil, at("spec", err)
		}
		l, err := f.learner(spec, &t)
		if err != nil {
			return nil, err
		}
		return model.MarshalLearnerBinary(l)
	})
}

// learner returns a learner of the rows of a table.
func (f *Functions) learner(spec *learn.Spec, t *table) (*learn.Learner, error) {
	if err := t.check(spec.NFeatures(), max(1, spec.Targets)); err != nil {
		return nil, err
	}
	l, err := learn.NewLearner(*spec)
	if err != nil {
		return nil, at("spec", err)
	}
	n := len(t.rows)
	most := blockRows(spec.NFeatures())
	for from := 0; from < n; from += most {
		to := min(from+most, n)
		f.x = t.dense(f.x[:0], from, to)
		var y []float64
		if spec.Task == learn.TaskRegress {
			if y, err = t.targets(spec.Targets, from, to); err == nil {
				err = l.AddTargets(sketch.Dense(f.x), y, nil)
			}
		} else {
			err = l.Add(sketch.Dense(f.x), t.names(spec.Classes, from, to), nil)
		}
		if err != nil {
			return nil, atOf("rows", sums.AtRow(err, from), spec.Targets)
		}
	}
	return l, nil
}

// Merge appends the sums of all rows of each list of sums, a String, to dst.
func (f *Functions) Merge(dst, block []byte, rows int) ([]byte, error) {
	return merge(dst, block, rows, false)
}

// MergeErrors appends why Merge has none of each list, or an empty text, a String, to dst.
func (f *Functions) MergeErrors(dst, block []byte, rows int) ([]byte, error) {
	return merge(dst, block, rows, true)
}

func merge(dst, block []byte, rows int, why bool) ([]byte, error) {
	return groups(dst, block, rows, wantMerge, why, func(r *reader) ([]byte, error) {
		parts := r.list(1)
		if r.err != nil {
			return nil, nil
		}
		if len(parts) == 0 {
			return nil, sketch.ErrShape.New("sums", "none", "be at least one")
		}
		var all *learn.Learner
		for i, part := range parts {
			l, err := model.UnmarshalLearner(part, nil)
			if err == nil && all != nil {
				err = all.Merge(l)
			} else {
				all = l
			}
			if err != nil {
				return nil, errors.New("sums" + place(i) + ": " + err.Error())
			}
		}
		return model.MarshalLearnerBinary(all)
	})
}

// SpecOf appends the Spec of each sums, or of any file of a learner, a String, to dst.
func (f *Functions) SpecOf(dst, block []byte, rows int) ([]byte, error) {
	return groups(dst, block, rows, wantOf, false, func(r *reader) ([]byte, error) {
		spec, err := model.UnmarshalSpec(r.bytes(1))
		if err != nil {
			return nil, at("sums", err)
		}
		l, err := learn.NewLearner(spec)
		if err != nil {
			return nil, at("sums", err)
		}
		return model.MarshalSpec(l)
	})
}

// fitOptions are the options of Fit.
type fitOptions struct {
	Alpha      float64   `json:"alpha"` // 0 chooses it
	AlphaRange []float64 `json:"alphaRange"`
	AlphaCount *int      `json:"alphaCount"`
	Intercept  *bool     `json:"intercept"`
}

// ridge returns the options of a fit. The JavaScript API has the same.
func (o *fitOptions) ridge() (r learn.RidgeOptions, err error) {
	r.Alpha, r.NoIntercept = o.Alpha, o.Intercept != nil && !*o.Intercept
	ends, err := pair("alphaRange", o.AlphaRange)
	isWrong := o.AlphaRange != nil && !(ends[0] > 0)
	switch {
	case err != nil:
	case isWrong:
		err = sketch.ErrParam.New("alphaRange", portable.FormatNumber(ends[0]), "be two numbers > 0, the lower first")
	case o.Alpha > 0 && o.AlphaRange != nil:
		err = sketch.ErrParam.New("alphaRange", "", "be left out beside alpha")
	case o.Alpha > 0 && o.AlphaCount != nil:
		err = sketch.ErrParam.New("alphaCount", "", "be left out beside alpha")
	case o.AlphaCount != nil && *o.AlphaCount < 1:
		err = sketch.ErrParam.New("alphaCount", strconv.Itoa(*o.AlphaCount), "be an integer ≥ 1")
	case o.AlphaCount != nil:
		r.Count = *o.AlphaCount
	}
	r.Low, r.High = ends[0], ends[1]
	return r, err
}

// pair returns the two numbers of an option, or zeros if it was not given.
func pair(name string, list []float64) (ends [2]float64, err error) {
	if list != nil && (len(list) != 2 || !(list[0] <= list[1])) {
		var got []string
		for _, x := range list {
			got = append(got, portable.FormatNumber(x))
		}
		return ends, sketch.ErrParam.New(name, "["+strings.Join(got, ",")+"]", "be two numbers, the lower first")
	}
	copy(ends[:], list)
	return ends, nil
}

// Fit appends the model file of each sums, a String, to dst.
func (f *Functions) Fit(dst, block []byte, rows int) ([]byte, error) {
	return fit(dst, block, rows, false)
}

// FitErrors appends why Fit has no model, or an empty text, a String, to dst.
func (f *Functions) FitErrors(dst, block []byte, rows int) ([]byte, error) {
	return fit(dst, block, rows, true)
}

func fit(dst, block []byte, rows int, why bool) ([]byte, error) {
	return groups(dst, block, rows, wantFit, why, func(r *reader) ([]byte, error) {
		file, text := r.bytes(1), r.bytes(1)
		if r.err != nil {
			return nil, nil
		}
		var o fitOptions
		if err := readOptions(text, &o); err != nil {
			return nil, err
		}
		l, err := model.UnmarshalLearner(file, nil)
		if err != nil {
			return nil, at("sums", err)
		}
		if l.Spec().Private {
			return nil, errors.New("sums: these are private: a model of them is made by a release with noise")
		}
		how, err := o.ridge()
		if err != nil {
			return nil, err
		}
		m, err := l.Fit(how)
		if err != nil {
			return nil, err
		}
		return model.MarshalModel(m, model.Options{})
	})
}

// readOptions reads a JSON object without unknown keys. An empty text is one without keys.
func readOptions(text []byte, into any) error {
	if len(text) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil && d.More() {
		err = errors.New("there is more after the object")
	}
	if err != nil {
		return errors.New("options: " + strings.TrimPrefix(OptionError(err).Error(), "json: "))
	}
	return nil
}

// OptionError returns an error that names the option, if a value of the JSON has another type; else the error itself.
func OptionError(err error) error {
	wrong, ok := err.(*json.UnmarshalTypeError)
	switch {
	case !ok:
		return err
	case wrong.Field == "":
		return errors.New(`they must be an object such as {"folds":5}, got ` + wrong.Value)
	}
	want := map[reflect.Kind]string{reflect.String: "a text", reflect.Slice: "a list", reflect.Array: "a list",
		reflect.Map: "names with values", reflect.Bool: "true or false", reflect.Float64: "a number",
		reflect.Uint64: "an integer from 0 to 2^64 − 1"}[wrong.Type.Kind()]
	return sketch.ErrParam.New(wrong.Field, wrong.Value, "be "+cmp.Or(want, "an integer"))
}

// specOptions are the options of Spec: what was typed of the map, and what holds for all parts.
type specOptions struct {
	Task        string    `json:"task"` // classify, which is the default, or regress
	Classes     []any     `json:"classes"`
	Targets     int       `json:"targets"`     // of each row
	TargetRange []float64 `json:"targetRange"` // of all parts
	Rows        float64   `json:"rows"`        // of all parts
	Folds       *int      `json:"folds"`

	NComponents int      `json:"nComponents"`
	Degree      int      `json:"degree"`
	Gamma       float64  `json:"gamma"`
	Coef0       float64  `json:"coef0"`
	Seed        *uint64  `json:"seed"`
	Candidates  []string `json:"candidates"`
	Indicators  []int    `json:"indicators"` // columns of zeros and ones, from 1
}

// Spec appends the Spec that a search chooses by each group of rows, a String, to dst.
func (f *Functions) Spec(dst, block []byte, rows int) ([]byte, error) {
	return spec(dst, block, rows, false)
}

// SpecErrors appends why Spec has none, or an empty text, a String, to dst.
func (f *Functions) SpecErrors(dst, block []byte, rows int) ([]byte, error) {
	return spec(dst, block, rows, true)
}

func spec(dst, block []byte, rows int, why bool) ([]byte, error) {
	return groups(dst, block, rows, wantSpec, why, func(r *reader) ([]byte, error) {
		text, t := r.bytes(1), r.table()
		if r.err != nil {
			return nil, nil
		}
		o := specOptions{Task: learn.TaskClassify, Targets: 1}
		if err := readOptions(text, &o); err != nil {
			return nil, err
		}
		spec, err := o.search(&t)
		if err != nil {
			return nil, at("rows", err)
		}
		l, err := learn.NewLearner(spec)
		if err != nil {
			return nil, at("spec", err)
		}
		return model.MarshalSpec(l)
	})
}

// search returns the Spec that a search chooses by the rows of a table.
func (o *specOptions) search(t *table) (spec learn.Spec, err error) {
	if o.Task != learn.TaskClassify && o.Task != learn.TaskRegress {
		return spec, sketch.ErrParam.New("task", strconv.Quote(o.Task), `be "classify" or "regress"`)
	}
	if len(t.rows) == 0 || o.Targets < 1 || o.Targets > solve.MaxTargets {
		return spec, sketch.ErrShape.New("rows or targets", "none or too many", "be at least one")
	}
	d := len(t.rows[0]) / 4
	if err := t.check(d, o.Targets); err != nil {
		return spec, err
	}
	ends, err := pair("targetRange", o.TargetRange)
	if err == nil && o.TargetRange != nil && ends[0] == ends[1] {
		err = sketch.ErrParam.New("targetRange", portable.FormatNumber(ends[0])+" twice", "be two numbers, the lower first")
	}
	if err == nil && o.Rows < 0 {
		err = sketch.ErrParam.New("rows", portable.FormatNumber(o.Rows), "be at least 1")
	}
	if err != nil {
		return spec, err
	}
	var classes []learn.Label
	if o.Classes != nil {
		if classes, err = Labels(o.Classes); err != nil {
			return spec, err
		}
	}
	kinds := make([]prepare.Kind, d)
	for _, at := range o.Indicators {
		if at < 1 || at > d {
			return spec, sketch.ErrParam.New("indicators", strconv.Itoa(at), "be columns, 1 for the first")
		}
		kinds[at-1] = prepare.Indicator
	}
	c := learn.Choices{Candidates: o.Candidates, Mergeable: true, Seeded: o.Seed != nil}
	c.Params.NComponents, c.Params.Degree, c.Params.Gamma, c.Params.Coef0 = o.NComponents, o.Degree, o.Gamma, o.Coef0
	if o.Seed != nil {
		c.Params.Seed = sketch.IntSeed(*o.Seed)
	}
	targets := learn.Targets{Each: o.Targets}
	if o.Task == learn.TaskRegress {
		targets.Y, err = t.targets(o.Targets, 0, len(t.rows))
	} else {
		targets.Labels = t.names(classes, 0, len(t.rows))
	}
	if err != nil {
		return spec, err
	}
	spec, _, err = learn.Search(sketch.Dense(t.dense(nil, 0, len(t.rows))), kinds, targets, c)
	if err != nil {
		return spec, err
	}
	Share(&spec, classes, ends, o.Rows, o.Folds)
	return spec, nil
}

// Share puts into the Spec of a search what holds for all parts and was not taken from its rows: the classes, or nil
// for those that rows have, the range of targets, the rows of all parts and the folds. Zeros and nil were not typed.
func Share(spec *learn.Spec, classes []learn.Label, targetRange [2]float64, rows float64, folds *int) {
	if rows > 0 {
		spec.Keep = solve.KeepOf(rows)
	}
	if folds != nil {
		if spec.Folds = *folds; spec.Folds != 5 {
			spec.Keep = 0
		}
	}
	if targetRange != [2]float64{} {
		spec.TargetRange = targetRange
	}
	spec.Classes = classes
}

// Labels returns the labels of values of JSON: true, false, numbers and texts.
func Labels(values []any) ([]learn.Label, error) {
	labels := make([]learn.Label, len(values))
	for k, value := range values {
		switch v := value.(type) {
		case bool:
			labels[k] = learn.BoolLabel(v)
		case float64:
			labels[k] = learn.NumberLabel(v)
		case string:
			labels[k] = learn.TextLabel(v)
		default:
			return nil, sketch.ErrParam.New("classes", "", "be true, false, numbers or texts")
		}
	}
	return labels, nil
}
