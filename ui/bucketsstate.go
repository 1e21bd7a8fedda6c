package main

import (
	"slices"
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/buckets"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/vector"
)

// BucketsState are the parameters of the place Buckets.
type BucketsState struct {
	Bars
	Hash  string // sketch.HashSeed or sketch.HashRandomState
	Y     string // shown or hidden
	Angle int    // of y to x, in degrees
}

// What Y takes.
const (
	shown  = "shown"
	hidden = "hidden"
)

func defaultBuckets() BucketsState {
	return BucketsState{Bars: Bars{Vector: vector.Random, NFeatures: 16, Method: sketch.MethodTensorSketch, NComponents: 8,
		Seed: sketch.IntSeed(42), Step: 16, Lookout: Lookout{Speed: 2}},
		Hash: sketch.HashSeed, Y: shown, Angle: 35}
}

// Params returns what the picture is drawn from.
func (b BucketsState) Params() buckets.Params {
	return buckets.Params{X: b.X(), Method: b.Method, NComponents: b.NComponents, Seed: b.Seed, Hash: b.Hash,
		ShowY: b.Y == shown, Angle: float64(b.Angle), Step: b.Step, Question: b.Question}
}

var bucketsPlace = place{name: PlaceBuckets, label: "Buckets", hideable: lessonParts,
	settle: func(before State, next *State) error { return next.Buckets.settle(before.Buckets) },
	parameters: slices.Concat(
		barParameters(func(s *State) *Bars { return &s.Buckets.Bars }, func(s *State) int { return s.Buckets.NFeatures }),
		[]parameter{
			hashFamily(),
			choice("y", "Vector y", []Option{{shown, "Shown"}, {hidden, "Hidden"}}, func(s *State) *string {
				return &s.Buckets.Y
			}),
			angle(),
		},
		lookoutParameters(func(s *State) *Lookout { return &s.Buckets.Lookout })),
	groups: []group{
		{"vector-group", "Vector x", []string{"vector", "nFeatures", "coordinate", "value"}},
		{"sketch", "Sketch", []string{"method", "nComponents", "seed"}},
		{"second", "Second vector", []string{"y", "angle"}},
		{"family", "Hash family", []string{"hash"}},
	},
}

// angle is that of y to x. It matters while y is shown.
func angle() parameter {
	p := whole("angle", "Angle to x (°)", 0, 180, func(s *State) *int { return &s.Buckets.Angle })
	p.shown = func(s *State) bool { return s.Buckets.Y == shown }
	return p
}

// hashFamily is the family of the hashes. That of complex signs is Carter–Wegman.
func hashFamily() parameter {
	p := choice("hash", "Hash family", []Option{{sketch.HashSeed, "Carter–Wegman"},
		{sketch.HashRandomState, "scikit-learn"}},
		func(s *State) *string { return &s.Buckets.Hash })
	p.shown = func(s *State) bool { return !s.Buckets.isComplex() }
	return p
}

// settle brings D and the step into range, and refuses seeds that scikit-learn's
// tables do not take, and these tables where signs are complex.
func (b *BucketsState) settle(before BucketsState) error {
	b.pair()
	switch {
	case !b.isComplex() || b.Hash == sketch.HashSeed:
	case before.isComplex():
		return refuse("hash", strconv.Quote(b.Hash), "be "+strconv.Quote(sketch.HashSeed)+" with complex signs")
	default:
		b.Hash = sketch.HashSeed
	}
	if b.NFeatures != before.NFeatures {
		b.Bars.settle(before.NFeatures, b.NFeatures)
	}
	if n, isInt := b.Seed.Int(); b.Hash == sketch.HashRandomState && (!isInt || n >= 1<<32) {
		return refuse("seed", strconv.Quote(format.Cut(formatSeed(b.Seed))),
			"be an integer from 0 to 4294967295 for scikit-learn's tables")
	}
	return nil
}

// lessonParts are what a link can hide of a teaching place besides its controls.
var lessonParts = []string{"title", "play", "cards", "questions", "save"}
