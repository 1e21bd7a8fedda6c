package secure

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
	"tensorsketch.example/test/need"
)

// A setting has parties with rows each.
type setting struct {
	*testing.T
	spec     []byte
	parties  []*Party
	learners []*learn.Learner
	round    *Round
}

func newSetting(t *testing.T, n int, task string) *setting {
	m := need.Value(sketch.New(sketch.Params{NFeatures: 3, NComponents: 16, Degree: 2, Coef0: 1,
		Seed: sketch.IntSeed(1)}))(t)
	spec := learn.Spec{Map: m, Task: task, Radius: 4, Folds: 5}
	if task == learn.TaskClassify {
		spec.Classes = []learn.Label{learn.TextLabel("a"), learn.TextLabel("b")}
	} else {
		spec.TargetRange = [2]float64{-10, 10}
	}
	s := &setting{T: t, spec: need.Value(model.MarshalSpec(need.Value(learn.NewLearner(spec))(t)))(t)}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for range n {
		l := need.Value(learn.NewLearner(need.Value(model.UnmarshalSpec(s.spec))(t)))(t)
		var X sketch.Dense
		var labels []learn.Label
		var y []float64
		for i := range 20 + r.IntN(20) {
			X = append(X, r.Float32(), r.Float32(), r.Float32())
			labels = append(labels, spec.Classes[min(i%2, max(0, len(spec.Classes)-1)):][:min(1, len(spec.Classes))]...)
			y = append(y, r.NormFloat64())
		}
		if task == learn.TaskClassify {
			need.OK(t, l.Add(X, labels, nil))
		} else {
			need.OK(t, l.AddTargets(X, y, nil))
		}
		s.parties, s.learners = append(s.parties, need.Value(NewParty())(t)), append(s.learners, l)
	}
	s.round = need.Value(NewRound(s.spec, s.keys()))(t)
	return s
}

func (s *setting) keys() (keys [][]byte) {
	for _, p := range s.parties {
		keys = append(keys, p.Public())
	}
	return keys
}

func (s *setting) masked() (files [][]byte) {
	s.Helper()
	for i, p := range s.parties {
		files = append(files, need.Value(p.Mask(s.round, s.learners[i]))(s.T))
	}
	return files
}

// revealed returns what the parties from one up to another reveal when they alone are there.
func (s *setting) revealed(from, to int) (files [][]byte) {
	s.Helper()
	for _, p := range s.parties[from:to] {
		files = append(files, need.Value(p.Reveal(s.keys()[from:to]))(s.T))
	}
	return files
}

// check compares opened sums with those of some learners merged, bit for bit.
func (s *setting) check(l *learn.Learner, of []*learn.Learner) {
	s.Helper()
	all := need.Value(learn.NewLearner(l.Spec()))(s.T)
	for _, o := range of {
		need.OK(s.T, all.Merge(o))
	}
	got, want := need.Value(model.MarshalLearnerBinary(l))(s.T), need.Value(model.MarshalLearnerBinary(all))(s.T)
	if !bytes.Equal(got, want) {
		s.Error("the opened sums differ from the merged ones")
	}
}

// TestCancels: masks cancel to the bit, with all parties and with some that dropped out.
func TestCancels(t *testing.T) {
	for _, task := range []string{learn.TaskClassify, learn.TaskRegress} {
		s := newSetting(t, 3, task)
		masked := s.masked()
		slices.Reverse(masked)
		s.check(need.Value(s.round.Open(masked, s.revealed(0, 3)))(t), s.learners)

		s = newSetting(t, 6, task)
		masked = s.masked()
		s.check(need.Value(s.round.Open(masked[1:5], s.revealed(1, 5)))(t), s.learners[1:5])
	}
}

// TestHides: masked sums of equal rows have no word in common, and nothing of the sums can be read in them.
func TestHides(t *testing.T) {
	s := newSetting(t, 3, learn.TaskClassify)
	s.learners[1] = s.learners[0]
	masked := s.masked()
	plain := wordsOf(s.learners[0])
	_, a, _ := s.round.read("", maskedMagic, masked[0])
	_, b, _ := s.round.read("", maskedMagic, masked[1])
	ones := 0
	for j := range plain {
		if bytes.Equal(a[8*j:8*j+8], b[8*j:8*j+8]) {
			t.Fatalf("word %d is masked alike twice", j)
		}
		if a[8*j+7] >= 0x80 {
			ones++
		}
	}
	if n := len(plain); ones < n/2-n/8 || ones > n/2+n/8 {
		t.Errorf("%d of %d words have their highest bit set", ones, n)
	}
}

