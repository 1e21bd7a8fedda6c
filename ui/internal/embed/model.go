package embed

import (
	"strconv"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// A Model is an opened model file. It makes the features as long as the parameters, columns and key in use are the
// model's.
type Model struct {
	Name       string
	Parameters map[string]string // of the place, in the form of links
	NFeatures  int
	HasColumns bool // the file says how columns are used
	Columns    []columns.Column
	Sparse     bool
	IsKeyed    bool // its map is drawn from a key
	HoldsKey   bool // the key is in the file
	HasSalt    bool // the salt of the key's passphrase is in the file
	Unseen     string

	state  Settings      // the settings that it gave the page
	layout *table.Layout // of the file it was applied to; nil while it waits for one
}

// TakeModel adopts the parameters of a model file. The model applies to the current file, or waits for one. If
// something does not fit, a message says so.
func (e *Room) TakeModel(m *Model) {
	m.layout = nil
	var problem error
	if !e.Data.IsSample() && !e.Data.Unread {
		var layout *table.Layout
		if layout, problem = m.apply(e.Data.Layout); problem == nil {
			m.layout, e.Data.Layout = layout, layout
		}
	}
	e.Model = m
	before := *e.Settings
	if err := e.takeParameters(m); err != nil {
		e.Model, problem = nil, err
	}
	if *e.Settings == before {
		e.Embed()
	}
	if problem != nil {
		e.Data.Problem = problem.Error()
	}
}

// takeParameters gives the page the parameters of a model.
func (e *Room) takeParameters(m *Model) error {
	next := DefaultSettings()
	for _, p := range next.Parameters() {
		text, ok := m.Parameters[p.Name]
		if !ok || control.Find(next.Parameters(), p.Name).Unseen {
			continue
		}
		before := next
		err := control.Find(next.Parameters(), p.Name).Take(text)
		if err == nil {
			err = next.Settle(&before)
		}
		if err != nil {
			return &table.Problem{File: m.Name, What: err.Error(), Remedy: "use the model with the JavaScript API or in Go"}
		}
	}
	m.state = next
	e.Adopt(next)
	return nil
}

// apply returns the layout of a file with its columns used as the model needs. An error names the missing columns.
func (m *Model) apply(l *table.Layout) (*table.Layout, error) {
	if !m.HasColumns {
		return l, nil
	}
	refuse := func(what, remedy string) error { return &table.Problem{File: l.Name, What: what, Remedy: remedy} }
	used := map[string]*columns.Column{}
	for i := range m.Columns {
		used[m.Columns[i].Name] = &m.Columns[i]
	}
	next := l.WithEach(func(c *table.Column) {
		if column := used[c.Name]; column != nil {
			c.Column = *column
			delete(used, c.Name)
		} else {
			c.Column = columns.NewColumn(c.Name, columns.AsIgnored)
		}
	})
	var missing []string
	for i := range m.Columns {
		if c := &m.Columns[i]; used[c.Name] != nil && c.Role.IsFeature() {
			missing = append(missing, strconv.Quote(format.Cut(c.Name)))
		}
	}
	switch n := len(missing); {
	case n > 0:
		return nil, refuse("it lacks "+format.Plural(n, "column")+" that "+m.Name+" uses: "+format.First(8, missing),
			"rename the columns or choose another file")
	case m.Sparse && !l.Sparse:
		return nil, refuse("it is "+l.Kind()+" and "+m.Name+" takes sparse rows", "choose a LIBSVM file")
	case !m.Sparse && l.Sparse:
		return nil, refuse("its rows are sparse and "+m.Name+" takes columns", "choose a file with columns")
	}
	return next, nil
}

// TakeColumns has the columns of the file used as a model says, or returns why they cannot be.
func (e *Room) TakeColumns(m *Model) error {
	layout, err := m.apply(e.Data.Layout)
	if err == nil {
		e.setLayout(layout)
	}
	return err
}

// Applied returns the model if it makes the features that are shown, or nil.
func (e *Room) Applied() *Model {
	m := e.Model
	if m == nil || m.layout == nil || m.layout != e.Data.Layout && m.HasColumns {
		return nil
	}
	state := *e.Settings
	if !m.HasColumns { // it says nothing about the rows
		state.Rows = m.state.Rows
	}
	if state != m.state || e.Keyed > 0 && !m.IsKeyed {
		return nil
	}
	return m
}

// modelNote describes the state of the opened model file.
func (e *Room) modelNote() string {
	m := e.Model
	switch {
	case m == nil:
		return ""
	case e.Data.Unread || m.layout == nil:
		return m.Name + ": choose or drop a file of rows, and this model makes their features."
	case e.Applied() == nil:
		return m.Name + " does not make these features any more: parameters, columns or the key were changed since."
	case m.IsKeyed && !m.HoldsKey && e.Keyed == 0:
		return m.NeedsKey()
	}
	return "The features are made by " + m.Name + ". They are so until you change parameters, columns or the key." +
		m.Unseen
}

// NeedsKey says what the visitor has to type.
func (m *Model) NeedsKey() string {
	if m.HasSalt {
		return m.Name + " needs its key: type its passphrase under “Draw the sketch from a secret " +
			"key”. Its salt was in the file."
	}
	return m.Name + " needs its key: type it under “Draw the sketch from a secret key”, with its salt."
}
