package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"tensorsketch.example/dataset/columns"
)

// The JSON versions of a preprocessing. All can be read, and all hash words and categories in the same way.
const (
	versionPlain    = 1
	versionReading  = 2 // it has a Reading
	versionLearning = 3 // a column has a setting of NewLearnPreprocessing; it has a Reading if that is known
	versionMeasures = 4 // the numbers of a column have a unit beside them; else as version 3
	versionNew      = 5 // other values of a category count as one or the average of its values; else as version 3 or 4
)

// version returns the version with which the JSON of p is written.
func (p *Preprocessing) version() int {
	switch {
	case slices.ContainsFunc(p.Columns, func(c columns.Column) bool { return c.Average || c.Common != "" }):
		return versionNew
	case slices.ContainsFunc(p.Columns, func(c columns.Column) bool { return c.Measure != "" }):
		return versionMeasures
	case slices.ContainsFunc(p.Columns, func(c columns.Column) bool {
		return c.Missing == columns.NaN || c.Rest || c.Empty || c.Unit
	}):
		return versionLearning
	case p.Reading != nil:
		return versionReading
	}
	return versionPlain
}

const preprocessingFormat = "tensorsketch-preprocessing"

// preprocessingFile is the JSON object, in the order of its keys.
type preprocessingFile struct {
	Format      string            `json:"format"`
	Version     int               `json:"version"`
	UnitNorm    bool              `json:"unitNorm"`
	SparseWidth int               `json:"sparseWidth,omitempty"`
	Reading     json.RawMessage   `json:"reading,omitempty"`
	Columns     []json.RawMessage `json:"columns"`
}

// columnFile is the JSON object of a column. The role determines its keys.
type columnFile struct {
	Name     string    `json:"name"`
	Role     string    `json:"role"`
	Measure  string    `json:"measure,omitempty"`
	Missing  string    `json:"missing,omitempty"`
	Fill     *float64  `json:"fill,omitempty"`
	Scaling  string    `json:"scaling,omitempty"`
	Center   *float64  `json:"center,omitempty"`
	Scale    *float64  `json:"scale,omitempty"`
	Encoding string    `json:"encoding,omitempty"`
	Values   *[]string `json:"values,omitempty"`
	Rest     bool      `json:"other,omitempty"`
	Empty    bool      `json:"empty,omitempty"`
	Average  bool      `json:"average,omitempty"`
	Common   string    `json:"common,omitempty"`
	Parts    []string  `json:"parts,omitempty"`
	Words    *[2]int   `json:"words,omitempty"`
	Chars    *[2]int   `json:"chars,omitempty"`
	Width    int       `json:"width,omitempty"`
	Unit     bool      `json:"unit,omitempty"`
}

const oneHot, hashedEncoding = "one-hot", "hashed"

