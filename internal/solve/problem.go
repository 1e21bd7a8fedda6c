package solve

import (
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// MaxWeights is the maximum number of weights of a Problem, biases included. A Solver keeps about
// ten numbers for each.
const MaxWeights = 1 << 22

// A Problem says what a Solver minimises beside the size of the weights. The scores of a row are
// s_k = ⟨w_k, z⟩ + b_k. With the loss
//
//   - LossSquaredHinge, it is the linear SVM of LIBLINEAR's -s 2 -B 1: for each class against all others
//     ½(‖w_k‖² + b_k²) + C·Σ max(0, 1 − t·s_k)², t = ±1. Two classes share one weight vector.
//   - LossLogistic, it is multinomial: ½Σ‖w_k‖² + C·Σ (ln Σ_k exp(s_k) − s_y). With two classes it is
//     ½‖w‖² + C·Σ ln(1 + exp(−t·s)), as in LIBLINEAR and scikit-learn. The bias has no penalty.
//   - LossSquared, it is ridge regression: ½α‖w_k‖² + ½Σ (t_k − s_k)². Classes have targets ±1, each
//     class against all others. The bias has no penalty.
type Problem struct {
	Loss        string  // LossSquaredHinge, LossLogistic or LossSquared
	NComponents int     // length of a row
	Classes     int     // 2 or more for classification, else 0
	Targets     int     // targets of a row, 1 or more, for regression by LossSquared, else 0
	C           float64 // C > 0 of LossSquaredHinge and LossLogistic; 0 stands for 1
	Alpha       float64 // α > 0 of LossSquared
}

// RowLabels are the classes or targets of rows: Classes holds 0 … K − 1 for classification, Targets n ×
// K numbers for regression. Weights are 0 or 1; nil weights are all 1.
type RowLabels struct {
	Classes []int32
	Targets []float64
	Weights []uint8
}

// Slice returns the labels of the rows from … to−1.
func (l RowLabels) Slice(from, to, targets int) RowLabels {
	if l.Classes != nil {
		l.Classes = l.Classes[from:to]
	}
	if l.Targets != nil {
		l.Targets = l.Targets[from*targets : to*targets]
	}
	if l.Weights != nil {
		l.Weights = l.Weights[from:to]
	}
	return l
}

// Validate returns nil, or a *sketch.Error with code ErrParam.
func (p *Problem) Validate() error {
	if p.NComponents < 1 || p.NComponents > sketch.MaxComponents {
		return sketch.ErrParam.New("nComponents", strconv.Itoa(p.NComponents),
			"be an integer from 1 to "+strconv.Itoa(sketch.MaxComponents))
	}
	switch {
	case p.Loss != LossSquared && p.Loss != LossSquaredHinge && p.Loss != LossLogistic:
		return sketch.ErrParam.New("loss", "\""+p.Loss+"\"",
			`be "`+LossSquared+`", "`+LossSquaredHinge+`" or "`+LossLogistic+`"`)
	case p.Loss == LossSquared && p.Targets >= 1 && p.Classes == 0:
	case p.Classes < 2:
		return sketch.ErrParam.New("classes", strconv.Itoa(p.Classes), "be at least 2: there is nothing to tell apart")
	case p.Targets != 0:
		return sketch.ErrParam.New("targets", strconv.Itoa(p.Targets), "be 0 where there are classes")
	}
	if outputs := p.outputs(); outputs > MaxWeights/(p.NComponents+1) {
		return sketch.ErrParam.New("classes", strconv.Itoa(outputs), "keep classes × (nComponents + 1) within "+
			strconv.Itoa(MaxWeights)+": lower nComponents, or merge rare classes")
	}
	if p.Loss == LossSquared {
		if !(p.Alpha > 0) || p.Alpha-p.Alpha != 0 {
			return sketch.ErrParam.New("alpha", portable.FormatNumber(p.Alpha), "be a finite number > 0")
		}
	} else if c := p.Cost(); !(c > 0) || c-c != 0 {
		return sketch.ErrParam.New("C", portable.FormatNumber(p.C), "be a finite number > 0")
	}
	return nil
}

// outputs returns K.
func (p *Problem) outputs() int { return p.Classes + p.Targets }

// Cost returns C with its default.
func (p *Problem) Cost() float64 {
	if p.C == 0 {
		return 1
	}
	return p.C
}

// penalty returns the factor of ½‖w‖².
func (p *Problem) penalty() float64 {
	if p.Loss == LossSquared {
		return p.Alpha
	}
	return 1
}

// binary reports whether two classes share one vector of weights, which is positive for class 1.
func (p *Problem) binary() bool { return p.Classes == 2 }

// joint reports whether all vectors belong to one problem.
func (p *Problem) joint() bool { return p.Loss == LossLogistic && !p.binary() }

// Vectors returns the number of vectors of weights: one per class or target, or 1 for two classes.
func (p *Problem) Vectors() int {
	if p.binary() {
		return 1
	}
	return p.outputs()
}

// Stride returns the length of a vector of weights: NComponents weights, the bias, and zeros up to a
// multiple of 4.
func (p *Problem) Stride() int { return (p.NComponents + 4) &^ 3 }

// Check returns nil, or the error of labels for n rows: code ErrShape for a wrong length, ErrParam
// for a class or weight out of range, for a single class, and for fewer rows than classes,
// ErrNonFinite for a target that is NaN or infinite. It names the row.
func (p *Problem) Check(n int, l RowLabels) error {
	shape := Shape{Classes: p.Classes, Targets: p.Targets}
	if err := shape.checkTargets(n, len(l.Classes), len(l.Targets), len(l.Weights), l.Weights != nil); err != nil {
		return err
	}
	rows, first, several := 0, int32(-1), false
	for row := range n {
		if l.Weights != nil {
			if l.Weights[row] > 1 {
				return RowError(sketch.ErrParam, "weights", row, -1, strconv.Itoa(int(l.Weights[row])), "be 0 or 1")
			}
			if l.Weights[row] == 0 {
				continue
			}
		}
		rows++
		if p.Classes > 0 {
			class := l.Classes[row]
			if class < 0 || int(class) >= p.Classes {
				return RowError(sketch.ErrParam, "classes", row, -1, strconv.Itoa(int(class)),
					"be from 0 to "+strconv.Itoa(p.Classes-1))
			}
			if first < 0 {
				first = class
			}
			several = several || class != first
			continue
		}
		for k, t := range l.Targets[row*p.Targets : (row+1)*p.Targets] {
			if t-t != 0 {
				return NotFinite("y", row, k, t)
			}
		}
	}
	switch {
	case rows == 0:
		return sketch.ErrParam.New("rows", "0", "be at least 1 with weight 1")
	case p.Classes > 0 && !several:
		return sketch.ErrParam.New("classes", "only class "+strconv.Itoa(int(first)), "differ between rows")
	case rows < p.Classes:
		return sketch.ErrParam.New("rows", strconv.Itoa(rows), "be at least one per class, "+strconv.Itoa(p.Classes))
	}
	return nil
}
