package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

// A simulation is what was done, where its bytes are those of one pass.
type simulation struct {
	parts, rows, again, merges, depth int
	moved                             int64
}

func (s simulation) String() string {
	return fmt.Sprintf("%s parts of %s rows, %d of them made twice, %s merges in %d levels, %.0f MB moved: sums and "+
		"model file have the bytes of one pass", thousands(s.parts), thousands(s.rows), s.again, thousands(s.merges), s.depth,
		float64(s.moved)/1e6)
}

const (
	fan          = 10 // sums that one merge reads
	rowsEach     = 8  // of a part, on average
	shareOfAgain = 0.05
)

// simulate sums rows in parts of 0 to 2·rowsEach rows, merges them in random order, fan at a time, and compares the
// result with the sums of one pass. Between steps sums are files, as in package beam/learn. One part in twenty is
// made twice, as by a worker that was lost: its second sums must be the first, and count once.
func simulate(parts int) (s simulation, err error) {
	const d, D = 5, 16
	X, labels := sample(parts*rowsEach, d)
	spec, err := specOf(X, d, D)
	if err != nil {
		return s, err
	}
	r := rand.New(rand.NewPCG(3, 4))
	s.parts, s.rows = parts, len(labels)
	files := make([][]byte, parts)
	for i, from := 0, 0; i < parts; i++ {
		to := min(from+r.IntN(2*rowsEach+1), len(labels))
		if i == parts-1 {
			to = len(labels)
		}
		if files[i], err = part(spec, X[from*d:to*d], labels[from:to]); err != nil {
			return s, err
		}
		if r.Float64() < shareOfAgain {
			again, err := part(spec, X[from*d:to*d], labels[from:to])
			if err != nil || !bytes.Equal(again, files[i]) {
				return s, errors.Join(err, errors.New("a part that was made again has other bytes"))
			}
			s.again++
		}
		from = to
	}
	for ; len(files) > 1; s.depth++ {
		r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		if files, err = s.level(files); err != nil {
			return s, err
		}
	}
	one, err := part(spec, X, labels)
	if err != nil {
		return s, err
	}
	if !bytes.Equal(files[0], one) {
		return s, errors.New("the merged sums differ from those of one pass")
	}
	return s, sameModels(files[0], one)
}

// part returns the file of the sums of rows.
func part(spec learn.Spec, X sketch.Dense, labels []learn.Label) ([]byte, error) {
	l, err := learn.NewLearner(spec)
	if err == nil {
		err = l.Add(X, labels, nil)
	}
	if err != nil {
		return nil, err
	}
	return model.MarshalLearnerBinary(l)
}

// level merges sums, fan at a time.
func (s *simulation) level(files [][]byte) (merged [][]byte, err error) {
	for ; len(files) > 0; files = files[min(fan, len(files)):] {
		var all *learn.Learner
		for _, file := range files[:min(fan, len(files))] {
			s.moved += int64(len(file))
			l, err := model.UnmarshalLearner(file, nil)
			if err != nil {
				return nil, err
			}
			if all == nil {
				all = l
				continue
			}
			if err := all.Merge(l); err != nil {
				return nil, err
			}
			s.merges++
		}
		file, err := model.MarshalLearnerBinary(all)
		if err != nil {
			return nil, err
		}
		merged = append(merged, file)
	}
	return merged, nil
}

// sameModels returns an error if two sums have different model files.
func sameModels(a, b []byte) error {
	var texts [2][]byte
	for i, file := range [][]byte{a, b} {
		l, err := model.UnmarshalLearner(file, nil)
		if err != nil {
			return err
		}
		m, err := l.Fit(learn.RidgeOptions{})
		if err != nil {
			return err
		}
		if texts[i], err = model.MarshalModel(m, model.Options{}); err != nil {
			return err
		}
	}
	if !bytes.Equal(texts[0], texts[1]) {
		return errors.New("the model files differ")
	}
	return nil
}
