package main

import (
	"html"
	"strings"
	"time"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
)

// Do performs the actions that only a browser can. The App is locked.
func (b *browser) Do(action Action) {
	switch {
	case action == ChooseFile:
		b.chooseFile(nil)
	case action == Skip:
		b.Provoke(dom.Element("main"), "focus")
	case action == ShowCode:
		b.Provoke(dom.Element("four-lines"), "scrollIntoView")
		b.Provoke(dom.Element("four-lines"), "focus")
	case action == GoOffline:
		b.goOffline()
	case action == Leave:
		b.address.flush()
	case action == UseSample:
		b.openSample()
	case action == CopyLink || action == CopyFrame || action == CopyCode:
		b.app.grown()
		b.copy(action)
	case action == TestSpeed:
		b.testSpeed()
	case action == embed.SaveModel || action == embed.SaveONNX || action == ConfirmRelease || embed.FormatOf(action) != "":
		b.writer.ask(action, func() { b.writer.write(action) })
	case action == UseModel && b.model != nil:
		b.Background(func() { b.useModel(b.model, true) })
	case action == ReadLatin:
		b.readAs("encoding", columns.Windows1252)
	case action == PauseSaving:
		b.writer.pause()
	case action == StopSaving:
		b.writer.stop()
	case action == LearnNow || action == LearnStop || action == LearnPause || action == LearnSeeds ||
		action == LearnExact || action == LearnSearch || action == UseFound || action == LearnCheck || action == MoreBehind:
		b.learner.do(action)
	case action == SaveLedger || action == ForgetLedger:
		b.doLedger(action)
	default:
		if !b.takePicture(action) && !b.user.do(action) {
			b.writer.do(action)
		}
	}
}

// chooseFile lets the visitor choose a file: for resume if it is not nil. The App is locked.
func (b *browser) chooseFile(resume *embed.Job) {
	b.writer.resume = resume
	b.Provoke(dom.Element("file"), "click")
}

// copy copies the text of an action to the clipboard and shows the outcome on its button for a moment. The App is
// locked.
func (b *browser) copy(action Action) {
	content, said := b.toCopy(action), "Copied"
	b.Background(func() {
		if _, err := dom.Ask(dom.Get(dom.Window(), "navigator", "clipboard"), "writeText", content); err != nil {
			said = "Not allowed here"
		}
		b.Change(func() { b.app.said[action] = said })
		time.Sleep(2 * time.Second)
		b.Change(func() { delete(b.app.said, action) })
	})
}

func (b *browser) toCopy(action Action) string {
	if action == CopyCode {
		return dom.Text(dom.Element("code"), "textContent")
	}
	state := b.app.State
	if action == CopyLink {
		return pageAddress() + state.Hash()
	}
	state = b.app.FrameState()
	return `<iframe src="` + html.EscapeString(pageAddress()+state.Hash()) + `" title="Tensor Sketch: ` +
		state.place().Label +
		`" width="100%" height="760" loading="lazy"></iframe>`
}

// pageAddress returns the address of the page without a state.
func pageAddress() string {
	page, _, _ := strings.Cut(dom.Text(dom.Window(), "location", "href"), "#")
	return page
}

// takePicture saves a picture or its data, and reports whether the action does that. The App is locked.
func (b *browser) takePicture(action Action) bool {
	taken, form := takeOf(action)
	if taken == nil {
		return false
	}
	t := taken(b.app, pageAddress())
	if t == nil {
		return true
	}
	b.Background(func() {
		var err error
		switch form {
		case "csv":
			downloadText(t.CSV(), "text/csv", t.Name+".csv")
		case "svg":
			downloadText(t.SVG(), "image/svg+xml", t.Name+".svg")
		case "png":
			var picture dom.Value
			if picture, err = pngOf(strings.ToValidUTF8(t.SVG(), ""), t.Size.Width, t.Size.Height); err == nil {
				download(picture, t.Name+".png")
			}
		}
		if err != nil {
			b.Change(func() { b.app.Notes = []string{t.Name + " could not be saved: " + err.Error() + "."} })
		}
	})
	return true
}
