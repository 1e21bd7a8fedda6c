package main

import "tensorsketch.example/jobs"

var exportVerb = verb{
	name: "export", does: "write a model as ONNX, for the runtimes of other languages",
	usage:   "--model MODEL -o OUT [flags]",
	example: "tensorsketch export --model model.json -o model.onnx",
	prepare: func(f *flags) func([]string) error {
		var m modelFlag
		var out string
		f.heading("The model, as fit writes it, or a map alone")
		modelFlags(f, &m)
		f.heading("Output")
		f.output(&out, "o", "`FILE` the ONNX file; its input X is the numbers of the columns, if all are numbers")
		f.common()
		return func(files []string) error { return exportModel(f, files, &m, out) }
	},
}

func exportModel(f *flags, files []string, m *modelFlag, out string) error {
	switch {
	case len(files) > 0:
		return usage("export takes no rows; give the model with --model FILE")
	case m.name == "":
		return usage("give the model with --model FILE")
	case out == "":
		return usage("give the ONNX file with -o")
	}
	file, err := m.read()
	if err != nil {
		return err
	}
	content, err := jobs.Export(&jobs.ExportRequest{Model: file})
	if err != nil {
		return err
	}
	if err := writeWhole(out, content); err != nil {
		return err
	}
	if f.json {
		printJSON((&rowOutput{path: out}).results(), map[string]any{"bytes": len(content), "output": out})
	}
	return nil
}
