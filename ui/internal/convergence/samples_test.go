package convergence

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// TestLaws holds σ, Theorem 9 and Lemma 6 against their formulas, written out with
// plain sums.
func TestLaws(t *testing.T) {
	for _, p := range []Params{
		opening(),
		with(func(p *Params) { p.Degree, p.Angle, p.Vector = 5, 120, vector.Sparse }),
		with(func(p *Params) { p.Pairs, p.Degree, p.NFeatures = ManyPairs, 3, 7 }),
		with(func(p *Params) { p.Degree = 1 }),
	} {
		s := begun(t, p)
		rows, d, degree := p.Rows(), p.NFeatures, float64(p.Degree)
		for c := range Columns {
			D := float64(Components(c))
			var sigma2, theorem9, lemma6 float64
			for k := range p.Pairs {
				x, y := rows[2*k*d:][:d], rows[(2*k+1)*d:][:d]
				var dot, xx, yy, s float64
				for i := range x {
					a, b := float64(x[i]), float64(y[i])
					dot, xx, yy, s = dot+a*b, xx+a*a, yy+b*b, s+a*a*b*b
				}
				T, N, pow := dot*dot, xx*yy, func(a float64) float64 { return math.Pow(a, degree) }
				sigma2 += ((pow(T+N-s)+pow(2*T-s)-2*pow(T))/D +
					2*(pow(2*T+N-2*s)-pow(T+N-s)-pow(2*T-s)+pow(T))/(D*D)) / float64(p.Pairs)
				theorem9 += (math.Pow(3, degree) - 1) / D * pow(N) / float64(p.Pairs)
				lemma6 += (pow(T) + pow(N)) / D / float64(p.Pairs)
			}
			got, want := s.laws[c], law{math.Sqrt(sigma2), math.Sqrt(theorem9), math.Sqrt(lemma6)}
			if !near(got.sigma, want.sigma) || !near(got.theorem9, want.theorem9) || !near(got.lemma6, want.lemma6) {
				t.Errorf("%+v, D = %v: got %v, want %v", p, D, got, want)
			}
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// synthetic returns estimates without the cost of sketches: any numbers do where
// only the book-keeping is tested.
func synthetic(pairs, seeds int, random *rand.Rand) [Columns][]float64 {
	var all [Columns][]float64
	for c := range all {
		for range seeds * pairs {
			all[c] = append(all[c], .58+random.NormFloat64()/math.Sqrt(float64(Components(c))))
		}
	}
	return all
}

// TestFigures holds the figures against plain sums over all estimates.
func TestFigures(t *testing.T) {
	for _, pairs := range []int{1, ManyPairs} {
		p := with(func(p *Params) { p.Pairs, p.Seeds = pairs, 61 })
		s := begun(t, p)
		all := synthetic(pairs, p.Seeds, rand.New(rand.NewPCG(1, 2)))
		for c := range all {
			s.Add(c, 0, all[c])
		}
		picture := newPicture(t, p, s)
		n := float64(p.Seeds)
		var logD, logError []float64
		for c, estimates := range all {
			got := picture.columns[c].figures
			mean := 0.0
			var ofSeed, square []float64
			for seed := range p.Seeds {
				shift, u := 0.0, 0.0
				for k := range pairs {
					e := estimates[seed*pairs+k]
					mean += e / n / float64(pairs)
					shift += (e - s.pairs[k].kernel) / float64(pairs)
					u += math.Pow(e-s.pairs[k].kernel, 2) / float64(pairs)
				}
				ofSeed, square = append(ofSeed, shift), append(square, u)
			}
			average := func(x []float64) (m, v float64) {
				for _, value := range x {
					m += value / n
				}
				for _, value := range x {
					v += (value - m) * (value - m)
				}
				return m, v
			}
			_, v := average(ofSeed)
			m2, v2 := average(square)
			half := 1.96 * math.Sqrt(v2/n/(m2*m2)/n)
			sorted := slices.Sorted(slices.Values(estimates))
			want := figures{
				Seeds: p.Seeds, Mean: mean, MeanError: math.Sqrt(v / (n - 1) / n),
				Spread: math.Sqrt(m2), Low: math.Sqrt(m2 * max(0, 1-half)), High: math.Sqrt(m2 * (1 + half)),
			}
			for k, q := range quantiles {
				at := q * float64(len(sorted)-1)
				below := math.Floor(at)
				want.Quantiles[k] = sorted[int(below)] + (at-below)*(sorted[int(below)+1]-sorted[int(below)])
			}
			all := func(f figures) []float64 {
				return append(f.Quantiles[:], f.Mean, f.MeanError, f.Spread, f.Low, f.High)
			}
			if got.Seeds != want.Seeds || !slices.EqualFunc(all(got), all(want), near) {
				t.Errorf("%d pairs, column %d: got %+v, want %+v", pairs, c, got, want)
			}
			logD, logError = append(logD, math.Log(float64(Components(c)))), append(logError, math.Log(want.Spread))
		}
		// The slope of least squares is the one that leaves no slope behind.
		rest, meanD := 0.0, 0.0
		for c := range logD {
			meanD += logD[c] / Columns
		}
		for c := range logD {
			rest += (logD[c] - meanD) * (logError[c] - picture.slope*logD[c])
		}
		if math.Abs(rest) > 1e-9 {
			t.Errorf("%d pairs: beside the slope %v there remains %v", pairs, picture.slope, rest)
		}
	}
}

// TestHistogram counts every estimate once.
func TestHistogram(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var sorted []estimate
	for range 5000 {
		sorted = append(sorted, estimate{value: .5 + 2*random.NormFloat64()})
	}
	slices.SortFunc(sorted, func(a, b estimate) int { return int(math.Copysign(1, a.value-b.value)) })
	got := histogramOf(sorted, .5, 1, -1, 3)
	var want histogram
	for _, e := range sorted {
		if bin := int(math.Floor((e.value-.5)*binsPerSigma)) + reach; bin >= 0 && bin < 2*reach {
			want.counts[bin]++
		}
		if e.value < -1 {
			want.below++
		}
		if e.value >= 3 {
			want.above++
		}
	}
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestOrder: chunks may come in any order, twice, and for columns apart: the
// picture is the same. So is one of fewer seeds than have come.
func TestOrder(t *testing.T) {
	for _, pairs := range []int{1, ManyPairs} {
		p := with(func(p *Params) { p.Pairs, p.Seeds = pairs, 203 })
		random := rand.New(rand.NewPCG(5, 6))
		all := synthetic(pairs, p.Seeds, random)
		all[3][7*pairs] = all[3][9*pairs] // equal estimates too
		svg := func(p Params, s *Samples) string {
			picture := newPicture(t, p, s)
			size := picture.Fit(1100, 900, 13)
			return picture.SVG(size, lesson.Item{}, false) + picture.Describe(lesson.Item{Kind: lesson.Column, I: 3}) +
				cellsOf(picture.Table())
		}
		made := func(seeds int) *Samples {
			s := begun(t, p)
			for c := range all {
				s.Add(c, 0, all[c][:seeds*pairs])
			}
			return s
		}
		want, wantFewer := svg(p, made(p.Seeds)), svg(with(func(q *Params) { *q = p; q.Seeds = 60 }), made(60))
		for range 3 {
			s := made(0)
			type chunk struct{ column, first, end int }
			var chunks []chunk
			for c := range Columns {
				for first := 0; first < p.Seeds; first += 16 {
					chunks = append(chunks, chunk{c, first, min(first+16, p.Seeds)})
				}
			}
			random.Shuffle(len(chunks), func(i, j int) { chunks[i], chunks[j] = chunks[j], chunks[i] })
			for i, chunk := range append(chunks, chunks[:20]...) {
				s.Add(chunk.column, chunk.first, all[chunk.column][chunk.first*pairs:chunk.end*pairs])
				if i%40 == 0 { // pictures in between change nothing
					svg(p, s)
				}
			}
			if svg(p, s) != want {
				t.Errorf("%d pairs: the picture depends on the order", pairs)
			}
			fewer := p
			fewer.Seeds = 60
			if svg(fewer, s) != wantFewer {
				t.Errorf("%d pairs: the first 60 seeds of %d are not the 60", pairs, p.Seeds)
			}
		}
	}
}

func cellsOf(table lesson.Table) string {
	text := ""
	for _, row := range table.Rows {
		for _, cell := range row {
			text += cell + ","
		}
	}
	return text
}

// TestDeal: what is missing is dealt out once, short spans first, and nothing else.
func TestDeal(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, workers := range []int{1, 2, 4} {
		p := with(func(p *Params) { p.Seeds = 300 })
		s := begun(t, p)
		missing := map[int]bool{}
		for seed := range p.Seeds {
			in := random.IntN(3) > 0
			missing[seed] = !in
			for c := range Columns {
				if in || c == seed%Columns { // one column is not enough
					s.Add(c, seed, []float64{.5})
				}
			}
		}
		if got := s.Count(p.Seeds) + len(seedsOf(t, s.Deal(p.Seeds, workers))); got != p.Seeds {
			t.Errorf("%d seeds are complete or dealt", got)
		}
		for seed := range seedsOf(t, s.Deal(p.Seeds, workers)) {
			if !missing[seed] {
				t.Errorf("%d workers: seed %d is there, but dealt out", workers, seed)
			}
		}
		fresh := begun(t, p)
		dealt := fresh.Deal(p.Seeds, workers)
		if got := seedsOf(t, dealt); len(got) != p.Seeds {
			t.Errorf("%d workers: %d seeds are dealt out of %d", workers, len(got), p.Seeds)
		}
		for w, spans := range dealt {
			if spans[0].Count != 2 || spans[1].Count != 6 || spans[2].Count != 16 {
				t.Errorf("worker %d of %d begins with %v", w, workers, spans[:3])
			}
		}
		if got := fresh.Deal(0, workers); len(seedsOf(t, got)) != 0 || len(got) != workers {
			t.Errorf("no seeds: got %v", got)
		}
	}
}

func seedsOf(t *testing.T, dealt [][]Span) map[int]bool {
	seeds := map[int]bool{}
	for _, spans := range dealt {
		for _, span := range spans {
			for seed := span.First; seed < span.First+span.Count; seed++ {
				if seeds[seed] {
					t.Errorf("seed %d is dealt out twice", seed)
				}
				seeds[seed] = true
			}
		}
	}
	return seeds
}

// TestBegin: samples go on while only the marker, the number of seeds, the planner
// and the question change; otherwise a new run begins, without estimates.
func TestBegin(t *testing.T) {
	var s Samples
	if s.Run() != 0 || s.Holds(Params{}) {
		t.Error("there are samples before any have begun")
	}
	if err := s.Begin(with(func(p *Params) { p.Degree = 65 })); err == nil || s.Run() != 0 {
		t.Errorf("degree 65: got %v, run %d", err, s.Run())
	}
	begin := func(p Params, run, count int) {
		t.Helper()
		if newPicture(t, p, &s); s.Run() != run || s.Count(p.Seeds) != count || !s.Holds(p) {
			t.Errorf("%+v: run %d with %d seeds, want run %d with %d", p, s.Run(), s.Count(p.Seeds), run, count)
		}
	}
	begin(opening(), 1, 0)
	for c := range Columns {
		s.Add(c, 0, []float64{.5, .6, .7})
	}
	begin(with(func(p *Params) { p.NComponents, p.Seeds, p.Epsilon, p.Delta, p.Question = 512, 2000, .1, .1, 2 }), 1, 3)
	for k, p := range []Params{
		with(func(p *Params) { p.Vector = vector.Zipf }), with(func(p *Params) { p.NFeatures = 32 }), with(func(p *Params) {
			p.NonZero = 50
		}),
		with(func(p *Params) { p.Angle = 41 }), with(func(p *Params) { p.Pairs = ManyPairs }), with(func(p *Params) {
			p.Degree = 3
		}), with(func(p *Params) { p.Seed = 1 }),
	} {
		begin(p, k+2, 0)
	}
}
