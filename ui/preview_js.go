package main

import (
	"errors"
	"strconv"
	"time"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/sample"
	"tensorsketch.example/ui/internal/table"
)

// embed performs a run and shows its result. It runs in a goroutine of its own.
func (b *browser) embed(r *run, chosen chosen, data embed.Data, most int) {
	ticker := time.AfterFunc(embed.ShownAfter, func() {
		b.Change(func() { b.app.Run.Elapsed = now() - r.started })
	})
	result, err := b.preview(r, chosen, data, most)
	ticker.Stop()
	b.Change(func() {
		b.run = nil
		if result != nil && data.Generation == b.app.Data.Generation {
			b.show(result, chosen)
		}
		isCancelled := errors.Is(err, errStopped) || errors.Is(err, errReplaced)
		switch {
		case r.again:
			b.Embed()
		case isCancelled && b.app.Run.Phase != embed.Stopping: // who dropped it has said why
		case isCancelled:
			b.app.Run = embed.Run{Phase: embed.Stopped}
			if result != nil {
				b.app.Run.Rows = result.Rows
			}
			b.app.ForgetOthers()
		case err != nil && !b.ready:
			b.app.FailRun(err.Error() + again)
		case err != nil:
			b.app.FailRun(err.Error())
		default:
			b.app.Run = embed.Run{Phase: embed.Done, Done: 1}
		}
	})
}

// show adopts a result. The App is locked.
func (b *browser) show(result *embed.Result, with chosen) {
	first := b.results == 0
	b.results++
	result.Number = b.results
	b.app.Result, b.made = result, with
	b.Background(func() {
		if first {
			_, err := b.files.call("prepare", map[string]any{})
			if err == nil {
				_, err = loadCore()
			}
			if err != nil {
				b.Change(func() { b.app.Fail(err.Error()) })
				return
			}
			dom.Mark("files-ready")
			b.writer.lookForJobs()
		}
		b.mapRows(result)
		b.timeCore(result)
	})
}

// timeCore adds to a shown result the time that the core alone takes per row. It does not measure if a row takes
// long or a file is being written; the card then shows the time of the whole run.
func (b *browser) timeCore(result *embed.Result) {
	const most = 100 * time.Millisecond // compared with the time per row of the run, which includes the core
	if b.writer.busy || result.Rows == 0 || result.Elapsed/time.Duration(result.Rows) > most {
		return
	}
	rows := min(1000, max(1, int(most*time.Duration(result.Rows)/max(result.Elapsed, 1))))
	reply, err := b.files.call("time", map[string]any{"rows": rows})
	if err != nil {
		return
	}
	b.Change(func() { result.CorePerRow = milliseconds(reply) })
}

// preview has the worker embed the rows that are shown. If the run is stopped, it returns a result of the rows so
// far and errStopped. A partial result without rows is nil.
func (b *browser) preview(r *run, chosen chosen, data embed.Data, most int) (result *embed.Result, err error) {
	defer dom.Catch(&err)
	request, err := b.previewRequest(chosen, data, most)
	if err != nil {
		return nil, err
	}
	release := r.onPull(func() {
		dropped := errors.Is(r.cause(), errReplaced)
		_, _ = b.files.call("stopPreview", map[string]any{"dropped": dropped})
	})
	defer release()
	reply, err := b.files.call("preview", request)
	if cause := r.cause(); cause != nil && (err != nil || reply.IsNull() || cause != errStopped) {
		return nil, cause
	}
	if isSuperseded(err) {
		return nil, errReplaced
	}
	if err != nil {
		return nil, refusal(err, &data, chosen.Settings)
	}
	if few := dom.Get(reply, "tooFew"); dom.Exists(few) {
		return nil, data.TooFew(dom.Int(few), chosen.Settings)
	}
	result = resultOf(reply)
	result.Embed, result.Keyed = chosen.Settings, chosen.keyed
	result.Generation, result.Layout = data.Generation, data.Layout
	result.Partial = most > 0 || r.cause() != nil
	if result.Fitted != "" {
		result.Fitted = format.Count(chosen.NComponents) + " of " + result.Fitted
	}
	if chosen.model != nil {
		result.Model = chosen.model.Model
	}
	if result.Rows == 0 && result.Partial {
		result = nil
	}
	return result, r.cause()
}

// A rowsKey identifies the rows that are shown.
type rowsKey struct {
	layout  *table.Layout
	scaling scaling
	first   bool       // only the first ones
	model   *openModel // the model that makes them
}

