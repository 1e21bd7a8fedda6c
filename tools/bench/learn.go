//go:build !js

package main

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/tools/internal/lab"
)

// learning holds what bench/learn.js measures beside ../shared/peers/sklearn_learn.py: seconds from rows in memory to a
// fitted model, and accuracies on the test images.
type learning struct {
	Rows      int             `json:"rows"`
	OneThread learningFigures `json:"oneThread"`
	Workers   learningFigures `json:"workers"`
	Gram      struct {
		OneThread float64 `json:"oneThread"`
		Workers   float64 `json:"workers"`
	} `json:"gram"`
	Peer sklearnFigures `json:"peer"`
}

type learningFigures struct {
	Moments       float64 `json:"moments"` // features and their products
	Fit           float64 `json:"fit"`     // from the moments, with the path of λ
	Ridge         float64 `json:"ridge"`   // both
	RidgeAccuracy float64 `json:"ridgeAccuracy"`
	SVM           float64 `json:"svm"` // features included
	SVMAccuracy   float64 `json:"svmAccuracy"`
}

type sklearnFigures struct {
	Features      float64 `json:"features_s"`
	Ridge         float64 `json:"ridge_s"`
	RidgeAccuracy float64 `json:"ridge_accuracy"` // per cent
	SVM           float64 `json:"svm_s"`
	SVMAccuracy   float64 `json:"svm_accuracy"`
}

// folds holds what bench/learn.js measures of ridge with five folds at one D, beside the same program of scikit-learn,
// which has no folds and is given λ. Seconds of one thread are of the processor.
type folds struct {
	Rows      int            `json:"rows"`
	OneThread foldFigures    `json:"oneThread"`
	Workers   foldFigures    `json:"workers"` // two
	Peer      sklearnFigures `json:"peer"`
}

type foldFigures struct {
	Features float64 `json:"features"` // alone
	learningFigures
}

// digitsFeatures is the number of pixels that scikit-learn's program takes.
const digitsFeatures = 784

// writeDigits writes MNIST with its labels: at most so many rows of length 1, as the peer takes them.
func writeDigits(folder string, images int) error {
	for _, set := range []struct{ name, images, labels string }{
		{"train", "mnist-train-images-idx3-ubyte.gz", "mnist-train-labels-idx1-ubyte.gz"},
		{"test", "mnist-t10k-images-idx3-ubyte.gz", "mnist-t10k-labels-idx1-ubyte.gz"},
	} {
		pixels, err := readIDX(set.images, 16, images*digitsFeatures)
		if err != nil {
			return err
		}
		labels, err := readIDX(set.labels, 8, images)
		if err != nil {
			return err
		}
		rows := make([]float32, len(pixels))
		for i, v := range pixels {
			rows[i] = float32(v)
		}
		for at := 0; at < len(rows); at += digitsFeatures {
			lab.Unit(rows[at : at+digitsFeatures])
		}
		if err := errors.Join(writeNumbers(folder, "digits."+set.name+".f32", rows),
			writeNumbers(folder, "digits."+set.name+".u8", labels)); err != nil {
			return err
		}
	}
	return nil
}

// readIDX returns at most so many bytes of an IDX file after its header.
func readIDX(name string, header, most int) ([]byte, error) {
	r, err := lab.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, int64(header+most)))
	if err != nil || len(data) < header || binary.BigEndian.Uint16(data) != 0 {
		return nil, fmt.Errorf("%s is no IDX file: %w", name, err)
	}
	return data[header:], nil
}

// measureLearning runs the library in Node, and scikit-learn in one thread if it is there.
func measureLearning(folder string, quick bool) (*learning, error) {
	mode := []string{"simd", "learn"}
	if quick {
		mode = append(mode, "quick")
	}
	l := new(learning)
	if err := node(folder, l, mode...); err != nil {
		return nil, err
	}
	if quick {
		return l, nil
	}
	return l, sklearnLearns(&l.Peer, "--svm")
}

// sklearnLearns runs scikit-learn's program. Where it is missing, as bench says, it changes nothing.
func sklearnLearns(into *sklearnFigures, arguments ...string) error {
	data, err := filepath.Abs(lab.Folder())
	if err != nil {
		return err
	}
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		peer := exec.Command(python, append([]string{filepath.Join(peersFolder, "sklearn_learn.py"), data}, arguments...)...)
		peer.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
		if out, err := peer.Output(); err == nil {
			return json.Unmarshal(out, into)
		}
	}
	return nil
}

