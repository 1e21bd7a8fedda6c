package main

import (
	"strings"

	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/table"
)

// requestOf returns the settings of a release for the worker, or nil if the release is not private.
func requestOf(r *embed.Release) map[string]any {
	if !r.IsPrivate() {
		return nil
	}
	request := map[string]any{"kind": r.Kind, "epsilon": r.Epsilon, "delta": r.Delta, "radius": r.Radius,
		"budget": map[string]any{"epsilon": r.Budget, "delta": r.Delta}}
	give(request, "rows", r.Kind == embed.ReleaseMean, r.Rows)
	return request
}

// lookAhead updates the meter and the ledger in the background if they are out of date. The App is locked.
func (b *browser) lookAhead() {
	app := b.app
	if app.State.Place != PlaceEmbed || !app.State.Release.IsPrivate() || b.looking {
		return
	}
	const most = 256 << 20 // of a file that is read for its ledger without being asked
	ledger := !app.Data.IsSample() && app.Ledger.Generation != app.Data.Generation && app.Data.Bytes <= most
	meter := app.Result != nil && !app.IsMetered()
	if !ledger && !meter {
		return
	}
	b.looking = true
	key, release, result, with, file, generation := app.MeterKey(), app.State.Release, app.Result, b.made, b.file,
		app.Data.Generation
	b.Background(func() {
		var measured *embed.Meter
		var spent *embed.Ledger
		if meter {
			measured = meterOf(with, result, release)
			measured.Key = key
		}
		if ledger {
			spent = ledgerOf(b.files.call("ledger", map[string]any{"file": file}))
			spent.Generation = generation
		}
		b.Change(func() {
			b.looking = false
			if measured != nil {
				app.Meter = measured
			}
			if spent != nil {
				app.Ledger = *spent
			}
		})
	})
}

// meterOf asks the map of a result for the signal and noise of a release.
func meterOf(with chosen, result *embed.Result, release embed.Release) *embed.Meter {
	model, err := with.featureMap(result.NFeatures)
	if err != nil {
		return &embed.Meter{Problem: err.Error() + "."}
	}
	defer model.Call("dispose")
	rows := 1
	if release.Kind == embed.ReleaseMean {
		rows = release.Rows
	}
	meter, err := dom.Try(dom.Get(model, "privacy"), "meter", map[string]any{"epsilon": release.Epsilon,
		"delta": release.Delta, "radius": release.Radius, "rows": rows})
	if err != nil {
		return &embed.Meter{Problem: err.Error() + "."}
	}
	m := &embed.Meter{Release: embed.ReleaseMeter{IsMean: release.Kind == embed.ReleaseMean, Rows: rows,
		NComponents: result.Embed.NComponents, Epsilon: release.Epsilon, Delta: release.Delta,
		Signal: dom.Number(meter, "signal"), Noise: dom.Number(meter, "noise"),
		LeastNoise: dom.Number(meter, "leastNoise")}}
	x, y := embed.TradeoffPair(dom.Int(model, "nFeatures"), release.Radius)
	m.Tradeoff = tradeoffOf(model, meter, x, y, result.Embed.NComponents)
	return m
}

// tradeoffOf asks for the errors of a kernel estimate of two rows at many D. It returns nil if the map cannot
// answer.
func tradeoffOf(model, meter dom.Value, x, y []float32, current int) *embed.Tradeoff {
	vx, vy := dom.Float32Array(x), dom.Float32Array(y)
	kernel, err := dom.Try(dom.Get(model, "theory"), "kernel", vx, vy)
	if err != nil {
		return nil
	}
	at := func(n any) (embed.TradeoffPoint, error) {
		said, err := dom.Try(meter, "tradeoff", vx, vy, map[string]any{"nComponents": n})
		return embed.TradeoffPoint{NComponents: dom.Int(said, "nComponents"), Sketch: dom.Number(said, "sketch"),
			Noise: dom.Number(said, "noise"), Both: dom.Number(said, "both")}, err
	}
	t := &embed.Tradeoff{Kernel: dom.Number(kernel)}
	if t.Current, err = at(current); err != nil {
		return nil
	}
	t.Best, _ = at("best")
	for _, n := range embed.TradeoffSizes(current, t.Best.NComponents) {
		point, err := at(n)
		if err != nil {
			return nil
		}
		t.Points = append(t.Points, point)
	}
	return t
}

