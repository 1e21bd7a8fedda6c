package main

import (
	"strconv"
	"strings"

	"tensorsketch.example/dataset/plan"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// A Model is a model file that was opened. It makes the features as long as the parameters,
// the columns and the key are its own.
type Model struct {
	Name       string
	Parameters map[string]string // of the place, as links have them
	NFeatures  int
	HasColumns bool // the file says what becomes of columns
	Columns    []plan.Column
	Sparse     bool
	IsKeyed    bool // its map is drawn from a key
	HoldsKey   bool // which is in the file
	HasSalt    bool // the salt of its passphrase is in the file
	Unseen     string

	state  EmbedState    // that it gave the page
	layout *table.Layout // of the file that it was applied to; nil: it waits for one
}

// TakeModel takes over the parameters of a model file. It applies to the file shown, or waits
// for one; what does not fit is said.
func (a *App) TakeModel(m *Model) {
	m.layout = nil
	var problem error
	if !a.Data.IsSample() && !a.Data.Unread {
		var layout *table.Layout
		if layout, problem = m.apply(a.Data.Layout); problem == nil {
			m.layout, a.Data.Layout = layout, layout
		}
	}
	a.Model = m
	before := a.State.Embed
	if err := a.takeParameters(m); err != nil {
		a.Model, problem = nil, err
	}
	if a.State.Embed == before {
		a.embed()
	}
	if problem != nil {
		a.Data.Problem = problem.Error()
	}
}

// takeParameters gives the page the parameters of a model.
func (a *App) takeParameters(m *Model) error {
	next := a.State
	next.Place, next.Embed = PlaceEmbed, embed.DefaultSettings()
	for _, p := range next.parameters() {
		text, ok := m.Parameters[p.Name]
		if !ok || next.parameter(p.Name).Unseen {
			continue
		}
		with, err := next.With(p.Name, text)
		if err != nil {
			return &table.Problem{File: m.Name, What: err.Error(), Remedy: "use the model with the JavaScript API or in Go"}
		}
		next = with
	}
	m.state = next.Embed
	clear(a.Drafts)
	a.take(next, "")
	return nil
}

// apply returns what a model makes of the columns of a file. The error names the columns that
// are missing.
func (m *Model) apply(l *table.Layout) (*table.Layout, error) {
	if !m.HasColumns {
		return l, nil
	}
	refuse := func(what, remedy string) error { return &table.Problem{File: l.Name, What: what, Remedy: remedy} }
	used := map[string]*plan.Column{}
	for i := range m.Columns {
		used[m.Columns[i].Name] = &m.Columns[i]
	}
	next := *l
	next.Columns = make([]table.Column, len(l.Columns))
	for i := range l.Columns {
		next.Columns[i] = l.Columns[i]
		column := used[l.Columns[i].Name]
		if column == nil {
			next.Columns[i].Column = plan.NewColumn(l.Columns[i].Name, plan.AsIgnored)
			continue
		}
		next.Columns[i].Column = *column
		delete(used, column.Name)
	}
	var missing []string
	for i := range m.Columns {
		if c := &m.Columns[i]; used[c.Name] != nil && c.Role.IsFeature() {
			missing = append(missing, strconv.Quote(format.Cut(c.Name)))
		}
	}
	switch n := len(missing); {
	case n > 0:
		const most = 8
		names := strings.Join(missing[:min(n, most)], ", ")
		if n > most {
			names += " and " + format.Count(n-most) + " more"
		}
		return nil, refuse("it lacks "+format.Plural(n, "column")+" that "+m.Name+" uses: "+names,
			"rename the columns or choose another file")
	case m.Sparse && !l.Sparse:
		return nil, refuse("it is "+l.Kind()+" and "+m.Name+" takes sparse rows", "choose a LIBSVM file")
	case !m.Sparse && l.Sparse:
		return nil, refuse("its rows are sparse and "+m.Name+" takes columns", "choose a file with columns")
	}
	return &next, nil
}

// applied returns the model where it makes the features of what is shown, or nil.
func (a *App) applied() *Model {
	m := a.Model
	if m == nil || m.layout == nil || m.layout != a.Data.Layout && m.HasColumns {
		return nil
	}
	state := a.State.Embed
	if !m.HasColumns { // it says nothing about the rows
		state.Rows = m.state.Rows
	}
	if state != m.state || a.Keyed > 0 && !m.IsKeyed {
		return nil
	}
	return m
}

// modelNote says what the model file that was opened does.
func (a *App) modelNote() string {
	m := a.Model
	switch {
	case m == nil:
		return ""
	case a.Data.Unread || m.layout == nil:
		return m.Name + ": choose or drop a file of rows, and this model makes their features."
	case a.applied() == nil:
		return m.Name + " does not make these features any more: parameters, columns or the key were changed since."
	case m.IsKeyed && !m.HoldsKey && a.Keyed == 0:
		return m.needsKey()
	}
	return "The features are made by " + m.Name + ". They are so until you change parameters, columns or the key." +
		m.Unseen
}

// needsKey says what is to be typed.
func (m *Model) needsKey() string {
	if m.HasSalt {
		return m.Name + " needs its key: type its passphrase below, under “Draw the sketch from a secret " +
			"key”. Its salt was in the file."
	}
	return m.Name + " needs its key: type it below, under “Draw the sketch from a secret key”, with its salt."
}

// DropModel forgets the model file; parameters and columns stay.
func (a *App) DropModel() {
	used := a.applied() != nil
	if a.Model = nil; used {
		a.embed()
	}
}
