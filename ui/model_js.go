package main

import (
	"strconv"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/dataset/plan"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// An openModel is a model file with its content, for the API.
type openModel struct {
	*Model
	value safejs.Value

	salt       string // of the passphrase of its key, in hexadecimal digits, or empty
	iterations safejs.Value
}

// sorted tells the model files and the saved ledgers among some files from the others.
func (b *browser) sorted(files []any) (models []*openModel, ledgers []safejs.Value, others []any, err error) {
	found, err := b.files.call("ownFiles", map[string]any{"files": files})
	if err != nil {
		return nil, nil, nil, err
	}
	r := reader{}
	for i, file := range files {
		value := r.at(found, i)
		if value.IsNull() || value.IsUndefined() {
			others = append(others, file)
			continue
		}
		if text(value, "format") == ledgerFormat {
			ledgers = append(ledgers, file.(safejs.Value))
			continue
		}
		model, err := b.readModel(text(file.(safejs.Value), "name"), value)
		if err != nil {
			return nil, nil, nil, err
		}
		models = append(models, model)
	}
	return models, ledgers, others, r.err
}

// ledgerFormat names the files of ledgerstore.js.
const ledgerFormat = "tensorsketch-file-ledger"

// readModel reads what the page shows of a model. The API says what is wrong with it.
func (b *browser) readModel(name string, value safejs.Value) (*openModel, error) {
	refuse := func(what, remedy string) (*openModel, error) {
		return nil, &table.Problem{File: name, What: what, Remedy: remedy}
	}
	r := reader{}
	m := &Model{Name: name, Parameters: map[string]string{}, IsKeyed: text(value, "hash") == "key",
		HoldsKey: text(value, "key") != ""}
	if !m.IsKeyed || m.HoldsKey {
		core, err := loadCore()
		if err != nil {
			return refuse(err.Error(), "load the page again")
		}
		made, err := core.fromModel(value, safejs.Undefined())
		if err != nil {
			return refuse(err.Error(), "save the model again")
		}
		made.dispose()
	}
	if m.NFeatures = r.int(value, "nFeatures"); m.NFeatures == 0 {
		return refuse("it takes several rows at a time", "use it with the JavaScript API or in Go")
	}
	if n := r.int(value, "repeats"); n > 1 {
		return refuse("it repeats its map "+strconv.Itoa(n)+" times, for which this page has no room",
			"use it with the JavaScript API or in Go")
	}
	for _, name := range []string{"method", "degree", "gamma", "coef0", "nComponents", "normalize", "output"} {
		switch v := r.get(value, name); v.Type() {
		case safejs.TypeString:
			m.Parameters[name], _ = v.String()
		case safejs.TypeNumber:
			x, _ := v.Float()
			m.Parameters[name] = format.Exact(x)
		}
	}
	own := r.get(value, "methodParams")
	if kernel := text(own, "kernel"); kernel != "" {
		m.Parameters["kernel"] = kernel
	}
	if a := r.number(own, "a"); a != 0 {
		m.Parameters["a"] = format.Exact(a)
	}
	m.readSeed(&r, value)
	m.readColumns(&r, r.get(value, "preprocessing"))
	opened := &openModel{Model: m, value: value}
	if made := r.get(value, "keySalt"); made.Type() == safejs.TypeObject {
		opened.salt, opened.iterations = text(made, "salt"), r.get(made, "iterations")
		m.HasSalt = true
	}
	return opened, r.err
}

// readSeed reads the seed where a field can show it.
func (m *Model) readSeed(r *reader, value safejs.Value) {
	seed := r.get(value, "seed")
	switch {
	case seed.Type() == safejs.TypeString:
		m.Parameters["seed"], _ = seed.String()
	case seed.Type() == safejs.TypeObject && text(seed, "string") != "":
		m.Parameters["seed"] = `"` + text(seed, "string") + `"`
	case !m.IsKeyed:
		m.Unseen = " Its hash functions are in the file: the seed shown is not used."
	}
}

// readColumns reads a preprocessing.
func (m *Model) readColumns(r *reader, value safejs.Value) {
	if value.Type() != safejs.TypeObject {
		return
	}
	m.HasColumns, m.Sparse = true, r.int(value, "sparseWidth") > 0
	if m.Parameters["rows"] = RowsNone; r.truth(value, "unitNorm") {
		m.Parameters["rows"] = RowsUnit
	}
	columns := r.get(value, "columns")
	for i := range r.int(columns, "length") {
		c := r.at(columns, i)
		role, _ := plan.ParseRole(text(c, "role"))
		column := plan.NewColumn(text(c, "name"), role)
		column.Missing, _ = plan.ParseMissing(text(c, "missing"))
		column.Scaling, _ = plan.ParseScaling(text(c, "scaling"))
		column.Fill, column.Center, column.Scale = r.number(c, "fill"), r.number(c, "center"), r.number(c, "scale")
		switch role {
		case plan.AsCategory:
			if text(c, "encoding") != "one-hot" {
				column.Hashed = r.int(c, "width")
			}
		case plan.AsDate:
			column.Parts = nil
			parts := r.get(c, "parts")
			for i := range r.int(parts, "length") {
				name, _ := r.at(parts, i).String()
				part, _ := plan.ParseDatePart(name)
				column.Parts = append(column.Parts, part)
			}
		case plan.AsWords:
			column.Words, column.Chars, column.Width = r.pair(r.get(c, "words")), r.pair(r.get(c, "chars")), r.int(c, "width")
		}
		m.Columns = append(m.Columns, column)
	}
}

func (r *reader) pair(v safejs.Value) (n [2]int) {
	if v.Type() != safejs.TypeObject {
		return n
	}
	return [2]int{r.int(v, "0"), r.int(v, "1")}
}

// fromModel makes the map of a model file.
func (c *core) fromModel(model, key safejs.Value) (*featureMap, error) {
	options := map[string]any{}
	if !key.IsUndefined() {
		options["key"] = key
	}
	value, err := c.module.Call("fromJSON", model, options)
	return &featureMap{value}, thrown(err)
}

// appliedModel returns the model that makes the features, or nil. The App is locked.
func (b *browser) appliedModel() *openModel {
	if b.model == nil || b.app.applied() != b.model.Model {
		return nil
	}
	return b.model
}

// keyOf is what the model needs of a key that is typed.
func (m *openModel) keyOf(key safejs.Value) safejs.Value {
	if !m.IsKeyed {
		return safejs.Undefined()
	}
	return key
}

// useModel takes over a model file that was chosen, for a file that follows or, alone, for the one
// that is open, which is read anew.
func (b *browser) useModel(model *openModel, alone bool) {
	isOpen := false
	var reading Reading
	b.change(func() {
		b.model = model
		b.app.Model = model.Model
		reading, isOpen = b.app.Data.Reading, !b.app.Data.IsSample()
		if alone && !isOpen {
			b.app.TakeModel(model.Model)
		}
		if model.IsKeyed && !model.HoldsKey {
			showKey()
		}
		if model.HasSalt {
			b.setSalt(model.salt)
		}
	})
	if alone && isOpen {
		b.Open(b.file, reading)
	}
}

// showKey opens the fields of the key.
func showKey() {
	document, err := safejs.Global().Get("document")
	if err != nil {
		return
	}
	if details, err := document.Call("querySelector", "details.key"); err == nil && !details.IsNull() {
		_ = details.Set("open", true)
	}
}
