package sketch

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/portable"
)

// A PlanQuestion asks Plan which map best estimates the kernel (γ⟨x,y⟩ + c)^p of rows of NFeatures
// numbers, and with which D. The zero value of a field stands for its default.
//
// With Epsilon it compares methods at equal error, otherwise at equal cost.
type PlanQuestion struct {
	NFeatures   int      // d, 1 … MaxFeatures
	NNZPerRow   int      // nonzeros of a CSR row, 1 … d; default the mean of a CSR sample, else d, meaning dense rows
	Degree      int      // p, 1 … MaxDegree; default 2
	Gamma       float64  // γ > 0; default 1
	Coef0       float64  // c ≥ 0; default 0
	Sample      Rows     // at least 2 rows like those to come; nil for two unit rows with inner product Cosine
	Cosine      float64  // −1 … 1, without a sample; default 0
	Epsilon     float64  // the error wanted, > 0
	Delta       float64  // the probability, between 0 and 1, of an error beyond Epsilon; default 0.05
	NComponents int      // D of the first method, whose time per row every method gets, 1 … MaxComponents; default 1024
	Methods     []string // default every one of Methods that has this kernel for any rows
}

// A PlanAnswer is a candidate map with its predicted error and cost.
type PlanAnswer struct {
	Method             string
	NComponents        int
	PredictedSigma     float64 // root mean square error over pairs of rows and over seeds; NaN if Kind is Unknown
	Kind               Kind
	MicrosecondsPerRow float64 // as estimated by Cost
	Reached            bool    // with Epsilon: whether the answer meets it
}

const (
	planRows       = 1024    // maximum number of sample rows used
	planPairs      = 512     // maximum number of pairs of them
	planWidth      = 4096    // maximum width of the pair of rows that stands for a missing sample
	planLandmarks  = 256     // maximum number of landmarks tried
	planMeasured   = 128     // maximum number of rows on whose pairs Nyström's error is measured
	planSeeds      = 64      // landmarks over all seeds together, if each seed has few
	planMatrix     = 1 << 19 // maximum count of numbers in the landmarks
	planNumbers    = 1 << 21 // maximum count of numbers in all pairs together if rows are wide,
	planLeast      = 64      // but at least this many pairs
	planComponents = 1024    // the default of NComponents, and the start of searches
	planDelta      = 0.05
)

// Plan returns the maps that estimate the kernel at the least cost, best first, each with its D.
//
// At equal error, each answer has the least D with z·σ ≤ Epsilon. Here z is the normal quantile of
// 1 − Delta/2, and σ is PredictedSigma. These answers are sorted by time. Methods that cannot reach
// Epsilon follow, sorted by σ, with their largest possible D.
//
// At equal cost, each answer has the largest D whose row takes no longer than a row of the first
// method with NComponents, or the method's smallest D. Answers are sorted by σ. D is rounded to a
// number that is quick to compute with.
//
// σ² averages variance plus squared bias over at most 512 pairs of 1024 sample rows (a fixed
// pseudo-random choice). Kind is the kind of those variances. Without a sample there is one pair:
// unit rows at Cosine with NNZPerRow coordinates in common and Σ x_i²·y_i² = 1/NNZPerRow. For
// nystroem, σ is Measured on pairs from one half of the rows, with landmarks from the other half.
// Its D is therefore at most half the rows, and at most 256.
//
// Maps of another kernel are left out. So is spherical, unless it is named, γ ≤ ½, c = 1 − γ and
// rows have norm 1: then it has this kernel with a = √(2/γ).
//
// The error is an *Error with code ErrParam, or an error about the sample as from TransformRows.
func Plan(question PlanQuestion) ([]PlanAnswer, error) {
	pl := planner{PlanQuestion: question}
	if err := pl.validate(); err != nil {
		return nil, err
	}
	if err := pl.load(); err != nil {
		return nil, err
	}
	methods, err := pl.methods()
	if err != nil {
		return nil, err
	}
	wanted, budget := pl.Epsilon/-portable.NormalQuantile(pl.Delta/2), 0.0
	if pl.Epsilon == 0 {
		budget = pl.params(methods[0], pl.NComponents).cost(pl.NNZPerRow)
	}
	var answers []PlanAnswer
	for i, method := range methods {
		c := pl.candidate(method)
		var D int
		switch {
		case pl.Epsilon > 0:
			D = c.leastFor(wanted)
		case i > 0:
			D = c.mostFor(budget)
		case pl.NComponents > c.most:
			return nil, paramError("nComponents", strconv.Itoa(pl.NComponents),
				"be at most "+strconv.Itoa(c.most)+" for method "+quote(method)+" with this sample")
		default:
			D = pl.NComponents
		}
		sigma, kind := c.sigma(D)
		a := PlanAnswer{method, D, sigma, kind, c.cost(D), pl.Epsilon > 0 && sigma <= wanted}
		answers = append(answers, a)
		for k := len(answers) - 1; k > 0 && a.isBefore(&answers[k-1]); k-- {
			answers[k-1], answers[k] = a, answers[k-1]
		}
	}
	return answers, nil
}