// ledgerOf reads a ledger from the worker's reply.
func ledgerOf(said dom.Value, err error) *embed.Ledger {
	if err != nil {
		return &embed.Ledger{Message: sentence(err)}
	}
	return &embed.Ledger{Known: knownLedger(said)}
}

// knownLedger reads what a ledger says, or returns nil if there is none.
func knownLedger(v dom.Value) *table.Ledger {
	if !dom.Exists(v) {
		return nil
	}
	return &table.Ledger{Budget: dom.Number(v, "epsilon"), Delta: dom.Number(v, "delta"), Spent: dom.Number(v, "spent"),
		Left: dom.Number(v, "left"), Releases: dom.Int(v, "releases", "length"), Over: dom.Text(v, "over")}
}

// loadLedger merges saved ledgers into the ledger of the current file. The App is locked.
func (b *browser) loadLedger(saved ...dom.Value) {
	file, generation := b.file, b.app.Data.Generation
	for _, one := range saved {
		b.askLedgers(func() {
			ledger := ledgerOf(b.mergeLedger(file, one))
			ledger.Generation = generation
			b.Change(func() { b.app.Ledger = *ledger })
		})
	}
}

// askLedgers calls f in the background, after earlier calls have returned. So a ledger that is forgotten after
// another was loaded stays forgotten. The App is locked.
func (b *browser) askLedgers(f func()) {
	before, done := b.ledgers, make(chan struct{})
	b.ledgers = done
	b.Background(func() {
		defer close(done)
		if before != nil {
			<-before
		}
		f()
	})
}

// addLedgers merges the ledgers among opened files into the ledger of the current file. The App is locked.
func (b *browser) addLedgers(saved []dom.Value) {
	if len(saved) > 0 && b.app.Data.IsSample() {
		b.app.Data.Problem = dom.Text(saved[0], "name") + " is the ledger of a file's releases: open that file first."
		return
	}
	b.loadLedger(saved...)
}

func (b *browser) mergeLedger(file, saved dom.Value) (said dom.Value, err error) {
	defer dom.Catch(&err)
	content, err := dom.Ask(saved, "text")
	if err != nil {
		return content, err
	}
	return b.files.call("loadLedger", map[string]any{"file": file, "text": content})
}

// doLedger saves or forgets the ledger of the current file. The App is locked.
func (b *browser) doLedger(action Action) {
	file, data := b.file, b.app.Data
	call := "ledger"
	if action == ForgetLedger {
		call = "resetLedger"
	}
	b.askLedgers(func() {
		said, err := b.files.call(call, map[string]any{"file": file})
		message := dom.Text(said)
		switch {
		case err != nil:
			message = err.Error() + "."
		case action == SaveLedger:
			downloadText(dom.Text(said, "json"), "application/json", data.Layout.Stem+"-ledger.json")
		}
		if message != "" {
			b.Change(func() { b.app.Ledger = embed.Ledger{Generation: data.Generation, Message: message} })
		}
	})
}

// takeKey makes a key from the typed text, or removes the key if there is none. The map is then drawn from it. The
// App is locked.
func (b *browser) takeKey() {
	key, salt := valueOf("key"), valueOf("salt")
	if key == "" {
		b.setKey(typedKey{}, "")
		return
	}
	iterations := dom.Undefined()
	if b.model != nil && strings.EqualFold(salt, b.model.salt) {
		iterations = b.model.iterations
	}
	b.Background(func() {
		made, err := keyOf(key, salt, iterations)
		b.Change(func() {
			problem := ""
			if err != nil {
				problem = err.Error() + "."
			}
			b.setKey(made, problem)
		})
	})
}

// A typedKey holds a key of 32 bytes and, if it was made from a passphrase, { salt, iterations } for the model file.
// Without a key both are undefined.
type typedKey struct{ bytes, salt dom.Value }

func (b *browser) setKey(key typedKey, problem string) {
	had := b.app.Keyed > 0
	dom.Update("key-problem", "textContent", problem)
	b.key, b.app.Keyed = key, 0
	if !key.bytes.IsUndefined() {
		b.keys++
		b.app.Keyed = b.keys
	}
	if had || b.app.Keyed > 0 {
		b.app.Embed()
	}
}

// setSalt writes a salt into its field. If a key is typed, it is made again. The App is locked.
func (b *browser) setSalt(salt string) {
	dom.Update("salt", "value", salt)
	if valueOf("key") != "" {
		b.takeKey()
	}
}

func valueOf(id string) string { return dom.Text(dom.Element(id), "value") }
