//go:build tinycore && host

package main

import (
	"math"
	"slices"

	"tensorsketch.example/internal/udf"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
)

// A searchOfHost is a search with the options it has.
type searchOfHost struct {
	search  *learn.Searcher
	options *learnOptions
}

// newSearchOf returns the handle of a search for the map of rows of d numbers (learn.Searcher). Sparse rows must stay
// where they are until it has ended.
//
//go:wasmexport tensorsketch_learner_search
func newSearchOf(options, data, indices, indptr, rows, nnz, d, labels uint32) (handle uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	if d-1 >= sketch.MaxFeatures {
		failPointer("the rows")
		return 0
	}
	o, err := readOptions(options)
	if err != nil {
		failWith(err)
		return 0
	}
	return made(o.newSearch(data, indices, indptr, rows, nnz, d, labels))
}

func (o *learnOptions) newSearch(data, indices, indptr, rows, nnz, d, labels uint32) (*searchOfHost, error) {
	r, err := o.rowsOf(data, indices, indptr, rows, nnz, labels, int(d))
	if err != nil {
		return nil, err
	}
	if indptr == 0 {
		r.X = slices.Clone(r.X.(sketch.Dense))
	}
	kinds := make([]prepare.Kind, d)
	for _, at := range o.Indicators {
		if at < 0 || at >= len(kinds) {
			return nil, sketch.ErrParam.New("indicators", formatBytes(int64(at)), "be columns, 0 for the first")
		}
		kinds[at] = prepare.Indicator
	}
	c := learn.Choices{Candidates: o.Candidates, Mergeable: true, Preprocessing: o.Preprocessing, Seeded: o.Seed != nil}
	c.Params.NComponents = o.Components
	if o.Seed != nil {
		c.Params.Seed = sketch.IntSeed(*o.Seed)
	}
	targets := learn.Targets{Labels: r.labels, Y: slices.Clone(r.targets), Each: o.Targets}
	search, err := learn.NewSearcher(r.X, kinds, targets, c)
	return &searchOfHost{search, o}, err
}

// stepSearchOf does a part of a search, and writes how much of it is done, from 0 to 1. After the last step that is 2,
// and the handle is of the learner of no rows under what was chosen.
//
//go:wasmexport tensorsketch_search_step
func stepSearchOf(handle, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	search, err := object[*searchOfHost](handle)
	if err != nil {
		return failWith(err)
	}
	done, finished, err := search.search.Step()
	if err == nil && finished {
		done = 2
		objects[handle], err = search.learner()
	}
	return answer(out, err, done)
}

// learner returns the learner of no rows of a finished search.
func (s *searchOfHost) learner() (*learner, error) {
	spec, report := s.search.Result()
	o := s.options
	var classes []learn.Label
	var err error
	if o.Given {
		if classes, err = o.labels(); err != nil {
			return nil, err
		}
	}
	udf.Share(&spec, classes, o.TargetRange, o.Rows, o.Folds)
	l, err := learn.NewLearner(spec)
	return &learner{l, report}, err
}

// sampleOf writes which of n rows a search takes, at most so many: an int32 each (Vitter, Random sampling with a
// reservoir, ACM TOMS 11, 1985), as package jobs draws them from a file.
//
//go:wasmexport tensorsketch_sample
func sampleOf(n, most, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	picked, ok := view[int32](out, uint64(min(n, most)))
	if !ok || n > math.MaxInt32 {
		return failPointer("out")
	}
	next := sketch.IntSeed(0).ForBootstrap()
	for row := range int(n) {
		at := row
		if row >= len(picked) {
			at = next(row + 1)
		}
		if at < len(picked) {
			picked[at] = int32(row)
		}
	}
	return statusOK
}