// previewRequest returns the request for the rows to show: all rows, or some more than the first ones wanted.
func (b *browser) previewRequest(chosen chosen, data embed.Data, most int) (map[string]any, error) {
	if m := chosen.model; m != nil && m.IsKeyed && !m.HoldsKey && chosen.key.bytes.IsUndefined() {
		return nil, errors.New(m.NeedsKey())
	}
	request := mapRequest(chosen)
	rows := rowsKey{data.Layout, scalingOf(&chosen.Settings), most > 0 && !data.IsSample(), chosen.model}
	if rows != b.rows {
		b.rows = rows
		b.reading++
	}
	request["rows"], request["most"] = b.reading, most
	if data.IsSample() {
		request["sample"] = b.sampleValue(rows.scaling.unit)
		return request, nil
	}
	request["file"], request["options"] = b.file, readingValue(&data.Reading.Reading)
	request["plan"] = planOf(data.Layout, rows.scaling, 0)
	give(request, "first", rows.first, embed.ShownMost)
	return request, nil
}

// sampleValue returns the sample, drawn once. If unit is set, each row is scaled to length 1.
func (b *browser) sampleValue(unit bool) map[string]any {
	if made := b.samples[unit]; made != nil {
		return made
	}
	rows, labels := sampleVectors(unit)
	names := dom.New("Array")
	for _, label := range labels {
		names.Call("push", strconv.Itoa(int(label)))
	}
	b.samples[unit] = map[string]any{"X": dom.Float32Array(rows), "labels": names, "nFeatures": sample.Features}
	return b.samples[unit]
}

// mapRequest returns the part of a request that describes the chosen map: its parameters or model file, and the key.
func mapRequest(chosen chosen) map[string]any {
	key := chosen.key.bytes
	if m := chosen.model; m != nil {
		return map[string]any{"model": m.value, "key": m.keyOf(key)}
	}
	params := paramsValue(chosen.Params(0), key)
	delete(params, "nFeatures")
	request := map[string]any{"params": params}
	give(request, "key", !key.IsUndefined(), key)
	return request
}

// featureMap makes the map again in the page. It does not choose landmarks again.
func (c chosen) featureMap(nFeatures int) (dom.Value, error) {
	core, err := loadCore()
	if err != nil {
		return dom.Undefined(), err
	}
	if c.model != nil {
		return core.fromModel(c.model.value, c.model.keyOf(c.key.bytes))
	}
	return core.featureMap(c.Params(nFeatures), c.key.bytes)
}

// showProgress shows how far a preview has come. The App is locked.
func (b *browser) showProgress(rows int, done float64) (changed bool) {
	if b.run == nil || b.app.Run.Phase != embed.Running {
		return false
	}
	b.app.Run = embed.Run{Phase: embed.Running, Rows: rows, Done: done, Elapsed: now() - b.run.started}
	return true
}

// resultOf reads a preview from the worker's reply.
func resultOf(reply dom.Value) *embed.Result {
	result := &embed.Result{Rows: dom.Int(reply, "rows"), ZeroRows: dom.Int(reply, "zeroRows"),
		Shown: dom.Int(reply, "id"), Of: dom.Numbers[float64](dom.Get(reply, "of")),
		NFeatures: dom.Int(reply, "nFeatures"), Counts: countsOf(dom.Get(reply, "counts")),
		Elapsed: milliseconds(dom.Get(reply, "ms"))}
	for _, row := range dom.List(dom.Get(reply, "first")) {
		features := dom.Numbers[float32](dom.Get(row, "features"))
		result.Preview = append(result.Preview, embed.NewRow(dom.Text(row, "label"), features))
	}
	result.Heaviest = embed.Share{Column: dom.Text(reply, "heaviest", "name"), Of: dom.Number(reply, "heaviest", "share")}
	var pairs []embed.Pair
	for all := dom.Numbers[float64](dom.Get(reply, "pairs")); len(all) > 0; all = all[4:] {
		pairs = append(pairs, embed.Pair{Exact: all[0], Estimate: all[1], Bias: all[2], Sigma: all[3]})
	}
	result.Report = embed.NewReport(pairs, sketch.Kind(dom.Int(reply, "kind")))
	result.Report.Self, result.Report.Apart = dom.Number(reply, "self"), dom.Number(reply, "apart")
	result.Report.Unlike = dom.Int(reply, "unlike")
	if fitted := dom.Get(reply, "fitted"); dom.Exists(fitted) {
		result.Fitted = "the first "
		if dom.Truth(fitted, "isWhole") {
			result.Fitted = "all "
		}
		result.Fitted += format.Plural(dom.Int(fitted, "rows"), "row")
	}
	return result
}

// milliseconds converts a number of milliseconds into a duration.
func milliseconds(v dom.Value) time.Duration {
	return time.Duration(dom.Number(v) * float64(time.Millisecond))
}
