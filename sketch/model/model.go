// Package model writes feature maps as JSON and reads them back: the model files
// that the browser saves, a server loads, and the reverse.
//
//	file, err := model.Marshal(m)      // m: a *sketch.FeatureMap
//	again, err := model.Unmarshal(file) // gives the same bits
//
// A model holds the parameters and the seed, so anyone who has it can repeat the map. The model of
// a keyed map holds a check value instead of the key. UnmarshalSums reads the files of exact sums
// that early builds wrote.
//
// docs/SPEC.md specifies the format and its stability: a file of version 1 can always be read, and
// means the same map with the same bits. This package rejects unknown content and names the key.
package model

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// Version is the version of model files without a preparation and a calibration with a clip. Others have
// PreparedVersion.
const Version = 1

const format = "tensorsketch-model"

// hashKey is the value of "hash" in the file of a keyed map.
const hashKey = "key"

// file is the JSON object, in the order of its keys.
type file struct {
	Format       string       `json:"format"`
	Version      int          `json:"version"`
	Method       string       `json:"method"`
	NFeatures    any          `json:"nFeatures"`
	NComponents  int          `json:"nComponents"`
	Degree       int          `json:"degree"`
	Gamma        float64      `json:"gamma"`
	Coef0        float64      `json:"coef0"`
	Normalize    string       `json:"normalize"`
	Output       string       `json:"output"`
	Repeats      int          `json:"repeats"`
	MethodParams methodParams `json:"methodParams"`
	Hash         string       `json:"hash"`
	KeyCheck     string       `json:"keyCheck,omitempty"`
	KeySalt      *keySalt     `json:"keySalt,omitempty"`
	Key          string       `json:"key,omitempty"`
	Seed         any          `json:"seed,omitempty"`
	RandomState  *uint32      `json:"randomState,omitempty"`
	IndexHash    [][]int32    `json:"indexHash,omitempty"`
	BitHash      [][]int8     `json:"bitHash,omitempty"`
	Landmarks    landmarks    `json:"landmarks,omitempty"`
	Projection   projection   `json:"projection,omitempty"`

	Preprocessing json.RawMessage  `json:"preprocessing,omitempty"`
	Preparation   *preparationFile `json:"preparation,omitempty"`
	Head          *headFile        `json:"head,omitempty"`
}

// Options select what a model holds besides the parameters of its map.
type Options struct {
	// IncludeKey writes the key of a keyed map: anyone who has the file can repeat the map.
	IncludeKey bool

	// KeySalt is the KeySalt with which the key was derived from a passphrase, or nil. It is
	// public: anyone who has the model then needs only the passphrase.
	KeySalt *KeySalt

	// Preprocessing makes the rows that the map takes, or is nil: a *dataset.Preprocessing that has
	// learned its values.
	Preprocessing Preprocessing

	preparation *prepare.Preparation // between both, of a learn.Model
}

// A Preprocessing marshals to a JSON object, which models include. Its rows have NFeatures numbers,
// as many as the map takes.
type Preprocessing interface {
	json.Marshaler
	NFeatures() int
}

// Marshal returns the model of a feature map: its parameters with the seed and what it was fitted
// to. For method nystroem these are its landmarks, which are rows of the data; for method k-space
// its projection. The model of a keyed map holds a value that detects a wrong key, but not the key.
// The errors are a string seed that is not UTF-8, which JSON cannot hold, and a map that must be
// fitted first.
func Marshal(m *sketch.FeatureMap) ([]byte, error) { return MarshalWith(m, Options{}) }

// MarshalWith is Marshal with options. Further errors come from the preprocessing, or say that its
// rows have another length than the map takes.
func MarshalWith(m *sketch.FeatureMap, o Options) ([]byte, error) {
	f, err := fileOf(m, o)
	if err != nil {
		return nil, err
	}
	return encode(f)
}

