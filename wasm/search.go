//go:build js && wasm

package main

import (
	"math"
	"slices"
	"strings"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
)

// The fields of a block for ts_search_new, float64. searchOutputs is the number of classes, or of targets of a row if
// searchTargets is 1. Numbers of the map are 0, and forms and units −1, if they were not typed. The columns that are
// indicators follow, 1 for the first, and then the names of the candidates to try, with commas between them; none stand
// for all. After a line feed comes a seed that is a text.
const (
	searchOutputs = iota
	searchTargets
	searchMethod // of searchKinds, or −1
	searchDegree
	searchGamma
	searchCoef0
	searchComponents
	searchSeed     // its low 32 bits
	searchSeedHigh // the others
	searchSeeded   // 1 if the seed was typed
	searchForm
	searchUnit
	searchIndicators
	searchFields
)

// searchKinds are the methods and kernels of candidates, in the order of the codes in blocks.
var searchKinds = []struct{ method, kernel string }{
	{sketch.MethodTensorSketch, ""},
	{sketch.MethodRandomFourier, sketch.KernelGaussian},
	{sketch.MethodRandomFourier, sketch.KernelLaplacian},
	{sketch.MethodRandomFourier, ""},
}

// A search needs about searchBytes for matrices of 512 × 512, and so many bytes for each row, with no more from
// searchMostRows on, and for each column of dense rows, whose maps are matrices. A linear model of sums needs
// searchSquareBytes for each product of two columns.
const (
	searchBytes       = 24 << 20
	searchRowBytes    = 16 << 10
	searchMostRows    = 12000
	searchColumnBytes = 128 << 10
	searchSquareBytes = 80
)

// newSearch returns the handle of a search (learn.Searcher) among rows of d numbers, or 0. They are dense if indptr is
// 0, where NaN is a missing number, and CSR otherwise. labels has an int32 for each row, or its float64 targets. The
// rows must stay where they are until the search has ended.
//
//go:wasmexport ts_search_new
func newSearch(block, bytes, data, indices, indptr, rows, nnz, d, labels uint32) (made uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	text, ok := view[byte](block, uint64(bytes))
	X, okX := rowsAt(data, indices, indptr, rows, nnz, int(d))
	r := &blockReader{bytes: text}
	f := r.floats(searchFields)
	outputs := r.integer("outputs", f[searchOutputs], solve.MaxClasses)
	var y solve.RowLabels
	okY := false
	if f[searchTargets] != 0 {
		y.Targets, okY = view[float64](labels, uint64(rows)*uint64(outputs))
	} else {
		y.Classes, okY = view[int32](labels, uint64(rows))
	}
	if !ok || !okX || !okY || r.err != nil || rows == 0 || rows > math.MaxInt32 || d-1 >= sketch.MaxFeatures {
		failPointer("the rows, their labels or the block")
		return 0
	}
	if f[searchComponents] != 0 {
		r.integer("nComponents", f[searchComponents], solve.MaxComponents)
	}
	for _, class := range y.Classes {
		okY = okY && class >= 0 && int(class) < outputs
	}
	for _, target := range y.Targets {
		okY = okY && target-target == 0
	}
	if !okY {
		failPointer("the labels")
		return 0
	}
	y.Classes, y.Targets = slices.Clone(y.Classes), slices.Clone(y.Targets) // checked, they stay as they are
	c, kinds := searchChoices(f), make([]prepare.Kind, d)
	for range r.count("indicators", f[searchIndicators]) {
		kinds[max(0, r.integer("indicators", r.float64(), int(d))-1)] = prepare.Indicator
	}
	if r.err != nil {
		failWith(r.err)
		return 0
	}
	names, seed, isText := strings.Cut(string(r.bytes), "\n")
	if isText {
		c.Params.Seed = sketch.StringSeed(seed)
	}
	if names != "" {
		c.Candidates = strings.Split(names, ",")
	}
	needs := 16*int64(nnz) + searchRowBytes*min(int64(rows), searchMostRows) + searchBytes
	if indptr == 0 {
		needs += (8*int64(rows) + searchColumnBytes) * int64(d)
	}
	if d <= solve.MaxComponents {
		needs += searchSquareBytes * int64(d) * int64(d)
	}
	return createWork(needs, "or set search to off", func() (made slot, err error) {
		made.search, err = learn.NewSearcherOf(X, kinds, y, outputs, c)
		return made, err
	})
}

