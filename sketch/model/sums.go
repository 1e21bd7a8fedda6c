package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"

	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

// SumsVersion is the only version of the files of sums.
const SumsVersion = 1

const (
	sumsFormat = "tensorsketch-sums"
	sumUnit    = -298    // an exact sum is an integer times 2^sumUnit
	sumBits    = 256     // no row adds 2^sumBits or more
	sumRows    = 1 << 52 // no file has more rows
	sumText    = `^(-?[1-9a-f][0-9a-f]{0,255})p(0|-?[1-9][0-9]{0,2})$`
)

// Sums are exact sums of weight times features, as Accumulators of early builds wrote them to files. Moments of package
// learn have replaced them. The keys of a file, in the notation of docs/SPEC.md, section 6:
//
//   - format, version: "tensorsketch-sums", 1
//   - model, preprocessing: as in a learner
//   - count: rows added less rows taken away
//   - rows: rows added or taken away, 0 … 2^52; count ≡ rows mod 2 and |count| ≤ rows
//   - weight: the exact sum of the weights; a missing weight is 1
//   - sums: D texts, the exact sums of weight times feature
//
// A sum is "0", or [−] an odd integer in lower-case hexadecimal digits, the letter p and a decimal power of 2: "-1fp-3"
// is −31/8. It is a multiple of 2^−298 and at most rows·2^256. Even integers are read, too. Sums and means are these
// numbers, and their quotients by weight, rounded to the nearest float64, ties to even.
type Sums struct {
	Preprocessing string // how the rows were made, as the program that wrote the file says it
	Count, Rows   int64  // rows added less rows taken away, and both together
	Weight        float64
	Sums          []float64 // the float64 nearest to each exact sum
	Means         []float64 // and to each exact sum over the exact weight; nil if that is 0
}

// UnmarshalSums returns the sums of a file. m must be the map of the file; for another map the error is a *sketch.Error
// that names what differs. Errors about content that Sums does not describe name the key.
func UnmarshalSums(data []byte, m *sketch.FeatureMap) (*Sums, error) {
	r, err := newReader(data, sumsFormat, SumsVersion)
	if err != nil {
		return nil, err
	}
	form := regexp.MustCompile(sumText) // here, for programs that read no sums
	own := r.take("model")
	s := &Sums{Preprocessing: r.text("preprocessing"), Count: r.long("count"), Rows: r.long("rows")}
	if s.Rows < 0 || s.Rows > sumRows || max(s.Count, -s.Count) > s.Rows || (s.Rows-s.Count)%2 != 0 {
		r.fail("count must be what %d rows added and taken away can leave, got %d", s.Rows, s.Count)
	}
	weight := r.exactSum(form, "weight", r.text("weight"), s.Rows)
	var texts []string
	if r.decode("sums", r.take("sums"), &texts); r.err == nil && len(texts) != m.NComponents() {
		r.fail("sums must hold nComponents = %d texts, got %d", m.NComponents(), len(texts))
	}
	for key := range r.keys {
		r.fail("%q is not a key of sums", key)
	}
	if r.err != nil {
		return nil, r.err
	}
	if err := checkModel(own, m, "sums"); err != nil {
		return nil, err
	}
	s.Weight, _ = weight.Float64()
	for j, text := range texts {
		exact := r.exactSum(form, fmt.Sprintf("sums[%d]", j), text, s.Rows)
		sum, _ := exact.Float64()
		s.Sums = append(s.Sums, sum)
		if weight.Sign() != 0 {
			mean, _ := exact.Quo(exact, weight).Float64()
			s.Means = append(s.Means, mean)
		}
	}
	return s, r.err
}

// checkModel returns an error if m is not the map of the model of a file.
func checkModel(data []byte, m *sketch.FeatureMap, what string) error {
	var head struct {
		Hash          string          `json:"hash"`
		Preprocessing json.RawMessage `json:"preprocessing"`
	}
	var other *sketch.FeatureMap
	err := json.Unmarshal(data, &head)
	switch p := m.Params(); {
	case err != nil:
	case head.Preprocessing != nil:
		err = errors.New("model: it holds a preprocessing, which belongs beside it")
	case head.Hash != hashKey:
		other, err = Unmarshal(data)
	case p.Keyed:
		key, _ := p.Seed.Bytes()
		other, err = UnmarshalKeyed(data, key)
	default:
		err = errors.New("model: it is keyed, and the map is not")
	}
	if err != nil {
		return fmt.Errorf("the model of the %s: %w", what, err)
	}
	return sums.CheckSame(m, other)
}

// exactSum returns a sum of so many rows, whose text is "0" or of the form sumText.
func (r *reader) exactSum(form *regexp.Regexp, key, text string, rows int64) *big.Rat {
	sum := new(big.Rat)
	if text == "0" || r.err != nil {
		return sum
	}
	parts := form.FindStringSubmatch(text)
	if parts == nil {
		r.fail(`%s must be a sum such as "-1fp-3" for −31/8, got %q`, key, text)
		return sum
	}
	n, _ := new(big.Int).SetString(parts[1], 16)
	exponent, _ := strconv.Atoi(parts[2])
	most := new(big.Int).Lsh(big.NewInt(rows), uint(max(0, sumBits-exponent)))
	if exponent < sumUnit || exponent > sumBits || n.CmpAbs(most) > 0 {
		r.fail("%s must be a sum of %d rows, a multiple of 2^%d and at most %d·2^%d, got %q", key, rows, sumUnit, rows,
			sumBits, text)
		return sum
	}
	unit := new(big.Int).Lsh(big.NewInt(1), uint(max(exponent, -exponent)))
	if exponent < 0 {
		return sum.SetFrac(n, unit)
	}
	return sum.SetInt(n.Mul(n, unit))
}
