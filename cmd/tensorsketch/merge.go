package main

import (
	"crypto/sha256"

	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
)

var mergeVerb = verb{
	name: "merge", does: "add up the sums of parts that fit --moments has written", usage: "FILE … -o OUT [flags]",
	example: "tensorsketch merge part1.tsm part2.tsm -o all.tsm",
	prepare: func(f *flags) func([]string) error {
		var out string
		var less []string
		f.heading("Output")
		f.words(&out, "o", "`FILE` the sums of all parts; a model of them is made by fit --from")
		f.list(&less, "subtract", "`FILE` take away the rows of this part, which is in the others")
		f.common()
		return func(files []string) error { return merge(f, files, less, out) }
	},
}

func merge(f *flags, files, less []string, out string) error {
	switch {
	case len(files) == 0:
		return usage("name files of sums")
	case out == "":
		return usage("give the file for the sums with -o")
	}
	q, err := jobs.MergeRequest{}, error(nil)
	if q.Parts, err = readAll(files); err != nil {
		return err
	}
	if q.Less, err = readAll(less); err != nil {
		return err
	}
	l, err := jobs.Merge(native.Mapper{}, &q)
	if err != nil {
		return err
	}
	noteRepeated(f, q.Parts)
	if less != nil {
		f.note("the rows of --subtract are taken on trust: that sums allow it does not show that these rows were added")
	}
	if err := writeMoments(out, l); err != nil {
		return err
	}
	if f.json {
		printJSON((&rowOutput{path: out}).results(), map[string]any{"rows": l.Rows(), "output": out})
	} else {
		f.note("%s", jobs.Count(l.Rows(), "row"))
	}
	return nil
}

// noteRepeated says which parts hold the sums of another one, if these are of any rows.
func noteRepeated(f *flags, parts []jobs.Named) {
	seen := map[[sha256.Size]byte]string{}
	for _, part := range parts {
		sum := sha256.Sum256(part.Content)
		if first, ok := seen[sum]; ok {
			if l, err := (native.Mapper{}).OpenLearner(part.Content); err == nil && l.Rows() > 0 {
				f.note("the rows of %s count twice, since %s holds the same sums; leave one out if these are the same rows",
					part.Name, first)
			}
		}
		seen[sum] = part.Name
	}
}

// writeMoments writes the sums of a learner.
func writeMoments(name string, l jobs.Learner) error {
	content, err := l.File()
	if err != nil {
		return named(name, err)
	}
	return writeWhole(name, content)
}