// MarshalJSON writes everything that another table needs to give vectors with the same bits: the plan and the learned
// settings. Numbers have the fewest digits that read as the same float64. It returns an error if p needs Fit.
func (p *Preprocessing) MarshalJSON() ([]byte, error) {
	if p.NeedsFit() {
		return nil, ErrNeedsFit
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	f := preprocessingFile{Format: preprocessingFormat, Version: p.version(), UnitNorm: p.Divides(), SparseWidth: p.Width,
		Columns: []json.RawMessage{}}
	if p.Reading != nil {
		var err error
		notUTF8 := func(key columns.Key) bool { return !utf8.ValidString(key.Name) }
		if slices.ContainsFunc(p.Reading.Keys, notUTF8) {
			return nil, errors.New("dataset: the keys of the reading must be UTF-8 to be written")
		}
		if f.Reading, err = marshalPlain(p.Reading); err != nil {
			return nil, err
		}
	}
	for i := range p.Columns {
		c := &p.Columns[i]
		if c.Role == columns.AsIgnored {
			continue // like every column that is not named
		}
		if !utf8.ValidString(c.Name) || slices.ContainsFunc(c.Values, func(v string) bool { return !utf8.ValidString(v) }) {
			return nil, fmt.Errorf("dataset: name and values of %s must be UTF-8 to be written", columnText(c.Name))
		}
		text, err := marshalPlain(fileOf(c))
		if err != nil {
			return nil, err
		}
		f.Columns = append(f.Columns, text)
	}
	return marshalPlain(&f)
}

// marshalPlain writes texts as JavaScript does, without escapes for HTML.
func marshalPlain(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}

// fileOf returns the JSON object of a column, with the keys of its role.
func fileOf(c *columns.Column) *columnFile {
	f := &columnFile{Name: c.Name, Role: c.Role.String(), Measure: c.Measure, Rest: c.Rest, Empty: c.Empty,
		Average: c.Average, Common: c.Common, Unit: c.Unit}
	switch c.Role {
	case columns.AsNumber, columns.AsDate, columns.AsCategory:
		f.Missing = c.Missing.String()
	}
	if c.Missing == columns.Mean || c.Missing == columns.Constant {
		f.Fill = positiveZero(c.Fill)
	}
	switch c.Role {
	case columns.AsNumber, columns.AsDate:
		f.Scaling = c.Scaling.String()
		if c.Scaling != columns.NoScaling {
			f.Center, f.Scale = positiveZero(c.Center), &c.Scale
		}
		f.Parts = c.PartNames()
	case columns.AsCategory:
		f.Encoding, f.Width = hashedEncoding, c.Hashed
		if c.Hashed == 0 {
			f.Encoding, f.Values = oneHot, &c.Values
			if c.Values == nil {
				f.Values = &[]string{}
			}
		}
	case columns.AsWords:
		f.Words, f.Chars, f.Width = &c.Words, &c.Chars, c.Width
	}
	return f
}

// positiveZero returns x, or 0 for −0, as JavaScript writes it.
func positiveZero(x float64) *float64 {
	if x == 0 {
		x = 0
	}
	return &x
}

// UnmarshalJSON reads only the output of MarshalJSON. A missing, unknown or mistyped key is an error that names the
// key.
func (p *Preprocessing) UnmarshalJSON(data []byte) error {
	if !utf8.Valid(data) {
		return fmt.Errorf("dataset: the preprocessing is not UTF-8; write it with MarshalJSON")
	}
	var f preprocessingFile
	if err := json.Unmarshal(data, &f); err != nil {
		return fmt.Errorf("dataset: the preprocessing is not what MarshalJSON writes: %w", err)
	}
	switch {
	case f.Format != preprocessingFormat:
		return fmt.Errorf("dataset: format must be %q, got %q", preprocessingFormat, f.Format)
	case f.Version < versionPlain || f.Version > versionNew:
		return fmt.Errorf("dataset: version must be 1 to %d, got %d; a newer release may read it",
			versionNew, f.Version)
	case f.Version < versionLearning && (f.Version == versionReading) != (f.Reading != nil):
		return fmt.Errorf("dataset: version %d has a reading, and version 1 has none; got version %d",
			versionReading, f.Version)
	}
	if err := sameKeys(data, &f); err != nil {
		return fmt.Errorf("dataset: %w", err)
	}
	read := Preprocessing{Sparse: f.SparseWidth > 0, Width: f.SparseWidth, UnitNorm: f.UnitNorm}
	if f.Reading != nil {
		reading, err := ParseReading(f.Reading)
		if err != nil {
			return err
		}
		read.Reading = &reading
	}
	for i, text := range f.Columns {
		c, err := parseColumn(text)
		if err == nil {
			err = sameKeys(text, fileOf(c))
		}
		if err != nil {
			return fmt.Errorf("dataset: columns[%d]: %w", i, err)
		}
		read.Columns = append(read.Columns, *c)
	}
	if err := read.Validate(); err != nil {
		return err
	}
	if version := read.version(); version != f.Version {
		return fmt.Errorf("dataset: version must be %d for these columns, got %d", version, f.Version)
	}
	*p = read
	return nil
}

// FromModel returns the preprocessing of a model file, written by model.MarshalWith or the browser. It makes the rows
// that the file's preparation takes or, without one, its map. The errors are the errors of UnmarshalJSON, a model
// without a preprocessing, and a preprocessing whose rows have another length.
func FromModel(file []byte) (*Preprocessing, error) {
	var head struct {
		NFeatures     any             `json:"nFeatures"`
		Preprocessing json.RawMessage `json:"preprocessing"`
		Preparation   *struct {
			NFeatures any               `json:"nFeatures"`
			Columns   []json.RawMessage `json:"columns"`
		} `json:"preparation"`
	}
	if err := json.Unmarshal(file, &head); err != nil {
		return nil, fmt.Errorf("dataset: the model is not a JSON object: %w", err)
	}
	if head.Preprocessing == nil {
		return nil, errors.New("dataset: the model holds no preprocessing: it was written without; " +
			"make the rows of its map as they were made for it")
	}
	p := new(Preprocessing)
	if err := p.UnmarshalJSON(head.Preprocessing); err != nil {
		return nil, err
	}
	takes := head.NFeatures
	switch prepared := head.Preparation; {
	case prepared == nil:
	case prepared.Columns != nil:
		takes = float64(len(prepared.Columns))
	default:
		takes = prepared.NFeatures
	}
	if n := p.NFeatures(); takes != float64(n) {
		return nil, fmt.Errorf("dataset: nFeatures must be %d, as in the preprocessing, got %v", n, takes)
	}
	p.MarkOfModel()
	return p, nil
}

// MarkOfModel says that p was read from a model file: the notes on its rows then say what the model does.
func (p *Preprocessing) MarkOfModel() { p.ofModel = true }

// sameKeys compares an object with the object that would be written in its place.
func sameKeys(text []byte, want any) error {
	canonical, err := marshalPlain(want)
	if err != nil {
		return err
	}
	var got, expected map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if err := json.Unmarshal(canonical, &expected); err != nil {
		return err
	}
	for key, value := range got {
		if _, ok := expected[key]; !ok {
			return fmt.Errorf("%q is not a key here, or not beside the others; leave it out", key)
		}
		if fmt.Sprintf("%#v", value) != fmt.Sprintf("%#v", expected[key]) {
			return fmt.Errorf("%q must be as MarshalJSON writes it, got %.40v", key, value)
		}
	}
	for key := range expected {
		if _, ok := got[key]; !ok {
			return fmt.Errorf("%q is missing", key)
		}
	}
	return nil
}

// parseColumn returns the column that an object describes.
func parseColumn(text []byte) (*columns.Column, error) {
	c := new(columns.Column)
	f := columnFile{Fill: &c.Fill, Center: &c.Center, Scale: &c.Scale, Values: &c.Values, Words: &c.Words, Chars: &c.Chars}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	c.Name, c.Measure, c.Width, c.Unit = f.Name, f.Measure, f.Width, f.Unit
	c.Rest, c.Empty, c.Average, c.Common = f.Rest, f.Empty, f.Average, f.Common
	var ok bool
	if c.Role, ok = columns.ParseRole(f.Role); !ok || c.Role == columns.AsIgnored {
		return nil, fmt.Errorf("role must be number, category, date, words, label or keep, got %q", f.Role)
	}
	isNaN := f.Missing == columns.NaN.String()
	if isNaN {
		f.Missing = ""
	}
	if err := c.SetPolicies(f.Missing, f.Scaling); err != nil {
		return nil, err
	}
	if isNaN {
		c.Missing = columns.NaN
	}
	var err error
	if c.Parts, err = columns.ParseDateParts(f.Parts); err != nil {
		return nil, err
	}
	switch {
	case c.Role != columns.AsCategory:
	case f.Encoding == hashedEncoding && f.Width > 0:
		c.Hashed, c.Width = f.Width, 0
	case f.Encoding != oneHot:
		return nil, fmt.Errorf("encoding must be %q, or %q with a width above 0, got %q", oneHot, hashedEncoding, f.Encoding)
	}
	c.Learned = c.Learns()
	return c, nil
}
