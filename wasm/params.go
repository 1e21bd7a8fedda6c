//go:build js && wasm

package main

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/border"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// blockVersion is the version of the parameter block, which the package comment describes.
const blockVersion = 3

// The fields of the header, in order.
const (
	fieldVersion = iota
	fieldMethod
	fieldNComponents
	fieldDegree
	fieldGamma
	fieldCoef0
	fieldNormalize
	fieldOutput
	fieldRepeats
	fieldHash
	fieldSeedKind
	fieldSeedBytes
	fieldRandomState
	fieldFeatures
	fieldMethodParams
	fieldTableRows
	fieldTableWidth
	headerFields
)

var (
	methods   = methodNames()
	normalize = []string{sketch.NormalizeNone, sketch.NormalizeKernel}
	outputs   = []string{sketch.OutputReal, sketch.OutputSpectrum}
	hashes    = []string{sketch.HashSeed, sketch.HashRandomState, sketch.HashTables}
	seedKinds = []string{"integer", "string", "bytes"}
)

func methodNames() (names []string) {
	for _, method := range sketch.Methods() {
		names = append(names, method.Name)
	}
	return names
}

// A blockReader decodes a parameter block and remembers the first error.
type blockReader struct {
	bytes []byte
	err   error
}

// take returns the next n bytes, or nil past the end.
func (r *blockReader) take(n int) []byte {
	if r.err != nil || n < 0 || n > len(r.bytes) {
		r.fail("length", "the parameter block is cut short")
		return nil
	}
	taken := r.bytes[:n]
	r.bytes = r.bytes[n:]
	return taken
}

func (r *blockReader) fail(argument, value string) {
	if r.err == nil {
		r.err = sketch.ErrParam.New(argument, value, "be as the package comment of wasm says of the parameter block")
	}
}

func (r *blockReader) float64() float64 {
	if b := r.take(8); b != nil {
		return math.Float64frombits(littleEndian(b))
	}
	return 0
}

func (r *blockReader) floats(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = r.float64()
	}
	return values
}

// padded returns the next n bytes and skips the padding up to a multiple of 8.
func (r *blockReader) padded(n int) []byte {
	b := r.take((n + 7) / 8 * 8)
	if b == nil {
		return nil
	}
	return b[:n]
}

func (r *blockReader) int32s(n int) []int32 {
	b := r.take(4 * n)
	if b == nil {
		return nil
	}
	values := make([]int32, n)
	for i := range values {
		values[i] = int32(littleEndian(b[4*i : 4*i+4]))
	}
	return values
}

func littleEndian(b []byte) (value uint64) {
	for i, v := range b {
		value |= uint64(v) << (8 * i)
	}
	return value
}

// integer checks that a header field is an integer from 1 to most.
func (r *blockReader) integer(argument string, value float64, most int) int {
	n, err := border.Integer(argument, value, most)
	if err != nil && r.err == nil {
		r.err = err
	}
	return n
}

// count returns a header field that says how much data follows.
func (r *blockReader) count(argument string, value float64) int {
	if !(value >= 0 && value <= float64(len(r.bytes))) || value != math.Trunc(value) {
		r.fail(argument, portable.FormatNumber(value))
		return 0
	}
	return int(value)
}

func (r *blockReader) name(argument string, value float64, names []string) string {
	for i, name := range names {
		if value == float64(i) {
			return name
		}
	}
	r.fail(argument, portable.FormatNumber(value))
	return ""
}

// readParams decodes a parameter block. Every field is taken as given: a zero that would stand for
// a default in Go is an error here. A degree of −0 and missing method parameters were not given, and
// get their defaults.
func readParams(p *sketch.Params, block []byte) error {
	r := &blockReader{bytes: block}
	header := r.floats(headerFields)
	if r.err == nil && header[fieldVersion] != blockVersion {
		r.fail("version", portable.FormatNumber(header[fieldVersion]))
	}
	*p = sketch.Params{
		Method:      r.name("method", header[fieldMethod], methods),
		NComponents: r.integer("nComponents", header[fieldNComponents], sketch.MaxComponents),
		Gamma:       header[fieldGamma],
		Coef0:       header[fieldCoef0],
		Normalize:   r.name("normalize", header[fieldNormalize], normalize),
		Output:      r.name("output", header[fieldOutput], outputs),
		Repeats:     r.integer("repeats", header[fieldRepeats], sketch.MaxRepeats),
	}
	if degree := header[fieldDegree]; degree != 0 || !math.Signbit(degree) {
		p.Degree = r.integer("degree", degree, sketch.MaxDegree)
	}
	features := r.count("nFeatures", header[fieldFeatures])
	for range features {
		if r.err != nil {
			break
		}
		d := r.integer("nFeatures", r.float64(), sketch.MaxFeatures)
		p.NFeaturesEach = append(p.NFeaturesEach, d)
	}
	if features == 1 && r.err == nil {
		p.NFeatures, p.NFeaturesEach = p.NFeaturesEach[0], nil
	}
	seed := r.seed(header[fieldSeedKind], header[fieldSeedBytes])
	for range r.count("methodParams", header[fieldMethodParams]) {
		if r.err != nil {
			break
		}
		name, value := r.methodParam()
		if err := p.MethodParams.Set(name, value); err != nil && r.err == nil {
			r.err = err
		}
	}
	switch r.name("hash", header[fieldHash], hashes) {
	case sketch.HashSeed:
		p.Seed = seed
	case sketch.HashRandomState:
		state := header[fieldRandomState]
		if !(state >= 0 && state <= math.MaxUint32) || state != math.Trunc(state) {
			return sketch.ErrParam.New("randomState", portable.FormatNumber(state), "be an integer from 0 to 4294967295")
		}
		given := uint32(state)
		p.RandomState = &given
	default:
		r.tables(p, header)
	}
	if r.err == nil && len(r.bytes) != 0 {
		r.fail("length", strconv.Itoa(len(r.bytes))+" bytes too many")
	}
	if r.err != nil {
		return r.err
	}
	resolved := p.WithDefaults()
	p.Degree, p.MethodParams = resolved.Degree, resolved.MethodParams
	return p.Validate()
}

// seed decodes a seed from its kind and number of bytes.
func (r *blockReader) seed(kindField, bytesField float64) sketch.Seed {
	kind := r.name("seed", kindField, seedKinds)
	payload := r.padded(r.count("seed", bytesField))
	if r.err != nil {
		return sketch.Seed{}
	}
	bytes := len(payload)
	switch {
	case kind == "string":
		return sketch.StringSeed(string(payload))
	case kind == "bytes" && bytes == 32:
		return sketch.BytesSeed([32]byte(payload))
	case kind == "integer" && bytes == 8:
		return sketch.IntSeed(littleEndian(payload))
	}
	r.fail("seed", strconv.Itoa(bytes)+" bytes")
	return sketch.Seed{}
}

func (r *blockReader) tables(p *sketch.Params, header []float64) {
	rows := r.count("indexHash", header[fieldTableRows])
	width := r.count("indexHash", header[fieldTableWidth])
	for range rows {
		if r.err != nil {
			return
		}
		p.IndexHash = append(p.IndexHash, r.int32s(width))
	}
	for range rows {
		signs := make([]int8, width)
		for i, v := range r.int32s(width) {
			signs[i] = 2 // neither sign, so that New rejects values that do not fit
			if v == 1 || v == -1 {
				signs[i] = int8(v)
			}
		}
		p.BitHash = append(p.BitHash, signs)
	}
}
