package main

import (
	"cmp"
	"strconv"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// An openModel is a model file together with its content as the API takes it.
type openModel struct {
	*embed.Model
	value dom.Value

	salt       string // of its key's passphrase, in hexadecimal digits, or empty
	iterations dom.Value
}

// sorted separates the model files and saved ledgers from the other files.
func (b *browser) sorted(files []dom.Value) (models []*openModel, ledgers, others []dom.Value, err error) {
	found, err := b.files.call("ownFiles", map[string]any{"files": listOf(files)})
	if err != nil {
		return nil, nil, nil, err
	}
	for i, value := range dom.List(found) {
		switch {
		case !dom.Exists(value):
			others = append(others, files[i])
		case dom.Text(value, "format") == ledgerFormat:
			ledgers = append(ledgers, files[i])
		default:
			model, err := b.readModel(dom.Text(files[i], "name"), value)
			if err != nil {
				return nil, nil, nil, err
			}
			models = append(models, model)
		}
	}
	return models, ledgers, others, nil
}

func listOf[T any](values []T) []any {
	var list []any
	for _, value := range values {
		list = append(list, value)
	}
	return list
}

// ledgerFormat is the format name in the files of ledgerstore.js.
const ledgerFormat = "tensorsketch-file-ledger"

// readModel reads the parts of a model that the page shows. The API checks the model and its error says what is
// wrong.
func (b *browser) readModel(name string, value dom.Value) (*openModel, error) {
	refuse := func(what, remedy string) (*openModel, error) {
		return nil, &table.Problem{File: name, What: what, Remedy: remedy}
	}
	m := &embed.Model{Name: format.Cut(name), Parameters: map[string]string{}, IsKeyed: dom.Text(value, "hash") == "key",
		HoldsKey: dom.Text(value, "key") != ""}
	if !m.IsKeyed || m.HoldsKey {
		core, err := loadCore()
		if err != nil {
			return refuse(err.Error(), "load the page again")
		}
		made, err := core.fromModel(value, dom.Undefined())
		if err != nil {
			return refuse(err.Error(), "save the model again")
		}
		made.Call("dispose")
	}
	if m.NFeatures = dom.Int(value, "nFeatures"); m.NFeatures == 0 {
		return refuse("it takes several rows at a time", "use it with the JavaScript API or in Go")
	}
	if n := dom.Int(value, "repeats"); n > 1 {
		return refuse("it repeats its map "+strconv.Itoa(n)+" times, for which this page has no room",
			"use it with the JavaScript API or in Go")
	}
	for _, name := range []string{"method", "degree", "gamma", "coef0", "nComponents", "normalize", "output"} {
		switch v := dom.Get(value, name); v.Type() {
		case dom.TypeString:
			m.Parameters[name] = dom.Text(v)
		case dom.TypeNumber:
			m.Parameters[name] = format.Exact(dom.Number(v))
		}
	}
	if kernel := dom.Text(value, "methodParams", "kernel"); kernel != "" {
		m.Parameters["kernel"] = kernel
	}
	if a := dom.Number(value, "methodParams", "a"); a != 0 {
		m.Parameters["a"] = format.Exact(a)
	}
	readSeed(m, value)
	readColumns(m, dom.Get(value, "preprocessing"))
	opened := &openModel{Model: m, value: value}
	if made := dom.Get(value, "keySalt"); made.Type() == dom.TypeObject {
		opened.salt, opened.iterations = dom.Text(made, "salt"), dom.Get(made, "iterations")
		m.HasSalt = true
	}
	return opened, nil
}

// readSeed reads the seed if a field can show it.
func readSeed(m *embed.Model, value dom.Value) {
	seed := dom.Get(value, "seed")
	switch {
	case seed.Type() == dom.TypeString:
		m.Parameters["seed"] = dom.Text(seed)
	case dom.Text(seed, "string") != "":
		m.Parameters["seed"] = `"` + dom.Text(seed, "string") + `"`
	case !m.IsKeyed:
		m.Unseen = " Its hash functions are in the file: the seed shown is not used."
	}
}

// readColumns reads the preprocessing of a model.
func readColumns(m *embed.Model, value dom.Value) {
	if value.Type() != dom.TypeObject {
		return
	}
	m.HasColumns, m.Sparse = true, dom.Int(value, "sparseWidth") > 0
	if m.Parameters["rows"] = embed.RowsNone; dom.Truth(value, "unitNorm") {
		m.Parameters["rows"] = embed.RowsUnit
	}
	for _, c := range dom.List(dom.Get(value, "columns")) {
		role, _ := columns.ParseRole(dom.Text(c, "role"))
		column := columns.NewColumn(dom.Text(c, "name"), role)
		column.Measure = dom.Text(c, "measure")
		column.Missing, _ = columns.ParseMissing(dom.Text(c, "missing"))
		column.Scaling, _ = columns.ParseScaling(dom.Text(c, "scaling"))
		column.Fill, column.Center, column.Scale = dom.Number(c, "fill"), dom.Number(c, "center"), dom.Number(c, "scale")
		switch role {
		case columns.AsCategory:
			if dom.Text(c, "encoding") != "one-hot" {
				column.Hashed = cmp.Or(dom.Int(c, "width"), dom.Int(c, "hashed"))
			}
		case columns.AsDate:
			var names []string
			for _, name := range dom.List(dom.Get(c, "parts")) {
				names = append(names, dom.Text(name))
			}
			column.Parts, _ = columns.ParseDateParts(names)
		case columns.AsWords:
			pair := func(name string) [2]int { return [2]int{dom.Int(c, name, "0"), dom.Int(c, name, "1")} }
			column.Words, column.Chars, column.Width = pair("words"), pair("chars"), dom.Int(c, "width")
		}
		m.Columns = append(m.Columns, column)
	}
}

// fromModel makes the map of a model file.
func (c *core) fromModel(model, key dom.Value) (dom.Value, error) {
	options := map[string]any{}
	give(options, "key", !key.IsUndefined(), key)
	return dom.Try(c.module, "fromJSON", model, options)
}

// keyOf returns the typed key if the model needs a key, or undefined.
func (m *openModel) keyOf(key dom.Value) dom.Value {
	if !m.IsKeyed {
		return dom.Undefined()
	}
	return key
}

// useModel adopts a chosen model file. If alone is set, it applies to the open file, which is read again; otherwise
// a file follows.
func (b *browser) useModel(model *openModel, alone bool) {
	isOpen := false
	var reading embed.Reading
	b.Change(func() {
		b.model = model
		b.app.Model = model.Model
		reading, isOpen = b.app.Data.Reading, !b.app.Data.IsSample()
		if alone && !isOpen {
			b.app.TakeModel(model.Model)
		}
		if model.IsKeyed && !model.HoldsKey { // shows the fields of the key
			dom.Document().Call("querySelector", "details.key").Set("open", true)
		}
		if model.HasSalt {
			b.setSalt(model.salt)
		}
	})
	if alone && isOpen {
		b.Open(b.file, reading)
	}
}
