package main

import (
	"strings"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/tradeoff"
)

// request returns the settings of a release for the worker, or nil where there is none.
func (r *ReleaseState) request() map[string]any {
	if !r.IsPrivate() {
		return nil
	}
	request := map[string]any{"kind": r.Kind, "epsilon": r.Epsilon, "delta": r.Delta, "radius": r.Radius,
		"budget": map[string]any{"epsilon": r.Budget, "delta": r.Delta}}
	give(request, "rows", r.Kind == ReleaseMean, r.Rows)
	return request
}

// lookAhead has the meter and the ledger brought up to what is chosen, if they are not.
// The App is locked.
func (b *browser) lookAhead() {
	app := b.app
	if app.State.Place != PlaceEmbed || !app.State.Release.IsPrivate() || b.looking {
		return
	}
	const most = 256 << 20 // of a file that is read for its ledger unasked
	ledger := !app.Data.IsSample() && app.Ledger.Generation != app.Data.Generation && app.Data.Bytes <= most
	meter := app.Result != nil && !app.IsMetered()
	if !ledger && !meter {
		return
	}
	b.looking = true
	key, release, result, with, file, generation := app.meterKey(), app.State.Release, app.Result, b.made, b.file,
		app.Data.Generation
	b.background(func() {
		var measured *Meter
		var spent *Ledger
		if meter {
			measured = meterOf(with, result, release)
			measured.key = key
		}
		if ledger {
			spent = b.ledgerOf(file)
			spent.Generation = generation
		}
		b.change(func() {
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

// meterOf asks the map of a result what a release would leave.
func meterOf(with made, result *Result, release ReleaseState) *Meter {
	model, err := with.featureMap(result.NFeatures)
	if err != nil {
		return &Meter{Problem: err.Error() + "."}
	}
	defer model.dispose()
	rows := 1
	if release.Kind == ReleaseMean {
		rows = release.Rows
	}
	privacy, err := model.value.Get("privacy")
	if err != nil {
		return &Meter{Problem: thrown(err).Error() + "."}
	}
	meter, err := privacy.Call("meter", map[string]any{"epsilon": release.Epsilon, "delta": release.Delta,
		"radius": release.Radius, "rows": rows})
	if err != nil {
		return &Meter{Problem: thrown(err).Error() + "."}
	}
	r := reader{}
	m := &Meter{Release: tradeoff.Release{IsMean: release.Kind == ReleaseMean, Rows: rows,
		NComponents: result.Embed.NComponents, Epsilon: release.Epsilon, Delta: release.Delta,
		Signal: r.number(meter, "signal"), Noise: r.number(meter, "noise"), LeastNoise: r.number(meter, "leastNoise")}}
	if r.err != nil {
		return &Meter{Problem: r.err.Error() + "."}
	}
	d, err := model.value.Get("nFeatures")
	if err != nil {
		return m
	}
	n, _ := d.Int()
	x, y := tradeoff.Pair(n, release.Radius)
	m.Tradeoff = tradeoffOf(model, meter, x, y, result.Embed.NComponents)
	return m
}

// tradeoffOf asks for the errors of an estimate by two rows at many D; nil where the map
// has no answer.
func tradeoffOf(model *featureMap, meter safejs.Value, x, y []float32, current int) *tradeoff.Tradeoff {
	vx, err := float32Array(x)
	if err != nil {
		return nil
	}
	vy, err := float32Array(y)
	if err != nil {
		return nil
	}
	theory, err := model.value.Get("theory")
	if err != nil {
		return nil
	}
	kernel, err := theory.Call("kernel", vx, vy)
	if err != nil {
		return nil
	}
	at := func(n any) (p tradeoff.Point, err error) {
		said, err := meter.Call("tradeoff", vx, vy, map[string]any{"nComponents": n})
		if err != nil {
			return p, err
		}
		r := reader{}
		p = tradeoff.Point{NComponents: r.int(said, "nComponents"), Sketch: r.number(said, "sketch"),
			Noise: r.number(said, "noise"), Both: r.number(said, "both")}
		return p, r.err
	}
	t := &tradeoff.Tradeoff{}
	t.Kernel, _ = kernel.Float()
	if t.Current, err = at(current); err != nil {
		return nil
	}
	if t.Best, err = at("best"); err != nil {
		t.Best = tradeoff.Point{}
	}
	for _, n := range tradeoff.Components(current, t.Best.NComponents) {
		point, err := at(n)
		if err != nil {
			return nil
		}
		t.Points = append(t.Points, point)
	}
	return t
}

// ledgerOf asks what the releases of a file have cost.
func (b *browser) ledgerOf(file safejs.Value) *Ledger {
	said, err := b.files.call("ledger", map[string]any{"file": file})
	if err != nil {
		return &Ledger{Message: err.Error() + "."}
	}
	return spentOf(said)
}

// spentOf reads what the worker says of a ledger.
func spentOf(said safejs.Value) *Ledger {
	if said.IsNull() {
		return &Ledger{}
	}
	r := reader{}
	l := &Ledger{Exists: true, Budget: r.number(said, "epsilon"), Delta: r.number(said, "delta"),
		Spent: r.number(said, "spent"), Left: r.number(said, "left"),
		Releases: r.int(r.get(said, "releases"), "length")}
	return l
}

// loadLedger adds a ledger that was saved to the one of the file shown. The App is locked.
func (b *browser) loadLedger(saved safejs.Value) {
	if saved.IsUndefined() || saved.IsNull() {
		return
	}
	file, generation := b.file, b.app.Data.Generation
	b.askLedgers(func() {
		ledger := &Ledger{}
		if err := b.mergeLedger(file, saved, ledger); err != nil {
			ledger = &Ledger{Message: err.Error() + "."}
		}
		ledger.Generation = generation
		b.change(func() { b.app.Ledger = *ledger })
	})
}

// askLedgers calls f in the background, after earlier calls have returned: a ledger that is forgotten after another was
// loaded stays forgotten. The App is locked.
func (b *browser) askLedgers(f func()) {
	before, done := b.ledgers, make(chan struct{})
	b.ledgers = done
	b.background(func() {
		defer close(done)
		if before != nil {
			<-before
		}
		f()
	})
}

// addLedgers adds ledgers that came with files, or alone, to the one of the file shown. The App is locked.
func (b *browser) addLedgers(saved []safejs.Value) {
	for _, ledger := range saved {
		if b.app.Data.IsSample() {
			b.app.Data.Problem = text(ledger, "name") + " is the ledger of a file's releases: open that file first."
			return
		}
		b.loadLedger(ledger)
	}
}

func (b *browser) mergeLedger(file, saved safejs.Value, into *Ledger) error {
	promise, err := saved.Call("text")
	if err != nil {
		return err
	}
	content, err := await(promise)
	if err != nil {
		return err
	}
	said, err := b.files.call("loadLedger", map[string]any{"file": file, "text": content})
	if err == nil {
		*into = *spentOf(said)
	}
	return err
}

// doLedger saves or forgets the ledger of the file shown. The App is locked.
func (b *browser) doLedger(action Action) {
	file, data := b.file, b.app.Data
	b.askLedgers(func() {
		message, err := "", error(nil)
		if action == ForgetLedger {
			var said safejs.Value
			if said, err = b.files.call("resetLedger", map[string]any{"file": file}); err == nil {
				message, _ = said.String()
			}
		} else {
			var said safejs.Value
			if said, err = b.files.call("ledger", map[string]any{"file": file}); err == nil {
				err = downloadText(text(said, "json"), "application/json", data.Layout.Stem+"-ledger.json")
			}
		}
		if err != nil {
			message = err.Error() + "."
		}
		if message != "" {
			b.change(func() { b.app.Ledger = Ledger{Generation: data.Generation, Message: message} })
		}
	})
}

// takeKey takes the key that is typed, or none, and has the map drawn from it. The App
// is locked.
func (b *browser) takeKey() {
	key, salt := valueOf("key"), valueOf("salt")
	if key == "" {
		b.setKey(noKey(), "")
		return
	}
	iterations := safejs.Undefined()
	if b.model != nil && strings.EqualFold(salt, b.model.salt) {
		iterations = b.model.iterations
	}
	b.background(func() {
		made, err := safejs.Global().Call("keyOf", key, salt, iterations)
		if err == nil {
			made, err = await(made)
		}
		b.change(func() {
			if err != nil {
				b.setKey(noKey(), thrown(err).Error()+".")
				return
			}
			r := reader{}
			b.setKey(typedKey{r.get(made, "key"), r.get(made, "keySalt")}, "")
		})
	})
}

// A typedKey is 32 bytes and, where they are of a passphrase, { salt, iterations }.
type typedKey struct{ bytes, salt safejs.Value }

func noKey() typedKey { return typedKey{safejs.Undefined(), safejs.Undefined()} }

func (b *browser) setKey(key typedKey, problem string) {
	had := b.app.Keyed > 0
	if host, err := element("key-problem"); err == nil {
		_ = host.Set("textContent", problem)
	}
	b.key, b.keySalt = key.bytes, key.salt
	b.app.Keyed = 0
	if !key.bytes.IsUndefined() {
		b.keys++
		b.app.Keyed = b.keys
	}
	if had || b.app.Keyed > 0 {
		b.app.embed()
	}
}

// newSalt writes a salt into its field.
func (b *browser) newSalt() {
	salt, err := safejs.Global().Call("newSalt")
	if err != nil {
		return
	}
	digits, _ := salt.String()
	b.setSalt(digits)
}

// setSalt writes a salt into its field, and has a key that is typed made again. The App is locked.
func (b *browser) setSalt(salt string) {
	if field, err := element("salt"); err == nil && !field.IsNull() {
		_ = field.Set("value", salt)
	}
	if valueOf("key") != "" {
		b.takeKey()
	}
}

func valueOf(id string) string {
	field, err := element(id)
	if err != nil || field.IsNull() {
		return ""
	}
	return text(field, "value")
}

// drawTradeoff draws the picture of a release.
func (h *hosts) drawTradeoff(app *App) error {
	host, err := element("tradeoff")
	if err != nil || host.IsNull() {
		return err
	}
	var picture *tradeoff.Tradeoff
	if app.Meter != nil && app.State.Release.IsPrivate() {
		picture = app.Meter.Tradeoff
	}
	empty, err := isEmpty(host)
	if err != nil || picture == h.tradeoff.picture && h.size == h.tradeoff.size && empty == (picture == nil) {
		return err
	}
	h.tradeoff.picture, h.tradeoff.size = picture, h.size
	if picture == nil {
		return host.Set("innerHTML", "")
	}
	size, err := pictureSize(host)
	if err != nil || size.Width == 0 {
		h.tradeoff.size = lesson.Size{}
		return err
	}
	return host.Set("innerHTML", picture.SVG(size, false))
}