// TestRefuses: what would show sums of one party, or give wrong ones, is an error that says why.
func TestRefuses(t *testing.T) {
	s := newSetting(t, 4, learn.TaskClassify)
	masked := s.masked()
	keys := s.keys()
	fails := func(name, want string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q", name, err, want)
		}
	}
	_, err := NewRound(s.spec, keys[:2])
	fails("two parties", "at least 3 parties, got 2", err)
	_, err = NewRound(s.spec, [][]byte{keys[0], keys[1], keys[0]})
	fails("a party twice", "twice: each party joins once", err)
	_, err = NewRound(s.spec, [][]byte{keys[0], keys[1], keys[2][:31]})
	fails("a short key", "32 bytes, got 31", err)
	_, err = NewRound(bytes.Replace(s.spec, []byte(`"classesGiven":true`), []byte(`"classesGiven":false`), 1), keys)
	fails("classes not given", "classes given", err)
	_, err = s.parties[0].Mask(s.round, s.learners[0])
	fails("masked twice", "masks once", err)
	_, err = s.parties[0].Reveal(keys[:2])
	fails("two are there", "at least 3 parties with this one, got 2", err)
	_, err = s.parties[0].Reveal(keys[1:])
	fails("itself not there", "with this one", err)
	_, err = s.parties[0].Reveal([][]byte{keys[0], keys[1], keys[1], keys[2]})
	fails("one is there twice", "each party once", err)

	other := need.Value(NewParty())(t)
	_, err = other.Mask(s.round, s.learners[0])
	fails("a stranger", "one of the 4 of this round", err)
	_, err = other.Reveal(keys)
	fails("nothing masked", "after it has masked", err)
	wrong := need.Value(NewRound(s.spec, [][]byte{keys[0], keys[1], keys[2], other.Public()}))(t)
	late := need.Value(other.Mask(wrong, s.learners[0]))(t)
	_, err = s.round.Open(append(slices.Clone(masked[:3]), late), nil)
	fails("a wrong key", "masked[3] must be of this round", err)
	foreign := newSetting(t, 3, learn.TaskRegress)
	_, err = need.Value(NewParty())(t).Mask(s.round, s.learners[0])
	fails("another party", "of this round", err)
	_, err = foreign.parties[0].Mask(foreign.round, s.learners[0])
	fails("another Spec", "task", err)

	revealed := s.revealed(0, 3) // the fourth has dropped out
	_, err = s.parties[0].Reveal(keys)
	fails("two answers", "has revealed seeds for other parties", err)
	_, err = s.round.Open(masked, revealed)
	fails("a late party", "about the 0 that are missing", err)
	_, err = s.round.Open(masked[:3], revealed[:2])
	fails("one answer is missing", "of all 3 parties with masked sums", err)
	_, err = s.round.Open(append(slices.Clone(masked[:3]), masked[0]), revealed)
	fails("sums twice", "each party once", err)
	_, err = s.round.Open(masked[:3], [][]byte{revealed[0], revealed[1], revealed[1]})
	fails("an answer twice", "once", err)
	_, err = s.round.Open([][]byte{masked[0], masked[1], masked[2][:90]}, revealed)
	fails("cut", "must have", err)
	changed := bytes.Clone(masked[2])
	changed[len(changed)-1] ^= 0x40
	_, err = s.round.Open([][]byte{masked[0], masked[1], changed}, revealed)
	fails("changed", "masks remain", err)
	s.check(need.Value(s.round.Open(masked[:3], revealed))(t), s.learners[:3])
	if _, err := model.UnmarshalLearner(masked[0], nil); err == nil {
		t.Error("masked sums are read as a learner")
	}
}

// TestJavaScript: the example for browsers makes the same bytes of the same keys, with one of four parties missing.
func TestJavaScript(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	s := newSetting(t, 4, learn.TaskClassify)
	masked, revealed := s.masked(), s.revealed(0, 3)
	type party struct{ Key, Public, Own, Learner, Masked, Revealed []byte }
	in := struct {
		Spec      string
		Empty     []byte
		Parties   []party
		Merged    []byte
		Survivors int
	}{Spec: string(s.spec), Survivors: 3}
	for i, p := range s.parties {
		in.Parties = append(in.Parties, party{Key: p.key.Bytes(), Public: p.Public(), Own: p.own[:], Masked: masked[i],
			Learner: need.Value(model.MarshalLearnerBinary(s.learners[i]))(t)})
		if i < 3 {
			in.Parties[i].Revealed = revealed[i]
		}
	}
	in.Empty = need.Value(model.MarshalLearnerBinary(need.Value(learn.NewLearner(s.round.spec))(t)))(t)
	in.Merged = need.Value(model.MarshalLearnerBinary(need.Value(s.round.Open(masked[:3], revealed))(t)))(t)
	folder := t.TempDir() // so that the results of tests that go keeps are about these files
	for _, name := range []string{"secure.js", "secure.test.mjs", "package.json"} {
		file := need.Value(os.ReadFile("../../examples/secure-sums/" + name))(t)
		need.OK(t, os.WriteFile(filepath.Join(folder, name), file, 0o644))
	}
	run := exec.CommandContext(t.Context(), node, filepath.Join(folder, "secure.test.mjs"))
	run.Stdin = strings.NewReader(lowerKeys(string(need.Value(json.Marshal(in))(t))))
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// lowerKeys writes the keys of JSON as JavaScript does.
func lowerKeys(text string) string {
	return regexp.MustCompile(`"[A-Z][a-z]+":`).ReplaceAllStringFunc(text, strings.ToLower)
}
