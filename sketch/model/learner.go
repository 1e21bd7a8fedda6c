package model

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"unicode/utf8"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// LearnerVersion is the version of the files of learners on grids of 2^12 without a preparation. Those with one have
// PreparedVersion, and those on grids of 16 bits, with a preparation or without, GridVersion.
const (
	LearnerVersion = 1
	GridVersion    = 3
)

const learnerFormat = "tensorsketch-learner"

// learnerMagic begins the binary form of a learner. Up to 0.3.0 it was uncheckedMagic, and no checksum followed.
const (
	learnerMagic   = "TSLEARN2"
	uncheckedMagic = "TSLEARN1"
)

var errDamaged = errors.New("model: the file is damaged or cut off; give another copy, or save it again")

// learnerFile is the JSON object, in the order of its keys. spec.go specifies it.
type learnerFile struct {
	Format        string           `json:"format"`
	Version       int              `json:"version"`
	Model         json.RawMessage  `json:"model"`
	Preprocessing string           `json:"preprocessing"`
	Preparation   *preparationFile `json:"preparation,omitempty"`
	Task          string           `json:"task"`
	Classes       *[]any           `json:"classes,omitempty"`
	Given         *bool            `json:"classesGiven,omitempty"`
	Targets       int              `json:"targets,omitempty"`
	TargetRange   *[2]number       `json:"targetRange,omitempty"`
	Radius        number           `json:"radius"`
	Step          number           `json:"step"`
	Grid          *gridFile        `json:"grid,omitempty"`
	Folds         int              `json:"folds"`
	Keep          number           `json:"keep,omitempty"`
	Private       bool             `json:"private,omitempty"`
	Cut           *int64           `json:"cut,omitempty"`
	Missing       string           `json:"missing,omitempty"`
	Tally         string           `json:"tally,omitempty"`
	Kept          string           `json:"kept,omitempty"`
	Moments       string           `json:"moments,omitempty"`
	Linear        string           `json:"linear,omitempty"`
}

// A gridFile has the grids of a learner beside the step of its features.
type gridFile struct {
	Limit  int         `json:"limit"`
	Finer  string      `json:"finer,omitempty"` // bytes in base64
	Linear *linearGrid `json:"linear,omitempty"`
}

// A linearGrid is the grid of the rows themselves.
type linearGrid struct {
	Step  number `json:"step"`
	Finer string `json:"finer,omitempty"`
}

// gridOf returns the grids of a learner, or nil for grids of 2^12.
func gridOf(spec *learn.Spec, state *learn.State) *gridFile {
	if spec.Limit == 0 {
		return nil
	}
	f := &gridFile{Limit: spec.Limit, Finer: base64.StdEncoding.EncodeToString([]byte(spec.Finer))}
	if state.Linear != nil {
		f.Linear = &linearGrid{number(spec.LinearGrid.Step),
			base64.StdEncoding.EncodeToString([]byte(spec.LinearGrid.Finer))}
	}
	return f
}

// readGrid reads what gridOf returned into a spec.
func (r *reader) readGrid(spec *learn.Spec) {
	var f gridFile
	r.decode("grid", r.take("grid"), &f)
	if r.err == nil && f.Limit != solve.Limit16 {
		r.fail("grid.limit must be %d, got %d", solve.Limit16, f.Limit)
	}
	spec.Limit, spec.Finer = f.Limit, r.bytes("grid.finer", f.Finer)
	if f.Linear != nil {
		spec.LinearGrid = learn.Grid{Step: float64(f.Linear.Step), Limit: f.Limit,
			Finer: r.bytes("grid.linear.finer", f.Linear.Finer)}
	}
}

// bytes returns the bytes of a text in base64.
func (r *reader) bytes(key, text string) string {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") {
		r.fail("%s must be bytes in base64", key)
	}
	return string(data)
}

