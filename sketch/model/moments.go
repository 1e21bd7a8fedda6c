package model

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"tensorsketch.example/sketch/learn"
)

// MomentsVersion is the version of the files of moments that this package writes, and the only one it reads.
const MomentsVersion = 1

const momentsFormat = "tensorsketch-moments"

// momentsHeader is the line of JSON with which a file of moments begins, in the order of its keys.
type momentsHeader struct {
	Format        string          `json:"format"`
	Version       int             `json:"version"`
	Model         json.RawMessage `json:"model"` // of the map, without key and preprocessing
	Preprocessing string          `json:"preprocessing"`
	Task          string          `json:"task"`
	Classes       []any           `json:"classes"` // of the sums, in their order
	Given         bool            `json:"given"`   // whether the Spec has them
	Targets       int             `json:"targets"`
	Radius        float64         `json:"radius"`
	Step          float64         `json:"step"`
	TargetRange   [2]float64      `json:"targetRange"`
	Folds         int             `json:"folds"`
	Words         int             `json:"words"`
	Linear        int             `json:"linear"`  // words of the moments of the rows themselves; 0: there are none
	Missing       string          `json:"missing"` // why there are none
}

// WriteMoments writes the moments of a learner, with its Spec, as a file: a line of JSON, then the words of its Moments
// and LinearMoments, 8 bytes each, little-endian, then the SHA-256 of all that. ReadMoments reads it. The errors are
// the errors of Marshal and of w.
func WriteMoments(w io.Writer, l *learn.Learner) error {
	spec := l.Spec()
	text, err := Marshal(spec.Map)
	if err != nil {
		return err
	}
	linear, missing := l.LinearMoments()
	h := momentsHeader{Format: momentsFormat, Version: MomentsVersion, Model: text, Preprocessing: spec.Preprocessing,
		Task: spec.Task, Given: spec.Classes != nil, Targets: spec.Targets, Radius: spec.Radius, Step: spec.Step,
		TargetRange: spec.TargetRange, Folds: spec.Folds, Missing: missing}
	for _, class := range l.Classes() {
		h.Classes = append(h.Classes, class.Value())
	}
	all := []*learn.Moments{l.Moments()}
	h.Words = all[0].Parts() * all[0].WordsPerPart()
	if linear != nil {
		all = append(all, linear)
		h.Linear = linear.Parts() * linear.WordsPerPart()
	}
	line, err := encode(&h)
	if err != nil {
		return err
	}
	digest := sha256.New()
	to := io.MultiWriter(w, digest)
	if _, err := to.Write(append(line, '\n')); err != nil {
		return err
	}
	words := make([]int64, 1<<15)
	var bytes []byte
	for i, m := range all {
		for from, total := 0, []int{h.Words, h.Linear}[i]; from < total; from += len(words) {
			part := words[:min(len(words), total-from)]
			m.ReadWords(part, from)
			bytes = bytes[:0]
			for _, word := range part {
				bytes = binary.LittleEndian.AppendUint64(bytes, uint64(word))
			}
			if _, err := to.Write(bytes); err != nil {
				return err
			}
		}
	}
	_, err = w.Write(digest.Sum(nil))
	return err
}

// longestHeader bounds the line of JSON, which may hold landmarks and many values of categories.
const longestHeader = 1 << 30

