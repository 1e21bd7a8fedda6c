// Package model writes feature maps as JSON and reads them back: the model files
// that the browser saves, a server loads, and the reverse. docs/SPEC.md specifies
// the format.
package model

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/tensorsketch/tensorsketch/sketch"
)

// Version is the version of the format this package writes, and the only one it reads.
const Version = 1

const format = "tensorsketch-model"

// file is the JSON object, in the order of its keys. Pointers are for keys that
// must be there or must not.
type file struct {
	Format       *string         `json:"format"`
	Version      *int            `json:"version"`
	Method       *string         `json:"method"`
	NFeatures    features        `json:"nFeatures"`
	NComponents  *int            `json:"nComponents"`
	Degree       *int            `json:"degree"`
	Gamma        *float64        `json:"gamma"`
	Coef0        *float64        `json:"coef0"`
	Normalize    *string         `json:"normalize"`
	Output       *string         `json:"output"`
	Repeats      *int            `json:"repeats"`
	MethodParams *map[string]any `json:"methodParams"`
	Hash         *string         `json:"hash"`
	Seed         *seed           `json:"seed,omitempty"`
	RandomState  *uint32         `json:"randomState,omitempty"`
	IndexHash    [][]int32       `json:"indexHash,omitempty"`
	BitHash      [][]int8        `json:"bitHash,omitempty"`
}

// Marshal returns the model of a feature map: its parameters, seed included.
// The one error is a string seed that is not UTF-8, which JSON cannot hold.
func Marshal(m *sketch.TensorSketch) ([]byte, error) {
	p := m.Params()
	if p.Seed.Kind() == sketch.SeedString && !utf8.ValidString(p.Seed.Text()) {
		return nil, errors.New("model: the seed must be UTF-8 to be written; use BytesSeed for other bytes")
	}
	name, version, repeats, hash := format, Version, 1, string(p.Hash())
	f := file{
		Format: &name, Version: &version, Method: &p.Method, NFeatures: features{p.NFeatures, p.NFeaturesEach},
		NComponents: &p.NComponents, Degree: &p.Degree, Gamma: &p.Gamma, Coef0: &p.Coef0, Normalize: &p.Normalize,
		Output: &p.Output, Repeats: &repeats, MethodParams: &map[string]any{}, Hash: &hash,
		RandomState: p.RandomState, IndexHash: p.IndexHash, BitHash: p.BitHash,
	}
	if p.Hash() == sketch.HashSeed {
		f.Seed = &seed{p.Seed}
	}
	return json.Marshal(&f)
}

// Unmarshal returns the feature map of a model. It takes what docs/SPEC.md
// describes and nothing else: a missing, unknown or mistyped key is an error
// that names it, and a value out of range is the *sketch.Error of sketch.New.
func Unmarshal(data []byte) (*sketch.TensorSketch, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var f file
	if err := decoder.Decode(&f); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("model: text after the JSON object")
	}
	if err := f.complete(); err != nil {
		return nil, err
	}
	p := sketch.Params{
		Method: *f.Method, NFeatures: f.NFeatures.one, NFeaturesEach: f.NFeatures.each, NComponents: *f.NComponents,
		Degree: *f.Degree, Gamma: *f.Gamma, Coef0: *f.Coef0, Normalize: *f.Normalize, Output: *f.Output,
		RandomState: f.RandomState, IndexHash: f.IndexHash, BitHash: f.BitHash,
	}
	if f.Seed != nil {
		p.Seed = f.Seed.Seed
	}
	if err := p.Validate(); err != nil { // before New would take a zero for a default
		return nil, err
	}
	return sketch.New(p)
}

