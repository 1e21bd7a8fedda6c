package dataset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"tensorsketch.example/dataset/columns"
)

// ParseReading reads the JSON of a Reading. An unknown key or a value that is not allowed is an error that names it.
func ParseReading(text []byte) (columns.Reading, error) {
	var r columns.Reading
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil || keys == nil {
		return r, fmt.Errorf("dataset: reading must be an object, got %.40s", text)
	}
	if err := columns.CheckKeys(slices.Sorted(maps.Keys(keys))); err != nil {
		return r, fmt.Errorf("dataset: reading: %w", err)
	}
	for i := range columns.Settings {
		s := &columns.Settings[i]
		value, ok := keys[s.Key]
		if !ok {
			continue
		}
		if _, err := strconv.ParseUint(string(value), 10, 32); err == nil && s.Key == "sheet" { // its number
			value = json.RawMessage(strconv.Quote(string(value)))
		}
		one, _ := json.Marshal(map[string]json.RawMessage{s.Key: value})
		decoder := json.NewDecoder(bytes.NewReader(one))
		decoder.DisallowUnknownFields() // of keys
		err := decoder.Decode(&r)
		if _, ok := r.Get(s.Key); err != nil || string(value) == "null" || !ok { // an empty text, or no list
			return r, fmt.Errorf("dataset: reading: %w", columns.CheckValue(s.Key, string(value)))
		}
	}
	if err := r.Validate(); err != nil {
		return r, fmt.Errorf("dataset: reading: %w", err)
	}
	return r, nil
}

// Reading returns how the file is read, with every setting of its format.
func (l *Layout) Reading() columns.Reading {
	sign := func(b byte) *string {
		if b == 0 {
			return new("")
		}
		return new(string(rune(b)))
	}
	r := columns.Reading{
		Format: l.Format.String(), Compression: l.Compression.String(), Encoding: l.Encoding,
		Delimiter: string(rune(l.Comma)),
		Quote:     new(quoteWord(l.Quote)), Decimal: string(rune(l.Decimal)), Thousands: sign(l.Thousands),
		Header: new(l.Header), Dates: l.Dates, Base: new(l.Base),
		Skip: l.asked.Skip, Comment: l.asked.Comment, RowNames: l.asked.RowNames,
	}
	if l.Skip > 0 {
		r.Skip = new(l.Skip)
	}
	r.Sheet = l.Sheet
	if l.Comment != "" {
		r.Comment = new(l.Comment)
	}
	if l.RowNames {
		r.RowNames = new(true)
	}
	if l.lists {
		r.Lists = l.keys[0].Length
	} else {
		r.Keys = slices.Clone(l.keys)
	}
	return r.Of(r.Format)
}

// quoteWord returns the setting for a quote.
func quoteWord(quote byte) string {
	switch quote {
	case 0:
		return ""
	case '\\':
		return `\"`
	}
	return string(rune(quote))
}

// use sets the settings that r has, and the defaults for the others.
func (l *Layout) use(r columns.Reading) {
	l.Encoding, l.Dates, l.Base = cmp.Or(r.Encoding, columns.UTF8), cmp.Or(r.Dates, columns.ISODates), 1
	l.Comma, l.Quote, l.Decimal, l.Thousands = ',', '"', '.', 0
	sign := func(to *byte, key string) {
		if text, ok := r.Get(key); ok {
			if *to = 0; text != "" {
				*to = text[0]
			}
		}
	}
	sign(&l.Comma, "delimiter")
	sign(&l.Quote, "quote")
	sign(&l.Decimal, "decimal")
	sign(&l.Thousands, "thousands")
	if r.Header != nil {
		l.Header = *r.Header
	}
	if r.Base != nil {
		l.Base = *r.Base
	}
	l.keys = slices.Clone(r.Keys)
	if r.Lists > 0 {
		l.lists = true
		l.keys = []columns.Key{{Length: r.Lists}}
	}
	l.Guessed = r.Missing()
	l.asked = columns.Reading{Skip: r.Skip, Comment: r.Comment, RowNames: r.RowNames}
	if r.Skip != nil {
		l.Skip = *r.Skip
	}
	l.Sheet = r.Sheet
	if r.Comment != nil {
		l.Comment = *r.Comment
	}
	l.RowNames = r.RowNames != nil && *r.RowNames
}

// isFree reports whether an optional setting may be guessed.
func (l *Layout) isFree(key string) bool {
	_, isAsked := l.asked.Get(key)
	return !l.typed() && !isAsked
}