// searchChoices returns what was typed.
func searchChoices(f []float64) learn.Choices {
	c := learn.Choices{Seeded: f[searchSeeded] != 0, Mergeable: true}
	p := &c.Params
	if kind := int(f[searchMethod]); kind >= 0 && kind < len(searchKinds) {
		p.Method, p.MethodParams.Kernel = searchKinds[kind].method, searchKinds[kind].kernel
	}
	p.Degree, p.Gamma, p.Coef0, p.NComponents = int(f[searchDegree]), f[searchGamma], f[searchCoef0],
		int(f[searchComponents])
	p.Seed = sketch.IntSeed(uint64(f[searchSeed]) | uint64(f[searchSeedHigh])<<32)
	if form := int(f[searchForm]); form >= 0 && form < len(forms) {
		c.Form = forms[form]
	}
	if unit := f[searchUnit]; unit >= 0 {
		isUnit := unit != 0
		c.Unit = &isUnit
	}
	return c
}

// stepSearch holds one fold of a candidate out, and writes how much of the search is done, from 0 to 1. Beyond 0.9 the
// choice is made, and ts_search_result writes it without the rows held out of all. After the last step that is 2.
//
//go:wasmexport ts_search_step
func stepSearch(handle, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	search, s := lookupSearch(handle)
	if s != statusOK {
		return s
	}
	done, finished, err := search.Step()
	if finished {
		done = 2
	}
	return answer(out, err, done)
}

func lookupSearch(handle uint32) (*learn.Searcher, status) {
	at, s := at(handle)
	if s == statusOK && slots[at].search == nil {
		s = fail(statusABI, "the handle is not of a search")
	}
	if s != statusOK {
		return nil, s
	}
	return slots[at].search, statusOK
}

// searchResult writes the result of a finished search and returns the number of its bytes, or 0 on failure. It writes
// nothing if there is less room. The result has, as float64: the method as an index of searchKinds, −1 for a linear
// model, or their number for structured frequencies of the Gaussian kernel; nComponents, degree, γ, coef0, the seed;
// the radius, the step, the share of rows to keep, and the bytes of Finer; the rows and folds of the search, whether
// a linear model is as good, the seeds tried; the rows held out of all with R² and accuracy of them; the number of
// candidates, of notes, and of bytes of the preparation; whether a linear model beside is left out. Then come the
// figures of each candidate: error, its standard error, accuracy, behind, its standard error, alpha, gamma, rounds;
// the preparation as ts_preparation writes it; Finer; and the texts, each ending with a line feed: the chosen name,
// the names of all, why they were skipped, and notes.
//
//go:wasmexport ts_search_result
func searchResult(handle, out, bytes uint32) (length int32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	search, s := lookupSearch(handle)
	if s != statusOK {
		return 0
	}
	dst, ok := view[byte](out, uint64(bytes))
	spec, report := search.Result()
	if !ok || spec.Map == nil {
		failPointer("ts_search_result")
		return 0
	}
	b := appendSearch(nil, &spec, report)
	if len(b) <= len(dst) {
		copy(dst, b)
	}
	return int32(len(b))
}

func appendSearch(b []byte, spec *learn.Spec, report *learn.Candidates) []byte {
	p := spec.Map.Params()
	kind := -1
	for i, one := range searchKinds {
		if one.method == p.Method && one.kernel == p.MethodParams.Kernel {
			kind = i
		}
	}
	if p.MethodParams.Projection != "" {
		kind = len(searchKinds)
	}
	seed, _ := p.Seed.Int()
	held := learn.HeldOutReport{R2: math.NaN(), Accuracy: math.NaN()}
	if report.HeldOut != nil {
		held = *report.HeldOut
	}
	var form uint32
	for i, name := range forms {
		if name == spec.Preparation.Form {
			form = uint32(i)
		}
	}
	preparation := appendPreparation(nil, form, spec.Preparation)
	b = appendFloats(b, float64(kind), float64(p.NComponents), float64(p.Degree), p.Gamma, p.Coef0, float64(seed),
		spec.Radius, spec.Step, spec.Keep, float64(len(spec.Finer)), float64(report.Rows), float64(report.Folds),
		flag(report.Linear), float64(report.Seeds), float64(held.Rows), held.R2, held.Accuracy, float64(len(report.All)),
		float64(len(report.Notes)), float64(len(preparation)), flag(spec.WithoutLinear))
	names, skipped := report.Chosen+"\n", ""
	for i := range report.All {
		c := &report.All[i]
		b = appendFloats(b, c.Error, c.StdError, c.Accuracy, c.Behind, c.BehindSE, c.Alpha, c.Gamma, float64(c.Rounds))
		names += c.Name + "\n"
		skipped += c.Skipped + "\n"
	}
	b = append(b, preparation...)
	b = append(b, spec.Finer...)
	return append(b, names+skipped+strings.Join(append(report.Notes, ""), "\n")...)
}