// measureFolds runs the library in Node at each D, and scikit-learn.
func measureFolds(folder string, quick bool) (map[string]*folds, error) {
	mode := []string{"simd", "folds"}
	if quick {
		mode = append(mode, "quick")
	}
	var results map[string]*folds
	if err := node(folder, &results, mode...); err != nil || quick {
		return results, err
	}
	for D, f := range results {
		if err := sklearnLearns(&f.Peer, strconv.Itoa(f.Rows), D, "2"); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// foldsMarkdown returns the table of ridge with five folds.
func (r *run) foldsMarkdown() string {
	var b strings.Builder
	sizes := slices.SortedFunc(maps.Keys(r.Rounds[0].Folds), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	fmt.Fprintf(&b, "%s MNIST images, degree 2, five folds, λ chosen, the grid that `prepare` takes, WebAssembly SIMD in "+
		"Node; medians of %d rounds of `%s`, %s. One thread is measured by the time of its processor, two workers by the "+
		"clock. scikit-learn has one thread, no folds, and is given λ.\n\n",
		lab.Grouped(float64(r.Rounds[0].Folds[sizes[0]].Rows)), len(r.Rounds), r.Command, r.Date)
	b.WriteString("| seconds |")
	for _, D := range sizes {
		fmt.Fprintf(&b, " D %s: one thread | two workers | scikit-learn |", D)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|---|---|", len(sizes)) + "\n")
	for _, line := range []struct {
		name string
		ours func(foldFigures) float64
		peer func(sklearnFigures) float64
	}{
		{"pixels to ridge classifier", func(f foldFigures) float64 { return f.Ridge },
			func(p sklearnFigures) float64 { return p.Features + p.Ridge }},
		{"accuracy on the 10,000 test images, %", func(f foldFigures) float64 { return 100 * f.RidgeAccuracy },
			func(p sklearnFigures) float64 { return p.RidgeAccuracy }},
	} {
		b.WriteString("| " + line.name + " |")
		for _, D := range sizes {
			median := func(of func(*folds) float64) string {
				return number(r.median(func(o *round) float64 { return of(o.Folds[D]) }))
			}
			fmt.Fprintf(&b, " %s | %s | %s |", median(func(f *folds) float64 { return line.ours(f.OneThread) }),
				median(func(f *folds) float64 { return line.ours(f.Workers) }),
				median(func(f *folds) float64 { return line.peer(f.Peer) }))
		}
		b.WriteString("\n")
	}
	return b.String() + "\n"
}

// learnMarkdown returns the table of learning.
func (r *run) learnMarkdown() string {
	var b strings.Builder
	median := func(of func(*learning) float64) float64 {
		return r.median(func(o *round) float64 {
			if o.Learning == nil {
				return 0
			}
			return of(o.Learning)
		})
	}
	fmt.Fprintf(&b, "%s MNIST images, degree 2, D 1,024, WebAssembly SIMD in Node; medians of %d rounds of `%s`, %s.\n\n",
		lab.Grouped(median(func(l *learning) float64 { return float64(l.Rows) })), len(r.Rounds), r.Command, r.Date)
	b.WriteString("| seconds | one thread | all workers | scikit-learn, one thread | times faster, one thread |\n" +
		"|---|---|---|---|---|\n")
	for _, line := range []struct {
		name string
		ours func(learningFigures) float64
		peer func(sklearnFigures) float64
	}{
		{"rows to ridge classifier, λ chosen (scikit-learn: λ given)",
			func(f learningFigures) float64 { return f.Ridge }, func(p sklearnFigures) float64 { return p.Features + p.Ridge }},
		{"rows to squared-hinge SVM",
			func(f learningFigures) float64 { return f.SVM }, func(p sklearnFigures) float64 { return p.Features + p.SVM }},
	} {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", line.name,
			number(median(func(l *learning) float64 { return line.ours(l.OneThread) })),
			number(median(func(l *learning) float64 { return line.ours(l.Workers) })),
			number(median(func(l *learning) float64 { return line.peer(l.Peer) })),
			number(median(func(l *learning) float64 { return line.peer(l.Peer) / line.ours(l.OneThread) })))
	}
	fmt.Fprintf(&b, "| 2,000 × 1,000 products (`gramAsync`) | %s | %s | – | – |\n\n",
		number(median(func(l *learning) float64 { return l.Gram.OneThread })),
		number(median(func(l *learning) float64 { return l.Gram.Workers })))
	fmt.Fprintf(&b, "Accuracy on the 10,000 test images: ridge %s %% (scikit-learn %s), SVM %s %% (%s).\n\n",
		number(median(func(l *learning) float64 { return 100 * l.OneThread.RidgeAccuracy })),
		number(median(func(l *learning) float64 { return l.Peer.RidgeAccuracy })),
		number(median(func(l *learning) float64 { return 100 * l.OneThread.SVMAccuracy })),
		number(median(func(l *learning) float64 { return l.Peer.SVMAccuracy })))
	return b.String()
}
