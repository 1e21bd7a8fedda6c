package embed

import (
	"cmp"
	"html"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// Reading is what the visitor has set for reading a file. The rest is guessed.
type Reading struct {
	columns.Reading
	Side int // images are scaled to Side × Side pixels; 0: the file is not made of images
}

// guess is the option for a setting that is to be guessed.
const guess = "?"

// SetReading returns the reading with one setting changed, or why the setting is refused.
func (e *Room) SetReading(key, text string) (Reading, error) {
	next := e.Data.Reading
	var err error
	switch {
	case text == guess, (key == "skip" || key == "sheet") && strings.TrimSpace(text) == "":
		next.Unset(key)
	case key == "format":
		next.Reading = next.Of(text)
	case key == "keys":
		next.Keys, err = parseKeys(text)
	case key == "lists":
		next.Lists, err = strconv.Atoi(strings.TrimSpace(text))
	default:
		err = next.Set(key, text)
	}
	if err == nil {
		err = next.Validate()
	}
	return next, err
}

// parseKeys reads keys in the form that keysText writes.
func parseKeys(text string) (keys []columns.Key, err error) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		name, length, isList := strings.Cut(strings.TrimSpace(part), "[")
		key := columns.Key{Name: strings.TrimSpace(name)}
		if isList {
			if key.Length, err = strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(length), "]")); err != nil {
				return nil, sketch.ErrParam.New("keys", strconv.Quote(format.Cut(part)),
					"be names, and for lists their length: a, pixels[64]")
			}
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func keysText(keys []columns.Key) string {
	var parts []string
	for _, key := range keys {
		part := key.Name
		if key.Length > 0 {
			part += "[" + strconv.Itoa(key.Length) + "]"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// settingLabels are the labels of the settings, and valueLabels the labels of their values.
var (
	settingLabels = map[string]string{"format": "Format", "compression": "Packed with", "encoding": "Encoding",
		"delimiter": "Between cells", "quote": "Quote", "decimal": "Decimal sign",
		"thousands": "Thousands sign", "header": "First row", "dates": "Dates", "base": "First index", "keys": "Keys",
		"lists": "Numbers in a row", "skip": "Lines above the table", "comment": "Comments begin with",
		"rownames": "First cells", "sheet": "Sheet"}
	valueLabels = map[string]string{`\"`: `double " with \"`, "none": "nothing", columns.UTF8: "UTF-8",
		columns.UTF16: "UTF-16", columns.Windows1252: "Windows-1252", ",": "comma", ";": "semicolon", "\t": "tab",
		"|": "bar |", " ": "space", `"`: `double "`, "'": "single '", "": "none", ".": "point", "true": "names the columns",
		"false":          "is a row",
		columns.ISODates: "2026-11-22", columns.DayMonthYear: "22.11.2026", columns.MonthDayYear: "11/22/2026"}
)

// inSummary are the settings that the summary names.
var inSummary = []string{"format", "encoding", "delimiter", "decimal", "base"}

func valueLabel(key, value string) string {
	if key == "format" {
		return (&table.Layout{Format: value, Compression: columns.NoCompression}).Kind()
	}
	switch {
	case key == "thousands" && value == "'":
		return "apostrophe"
	case key == "rownames" && value == "true":
		return "name the rows, unnamed in the header"
	case key == "rownames":
		return "are a column"
	}
	return cmp.Or(valueLabels[value], value)
}

// ReadingHTML writes the settings for reading the file, one field per setting of its format.
func ReadingHTML(d *Data) string {
	if d.IsSample() || d.Reading.Side > 0 {
		return ""
	}
	shown := d.Layout.Reading
	if d.Unread {
		shown = d.Reading.Reading
	}
	said, fields := "", ""
	for i := range columns.Settings {
		s := &columns.Settings[i]
		value, ok := shown.Get(s.Key)
		isOf := s.Of(shown.Format) || shown.Format == "" && i < 3 // format, compression and encoding
		if !isOf || s.Values == nil && !s.Optional() && !ok && !slices.Contains(d.Layout.Guessed, s.Key) {
			continue
		}
		guessed := !ok || slices.Contains(d.Layout.Guessed, s.Key)
		fields += fieldHTML(s, &shown, value, ok, guessed)
		if ok && slices.Contains(inSummary, s.Key) {
			said += ", " + strings.ToLower(settingLabels[s.Key]) + " " + valueLabel(s.Key, value)
		}
	}
	summary := "How the file is read"
	if said != "" {
		summary += ": " + strings.TrimPrefix(said, ", ")
	}
	if n := len(d.Layout.Guessed); n > 0 {
		summary += "; " + format.Plural(n, "setting") + " guessed"
	}
	open := ""
	if d.Unread {
		open = " open" // a setting may be what helps
	}
	return `<details class="reading"` + open + `><summary>` + html.EscapeString(summary) + `</summary>` +
		`<div class="choices">` + fields + `</div><p class="small">What is guessed comes from the first rows. ` +
		`Choose it, and it is typed: then other rows cannot change it.</p></details>`
}

func fieldHTML(s *columns.Setting, shown *columns.Reading, value string, ok, guessed bool) string {
	name := settingLabels[s.Key]
	if guessed {
		name += ` <em>guessed</em>`
	}
	label := `<label class="pick">` + name + ` `
	id := `id="reading-` + s.Key + `" data-reading="` + s.Key + `"`
	switch s.Key {
	case "sheet":
		return label + `<input type="text" ` + id + ` value="` + html.EscapeString(value) +
			`" autocomplete="off" spellcheck="false"></label>`
	case "keys":
		return label + `<input type="text" ` + id + ` value="` + html.EscapeString(keysText(shown.Keys)) +
			`" autocomplete="off" spellcheck="false"></label>`
	case "lists", "skip":
		least := "1"
		if s.Key == "skip" {
			least = "0"
		}
		return label + `<input type="number" min="` + least + `" ` + id + ` value="` + value + `"></label>`
	}
	options := option(guess, "guess", !ok)
	for _, v := range s.Values {
		options += option(v, valueLabel(s.Key, v), ok && v == value)
	}
	return menu(name, id, options)
}

// encodingProblem says that rows are not UTF-8, or returns "" if all are.
func (e *Room) encodingProblem() string {
	r := e.Result
	if r == nil || e.IsStale() || !slices.ContainsFunc(r.Counts.First, func(p *table.Problem) bool {
		return strings.Contains(p.What, "not UTF-8")
	}) {
		return ""
	}
	return format.Plural(r.Counts.Unused, "row") + " could not be used. The text of some is not UTF-8."
}
