package columns

import (
	"errors"
	"strings"
)

// List returns the items of a typed list: texts between commas or on lines, without the spaces around them. An item
// that has a comma stands in quotes, as in CSV: "in, ring" is one, and a quote within is written twice.
func List(text string) (items []string, err error) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		item, rest := text, ""
		if item[0] == '"' {
			if item, rest, err = unquoted(text[1:]); err != nil {
				return nil, err
			}
			items = append(items, item)
		} else {
			if i := strings.IndexAny(text, ",\n"); i >= 0 {
				item, rest = text[:i], text[i:]
			}
			if item = strings.TrimSpace(item); item != "" {
				items = append(items, item)
			}
		}
		text = strings.TrimPrefix(rest, ",")
	}
	return items, nil
}

// unquoted returns an item up to its closing quote, and what follows: nothing, a comma or a line.
func unquoted(text string) (item, rest string, err error) {
	for {
		before, after, found := strings.Cut(text, `"`)
		if !found {
			return "", "", errors.New("a quote is not closed")
		}
		if item += before; !strings.HasPrefix(after, `"`) {
			after = strings.TrimLeft(after, " \t\r")
			if after != "" && after[0] != ',' && after[0] != '\n' {
				return "", "", errors.New("a comma is missing after " + Quoted(item))
			}
			return item, after, nil
		}
		item, text = item+`"`, after[1:]
	}
}