// complete checks the keys that parameters alone do not: which are there, what
// the file is, and that the tables' source is the one named.
func (f *file) complete() error {
	for _, key := range []struct {
		name  string
		given bool
	}{
		{"format", f.Format != nil}, {"version", f.Version != nil}, {"method", f.Method != nil},
		{"nFeatures", f.NFeatures.one != 0 || f.NFeatures.each != nil}, {"nComponents", f.NComponents != nil},
		{"degree", f.Degree != nil}, {"gamma", f.Gamma != nil}, {"coef0", f.Coef0 != nil}, {"normalize", f.Normalize != nil},
		{"output", f.Output != nil}, {"repeats", f.Repeats != nil}, {"methodParams", f.MethodParams != nil}, {"hash", f.Hash != nil},
	} {
		if !key.given {
			return fmt.Errorf("model: %s is missing", key.name)
		}
	}
	switch {
	case *f.Format != format:
		return fmt.Errorf("model: format must be %q, got %q", format, *f.Format)
	case *f.Version != Version:
		return fmt.Errorf("model: version must be %d, got %d; a newer release may read it", Version, *f.Version)
	case *f.Repeats != 1:
		return fmt.Errorf("model: repeats must be 1, got %d", *f.Repeats)
	case len(*f.MethodParams) != 0:
		return fmt.Errorf("model: methodParams must be empty for method %q", *f.Method)
	}
	return f.completeHash()
}

func (f *file) completeHash() error {
	given := []bool{f.Seed != nil, f.RandomState != nil, f.IndexHash != nil && f.BitHash != nil}
	sources := []sketch.HashSource{sketch.HashSeed, sketch.HashRandomState, sketch.HashTables}
	named := slices.Index(sources, sketch.HashSource(*f.Hash))
	if named < 0 {
		return fmt.Errorf("model: hash must be one of %q, got %q", sources, *f.Hash)
	}
	keys := []string{"seed", "randomState", "indexHash and bitHash"}
	for i, has := range given {
		if has != (i == named) {
			return fmt.Errorf("model: with hash %q, %s must be given and nothing else of seed, randomState, indexHash, bitHash", *f.Hash, keys[named])
		}
	}
	if (f.IndexHash != nil) != (f.BitHash != nil) {
		return errors.New("model: indexHash and bitHash must be given together")
	}
	return nil
}

// features is the number of features: one number, or one per degree.
type features struct {
	one  int
	each []int
}

func (n features) MarshalJSON() ([]byte, error) {
	if n.each != nil {
		return json.Marshal(n.each)
	}
	return json.Marshal(n.one)
}

func (n *features) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		return json.Unmarshal(data, &n.each)
	}
	return json.Unmarshal(data, &n.one)
}

// seed is an integer as a decimal string, {"string": text}, or {"bytes": 64 hexadecimal digits}.
type seed struct{ sketch.Seed }

type taggedSeed struct {
	String *string `json:"string,omitempty"`
	Bytes  *string `json:"bytes,omitempty"`
}

func (s seed) MarshalJSON() ([]byte, error) {
	text := s.Text()
	switch s.Kind() {
	case sketch.SeedString:
		return json.Marshal(taggedSeed{String: &text})
	case sketch.SeedBytes:
		digits := hex.EncodeToString([]byte(text))
		return json.Marshal(taggedSeed{Bytes: &digits})
	}
	return json.Marshal(strconv.FormatUint(s.Int(), 10))
}

func (s *seed) UnmarshalJSON(data []byte) error {
	bad := errors.New(`seed must be a decimal string from "0" to "18446744073709551615", {"string": text}, or {"bytes": 64 lower-case hexadecimal digits}`)
	var decimal string
	if json.Unmarshal(data, &decimal) == nil {
		n, err := strconv.ParseUint(decimal, 10, 64)
		if err != nil || strconv.FormatUint(n, 10) != decimal {
			return bad
		}
		s.Seed = sketch.IntSeed(n)
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var tagged taggedSeed
	if err := decoder.Decode(&tagged); err != nil || (tagged.String == nil) == (tagged.Bytes == nil) {
		return bad
	}
	if tagged.String != nil {
		s.Seed = sketch.StringSeed(*tagged.String)
		return nil
	}
	key, err := hex.DecodeString(*tagged.Bytes)
	if err != nil || len(key) != 32 || hex.EncodeToString(key) != *tagged.Bytes {
		return bad
	}
	s.Seed = sketch.BytesSeed([32]byte(key))
	return nil
}