// fileOf returns the model file of a map, without a head.
func fileOf(m *sketch.FeatureMap, o Options) (*file, error) {
	p := m.Params()
	if text, _ := p.Seed.Text(); !utf8.ValidString(text) {
		return nil, errors.New("model: the seed must be UTF-8 to be written; use BytesSeed for other bytes")
	}
	f := &file{
		Format: format, Version: Version, Method: p.Method, NFeatures: p.NFeatures, NComponents: p.NComponents,
		Degree: p.Degree, Gamma: p.Gamma, Coef0: p.Coef0, Normalize: p.Normalize, Output: p.Output,
		Repeats: p.Repeats, MethodParams: methodParams{&p.MethodParams}, Hash: p.Hash(),
		RandomState: p.RandomState, IndexHash: p.IndexHash, BitHash: p.BitHash,
	}
	if p.NFeaturesEach != nil {
		f.NFeatures = p.NFeaturesEach
	}
	switch {
	case p.Keyed:
		check := p.Seed.KeyCheck()
		f.Hash, f.KeyCheck = hashKey, hex.EncodeToString(check[:])
		if o.KeySalt != nil {
			if err := o.KeySalt.check(); err != nil {
				return nil, err
			}
			f.KeySalt = &keySalt{hex.EncodeToString(o.KeySalt.Salt), float64(o.KeySalt.Iterations)}
		}
		if o.IncludeKey {
			key, _ := p.Seed.Bytes()
			f.Key = hex.EncodeToString(key[:])
		}
	case o.KeySalt != nil:
		return nil, errors.New("model: KeySalt must be left out: this map has no key")
	case p.Hash() == sketch.HashSeed:
		f.Seed = seedValue(p.Seed)
	}
	f.Landmarks, f.Projection = m.Landmarks(), m.Projection()
	if o.preparation != nil {
		f.Version, f.Preparation = PreparedVersion, writePreparation(o.preparation)
	}
	if isFitted(&p) && f.Landmarks == nil && f.Projection == nil {
		return nil, fmt.Errorf("model: a map of method %q must be fitted before it is written", p.Method)
	}
	if o.Preprocessing != nil {
		if p.NFeaturesEach != nil {
			return nil, errors.New("model: a map of products takes several rows at once, and a preprocessing makes single " +
				"ones; write the model without it")
		}
		taken := p.NFeatures
		if o.preparation != nil {
			taken = o.preparation.NFeatures()
		}
		if n := o.Preprocessing.NFeatures(); n != taken {
			return nil, fmt.Errorf("model: nFeatures must be %d, as in the preprocessing, got a map of %d", n, taken)
		}
		text, err := o.Preprocessing.MarshalJSON()
		if err == nil {
			f.Preprocessing, err = rewrite(text)
		}
		if err != nil {
			return nil, fmt.Errorf("model: preprocessing: %w", err)
		}
	}
	return f, nil
}

// landmarks are written as JavaScript does, independent of the release of Go: with the fewest
// digits that read back as the same float32. Rounding to these digits is to nearest, ties away from
// zero. −0 is written as 0.
type landmarks []float32

func (l landmarks) MarshalJSON() ([]byte, error) {
	numbers := make([]float64, len(l))
	for i, v := range l {
		numbers[i] = shortest(v)
	}
	return json.Marshal(numbers)
}

// isFitted reports whether maps with these parameters are fitted to rows.
func isFitted(p *sketch.Params) bool {
	return p.Method == sketch.MethodNystroem || p.Method == sketch.MethodKSpace
}

// projection is written as JavaScript writes float64. −0 is written as 0.
type projection []float64

func (p projection) MarshalJSON() ([]byte, error) {
	numbers := make([]float64, len(p))
	for i, v := range p {
		numbers[i] = v + 0
	}
	return json.Marshal(numbers)
}

func shortest(v float32) float64 {
	if v == 0 {
		return 0
	}
	x := float64(v)
	beyond := math.Nextafter(x, 2*x) // rounds like x, but ties go away from zero, where strconv rounds them to even
	for digits := 0; ; digits++ {
		text := strconv.FormatFloat(beyond, 'e', digits, 64)
		if short, err := strconv.ParseFloat(text, 64); err == nil && float32(short) == v {
			return short
		}
	}
}

// methodParams writes the parameters in their own order, as JavaScript does.
type methodParams struct{ *sketch.MethodParams }