// MemoryBytes estimates the maximum number of bytes that Plan allocates for a sample of this many
// rows, each with up to width nonzeros. 0 rows mean no sample.
func (q *PlanQuestion) MemoryBytes(rows, width int) int64 {
	if rows == 0 {
		return 1 << 20
	}
	kept := min(int64(rows), planRows)
	pairs := min(kept*(kept-1)/2, planPairs, max(planLeast, planNumbers/int64(max(1, width))))
	total := 8*int64(rows) + int64(width)*(16*kept+64*pairs) // twice the rows while they grow, and unions of pairs
	if kept >= 4 {
		total += 24*min(planMatrix, kept*int64(q.NFeatures)) + 16*planLandmarks*(planLandmarks+planMeasured) // Nyström
	}
	return total + 1<<20
}

// isBefore reports whether answer a is better than b. An answer that reaches the wanted error comes
// first, and such answers compare by time; the others compare by error.
func (a *PlanAnswer) isBefore(b *PlanAnswer) bool {
	switch {
	case a.Reached != b.Reached:
		return a.Reached
	case a.Reached:
		return a.MicrosecondsPerRow < b.MicrosecondsPerRow
	}
	return a.PredictedSigma < b.PredictedSigma || b.Kind == Unknown && a.Kind != Unknown
}

// planner is a question with its defaults filled in, and the rows and pairs of its sample.
type planner struct {
	PlanQuestion
	rows  []sparseRow    // of the sample
	pairs [][2][]float64 // without columns in which both are 0
}

// validate fills in defaults, and checks everything except the sample and the methods.
func (pl *planner) validate() error {
	atCost := pl.NComponents != 0
	if !atCost {
		pl.NComponents = planComponents
	}
	p := pl.params(MethodTensorSketch, pl.NComponents)
	if err := p.Validate(); err != nil {
		return err
	}
	pl.Degree, pl.Gamma = p.Degree, p.Gamma
	switch {
	case pl.NNZPerRow < 0 || pl.NNZPerRow > pl.NFeatures:
		return paramError("nnzPerRow", strconv.Itoa(pl.NNZPerRow),
			"be an integer from 1 to nFeatures = "+strconv.Itoa(pl.NFeatures))
	case !(pl.Cosine >= -1 && pl.Cosine <= 1):
		return paramError("cosine", portable.FormatNumber(pl.Cosine), "be a number from -1 to 1")
	case pl.Cosine != 0 && pl.Sample != nil:
		return paramError("cosine", portable.FormatNumber(pl.Cosine),
			"be left out with a sample, whose rows have angles of their own")
	case pl.Epsilon != 0 && atCost:
		return paramError("epsilon", portable.FormatNumber(pl.Epsilon),
			"be left out with nComponents: ask for an error, or for what one costs")
	case pl.Epsilon == 0 && pl.Delta != 0:
		return paramError("delta", portable.FormatNumber(pl.Delta),
			"be left out without epsilon, the error whose probability it is")
	}
	pl.Delta = cmp.Or(pl.Delta, planDelta)
	if pl.Epsilon != 0 {
		return checkQuestion(pl.Epsilon, pl.Delta)
	}
	return nil
}

// params returns the parameters of a method with D components.
func (pl *planner) params(method string, D int) *Params {
	p := &Params{Method: method, NFeatures: pl.NFeatures, NComponents: D, Degree: pl.Degree, Gamma: pl.Gamma,
		Coef0: pl.Coef0}
	if method == MethodSpherical {
		p.Gamma, p.Coef0, p.MethodParams.A = 1, 0, math.Sqrt(2/pl.Gamma)
	}
	p.setDefaults(allMethods)
	return p
}

// methods returns the methods to answer with.
func (pl *planner) methods() ([]string, error) {
	if pl.Methods == nil {
		var names []string
		for i := range methods {
			m := &methods[i]
			if m.answers != byName && m.answers != ofSphere && pl.refuse(m.Name) == "" {
				names = append(names, m.Name)
			}
		}
		return names, nil
	}
	if len(pl.Methods) == 0 {
		return nil, paramError("methods", "none", "name a method, or be left out")
	}
	for i, name := range pl.Methods {
		if slices.Contains(pl.Methods[:i], name) {
			return nil, paramError("methods["+strconv.Itoa(i)+"]", quote(name), "be named once")
		}
		if want := pl.refuse(name); want != "" {
			return nil, paramError("methods["+strconv.Itoa(i)+"]", quote(name), want)
		}
		D := pl.NComponents
		if i > 0 || pl.Epsilon != 0 {
			D = 2 // valid for every method
		}
		p := pl.params(name, D)
		if err := p.Validate(); err != nil {
			return nil, err
		}
	}
	return pl.Methods, nil
}

// refuse returns "", or what the method must be instead, as the end of an error message.
func (pl *planner) refuse(name string) (want string) {
	m := methodOf(name)
	if m == nil {
		return "be one of " + quoted(lookup(allMethods).names())
	}
	switch m.answers {
	case noQuestions:
		if m.Basis {
			return "be a map whose inner products estimate the kernel, which that is not"
		}
		return "be a map of the polynomial kernel, which that is not"
	case withSample:
		if len(pl.rows) < 4 || pl.NFeatures > planMatrix {
			return "be another method without a sample to fit and measure that one: at least 4 rows of up to " +
				strconv.Itoa(planMatrix) + " numbers"
		}
	case ofSphere:
		if !(pl.Gamma <= 0.5) || math.Abs(pl.Gamma+pl.Coef0-1) > 1e-12 {
			return "be another method unless gamma is at most 0.5 and coef0 is 1 - gamma, which is the kernel of that one"
		}
		for _, row := range pl.rows {
			if !isUnit(Dot(row.data, row.data)) {
				return "be another method for this sample, whose rows must " + wantUnit
			}
		}
	}
	return ""
}