// guesses reports whether a setting has to be guessed.
func (l *Layout) guesses(key string) bool { return slices.Contains(l.Guessed, key) }

// typed reports whether no setting has to be guessed. Rows are then not looked at.
func (l *Layout) typed() bool { return len(l.Guessed) == 0 }

// numbers returns the style of the numbers in the cells of the file.
func (l *Layout) numbers() numberStyle {
	return numberStyle{decimal: l.Decimal, thousands: l.Thousands, signs: true}
}

// styleIn returns the style of the numbers of column i, with its unit. −1 stands for no column.
func (l *Layout) styleIn(i int) numberStyle {
	style := l.numbers()
	if i >= 0 {
		style.measure = l.Columns[i].Measure
	}
	return style
}

// SniffFile returns the layout of another file for the preprocessing. Settings in typed apply first. The others come
// from the file that the preprocessing was made for, if both have the same format and the file then has the columns
// of the preprocessing; else they are guessed. The first row of CSV is a header if it has the names of the columns.
func (p *Preprocessing) SniffFile(name string, f File, typed columns.Reading) (*Layout, error) {
	l, err := p.sniffFile(name, f, typed)
	if err == nil {
		l.forModel = true
	}
	return l, err
}

func (p *Preprocessing) sniffFile(name string, f File, typed columns.Reading) (*Layout, error) {
	guessed, err := SniffFile(name, f, typed)
	if err != nil {
		return nil, err
	}
	known := columns.Reading{}
	if p.Reading != nil && p.Reading.Format == guessed.Format.String() {
		known = p.Reading.OfFormat()
	}
	if typed.Header == nil && guessed.Reading().Header != nil {
		for _, with := range []columns.Reading{known, known.WithoutSigns()} {
			with.Header = new(true)
			if named, err := p.named(name, f, typed.Or(with)); named != nil || err != nil {
				return named, err
			}
		}
	}
	reading := typed.Or(known)
	before, err := marshalPlain(typed)
	if err != nil {
		return nil, err
	}
	if after, err := marshalPlain(reading); err != nil || bytes.Equal(after, before) {
		return guessed, err
	}
	if l, err := SniffFile(name, f, reading); err == nil {
		if _, err := p.Apply(l); err == nil {
			return l, nil
		}
	}
	if _, err := p.Apply(guessed); err == nil {
		return guessed, nil
	}
	return SniffFile(name, f, reading)
}

// SniffRows returns the layout of rows at hand for the preprocessing: objects in a JSON array, as a program has them. A
// column that all rows lack is missing in them. Dates have the order that they had in the file of the preprocessing.
func (p *Preprocessing) SniffRows(name string, f File) (*Layout, error) {
	r := columns.Reading{Format: string(JSON), Compression: columns.NoCompression, Encoding: columns.UTF8}
	if known := p.Reading; known != nil && (known.Keys != nil || known.Lists > 0) {
		r.Keys, r.Lists = known.Keys, known.Lists
	} else {
		for i := range p.Columns {
			r.Keys = append(r.Keys, columns.Key{Name: p.Columns[i].Name})
		}
	}
	l, err := SniffFile(name, f, r)
	if err == nil {
		if l.forModel = true; p.Reading != nil {
			l.Dates = cmp.Or(p.Reading.Dates, l.Dates)
		}
	}
	return l, err
}

// reading is what a preprocessing keeps of how its file was read. Rows at hand are as good as a table in CSV, unless
// they hold lists.
func (l *Layout) reading() columns.Reading {
	isList := func(key columns.Key) bool { return key.Length > 0 }
	if !l.AtHand || l.Format != JSON || slices.ContainsFunc(l.keys, isList) {
		return l.Reading()
	}
	return (&Layout{Format: CSV, Encoding: columns.UTF8, Comma: ',', Quote: '"', Decimal: '.', Header: true,
		Dates: l.Dates}).Reading()
}

// named returns the layout of a file in a reading if it names all columns that become coordinates, else nil. The error
// is about something else than the content of the file.
func (p *Preprocessing) named(name string, f File, r columns.Reading) (*Layout, error) {
	l, err := SniffFile(name, f, r)
	var problem *Problem
	switch {
	case err != nil && !errors.As(err, &problem):
		return nil, err
	case err != nil:
		return nil, nil
	}
	if _, err := p.Apply(l); err != nil {
		return nil, nil
	}
	return l, nil
}
