package main

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
)

// random is where the noise of private releases comes from. Tests replace it.
var random io.Reader = rand.Reader

func sha(piece []byte) ([]byte, error) {
	sum := sha256.Sum256(piece)
	return sum[:], nil
}

// guaranteeFlags defines the flags for what a private release promises, and for its ledger.
func guaranteeFlags(f *flags, g *jobs.Guarantee, ledger *string) {
	f.heading("The promise (docs/privacy.md); all settings are typed, so none depends on the rows")
	f.positive(&g.Epsilon, "epsilon", "`X` of this release: smaller is more private")
	f.positive(&g.Delta, "delta", "`X` of this release, such as 1e-5")
	ledgerFlag(f, ledger)
}

func ledgerFlag(f *flags, ledger *string) {
	f.words(ledger, "ledger", "`FILE` adds up all releases of these rows; default beside them, as STEM-ledger.json")
}

// budgetFlag defines the flag for the budget of a new ledger.
func budgetFlag(f *flags, budget **jobs.Guarantee) {
	const usage = "`EPSILON,DELTA` of all releases of these rows together; fixed by the first"
	f.value("budget", usage, func(text string) error {
		epsilon, delta, _ := strings.Cut(text, ",")
		g := new(jobs.Guarantee)
		var err, other error
		g.Epsilon, err = parseNumber(epsilon)
		g.Delta, other = parseNumber(delta)
		if err != nil || other != nil {
			return fmt.Errorf("must be two numbers, such as 4,1e-5, got %q", text)
		}
		*budget = g
		return nil
	})
}

var releaseVerb = verb{
	name: "release", does: "write features with noise that hides each row, or their mean", usage: "FILE -o OUT [flags]",
	example: "tensorsketch release people.jsonl --number age,height --kind mean --rows 900 --radius 1 --epsilon 1 " +
		"--delta 1e-5 --budget 4,1e-5 --components 64 --format jsonl --compression none --encoding utf-8 " +
		"--keys age,height,ill -o mean.npy --public mean-release.json",
	prepare: func(f *flags) func([]string) error {
		v := &release{}
		f.heading("Output")
		outputFlags(f, &v.out, columns.FormatNames(true))
		f.output(&v.public, "public", "`FILE` what the recipient has to know: the noise, the map and the columns")
		f.choice(&v.Asked.Kind, "kind", "`KIND` rows, each with noise of its own, or mean, one of all rows",
			[]string{"rows", "mean"})
		f.value("rows", "`N` the number of rows, which is public; a mean needs it", func(text string) error {
			var n int
			err := positiveInteger(&n, text)
			v.Asked.Count = int64(n)
			return err
		})
		f.value("radius", "`R` longer rows are scaled down to this length", func(text string) error {
			x, err := parseNumber(text)
			v.Asked.Radius = &x
			return err
		})
		guaranteeFlags(f, &v.Asked.Guarantee, &v.ledger)
		budgetFlag(f, &v.Asked.Budget)
		f.heading("A model file, instead of the flags for the map")
		modelFlags(f, &v.model)
		mapFlags(f, &v.Map)
		typedFlags(f, &v.Rows)
		f.Lookup("label").Usage = "`COLUMNS` refused: no noise would hide them"
		f.common()
		return func(files []string) error { return v.run(f, files) }
	},
}

// A release is the work of the verb.
type release struct {
	jobs.ReleaseRequest
	out            rowOutput
	model          modelFlag
	public, ledger string
}

func (v *release) run(f *flags, files []string) (err error) {
	store, closeAll, err := openPrivate(f, &v.Rows, files, v.ledger)
	if err != nil {
		return err
	}
	defer closeAll()
	if err := v.out.resolve(); err != nil {
		return err
	}
	v.out.fill(&v.To)
	if v.Model, err = v.model.ofMap(f); err != nil {
		return err
	}
	v.Ledger, v.Digest, v.Random = store, sha, random
	v.Begin = func(*jobs.Beginning) (string, error) { return rand.Text(), nil }
	reply, err := jobs.Release(f.control(), native.Mapper{}, &v.ReleaseRequest)
	if err != nil {
		return err
	}
	if v.public != "" {
		text, err := jobs.ReleaseFile(&reply.Release, reply.Model)
		if err == nil {
			err = writeWhole(v.public, text)
		}
		if err != nil {
			return err
		}
	}
	to := v.out.results()
	if f.json {
		reply.Ledger.JSON = "" // it is in a file
		printJSON(to, struct {
			*jobs.ReleaseReply
			*written
			Notes []string `json:"notes"`
		}{reply, v.out.written(), []string{"no noise hides what is in seen: it is for you alone"}})
		return nil
	}
	r, seen := &reply.Release, &reply.Seen
	fmt.Fprintf(to, "release   %s of %s, %d numbers each with noise of σ %.4g (rows of features within %.4g)\n", r.Kind,
		jobs.Count(r.Count, "row"), r.NComponents, r.Sigma, r.Bound)
	fmt.Fprintf(to, "for you   %d longer than the radius, %d that the map cannot take, %d that do not fit: no noise "+
		"hides this\n", seen.Clipped, seen.Zeroed, seen.Unusable)
	printSpent(to, store.path, reply.Ledger)
	return nil
}

// openPrivate opens the one file of a private job, and its ledger.
func openPrivate(f *flags, rows *jobs.Rows, files []string, ledger string) (*ledgerFile, func(), error) {
	if len(files) != 1 {
		return nil, nil, usage("%s is about one file, got %d", f.verb.name, len(files))
	}
	if ledger == "" {
		if files[0] == "-" {
			return nil, nil, usage("standard input has no place for a ledger beside it; give its file with --ledger")
		}
		ledger = ledgerBeside(files[0])
	}
	if target, err := filepath.EvalSymlinks(ledger); err == nil {
		ledger = target // where its lock is, too
	}
	for _, out := range f.outputs {
		if *out.path != "" && *out.path != "-" && areOnePlace(*out.path, ledger) {
			return nil, nil, usage("%s names the ledger, which adds up what releases cost; name another file",
				dashed(out.name))
		}
	}
	closeAll, err := openRows(rows, files, "")
	return &ledgerFile{path: ledger}, closeAll, err
}
