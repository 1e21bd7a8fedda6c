package columns

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// A Reading holds the settings for reading a file. An absent setting is guessed from the head of the file. A setting is
// absent if it is the empty string, nil or, for Lists, 0.
type Reading struct {
	Format      string  `json:"format,omitempty"`
	Compression string  `json:"compression,omitempty"`
	Encoding    string  `json:"encoding,omitempty"`
	Delimiter   string  `json:"delimiter,omitempty"`
	Quote       *string `json:"quote,omitempty"` // \": a quote inside a cell has a backslash before it; "": none
	Decimal     string  `json:"decimal,omitempty"`
	Thousands   *string `json:"thousands,omitempty"` // "": none
	Header      *bool   `json:"header,omitempty"`    // the first row names the columns
	Dates       string  `json:"dates,omitempty"`
	Base        *int    `json:"base,omitempty"`  // the first index of LIBSVM
	Keys        []Key   `json:"keys,omitempty"`  // of JSON Lines whose rows are objects; the lists of Parquet and Arrow
	Lists       int     `json:"lists,omitempty"` // of JSON Lines whose rows are lists: their length

	// Few files need these. If they are absent and all others are present, they are 0, none and false.
	Skip     *int    `json:"skip,omitempty"`     // lines before the header, or before the first row
	Comment  *string `json:"comment,omitempty"`  // lines that begin with it are left out; "": none
	RowNames *bool   `json:"rownames,omitempty"` // rows begin with a cell that the header does not name
	Sheet    string  `json:"sheet,omitempty"`    // of a workbook: the name of its sheet, or its number from 1
}

// MaxSkip bounds the lines before a header.
const MaxSkip = 1_000_000

// A Key is a key of JSON Lines. It holds a single value, or a list of Length numbers.
type Key struct {
	Name   string `json:"name"`
	Length int    `json:"length"` // 0: a single value
}

// Values of settings that code uses by name.
const (
	UTF8        = "utf-8"
	UTF16       = "utf-16" // the byte order mark says which byte order
	Windows1252 = "windows-1252"

	ISODates      = "iso"
	DayMonthYear  = "day-month-year"
	MonthDayYear  = "month-day-year"
	NoCompression = "none"
)

// Compressions are the compressions that a file can have.
var Compressions = []string{NoCompression, "gzip", "zstd", "zip"}

// A Setting is one key of a Reading, with its values as texts for Get and Set. Skip takes any integer from 0 to
// MaxSkip.
// Keys and Lists have no such texts.
type Setting struct {
	Key    string
	Values []string
}

// Optional reports whether a reading of a format with the setting is complete without it.
func (s *Setting) Optional() bool {
	return slices.Contains([]string{"skip", "comment", "rownames", "sheet"}, s.Key)
}

// Settings are all settings, in the order in which they are written.
var Settings = []Setting{
	{"format", FormatNames(false)},
	{"compression", Compressions},
	{"encoding", []string{UTF8, UTF16, Windows1252}},
	{"delimiter", []string{",", ";", "\t", "|", " "}},
	{"quote", []string{`"`, "'", `\"`, ""}},
	{"decimal", []string{".", ","}},
	{"thousands", []string{"", ".", ",", " ", "'"}},
	{"header", []string{"true", "false"}},
	{"dates", []string{ISODates, DayMonthYear, MonthDayYear}},
	{"base", []string{"0", "1"}},
	{"keys", nil},
	{"lists", nil},
	{"skip", nil},
	{"comment", []string{"", "#", "%", "//"}},
	{"rownames", []string{"true", "false"}},
	{"sheet", nil},
}

// field returns a pointer to the field of a setting, or nil if there is no such setting.
func (r *Reading) field(key string) any {
	fields := [...]any{&r.Format, &r.Compression, &r.Encoding, &r.Delimiter, &r.Quote, &r.Decimal, &r.Thousands, &r.Header,
		&r.Dates, &r.Base, &r.Keys, &r.Lists, &r.Skip, &r.Comment, &r.RowNames,
		&r.Sheet} // in the order of Settings
	if i := indexOf(key); i >= 0 {
		return fields[i]
	}
	return nil
}

// indexOf returns the index of a setting, or −1.
func indexOf(key string) int {
	return slices.IndexFunc(Settings, func(s Setting) bool { return s.Key == key })
}