// learnerHead returns the file of a learner without its moments.
func learnerHead(l *learn.Learner, state *learn.State) (*learnerFile, error) {
	spec := l.Spec()
	if !utf8.ValidString(spec.Preprocessing) {
		return nil, errors.New("model: the preprocessing text must be UTF-8 to be written")
	}
	m, err := Marshal(spec.Map)
	if err != nil {
		return nil, err
	}
	f := &learnerFile{Format: learnerFormat, Version: LearnerVersion, Model: m, Preprocessing: spec.Preprocessing,
		Task: spec.Task, Radius: number(spec.Radius), Step: number(spec.Step), Folds: spec.Folds, Private: spec.Private,
		Missing: state.Missing, Grid: gridOf(&spec, state)}
	if spec.Preparation != nil {
		f.Version, f.Preparation, f.Cut = PreparedVersion, writePreparation(spec.Preparation), &state.Cut
	}
	if spec.Keep > 0 {
		f.Version, f.Keep = PreparedVersion, number(spec.Keep)
		f.Kept = base64.StdEncoding.EncodeToString(state.Kept)
	}
	if f.Grid != nil {
		f.Version = GridVersion
	}
	if state.Tally != nil {
		f.Tally = base64.StdEncoding.EncodeToString(appendWords(nil, state.Tally))
	}
	if spec.Task == learn.TaskRegress {
		f.Targets = spec.Targets
		f.TargetRange = &[2]number{number(spec.TargetRange[0]), number(spec.TargetRange[1])}
		return f, nil
	}
	classes, given := make([]any, len(state.Classes)), spec.Classes != nil
	for k, label := range state.Classes {
		classes[k] = label.Value()
	}
	f.Classes, f.Given = &classes, &given
	return f, nil
}

// MarshalLearner returns the JSON file of a learner: the model of its map without a key, what its parts
// share, and every bit of its moments.
func MarshalLearner(l *learn.Learner) ([]byte, error) {
	state := l.State()
	f, err := learnerHead(l, state)
	if err != nil {
		return nil, err
	}
	f.Moments = base64.StdEncoding.EncodeToString(appendWords(nil, state.Moments))
	if state.Linear != nil {
		f.Linear = base64.StdEncoding.EncodeToString(appendWords(nil, state.Linear))
	}
	return encode(f)
}

// MarshalLearnerBinary returns the binary form of the same file, which is a quarter smaller.
func MarshalLearnerBinary(l *learn.Learner) ([]byte, error) {
	state := l.State()
	f, err := learnerHead(l, state)
	if err != nil {
		return nil, err
	}
	head, err := encode(f)
	if err != nil {
		return nil, err
	}
	for len(head)%8 != 0 {
		head = append(head, ' ')
	}
	out := make([]byte, 0, len(learnerMagic)+8+len(head)+8*(len(state.Moments)+len(state.Linear))+8)
	out = append(out, learnerMagic...)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(head)))
	out = appendWords(appendWords(append(out, head...), state.Moments), state.Linear)
	return binary.LittleEndian.AppendUint64(out, uint64(crc32.ChecksumIEEE(out))), nil
}

func appendWords(out []byte, words []int64) []byte {
	if out == nil {
		out = make([]byte, 0, 8*len(words))
	}
	for _, w := range words {
		out = binary.LittleEndian.AppendUint64(out, uint64(w))
	}
	return out
}

