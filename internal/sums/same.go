package sums

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
)

// CheckSame returns nil if two maps give the same features, which can then be added up. Otherwise
// it returns a *sketch.Error with code ErrParam that names the first parameter in which they
// differ.
func CheckSame(m, other *sketch.FeatureMap) error {
	a, b := described(m), described(other)
	for i, parameter := range a {
		if b[i] != parameter {
			return Differs(parameter.name, parameter.value, b[i].value)
		}
	}
	p, q := m.Params(), other.Params()
	if p.Seed != q.Seed && p.Keyed {
		return Differs("key", "", "")
	}
	if p.Seed != q.Seed {
		return Differs("seed", p.Seed.String(), q.Seed.String())
	}
	if !slices.EqualFunc(p.IndexHash, q.IndexHash, slices.Equal) || !slices.EqualFunc(p.BitHash, q.BitHash, slices.Equal) {
		return Differs("indexHash, bitHash", "", "")
	}
	if !slices.Equal(m.Landmarks(), other.Landmarks()) {
		return Differs("landmarks", "", "")
	}
	if !slices.Equal(m.Projection(), other.Projection()) {
		return Differs("projection", "", "")
	}
	return nil
}

// Differs returns the error of a parameter that differs from the one of the sums to merge into.
func Differs(name, value, other string) error {
	want := "be the same as in the sums to merge into"
	if value != "" {
		want += ", " + value
	}
	return sketch.ErrParam.New(name, other, want)
}

type parameter struct{ name, value string }

// described lists the parameters of a map with their values as text. Two texts are equal exactly if
// the values are. Tables and landmarks are not included.
func described(m *sketch.FeatureMap) []parameter {
	p := m.Params()
	features := []string{strconv.Itoa(p.NFeatures)}
	for _, d := range p.NFeaturesEach {
		features = append(features, strconv.Itoa(d))
	}
	state := "none"
	if p.RandomState != nil {
		state = strconv.FormatUint(uint64(*p.RandomState), 10)
	}
	return []parameter{
		{"method", p.Method},
		{"nFeatures", strings.Join(features, " ")},
		{"nComponents", strconv.Itoa(p.NComponents)},
		{"degree", strconv.Itoa(p.Degree)},
		{"gamma", number(p.Gamma)},
		{"coef0", number(p.Coef0)},
		{"normalize", p.Normalize},
		{"output", p.Output},
		{"repeats", strconv.Itoa(p.Repeats)},
		{"methodParams", describedParams(&p.MethodParams)},
		{"hash", p.Hash()},
		{"keyed", strconv.FormatBool(p.Keyed)},
		{"randomState", state},
	}
}

func describedParams(p *sketch.MethodParams) string {
	var text []string
	for name, param := range p.All {
		value := ""
		switch v := param.(type) {
		case bool:
			value = strconv.FormatBool(v)
		case float64:
			value = number(v)
		case string:
			value = v
		case []float64:
			for _, x := range v {
				value += " " + number(x)
			}
		}
		text = append(text, name+": "+value)
	}
	return "{" + strings.Join(text, ", ") + "}"
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
