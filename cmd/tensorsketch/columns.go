package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
)

// readingFlags defines a flag for each setting of a reading, under its own name.
func readingFlags(f *flags, r *columns.Reading) {
	f.heading("How files are read; what is not typed is guessed (docs/formats.md)")
	settingFlags(f, r)
}

// typedFlags defines the flags for the columns and the reading of a private job, which guesses nothing.
func typedFlags(f *flags, rows *jobs.Rows) {
	columnFlags(f, &rows.Columns)
	f.Lookup("missing").Usage = "`HOW` zero (default) or constant"
	f.Lookup("scaling").Usage = "`HOW` none (default): what would be learned from the rows is refused"
	f.Lookup("category").Usage = "`COLUMNS` its values, --hashed"
	f.Lookup("sparse-width").Usage = "`N` coordinates of LIBSVM rows"
	f.Lookup("keep").Usage = "`COLUMNS` refused: no noise would hide them"
	f.Lookup("use").Usage = "`COLUMNS` refused: the roles say which columns become coordinates"
	f.heading("How the file is read; all that its format has must be typed (docs/formats.md)")
	settingFlags(f, &rows.Reading)
}

func settingFlags(f *flags, r *columns.Reading) {
	spelled := map[string]string{"tab": "\t", `\t`: "\t", "space": " ", "none": ""}
	for _, s := range columns.Settings {
		switch s.Key {
		case "keys":
			f.value(s.Key, "`NAME,LIST:8` keys of JSON, and the lengths of lists", func(text string) error {
				return parseKeys(r, text)
			})
		case "lists":
			f.integer(&r.Lists, s.Key, "`N` rows of JSON are lists of N numbers")
		case "sheet":
			f.value(s.Key, "`NAME` sheet of a workbook, or its number from 1", func(text string) error {
				return bare(r.Set(s.Key, text))
			})
		case "skip":
			f.value(s.Key, "`N` lines above the header, or above the first row, are no rows", func(text string) error {
				return bare(r.Set(s.Key, text))
			})
		default:
			f.value(s.Key, "`"+placeholder[s.Key]+"` "+settingWords(s.Values), func(text string) error {
				value, isWord := spelled[text]
				if !isWord || slices.Contains(s.Values, text) {
					value = text
				}
				if !slices.Contains(s.Values, value) {
					return fmt.Errorf("must be %s, got %q%s", either(spell(s.Values)), text, jobs.Suggest(text, s.Values))
				}
				return r.Set(s.Key, value)
			})
		}
	}
}

var placeholder = map[string]string{"format": "FORMAT", "compression": "WORD", "encoding": "WORD", "delimiter": "SIGN",
	"quote": "SIGN", "decimal": "SIGN", "thousands": "SIGN", "header": "BOOL", "dates": "ORDER", "base": "N",
	"comment": "SIGN", "rownames": "BOOL"}

// spell returns the values of a setting in words that can be typed.
func spell(values []string) (words []string) {
	names := map[string]string{"\t": "tab", " ": "space", "": "none"}
	for _, value := range values {
		if name, ok := names[value]; ok {
			value = name
		} else if len(value) == 1 && strings.Contains(`.,;|"'`, value) {
			value = strconv.Quote(value)
		}
		words = append(words, value)
	}
	return words
}

func settingWords(values []string) string { return strings.Join(spell(values), " ") }

// parseKeys sets the keys of a reading from "name,name:length".
func parseKeys(r *columns.Reading, text string) error {
	for key := range strings.SplitSeq(text, ",") {
		name, length, isList := strings.Cut(key, ":")
		n, err := strconv.Atoi(length)
		if isList && (err != nil || n < 1) {
			return fmt.Errorf("must be names, and for lists NAME:LENGTH, got %q", key)
		}
		r.Keys = append(r.Keys, columns.Key{Name: name, Length: n})
	}
	return nil
}

