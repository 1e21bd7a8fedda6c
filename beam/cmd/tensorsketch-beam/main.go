// Command tensorsketch-beam embeds files and fits models to files in pipelines of Apache Beam, by default on Prism in
// this process. Its outputs have the bytes of cmd/tensorsketch.
//
//	tensorsketch-beam embed --model map.json --to parquet -o features/ part-*.csv
//	tensorsketch-beam fit --like start.tsm -o model.json part-*.csv
//
// beam/README.md has examples, also for Flink and Dataflow. The exit status is 0 if all is done, 1 if a file or the
// pipeline is at fault, and 2 if the call is.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"tensorsketch.example/beam/embed"
	"tensorsketch.example/beam/internal/storage"
	"tensorsketch.example/beam/learn"
	"tensorsketch.example/beam/rows"
	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

const help = `tensorsketch-beam runs cmd/tensorsketch on Apache Beam.

  tensorsketch-beam embed FILE … --model MODEL -o FOLDER [--to FORMAT] [flags of Beam]
  tensorsketch-beam fit FILE … --like SUMS -o MODEL [--moments SUMS] [--alpha X] [flags of Beam]

Files are names and patterns, on disk or as gs://bucket/part-*.csv, and flags may follow them. Make SUMS by
"tensorsketch fit FILE … --no-rows --moments SUMS". Without --runner, everything runs in this process.
`

var (
	modelName = flag.String("model", "", "`FILE` of embed: the model, with its preprocessing")
	like      = flag.String("like", "", "`FILE` of fit: sums whose map, columns and ranges are taken")
	out       = flag.String("o", "", "`OUT` the folder for features, or the file for the model")
	to        = flag.String("to", "csv", "`FORMAT` of features: "+strings.Join(columns.FormatNames(true), " "))
	moments   = flag.String("moments", "", "`FILE` of fit: also write the sums of all rows")
	alpha     = flag.Float64("alpha", 0, "`X` of fit: the weight of the penalty; 0 chooses it")
)

func init() { register.DoFn2x1[context.Context, []byte, error](&writeFn{}) }

// writeFn writes a file.
type writeFn struct{ Name string }

func (f *writeFn) ProcessElement(ctx context.Context, content []byte) error {
	return storage.Write(ctx, f.Name, bytes.NewReader(content))
}

// A usageError is a mistake in the command line.
type usageError struct{ error }

func main() {
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, help+"\n")
		flag.PrintDefaults()
	}
	words := parse(os.Args[1:])
	if self, err := os.Executable(); err == nil && runtime.GOOS == "linux" && *jobopts.WorkerBinary == "" {
		*jobopts.WorkerBinary = self // else Beam compiles it again, from sources that may not be there
	}
	if runner := *runners.Runner; runner == "" || runner == "prism" {
		log.LogLevel = "warn"
	}
	beam.Init() // in a worker, it does not return
	if err := run(context.Background(), words); err != nil {
		fmt.Fprintln(os.Stderr, "tensorsketch-beam: "+cause(err))
		if errors.As(err, new(usageError)) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// parse sets the flags and returns the other arguments, which may stand between them.
func parse(args []string) (words []string) {
	for len(args) > 0 {
		flag.CommandLine.Parse(args) // it exits after an error
		if args = flag.Args(); len(args) > 0 {
			words, args = append(words, args[0]), args[1:]
		}
	}
	return words
}

func run(ctx context.Context, words []string) error {
	if len(words) < 2 || *out == "" {
		return usageError{errors.New("name a verb, files and -o; see --help")}
	}
	names, err := storage.List(ctx, words[1:])
	if err != nil {
		return err
	}
	p, s := beam.NewPipelineWithRoot()
	files := beam.Reshuffle(s, beam.CreateList(s, names))
	switch words[0] {
	case "embed":
		err = buildEmbed(ctx, s, files, names)
	case "fit":
		err = buildFit(ctx, s, files, names)
	default:
		err = usageError{fmt.Errorf("%q is no verb; take embed or fit", words[0])}
	}
	if err != nil {
		return err
	}
	result, err := beamx.RunWithMetrics(ctx, p)
	if err == nil {
		fmt.Print(report(result))
	}
	return err
}

// cause returns what a step of the pipeline said, without the pipeline that Beam describes around it.
func cause(err error) string {
	message := err.Error()
	return message[max(0, strings.LastIndex(message, "\n")+1):]
}

func buildEmbed(ctx context.Context, s beam.Scope, files beam.PCollection, names []string) error {
	format, formats := dataset.Format(*to), columns.FormatNames(true)
	if *modelName == "" || !slices.Contains(formats, *to) {
		return usageError{errors.New("embed needs --model FILE, and --to one of " + strings.Join(formats, " "))}
	}
	from := map[string]string{}
	for _, name := range names {
		made := embed.OutputName(*out, name, format)
		if other, ok := from[made]; ok {
			return fmt.Errorf("the features of %s and %s are both %s; embed them into two folders", other, name, made)
		}
		from[made] = name
	}
	file, err := storage.Read(ctx, *modelName)
	if err == nil {
		_, err = embed.Write(s, file, files, *out, format)
	}
	return named(*modelName, err)
}

func buildFit(ctx context.Context, s beam.Scope, files beam.PCollection, names []string) error {
	if *like == "" || *alpha < 0 {
		return usageError{errors.New("fit needs --like FILE, and --alpha from 0")}
	}
	start, err := storage.Read(ctx, *like)
	if err != nil {
		return err
	}
	how, err := learn.FilesOf(ctx, start, names[0])
	if err != nil {
		return err
	}
	sums, err := learn.Sum(s, start, rows.Read(s, how, files))
	if err != nil {
		return named(*like, err)
	}
	if *moments != "" {
		beam.ParDo0(s, &writeFn{Name: *moments}, learn.Files(s, sums))
	}
	beam.ParDo0(s, &writeFn{Name: *out}, learn.Fit(s, sums, *alpha))
	return nil
}

// named begins an error about a file with its name.
func named(file string, err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return err
}

// report returns a line for each counter of the pipeline, if its runner knows them.
func report(result beam.PipelineResult) (text string) {
	if result == nil {
		return ""
	}
	counters := result.Metrics().Query(func(r metrics.SingleResult) bool { return r.Namespace() == "tensorsketch" })
	total := map[string]int64{}
	for _, c := range counters.Counters() {
		total[c.Name()] += c.Result()
	}
	for _, name := range []string{"rows", "rows left out"} {
		if n, ok := total[name]; ok {
			text += fmt.Sprintf("%-13s  %d\n", name, n)
		}
	}
	return text
}
