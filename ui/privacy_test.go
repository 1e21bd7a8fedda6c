package main

import (
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/table"
)

// TestReleaseLink: a link holds the settings of a release and nothing of it where there is none.
func TestReleaseLink(t *testing.T) {
	for link, want := range map[string]embed.Release{
		"#/embed": embed.DefaultRelease(),
		"#/embed?release=rows&epsilon=2&delta=1e-6": {Kind: embed.ReleaseRows, Epsilon: 2, Delta: 1e-6, Radius: 1,
			Rows: 1000, Budget: 2},
		"#/embed?release=mean&meanRows=60000&radius=.5&budget=8": {Kind: embed.ReleaseMean, Epsilon: 1, Delta: 1e-5,
			Radius: .5,
			Rows:   60000, Budget: 8},
	} {
		state, notes := ParseHash(link)
		again, _ := ParseHash(state.Hash())
		if state.Release != want || len(notes) > 0 || again.Release != want {
			t.Errorf("%s: %+v, notes %q, again %+v", link, state.Release, notes, again.Release)
		}
	}
	plainState, _ := ParseHash("#/embed?epsilon=3")
	if hash := plainState.Hash(); strings.Contains(hash, "epsilon") || strings.Contains(hash, "release") {
		t.Errorf("without a release the link is %s", hash)
	}
	for _, bad := range []string{"epsilon=0", "delta=1", "radius=-1", "meanRows=0", "release=all", "budget=x"} {
		if _, notes := ParseHash("#/embed?release=mean&" + bad); len(notes) != 1 {
			t.Errorf("%s: notes %q", bad, notes)
		}
	}
}

// TestReleaseDoesNotEmbed: a release changes what is saved, not what is shown.
func TestReleaseDoesNotEmbed(t *testing.T) {
	app, browser := newTestApp()
	app.SetData(fileData(1000))
	app.Result = aResult(app)
	browser.embeds = 0
	app.Change("release", embed.ReleaseMean)
	if browser.embeds != 0 || app.IsStale() {
		t.Errorf("%d embeddings, stale %v", browser.embeds, app.IsStale())
	}
	v := app.SavesView()
	if len(v.Files) != 1 || v.Files[0].Action != embed.AskRelease ||
		plain(v.Files[0].Note) != "asks before anything is charged; 4.1 kB" {
		t.Errorf("the files are %+v", v.Files)
	}
	if v := app.PrivacyView(); !v.IsPrivate || !strings.Contains(v.Misfit,
		`column "a" drops rows with missing cells, and how many would show`) || !v.CanFit {
		t.Errorf("got %+v", v)
	}
	app.Press(FitColumns)
	if v := app.PrivacyView(); v.Misfit != "" || app.Data.Layout.Label() != -1 ||
		app.Data.Layout.Count(columns.AsNumber) != 2 {
		t.Errorf("made to fit: %q, %+v", v.Misfit, app.Data.Layout.Columns)
	}
}

// TestReleaseIsAsked: a release says what it costs and what was guessed before it is charged, and is charged once it is
// confirmed; other settings are asked about anew.
func TestReleaseIsAsked(t *testing.T) {
	app, browser := newTestApp()
	app.SetData(fileData(1000))
	app.State.Release.Kind = embed.ReleaseRows
	app.Press(FitColumns)
	app.Press(ConfirmRelease)
	if browser.done != nil {
		t.Fatalf("a release that was not asked about is made: %q", browser.done)
	}
	app.Press(embed.AskRelease)
	golden.Say(t, "asked", plain(strings.Join(app.SavesView().Asked, " ")))
	app.Change("epsilon", "2")
	if app.SavesView().Asked != nil {
		t.Error("another ε is confirmed unasked")
	}
	app.Press(embed.AskRelease)
	app.Press(ConfirmRelease)
	if len(browser.done) != 1 || browser.done[0] != ConfirmRelease || app.SavesView().Asked != nil {
		t.Errorf("after it was confirmed: %q, %q", browser.done, app.SavesView().Asked)
	}
}