func (m methodParams) MarshalJSON() ([]byte, error) {
	text := []byte("{")
	for name, param := range m.All {
		value, err := json.Marshal(param)
		if err != nil {
			return nil, err
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(strconv.AppendQuote(text, name), ':')
		text = append(text, value...)
	}
	return append(text, '}'), nil
}

// seedValue returns an integer seed as a decimal string, or the tagged text or bytes.
func seedValue(s sketch.Seed) any {
	if text, ok := s.Text(); ok {
		return map[string]string{"string": text}
	}
	if bytes, ok := s.Bytes(); ok {
		return map[string]string{"bytes": hex.EncodeToString(bytes[:])}
	}
	n, _ := s.Int()
	return strconv.FormatUint(n, 10)
}

// Unmarshal returns the feature map of a model. It accepts exactly what docs/SPEC.md describes. A
// missing, unknown or mistyped key is an error that names it. A value out of range is the
// *sketch.Error of sketch.NewFeatureMap. A keyed model needs UnmarshalKeyed, unless it holds its
// key. A preprocessing is skipped: dataset.FromModel reads it. So is a head: UnmarshalModel reads it.
func Unmarshal(data []byte) (*sketch.FeatureMap, error) { return unmarshal(data, nil) }

// UnmarshalKeyed is Unmarshal for a keyed model and its key. A wrong key is an error, and so is a
// model that is not keyed.
func UnmarshalKeyed(data []byte, key [32]byte) (*sketch.FeatureMap, error) {
	return unmarshal(data, &key)
}

func unmarshal(data []byte, key *[32]byte) (*sketch.FeatureMap, error) {
	r, err := newReader(data, format, Version, PreparedVersion)
	if err != nil {
		return nil, err
	}
	r.key = key
	if r.keys["head"] != nil {
		r.take("head")
	} else if r.keys["preparation"] != nil {
		r.fail("head is missing: the preparation of a model is beside its head")
	}
	return r.featureMap()
}

// featureMap takes the keys of a map, its preprocessing and its preparation, and makes the map.
func (r *reader) featureMap() (*sketch.FeatureMap, error) {
	f, err := r.valid()
	if err != nil {
		return nil, err
	}
	return f.featureMap()
}

// valid is fitted with valid parameters, all of them given.
func (r *reader) valid() (*fittedParams, error) {
	f, err := r.fitted()
	if err != nil {
		return nil, err
	}
	f.MethodParams = f.WithDefaults().MethodParams
	return f, f.Validate() // New would replace any other zero by a default
}

// featureMap makes the map of valid parameters.
func (f *fittedParams) featureMap() (*sketch.FeatureMap, error) {
	m, err := sketch.NewFeatureMap(f.Params)
	if err != nil {
		return nil, err
	}
	switch f.Method {
	case sketch.MethodNystroem:
		err = m.SetLandmarks(f.landmarks)
	case sketch.MethodKSpace:
		err = m.SetProjection(f.projection)
	}
	return m, err
}

// fittedParams are the parameters of a map with what it was fitted to.
type fittedParams struct {
	sketch.Params
	landmarks   []float32
	projection  []float64
	preparation *prepare.Preparation
}

// fitted takes the keys of a map, its preprocessing and its preparation. Any key that is then left is an error.
func (r *reader) fitted() (*fittedParams, error) {
	f := &fittedParams{Params: sketch.Params{
		Method: r.text("method"), NComponents: r.integer("nComponents"), Degree: r.integer("degree"),
		Gamma: r.number("gamma"), Coef0: r.number("coef0"), Normalize: r.text("normalize"), Output: r.text("output"),
		Repeats: r.integer("repeats"),
	}}
	p := &f.Params
	if features := r.take("nFeatures"); len(features) > 0 && features[0] == '[' {
		p.NFeaturesEach = integers[int](r, "nFeatures", features)
	} else {
		p.NFeatures = r.toInt("nFeatures", features)
	}
	if r.err == nil && p.Repeats == 0 { // Validate would read it as 1
		r.fail("repeats must be an integer from 1 to %d, got 0", sketch.MaxRepeats)
	}
	r.methodParams(p)
	r.hash(p)
	switch p.Method {
	case sketch.MethodNystroem:
		r.list("landmarks", &f.landmarks)
	case sketch.MethodKSpace:
		r.list("projection", &f.projection)
	}
	r.preprocessing()
	f.preparation = r.preparation()
	for key := range r.keys {
		r.fail("%q is not a key of a model, or not beside the others here", key)
	}
	return f, r.err
}

// The preprocessing that a model file may hold. Package dataset reads it.
const (
	preprocessingFormat  = "tensorsketch-preprocessing"
	preprocessingVersion = 5 // versions before it are accepted too
)

// preprocessing takes the preprocessing of a model, if present, and checks its format and version.
func (r *reader) preprocessing() {
	if _, held := r.keys["preprocessing"]; !held {
		return
	}
	var p struct {
		Format  string  `json:"format"`
		Version float64 `json:"version"`
	}
	if r.decode("preprocessing", r.take("preprocessing"), &p); p.Format != preprocessingFormat ||
		!(p.Version >= 1 && p.Version <= preprocessingVersion) || p.Version != float64(int(p.Version)) {
		r.fail("preprocessing must have format %q and version 1 to %d, got %q and %v", preprocessingFormat,
			preprocessingVersion, p.Format, p.Version)
	}
}

// A reader takes the keys of a model one by one and remembers the first error.
type reader struct {
	keys    map[string]json.RawMessage // not yet taken
	prefix  string                     // of the keys in errors, for an object in the file: "head."
	key     *[32]byte                  // of a keyed model, or nil
	version int

	isPrepared bool // of a report
	err        error
}

// newReader returns a reader of a file after taking and checking its format and version.
func newReader(data []byte, format string, versions ...int) (*reader, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("model: the file is not UTF-8")
	}
	r := new(reader)
	if err := json.Unmarshal(data, &r.keys); err != nil {
		return nil, fmt.Errorf("model: not a JSON object: %w", err)
	}
	if name := r.text("format"); r.err == nil && name != format {
		r.fail("format must be %q, got %q", format, name)
	}
	if r.version = r.integer("version"); r.err == nil && !slices.Contains(versions, r.version) {
		r.fail("version must be %s, got %d; a newer release may read it", oneOf(versions), r.version)
	}
	return r, nil
}