// Get returns a setting as a text, and whether it is present. Keys have no text.
func (r *Reading) Get(key string) (text string, ok bool) {
	switch p := r.field(key).(type) {
	case *string:
		return *p, *p != ""
	case **string:
		if *p != nil {
			return **p, true
		}
	case **bool:
		if *p != nil {
			return strconv.FormatBool(**p), true
		}
	case **int:
		if *p != nil {
			return strconv.Itoa(**p), true
		}
	case *[]Key:
		return "", *p != nil
	case *int:
		return strconv.Itoa(*p), *p != 0
	}
	return "", false
}

// Set sets a setting from a text. The error names the key and the allowed values.
func (r *Reading) Set(key, text string) error {
	s := settingOf(key)
	if key == "sheet" && text != "" {
		r.Sheet = text
		return nil
	}
	if key == "skip" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > MaxSkip {
			return s.refuse(strconv.Quote(text))
		}
		r.Skip = &n
		return nil
	}
	if s == nil || s.Values == nil {
		return unknownKey(key)
	}
	if !slices.Contains(s.Values, text) {
		return s.refuse(Quoted(text))
	}
	switch p := r.field(key).(type) {
	case *string:
		*p = text
	case **string:
		*p = &text
	case **bool:
		*p = new(text == "true")
	case **int:
		*p = new(int(text[0] - '0'))
	}
	return nil
}

// Unset makes a setting absent.
func (r *Reading) Unset(key string) {
	switch p := r.field(key).(type) {
	case *string:
		*p = ""
	case **string:
		*p = nil
	case **bool:
		*p = nil
	case **int:
		*p = nil
	case *[]Key:
		*p = nil
	case *int:
		*p = 0
	}
}

// Missing returns the absent settings of the reading's format, including format itself if that is absent. If there are
// none, nothing has to be guessed, except the keys of Parquet and Arrow. Only a file whose schema has lists without
// a length needs those keys.
func (r *Reading) Missing() []string {
	if r.Format == "" {
		return []string{"format"}
	}
	var missing []string
	f := FormatOf(r.Format)
	for i := range Settings {
		s := &Settings[i]
		_, ok := r.Get(s.Key)
		isFree := s.Optional() || s.Key == "lists" || s.Key == "keys" && (r.Lists > 0 || f != nil && f.Columnar)
		if ok || isFree || !s.Of(r.Format) {
			continue
		}
		missing = append(missing, s.Key)
	}
	return missing
}

// Of returns the settings of the reading that apply to a format.
func (r Reading) Of(format string) Reading {
	for i := range Settings {
		if s := &Settings[i]; !s.Of(format) {
			r.Unset(s.Key)
		}
	}
	r.Format = format
	return r
}

// Or returns the reading with its absent settings taken from another reading.
func (r Reading) Or(other Reading) Reading {
	isJSON := r.Keys != nil || r.Lists > 0
	for i := range Settings {
		key := Settings[i].Key
		if _, ok := r.Get(key); ok {
			continue
		}
		switch text, ok := other.Get(key); {
		case key == "keys" && !isJSON:
			r.Keys = other.Keys
		case key == "lists" && !isJSON:
			r.Lists = other.Lists
		case ok && key != "keys" && key != "lists":
			_ = r.Set(key, text)
		}
	}
	return r
}

// OfFormat returns the settings that say something about other files of the format too. How a file is packed, and what
// stands around its table, says nothing about another.
func (r Reading) OfFormat() Reading {
	for _, key := range []string{"format", "compression", "skip", "comment", "rownames", "sheet"} {
		r.Unset(key)
	}
	return r
}

// WithoutSigns returns the reading without the signs between and around cells: the same table may be saved as CSV or
// as TSV.
func (r Reading) WithoutSigns() Reading {
	r.Unset("delimiter")
	r.Unset("quote")
	return r
}