// TestTrainingIsAsked: a private training asks before it is charged, for the settings that it names alone, and not
// while a field is refused.
func TestTrainingIsAsked(t *testing.T) {
	app, browser := newTestApp()
	app.OpenHash("#/learn?half=file")
	app.SetData(fileData(1000))
	app.TypePublic("private-labels", "no, yes")
	app.TypePublic("private-ranges", "0 1")
	browser.done = nil
	app.Press(ConfirmTrain)
	if browser.done != nil {
		t.Fatalf("a training that was not asked about is made: %q", browser.done)
	}
	others := map[string]string{"epsilon": "2", "delta": "1e-6", "budget": "3", "privateComponents": "64"}
	for name, text := range others {
		app.Press(AskTrain)
		if v := app.UseView(); v.Asked == nil || v.PrivateProblem != "" {
			t.Fatalf("asked: %q, %q", v.Asked, v.PrivateProblem)
		}
		app.Change(name, text)
		if app.UseView().Asked != nil {
			t.Errorf("another %s is confirmed unasked", name)
		}
		app.Press(AskTrain)
		app.Change(name, "none")
		if app.UseView().Asked != nil {
			t.Errorf("a refused %s can be confirmed", name)
		}
		browser.done = nil
		app.Press(ConfirmTrain)
		app.Press(AskTrain)
		v := app.UseView()
		if browser.done != nil || v.Asked != nil ||
			!strings.HasPrefix(v.PrivateProblem, app.Field(name).Named(name+" must be ")) {
			t.Errorf("with a refused %s: %q, %q, %q", name, browser.done, v.Asked, v.PrivateProblem)
		}
		app.Change(name, text)
	}
	app.Press(AskTrain)
	browser.done = nil
	app.Press(ConfirmTrain)
	if len(browser.done) != 1 || browser.done[0] != ConfirmTrain {
		t.Errorf("after it was confirmed: %q", browser.done)
	}
}

// TestSparseRelease: of LIBSVM rows a release takes the number of coordinates from its field.
func TestSparseRelease(t *testing.T) {
	app, _ := newTestApp()
	l := &table.Layout{Name: "a.libsvm", Stem: "a", Format: "libsvm", Compression: "none", Sparse: true,
		Columns: []table.Column{column("label", columns.Text, columns.AsLabel, "1")},
		Reading: columns.Reading{Format: "libsvm", Compression: "none", Encoding: columns.UTF8, Base: new(1)}}
	app.SetData(embed.Data{Layout: l, Bytes: 100})
	app.State.Release.Kind = embed.ReleaseRows
	app.Press(FitColumns)
	if v := app.PrivacyView(); v.CanFit || !strings.Contains(v.Misfit,
		"the number of sparse coordinates would be learned from the rows: type it") {
		t.Errorf("without a width: %q", v.Misfit)
	}
	app.Change("sparseWidth", "9")
	if v := app.PrivacyView(); v.Misfit != "" {
		t.Errorf("with a width: %q", v.Misfit)
	}
}

// TestLedgerText: what is spent is said, and that it adds up.
func TestLedgerText(t *testing.T) {
	app, _ := newTestApp()
	app.State.Release.Kind = embed.ReleaseRows
	say := func(name string) { golden.Say(t, name, plain(app.PrivacyView().Ledger)) }
	say("the sample")
	app.SetData(fileData(1000))
	say("not looked for")
	app.Ledger = embed.Ledger{Generation: app.Data.Generation}
	say("nothing yet")
	app.Ledger = embed.Ledger{Generation: app.Data.Generation, Known: &table.Ledger{Budget: 2, Delta: 1e-5, Spent: 1.46,
		Left: 1.3, Releases: 2}}
	say("two releases")
	if !app.PrivacyView().CanForget {
		t.Error("two releases cannot be forgotten")
	}
	app.Meter = &embed.Meter{Key: app.MeterKey(), Release: embed.ReleaseMeter{Rows: 1, NComponents: 1024, Epsilon: 1,
		Delta: 1e-5, Signal: 1, Noise: 259, LeastNoise: 239}}
	golden.Say(t, "the meter", plain(strings.Join(app.PrivacyView().Meter, " ")))
	if !app.IsMetered() {
		t.Error("the release is not metered")
	}
	app.State.Release.Epsilon = 2
	if app.IsMetered() {
		t.Error("the meter of another ε is taken for this one")
	}
}
