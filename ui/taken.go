package main

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// Taken is the picture of a place as it is saved: in the colours of the light theme, in a fixed size, and with a
// caption.
type Taken struct {
	lesson.Table // its data; the name is the file's, without the ending
	Size         lesson.Size
	SVG          func() string
}

// CSV returns the data as a CSV file.
func (t *Taken) CSV() string { return tableCSV(t.Table) }

// Taken returns the picture to save, or nil if there is none. page is the address of the page, for the link.
func (a *App) Taken(page string) *Taken {
	state, title, more := a.State, "", ""
	var t Taken
	var svg func(size lesson.Size) string
	if a.State.Place == PlaceConvergence {
		a.Lesson.arrived++ // the picture may be older than the estimates, which its caption counts
	}
	if picture := a.Picture(); picture != nil {
		look := a.State.lookout().At
		if !lesson.Has(picture.Groups(), look) {
			look = lesson.Item{}
		}
		t = Taken{Table: picture.Table(), Size: picture.Fit(1120, 1000, 14)}
		title, more = picture.View(look).Title, a.unfinished()
		svg = func(size lesson.Size) string { return picture.SVG(size, look, true) }
	} else if r := a.Result; a.State.Place == PlaceEmbed && r != nil {
		t = Taken{Table: r.Pairs(), Size: lesson.Size{Width: 1080, Height: 420, Em: 14}}
		title, more, state.Embed = "estimates and exact kernel", r.Origin(r.Layout == sampleLayout), r.Embed
		svg = func(size lesson.Size) string { return r.Report.SVG(size, embed.Summary(r), true) }
	} else if r := &a.Learned; a.State.IsHalf(HalfFile) && len(r.Points) > 0 {
		t = Taken{Table: r.CurveTable(a.Data.Layout.Stem), Size: lesson.Size{Width: 1080, Height: 520, Em: 14}}
		title, more = "scores of rows held out", strings.TrimSuffix(r.Split(), ".")
		svg = func(size lesson.Size) string { return r.Curve(size, state.Embed.NComponents, true).SVG }
	} else if a.State.Place == PlaceAbout {
		picture, err := theAlgorithm()
		if err != nil {
			return nil
		}
		t = Taken{Table: picture.Table(), Size: picture.Fit(760, 14)}
		title = "the algorithm"
		svg = func(size lesson.Size) string { return picture.SVG(size, true) }
	} else {
		return nil
	}
	return t.captioned(state, page, title, more, svg)
}

// captioned gives a picture the caption of a state: its title, parameters and link.
func (t Taken) captioned(state State, page, title, more string, svg func(lesson.Size) string) *Taken {
	state.Embedded = false
	caption := draw.Caption{Title: "Tensor Sketch, " + state.place().Label + ": " + title, Words: state.words(more),
		Link: page + state.Hash()}
	size := wholeSize(t.Size)
	t.SVG = func() string { return caption.Below(svg(size), size.Width, size.Height, size.Em) }
	t.Size = size
	t.Size.Height += caption.Height(size.Width, size.Em)
	return &t
}

// Printed returns what stands below the page on paper, as it does below a saved picture. page is the page's address.
func (a *App) Printed(page string) string {
	state := a.State
	state.Embedded = false
	return "Tensor Sketch, " + state.place().Label + ": " + state.words(a.unfinished()) + ". " + page + state.Hash()
}

// unfinished says of a picture that still waits for seeds how many it was made from, and "" of others.
func (a *App) unfinished() string {
	if a.Missing() == 0 {
		return ""
	}
	seeds := a.State.Convergence.Seeds
	return "from " + format.Count(a.Lesson.samples.Count(seeds)) + " of " + format.Plural(seeds, "seed") +
		", while the others were being computed"
}

// words names the parameters that a link to the state holds, after what else there is to say.
func (s State) words(more string) string {
	var words []string
	if more != "" {
		words = append(words, more)
	}
	for _, p := range s.parameters() {
		if text := p.Get(); !p.Derived && !p.Unlinked && !p.Unseen && text != "" && (!p.Passing || p.Name == "step") {
			words = append(words, inWords(p, text))
		}
	}
	return strings.Join(words, ", ")
}

// inWords writes a parameter and its value: "d 16", "seed 42", "vector x: Random".
func inWords(p control.Parameter, text string) string {
	name := p.Label
	if name == "" {
		name = p.Name
	}
	if p.Options == nil {
		// of "Coordinates d", the letter is enough
		if last := name[strings.LastIndexByte(name, ' ')+1:]; utf8.RuneCountInString(last) == 1 {
			name = last
		} else if !p.Several {
			name = lowered(name)
		}
		return name + " " + format.Cut(text)
	}
	var labels []string
	for _, o := range p.Options {
		if (Field{Parameter: p, Text: text}).Has(o.Value) {
			labels = append(labels, o.Label)
		}
	}
	if !p.Several {
		name = lowered(name)
	}
	return name + ": " + strings.Join(labels, " and ")
}

// lowered begins a text with a small letter.
func lowered(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}

// takes are the pictures that can be saved, by the beginning of their actions.
var takes = map[Action]func(a *App, page string) *Taken{SavePicture: (*App).Taken, SaveDetail: (*App).TakenDetail,
	SaveReport: (*App).TakenReport}

// takeOf returns what an action saves, and in which form: "svg", "png" or "csv". It returns nil for other actions.
func takeOf(action Action) (taken func(a *App, page string) *Taken, form string) {
	for ending, form := range map[string]string{"": "svg", "-png": "png", "-data": "csv"} {
		if of, ok := strings.CutSuffix(string(action), ending); ok && takes[Action(of)] != nil {
			return takes[Action(of)], form
		}
	}
	return nil, ""
}

// TakenReport returns the picture of the report to save, or nil if there is none.
func (a *App) TakenReport(page string) *Taken {
	r := &a.Learned
	n := r.ReportPanels()
	if n == 0 {
		return nil
	}
	t := Taken{Table: r.ReportTable(a.Data.Layout.Stem), Size: lesson.Size{Width: 780, Height: 380 * float64(n), Em: 14}}
	return t.captioned(a.State, page, "report on the models", strings.TrimSuffix(r.Split(), "."),
		func(size lesson.Size) string { return r.Report(size, true).SVG })
}

// TakenDetail returns the picture of the predictions to save, or nil if there is none.
func (a *App) TakenDetail(page string) *Taken {
	d := a.Learned.Detail
	if d == nil {
		return nil
	}
	t := Taken{Table: d.Table(a.Data.Layout.Stem), Size: lesson.Size{Width: 760, Height: 680, Em: 14}}
	return t.captioned(a.State, page, "predictions of rows held out", strings.TrimSuffix(a.Learned.Split(), "."),
		func(size lesson.Size) string { return d.Picture(size, true).SVG })
}

// wholeSize rounds up to whole pixels, because a PNG has no others.
func wholeSize(size lesson.Size) lesson.Size {
	size.Width, size.Height = math.Ceil(size.Width), math.Ceil(size.Height)
	return size
}
