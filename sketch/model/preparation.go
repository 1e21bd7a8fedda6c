package model

import (
	"encoding/json"
	"strconv"

	"tensorsketch.example/sketch/learn/prepare"
)

// PreparedVersion is the version of the files of models and learners that have a preparation, of models with a Clip,
// and of learners that keep rows.
const PreparedVersion = 2

// preparationFile is the JSON of a preparation, in the order of its keys.
type preparationFile struct {
	Form      string       `json:"form"`
	NFeatures int          `json:"nFeatures,omitempty"`
	Columns   []columnFile `json:"columns,omitempty"`
	Weights   numbers      `json:"weights,omitempty"`
	Unit      bool         `json:"unit,omitempty"`
}

type columnFile struct {
	Indicator bool    `json:"indicator,omitempty"`
	Unused    bool    `json:"unused,omitempty"`
	Mean      *number `json:"mean,omitempty"`
	Scale     *number `json:"scale,omitempty"`
	Low       *number `json:"low,omitempty"`
	High      *number `json:"high,omitempty"`
	Fill      *number `json:"fill,omitempty"`
	Missing   bool    `json:"missing,omitempty"`
	Knots     numbers `json:"knots,omitempty"`
	Values    numbers `json:"values,omitempty"`
	Codes     numbers `json:"codes,omitempty"`
}

// UnmarshalPreparation reads the key preparation of a file by itself.
func UnmarshalPreparation(text []byte) (*prepare.Preparation, error) {
	r := &reader{version: PreparedVersion, keys: map[string]json.RawMessage{"preparation": text}}
	p := r.preparation()
	return p, r.err
}

// MarshalPreparation writes what UnmarshalPreparation reads.
func MarshalPreparation(p *prepare.Preparation) ([]byte, error) {
	return json.Marshal(writePreparation(p))
}

func writePreparation(p *prepare.Preparation) *preparationFile {
	if p == nil {
		return nil
	}
	f := &preparationFile{Form: p.Form, NFeatures: p.Width, Weights: p.Weights, Unit: p.Unit}
	for _, c := range p.Columns {
		column := columnFile{Indicator: c.Kind == prepare.Indicator, Unused: c.Unused, Missing: c.Missing, Knots: c.Knots,
			Values: c.Values, Codes: c.Codes}
		if !column.Indicator && !c.Unused {
			pointer := func(v float64) *number { n := number(v); return &n }
			column.Mean, column.Scale, column.Low, column.High, column.Fill =
				pointer(c.Mean), pointer(c.Scale), pointer(c.Low), pointer(c.High), pointer(c.Fill)
		}
		f.Columns = append(f.Columns, column)
	}
	return f
}

// preparation takes the preparation of a file, if it has one.
func (r *reader) preparation() *prepare.Preparation {
	value, held := r.keys["preparation"]
	if !held {
		return nil
	}
	if r.version < PreparedVersion {
		r.fail("%spreparation is a key of version %d, got version %d", r.prefix, PreparedVersion, r.version)
	}
	r.take("preparation")
	o := r.object(r.prefix+"preparation.", value)
	p := &prepare.Preparation{Form: o.text("form"), Unit: o.flag("unit")}
	if _, held := o.keys["weights"]; held {
		p.Weights = o.numbers("weights")
	}
	if p.Form == prepare.Raw {
		p.Width = o.integer("nFeatures")
	} else {
		var columns []json.RawMessage
		o.decode(o.prefix+"columns", o.take("columns"), &columns)
		p.Columns = make([]prepare.Column, len(columns))
		for i, column := range columns {
			o.column(o.prefix+"columns["+strconv.Itoa(i)+"].", column, &p.Columns[i])
		}
	}
	o.end("a preparation")
	r.err = o.err
	if r.err == nil {
		r.err = p.Validate()
	}
	return p
}

// column reads one column of a preparation.
func (r *reader) column(prefix string, value json.RawMessage, c *prepare.Column) {
	o := r.object(prefix, value)
	if o.flag("indicator") {
		c.Kind = prepare.Indicator
	}
	c.Unused, c.Missing = o.flag("unused"), o.flag("missing")
	if c.Kind == prepare.Number && !c.Unused {
		c.Mean, c.Scale, c.Low, c.High, c.Fill =
			o.number("mean")+0, o.number("scale"), o.number("low")+0, o.number("high")+0, o.number("fill")+0
	}
	if _, held := o.keys["knots"]; held {
		c.Knots, c.Values = o.numbers("knots"), o.numbers("values")
	}
	if _, held := o.keys["codes"]; held {
		c.Codes = o.numbers("codes")
	}
	o.end("a column")
	r.err = o.err
}

// flag takes a key that is true, or left out for false.
func (r *reader) flag(key string) bool {
	value, held := r.keys[key]
	if !held {
		return false
	}
	var is bool
	if r.decode(r.prefix+key, r.take(key), &is); !is {
		r.fail("%s%s must be true, or left out, got %s", r.prefix, key, value)
	}
	return is
}