// oneOf joins numbers by "or".
func oneOf(numbers []int) string {
	text := strconv.Itoa(numbers[0])
	for _, n := range numbers[1:] {
		text += " or " + strconv.Itoa(n)
	}
	return text
}

func (r *reader) fail(text string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("model: "+text, args...)
	}
}

// take removes a key and returns its value; a missing one, or null, is an error.
func (r *reader) take(key string) json.RawMessage {
	value, ok := r.keys[key]
	if delete(r.keys, key); !ok {
		r.fail("%s%s is missing", r.prefix, key)
	} else if string(value) == "null" {
		r.fail("%s%s must not be null", r.prefix, key)
	}
	return value
}

func (r *reader) decode(key string, value json.RawMessage, into any) {
	if r.err != nil {
		return
	}
	if err := json.Unmarshal(value, into); err != nil {
		r.fail("%s: %w", key, err)
	}
}

// list takes an array of numbers. encoding/json reads null as 0.
func (r *reader) list(key string, into any) {
	value := r.take(key)
	if r.decode(r.prefix+key, value, into); bytes.Contains(value, []byte("null")) {
		r.fail("%s%s must hold numbers only, got null", r.prefix, key)
	}
}

func (r *reader) text(key string) (value string) {
	r.decode(r.prefix+key, r.take(key), &value)
	return value
}

func (r *reader) number(key string) (value float64) {
	r.decode(r.prefix+key, r.take(key), &value)
	return value
}

func (r *reader) integer(key string) int { return r.toInt(r.prefix+key, r.take(key)) }

// long is integer for numbers that an int of 32 bits may not hold.
func (r *reader) long(key string) int64 { return r.toInteger(r.prefix+key, r.take(key)) }

func (r *reader) toInt(key string, value json.RawMessage) int {
	number := r.toInteger(key, value)
	if int64(int(number)) != number {
		r.fail("%s must be at most %d on this platform, got %d", key, math.MaxInt, number)
	}
	return int(number)
}

// toInteger reads an integer in any JSON notation, as JavaScript does.
func (r *reader) toInteger(key string, value json.RawMessage) int64 {
	var number float64
	r.decode(key, value, &number)
	if number != math.Trunc(number) || math.Abs(number) > 1<<53 {
		r.fail("%s must be an integer, got %s", key, value)
		return 0
	}
	return int64(number)
}

func integers[T int | int64 | int32 | int8](r *reader, key string, value json.RawMessage) []T {
	var raw []json.RawMessage
	r.decode(key, value, &raw)
	list := make([]T, len(raw))
	for i, v := range raw {
		number := r.toInteger(key, v)
		if list[i] = T(number); int64(list[i]) != number || string(v) == "null" {
			r.fail("%s holds %s, which is no such number", key, v)
		}
	}
	return list
}

func table[T int32 | int8](r *reader, key string) [][]T {
	var rows []json.RawMessage
	r.decode(key, r.take(key), &rows)
	table := make([][]T, len(rows))
	for k, row := range rows {
		table[k] = integers[T](r, key, row)
	}
	return table
}