// Validate returns an error that names the first setting that is not allowed, or not allowed together with the others.
func (r *Reading) Validate() error {
	for i := range Settings {
		s := &Settings[i]
		text, ok := r.Get(s.Key)
		switch {
		case !ok:
		case s.Values != nil && !slices.Contains(s.Values, text):
			return s.refuse(Quoted(text))
		case r.Format != "" && !s.Of(r.Format):
			return errors.New(s.Key + " is a setting of " + strings.Join(s.formats(), ", ") + ", and format is " +
				strconv.Quote(r.Format) + "; leave it out")
		}
	}
	if r.Lists < 0 {
		return settingOf("lists").refuse(strconv.Itoa(r.Lists))
	}
	if r.Skip != nil && (*r.Skip < 0 || *r.Skip > MaxSkip) {
		return settingOf("skip").refuse(strconv.Itoa(*r.Skip))
	}
	if r.RowNames != nil && *r.RowNames && r.Header != nil && !*r.Header {
		return errors.New("rownames is true and header is false; rows without a header have no names to be one short of")
	}
	if r.Thousands != nil && *r.Thousands != "" {
		if *r.Thousands == r.Decimal {
			return errors.New("thousands and decimal are both " + strconv.Quote(r.Decimal) +
				"; give two signs, or thousands \"\" for none")
		}
		if *r.Thousands == " " && r.Delimiter == " " {
			return errors.New("thousands and delimiter are both \" \"; give thousands \"\" for none")
		}
	}
	return r.validateKeys()
}

func (r *Reading) validateKeys() error {
	switch {
	case r.Keys == nil:
		return nil
	case r.Lists > 0:
		return errors.New("keys are for rows that are objects, and lists for rows that are lists; give one of them")
	case len(r.Keys) == 0:
		return settingOf("keys").refuse("none")
	}
	seen := map[string]bool{}
	for _, key := range r.Keys {
		if seen[key.Name] {
			return errors.New("keys must differ, got " + Quoted(key.Name) + " twice")
		}
		if seen[key.Name] = true; key.Length < 0 {
			return errors.New("the length of key " + Quoted(key.Name) + " must be 0, for a single value, " +
				"or the number of elements of its lists, got " + strconv.Itoa(key.Length))
		}
	}
	return nil
}

func settingOf(key string) *Setting {
	if i := indexOf(key); i >= 0 {
		return &Settings[i]
	}
	return nil
}

// Of reports whether files of a format have the setting.
func (s *Setting) Of(format string) bool {
	f := FormatOf(format)
	return f != nil && f.has(s.Key)
}

// formats returns the names of the formats that have the setting.
func (s *Setting) formats() []string {
	return slices.DeleteFunc(FormatNames(false), func(name string) bool { return !s.Of(name) })
}

// Allowed returns the allowed values of a setting in words.
func (s *Setting) Allowed() string {
	switch s.Key {
	case "header", "rownames":
		return "true or false"
	case "sheet":
		return "the name of a sheet, or its number from 1"
	case "skip":
		return "a number of lines from 0 to " + strconv.Itoa(MaxSkip)
	case "base":
		return "0 or 1"
	case "keys":
		return "[{ name, length }, …], one at least; length 0 is a single value"
	case "lists":
		return "the length of the lists, 1 or more"
	}
	words := make([]string, len(s.Values))
	for i, value := range s.Values {
		words[i] = strconv.Quote(value)
	}
	return list(words, " or ")
}

func (s *Setting) refuse(got string) error {
	return errors.New(s.Key + " must be " + s.Allowed() + ", got " + got)
}

// unknownKey returns an error that names the existing keys.
func unknownKey(key string) error {
	names := make([]string, len(Settings))
	for i := range Settings {
		names[i] = Settings[i].Key
	}
	return errors.New(Quoted(key) + " is no setting of a reading; there are " + strings.Join(names, ", "))
}

// shortRunes is how many characters of a file's text a sentence quotes.
const shortRunes = 24

// Short returns the beginning of a text of a file, so that it fits into a sentence.
func Short(text string) string {
	n := 0
	for i := range text {
		if n == shortRunes {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// Quoted returns the beginning of a text of a file between quotes, with control characters escaped.
func Quoted(text string) string { return strconv.Quote(Short(text)) }

// CheckKeys returns an error for a key that no setting has.
func CheckKeys(keys []string) error {
	for _, key := range keys {
		if settingOf(key) == nil {
			return unknownKey(key)
		}
	}
	return nil
}

// CheckValue returns an error for a value whose type the setting does not have. got is the value as JSON.
func CheckValue(key, got string) error { return settingOf(key).refuse(Short(got)) }
