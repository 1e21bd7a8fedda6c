package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"unicode/utf8"

	"tensorsketch.example/internal/exact"
	"tensorsketch.example/internal/exact/integer"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/linear"
)

// SumsVersion is the version of the files of sums that this package writes, and the
// only one it reads.
const SumsVersion = 1

const sumsFormat = "tensorsketch-sums"

// sumsFile is the JSON object, in the order of its keys.
type sumsFile struct {
	Format        string          `json:"format"`
	Version       int             `json:"version"`
	Model         json.RawMessage `json:"model"`
	Preprocessing string          `json:"preprocessing"`
	Count         int64           `json:"count"`
	Rows          int64           `json:"rows"`
	Weight        string          `json:"weight"`
	Sums          []string        `json:"sums"`
}

// MarshalSums returns the file of an accumulator: the model of its map without a key, its
// preprocessing text, and every bit of the exact sums.
func MarshalSums(a *linear.Accumulator) ([]byte, error) {
	if !utf8.ValidString(a.Preprocessing()) {
		return nil, errors.New("model: the preprocessing text must be UTF-8 to be written")
	}
	m, err := Marshal(a.Map())
	if err != nil {
		return nil, err
	}
	state := a.Sums().State()
	f := sumsFile{Format: sumsFormat, Version: SumsVersion, Model: m, Preprocessing: a.Preprocessing(),
		Count: state.Count(), Rows: state.Rows(), Weight: writeSum(state.Weight())}
	for j := range a.Sums().NComponents() {
		f.Sums = append(f.Sums, writeSum(state.Sum(j)))
	}
	return encode(&f)
}

// writeSum writes a sum as odd hexadecimal digits, "p", and the exponent of the power of 2, or as
// "0".
func writeSum(sum []uint64) string {
	n := integer.Of(sum)
	if n.Sign() == 0 {
		return "0"
	}
	zeros := n.TrailingZeroBits()
	return n.Rsh(n, zeros).Text(16) + "p" + strconv.Itoa(int(zeros)+exact.Unit)
}

// UnmarshalSums returns the accumulator of a file. m must be the map of the file; for another map
// the error is a *sketch.Error that names what differs. Errors about content that docs/SPEC.md does
// not describe name the key.
func UnmarshalSums(data []byte, m *sketch.FeatureMap) (*linear.Accumulator, error) {
	r, err := newReader(data, sumsFormat, SumsVersion)
	if err != nil {
		return nil, err
	}
	form := regexp.MustCompile(sumText) // here, for programs that read no sums
	own, preprocessing := r.take("model"), r.text("preprocessing")
	state := sums.NewState(m.NComponents())
	state.SetRows(r.long("count"), r.long("rows"))
	r.readSum(form, "weight", r.text("weight"), state.Weight())
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
	for j, text := range texts {
		r.readSum(form, fmt.Sprintf("sums[%d]", j), text, state.Sum(j))
	}
	if r.err != nil {
		return nil, r.err
	}
	a := linear.NewAccumulator(m, preprocessing)
	return a, a.Sums().MergeState(state, false)
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

const sumText = `^(-?[1-9a-f][0-9a-f]{0,255})p(0|-?[1-9][0-9]{0,2})$`

// readSum is the inverse of writeSum, for texts of the form sumText.
func (r *reader) readSum(form *regexp.Regexp, key, text string, sum []uint64) {
	if text == "0" || r.err != nil {
		return
	}
	n, shift := new(big.Int), -1
	if parts := form.FindStringSubmatch(text); parts != nil {
		n.SetString(parts[1], 16)
		exponent, _ := strconv.Atoi(parts[2])
		shift = exponent - exact.Unit
	}
	if shift < 0 || n.BitLen()+shift >= 64*exact.Words {
		r.fail(`%s must be a sum such as "-1fp-3" for −31/8, got %q`, key, text)
		return
	}
	integer.Put(sum, n.Lsh(n, uint(shift)))
}