// methodParams takes the parameters of the method. Each is a number, a text, true, false, or an
// array of numbers.
func (r *reader) methodParams(p *sketch.Params) {
	var given map[string]json.RawMessage
	r.decode("methodParams", r.take("methodParams"), &given)
	for name, raw := range given {
		var value any
		if r.decode("methodParams."+name, raw, &value); r.err != nil {
			return
		}
		if list, ok := value.([]any); ok {
			numbers := make([]float64, len(list))
			for i, v := range list {
				if numbers[i], ok = v.(float64); !ok {
					r.fail("methodParams.%s[%d] must be a number, got %v", name, i, v)
				}
			}
			value = numbers
		}
		if err := p.MethodParams.Set(name, value); err != nil && r.err == nil {
			r.err = err
		}
	}
}

// hash takes the source of the tables and the keys that go with it.
func (r *reader) hash(p *sketch.Params) {
	source := r.text("hash")
	if source != hashKey && r.key != nil {
		r.fail("this model has no key, and one was given")
	}
	switch source {
	case hashKey:
		p.Seed, p.Keyed = r.keySeed(), true
	case sketch.HashSeed:
		p.Seed = r.seed()
	case sketch.HashRandomState:
		state := r.long("randomState")
		if state < 0 || state > math.MaxUint32 {
			r.fail("randomState must be an integer from 0 to 4294967295, got %d", state)
		}
		value := uint32(state)
		p.RandomState = &value
	case sketch.HashTables:
		p.IndexHash, p.BitHash = table[int32](r, "indexHash"), table[int8](r, "bitHash")
	default:
		r.fail("hash must be one of %q, %q, %q, %q, got %q", sketch.HashSeed, hashKey, sketch.HashRandomState,
			sketch.HashTables, source)
	}
}

func (r *reader) seed() sketch.Seed {
	value := r.take("seed")
	var decimal string
	if json.Unmarshal(value, &decimal) == nil {
		if n, err := strconv.ParseUint(decimal, 10, 64); err == nil && strconv.FormatUint(n, 10) == decimal {
			return sketch.IntSeed(n)
		}
	}
	var tagged map[string]*string
	if json.Unmarshal(value, &tagged) == nil && len(tagged) == 1 {
		if text := tagged["string"]; text != nil && !loneSurrogate(*text, value) {
			return sketch.StringSeed(*text)
		}
		if digits := tagged["bytes"]; digits != nil {
			if bytes := fromHex(*digits, 32); bytes != nil {
				return sketch.BytesSeed([32]byte(bytes))
			}
		}
	}
	r.fail(`seed must be a decimal string from "0" to "18446744073709551615", {"string": Unicode text}, or {"bytes": 64 ` +
		`lower-case hexadecimal digits}`)
	return sketch.Seed{}
}

// fromHex returns the n bytes of lower-case hexadecimal digits, or nil if they are anything else.
func fromHex(digits string, n int) []byte {
	bytes, err := hex.DecodeString(digits)
	if err != nil || len(bytes) != n || hex.EncodeToString(bytes) != digits {
		return nil
	}
	return bytes
}

// keySeed returns the seed of the given key, or of the key in the model, after checking it against
// keyCheck.
func (r *reader) keySeed() sketch.Seed {
	check := fromHex(r.text("keyCheck"), 16)
	if check == nil {
		r.fail("keyCheck must be 32 lower-case hexadecimal digits")
	}
	if value, held := r.keys["keySalt"]; held {
		delete(r.keys, "keySalt")
		if _, err := readKeySalt(value); err != nil {
			r.fail("%w", err)
		}
	}
	key := r.key
	if _, held := r.keys["key"]; held {
		own := fromHex(r.text("key"), 32)
		if own == nil {
			r.fail("key must be 64 lower-case hexadecimal digits")
		} else if key == nil {
			key = (*[32]byte)(own)
		}
	}
	if key == nil {
		r.fail("the key is missing: this model does not hold the key of its map, give it to UnmarshalKeyed")
	}
	if r.err != nil {
		return sketch.Seed{}
	}
	seed := sketch.BytesSeed(*key)
	if own := seed.KeyCheck(); !bytes.Equal(own[:], check) {
		r.fail("this key is not the model's")
	}
	return seed
}

// loneSurrogate reports whether encoding/json replaced half a surrogate pair. Then the text holds
// U+FFFD and its JSON does not.
func loneSurrogate(text string, value json.RawMessage) bool {
	return strings.ContainsRune(text, utf8.RuneError) &&
		!bytes.ContainsRune(value, utf8.RuneError) && !bytes.Contains(bytes.ToLower(value), []byte(`\ufffd`))
}