// ReadMoments returns the learner of a file that WriteMoments wrote. The errors name a key that is missing, unknown or
// mistyped, or say that the file is cut off or damaged.
func ReadMoments(r io.Reader) (*learn.Learner, error) {
	digest := sha256.New()
	in := bufio.NewReaderSize(r, 1<<16)
	line, err := readLine(in)
	if err != nil {
		return nil, err
	}
	digest.Write(append(line, '\n'))
	spec, h, classes, err := readHeader(line)
	if err != nil {
		return nil, err
	}
	l, err := learn.NewLearner(spec)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	linearMoments, _ := l.LinearMoments()
	if linearMoments == nil && h.Linear > 0 {
		return nil, errors.New("model: linear must be 0: moments of such rows are not kept")
	}
	D, K := spec.Map.NComponents(), len(classes)
	limit := func(D int) int64 {
		shape := learn.Shape{NComponents: D, Targets: spec.Targets}
		if spec.Task == learn.TaskClassify {
			shape.Classes = max(1, K)
		}
		return learn.WordCount(shape, spec.Folds)
	}
	if int64(h.Words) != limit(D) || h.Linear != 0 && int64(h.Linear) != limit(spec.Map.NFeatures()) {
		return nil, fmt.Errorf("model: words and linear must be %d and 0 or %d, got %d and %d", limit(D),
			limit(spec.Map.NFeatures()), h.Words, h.Linear)
	}
	words, err := readWords(in, digest, h.Words)
	if err != nil {
		return nil, err
	}
	linear, err := readWords(in, digest, h.Linear)
	if err != nil {
		return nil, err
	}
	sum := make([]byte, sha256.Size+1)
	if n, err := io.ReadFull(in, sum); err != io.ErrUnexpectedEOF || n != sha256.Size {
		return nil, cutOff(err, "model: the file has more bytes than its moments")
	}
	if !bytes.Equal(sum[:sha256.Size], digest.Sum(nil)) {
		return nil, errors.New("model: the moments are damaged: fetch or make the file again")
	}
	if err := l.Restore(classes, words, linear, h.Missing); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return l, nil
}

// readLine reads the header.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return bytes.TrimSuffix(line, []byte("\n")), nil
		case err != bufio.ErrBufferFull && err != io.EOF:
			return nil, err
		case err == io.EOF || len(line) > longestHeader || line[0] != '{':
			return nil, errors.New("model: the file does not begin as moments do, with a line of JSON")
		}
	}
}

// readHeader returns the spec of a header and the classes of its sums.
func readHeader(line []byte) (spec learn.Spec, h momentsHeader, classes []learn.Label, err error) {
	r, err := newReader(line, momentsFormat, MomentsVersion)
	if err != nil {
		return spec, h, nil, err
	}
	text := r.take("model")
	spec = learn.Spec{Preprocessing: r.text("preprocessing"), Task: r.text("task")}
	if value := r.keys["classes"]; string(value) != "null" {
		classes = r.labels("classes")
	} else {
		delete(r.keys, "classes")
	}
	r.decode("given", r.take("given"), &h.Given)
	if spec.Targets = r.integer("targets"); h.Given {
		spec.Classes = classes
	}
	spec.Radius, spec.Step = r.number("radius"), r.number("step")
	r.decode("targetRange", r.take("targetRange"), &spec.TargetRange)
	spec.Folds, h.Words, h.Linear = r.integer("folds"), r.integer("words"), r.integer("linear")
	h.Missing = r.text("missing")
	r.end("moments")
	if r.err != nil {
		return spec, h, nil, r.err
	}
	spec.Map, err = Unmarshal(text)
	return spec, h, classes, err
}

// readWords reads so many words.
func readWords(in io.Reader, digest hash.Hash, n int) ([]int64, error) {
	if n == 0 {
		return nil, nil
	}
	words := make([]int64, 0, min(n, 1<<20)) // grows only as far as there are bytes
	part := make([]byte, 8<<15)
	for len(words) < n {
		part = part[:min(cap(part), 8*(n-len(words)))]
		if _, err := io.ReadFull(in, part); err != nil {
			return nil, cutOff(err, "")
		}
		digest.Write(part)
		for at := 0; at < len(part); at += 8 {
			words = append(words, int64(binary.LittleEndian.Uint64(part[at:])))
		}
	}
	return words, nil
}

// cutOff returns the error for bytes that are missing, or for what else is wrong with the end.
func cutOff(err error, otherwise string) error {
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return errors.New("model: the moments are cut off: fetch or make the file again")
	case err != nil:
		return err
	}
	return errors.New(otherwise)
}
