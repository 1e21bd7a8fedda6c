package main

import (
	"slices"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
)

var predictVerb = verb{
	name: "predict", does: "write the labels or numbers that a model predicts for the rows of files",
	usage:   "FILE … --model MODEL [-o OUT] [flags]",
	example: "tensorsketch predict new.csv --model model.json --probabilities -o predicted.csv",
	prepare: func(f *flags) func([]string) error {
		var q jobs.PredictRequest
		var m modelFlag
		var out rowOutput
		var novelty string
		f.heading("The model, as fit writes it")
		modelFlags(f, &m)
		f.heading("Output")
		outputFlags(f, &out, slices.DeleteFunc(columns.FormatNames(true), func(name string) bool {
			return !columns.FormatOf(name).Predicts()
		}))
		f.boolean(&q.To.RowNumbers, "row-numbers", "write the line or number of each row first")
		f.boolean(&q.Scores, "scores", "write the score of each class, too")
		f.boolean(&q.Probabilities, "probabilities", "write the probability of each class, too")
		f.positive(&q.Interval, "interval", "`SHARE` write an interval, or a set of classes, with the truth this often: 0.9")
		f.choice(&q.ClassWeight, "class-weight", "`HOW` balanced finds rare classes more often", []string{"balanced"})
		f.words(&q.Threshold, "threshold", "`CLASS=P` say the class from this probability on, and else the likeliest other")
		f.input(&novelty, "novelty", "`FILE` sums of --moments: write how unlike each row is to their rows")
		modelColumnFlags(f, &q.Columns)
		readingFlags(f, &q.Reading)
		f.common()
		return func(files []string) error {
			if novelty != "" {
				sums, err := readAll([]string{novelty})
				if err != nil {
					return err
				}
				q.Novelty = &sums[0]
			}
			return predict(f, &q, &m, &out, files)
		}
	},
}

func predict(f *flags, q *jobs.PredictRequest, m *modelFlag, out *rowOutput, files []string) (err error) {
	if err := out.resolve(); err != nil {
		return err
	}
	out.fill(&q.To)
	closeAll, err := openLearned(&q.Rows, &q.Model, m, files, "")
	if err != nil {
		return err
	}
	defer closeAll()
	reply, err := jobs.Predict(f.control(), native.Mapper{}, q)
	if err != nil || !f.json {
		return err
	}
	printJSON(out.results(), struct {
		*jobs.PredictReply
		*written
	}{reply, out.written()})
	return nil
}

// openLearned reads a model and opens the files that it predicts for.
func openLearned(rows *jobs.Rows, model *jobs.Named, from *modelFlag, files []string, labels string) (closeAll func(),
	err error) {
	if err := needFiles(files); err != nil {
		return nil, err
	}
	if from.name == "" {
		return nil, usage("give the model with --model FILE")
	}
	if *model, err = from.read(); err != nil {
		return nil, err
	}
	return openRows(rows, files, labels)
}