// columnFlags defines the flags for columns.
func columnFlags(f *flags, c *jobs.Columns) {
	f.heading("What columns become; a flag may be repeated, and names are separated by commas")
	says := map[columns.Role]string{
		columns.AsNumber: "a coordinate", columns.AsCategory: "a coordinate for each value",
		columns.AsDate: "days, or --parts", columns.AsWords: "their words, hashed",
		columns.AsLabel: "the label or target", columns.AsKept: "written unchanged", columns.AsIgnored: "not read",
	}
	for _, role := range columns.Roles {
		roleFlag(f, c, role, "`COLUMNS` "+says[role])
	}
	f.list(&c.Use, "use", "`COLUMNS` only these become coordinates")
	f.boolean(&c.NoLabel, "no-label", "no column is the label")
	policy := func(to *string, name string, one func(*columns.Column, string) error) {
		f.value(name, "", func(text string) error {
			*to = text
			return one(new(columns.Column), text)
		})
	}
	policy(&c.Scaling, "scaling", func(c *columns.Column, text string) error { return bare(c.SetPolicies("", text)) })
	f.Lookup("scaling").Usage = "`HOW` none, standard or min-max; guessed: min-max unless most numbers are 0"
	policy(&c.Missing, "missing", func(c *columns.Column, text string) error { return bare(c.SetPolicies(text, "")) })
	f.Lookup("missing").Usage = "`HOW` drop (default), refuse, mean, zero or constant"
	f.value("fill", "`X` the constant", func(text string) error {
		x, err := parseNumber(text)
		c.Fill = &x
		return err
	})
	f.order = append(f.order, "unit-norm")
	f.BoolFunc("unit-norm", "divide each row by its length", func(text string) (err error) {
		on, err := strconv.ParseBool(text)
		c.UnitNorm = &on
		return err
	})
	f.integer(&c.Hashed, "hashed", "`N` hash categories into N coordinates")
	f.value("parts", "`PARTS` of dates: days,year,week,day", func(text string) error {
		c.Parts = strings.Split(text, ",")
		_, err := columns.ParseDateParts(c.Parts)
		return bare(err)
	})
	f.ngrams(&c.Words, "word-ngrams", "`1-2` words that follow each other")
	f.ngrams(&c.Chars, "char-ngrams", "`3-5` characters that follow each other")
	f.integer(&c.Width, "width", "`N` coordinates for words")
	f.integer(&c.SparseWidth, "sparse-width", "`N` coordinates of LIBSVM rows; else a first pass finds it")
}

// roleFlag defines the flag for the columns of a role.
func roleFlag(f *flags, c *jobs.Columns, role columns.Role, usage string) {
	f.value(role.String(), usage, func(text string) error {
		if c.Roles == nil {
			c.Roles = map[string][]string{}
		}
		c.Roles[role.String()] = append(c.Roles[role.String()], text)
		return nil
	})
}

// modelColumnFlags defines the flags for the columns of rows that the model says nothing about.
func modelColumnFlags(f *flags, c *jobs.Columns) {
	f.heading("Which columns are the numbers of a row, if the model does not say it; names are separated by commas")
	f.list(&c.Use, "use", "`COLUMNS` only these")
	roleFlag(f, c, columns.AsLabel, "`COLUMN` the label or target")
	roleFlag(f, c, columns.AsKept, "`COLUMNS` written unchanged")
	roleFlag(f, c, columns.AsIgnored, "`COLUMNS` not read")
}

// bare returns an error of dataset/columns without the name of the setting, which the flag has.
func bare(err error) error {
	if err == nil {
		return nil
	}
	_, message, _ := strings.Cut(err.Error(), " ")
	return fmt.Errorf("%s", message)
}

// ngrams defines a flag for the shortest and the longest n-grams.
func (f *flags) ngrams(to *[2]int, name, usage string) {
	f.value(name, usage, func(text string) error {
		from, up, isRange := strings.Cut(text, "-")
		if !isRange {
			up = from
		}
		var err, other error
		to[0], err = strconv.Atoi(from)
		to[1], other = strconv.Atoi(up)
		if err != nil || other != nil {
			return fmt.Errorf("must be a number or two, such as 1-2, got %q", text)
		}
		return nil
	})
}