// toWords returns the words in bytes, whose number is a multiple of 8.
func toWords(data []byte) []int64 {
	words := make([]int64, len(data)/8)
	for i := range words {
		words[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return words
}

// wordsOf returns the words of a key of the file.
func wordsOf(key, text string) ([]int64, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data)%8 != 0 || strings.ContainsAny(text, "\r\n") { // which the decoder passes over
		return nil, fmt.Errorf("model: %s must be whole words of 8 bytes in base64", key)
	}
	return toWords(data), nil
}

// UnmarshalLearner returns the learner of a file in either form. m must be the map of the file, which
// the learner then uses; for another map the error is a *sketch.Error that names what differs. With a
// nil map it makes the map of the file, which must not be keyed. Errors about content that
// spec.go does not describe name the key.
func UnmarshalLearner(data []byte, m *sketch.FeatureMap) (*learn.Learner, error) {
	r, rest, isBinary, err := openLearner(data)
	if err != nil {
		return nil, err
	}
	own, spec, state := r.spec(m)
	var texts [2]string
	if !isBinary {
		texts[0] = r.text("moments")
		if state.Missing == "" {
			texts[1] = r.text("linear")
		}
	}
	r.end("a learner")
	if r.err != nil {
		return nil, r.err
	}
	if m == nil {
		spec.Map, err = Unmarshal(own)
	} else {
		err = checkModel(own, m, "learner")
	}
	if err != nil {
		return nil, err
	}
	l, err := learn.NewLearner(spec)
	if err != nil {
		return nil, err
	}
	if !isBinary {
		for i, text := range texts {
			words, err := wordsOf([]string{"moments", "linear"}[i], text)
			if err != nil {
				return nil, err
			}
			if i == 0 {
				state.Moments = words
			} else if state.Missing == "" {
				state.Linear = words
			}
		}
		return l, l.SetState(state)
	}
	if len(rest)%8 != 0 {
		return nil, errDamaged
	}
	words := toWords(rest)
	size := len(words)
	if state.Missing == "" {
		size = l.StateWords(max(1, len(state.Classes)))
		if size > len(words) {
			return nil, errDamaged
		}
		state.Linear = words[size:]
	}
	state.Moments = words[:size]
	return l, l.SetState(state)
}

// MarshalSpec returns the Spec of a learner as JSON: the file of MarshalLearner without what comes from rows.
func MarshalSpec(l *learn.Learner) ([]byte, error) {
	empty, err := learn.NewLearner(l.Spec())
	if err != nil {
		return nil, err
	}
	state := empty.State()
	state.Tally, state.Kept = nil, nil
	f, err := learnerHead(empty, state)
	if err != nil {
		return nil, err
	}
	return encode(f)
}

// UnmarshalSpec returns the Spec of what MarshalSpec, MarshalLearner or MarshalLearnerBinary wrote, with its map. What
// the file has of rows is not read. Errors name the key.
func UnmarshalSpec(data []byte) (spec learn.Spec, err error) {
	r, _, _, err := openLearner(data)
	if err != nil {
		return spec, err
	}
	own, spec, _ := r.spec(nil)
	for _, key := range []string{"moments", "linear"} {
		delete(r.keys, key)
	}
	r.end("a learner")
	if r.err != nil {
		return spec, r.err
	}
	spec.Map, err = Unmarshal(own)
	return spec, err
}

// openLearner returns a reader of the JSON of a learner's file, and the words behind it in the binary form.
func openLearner(data []byte) (r *reader, words []byte, isBinary bool, err error) {
	const begin = len(learnerMagic) + 8
	isChecked := bytes.HasPrefix(data, []byte(learnerMagic))
	if isBinary = isChecked || bytes.HasPrefix(data, []byte(uncheckedMagic)); isBinary {
		end := len(data)
		if isChecked {
			end -= 8
		}
		if end < begin || isChecked && binary.LittleEndian.Uint64(data[end:]) != uint64(crc32.ChecksumIEEE(data[:end])) {
			return nil, nil, true, errDamaged
		}
		size := binary.LittleEndian.Uint64(data[begin-8:])
		if data = data[begin:end]; size > uint64(len(data)) {
			return nil, nil, true, errDamaged
		}
		data, words = data[:size], data[size:]
	}
	r, err = newReader(data, learnerFormat, LearnerVersion, PreparedVersion, GridVersion)
	return r, words, isBinary, err
}

// spec takes the keys of a learner's file but those of its words. own is the model of its map.
func (r *reader) spec(m *sketch.FeatureMap) (own json.RawMessage, spec learn.Spec, state *learn.State) {
	own = r.take("model")
	spec = learn.Spec{Map: m, Preprocessing: r.text("preprocessing"), Preparation: r.preparation(), Task: r.text("task")}
	state = new(learn.State)
	if spec.Preparation != nil {
		state.Cut = r.long("cut")
	}
	if spec.Task == learn.TaskRegress {
		spec.Targets = r.integer("targets")
		if ends := r.numbers("targetRange"); len(ends) == 2 {
			spec.TargetRange = [2]float64(ends)
		} else {
			r.fail("targetRange must hold two numbers, got %d", len(ends))
		}
	} else {
		state.Classes = r.labels("classes")
		var given bool
		if r.decode("classesGiven", r.take("classesGiven"), &given); given {
			spec.Classes = state.Classes
		}
	}
	spec.Radius, spec.Step, spec.Folds = r.number("radius"), r.number("step"), r.integer("folds")
	if r.version == GridVersion {
		r.readGrid(&spec)
	}
	if r.keys["keep"] != nil && r.version > 1 {
		r.readKept(&spec, state)
	}
	if r.keys["private"] != nil {
		r.decode("private", r.take("private"), &spec.Private)
	}
	if r.keys["missing"] != nil {
		state.Missing = r.text("missing")
		spec.WithoutLinear = true
	}
	if r.keys["tally"] != nil {
		var err error
		if state.Tally, err = wordsOf("tally", r.text("tally")); err != nil && r.err == nil {
			r.err = err
		}
	}
	return own, spec, state
}

// readKept takes the share of the rows that is kept, and these rows.
func (r *reader) readKept(spec *learn.Spec, state *learn.State) {
	if spec.Keep = r.number("keep"); !(spec.Keep > 0) {
		r.fail("keep must be above 0 where it is there, got %v", spec.Keep)
	}
	if r.keys["kept"] == nil {
		return
	}
	var err error
	if state.Kept, err = base64.StdEncoding.DecodeString(r.text("kept")); err != nil || len(state.Kept) == 0 {
		r.fail("kept must be bytes in base64")
	}
}
