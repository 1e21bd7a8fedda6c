package columns

import (
	"strconv"
	"strings"
)

// With returns a text with these names for the settings that it names in braces: "set {missing} to drop" is what a
// request says, and what a command line says with a flag. What is between quotes is of a file, and stays. It does
// without regexp, which makes dataset.wasm a ninth larger.
func With(name func(setting string) string, text string) string {
	var b strings.Builder
	for text != "" {
		if text[0] == '"' {
			if quote, err := strconv.QuotedPrefix(text); err == nil {
				b.WriteString(quote)
				text = text[len(quote):]
				continue
			}
		}
		if text[0] == '{' {
			setting, after, isClosed := strings.Cut(text[1:], "}")
			if isClosed && setting != "" && strings.Trim(setting, letters) == "" {
				b.WriteString(name(setting))
				text = after
				continue
			}
		}
		b.WriteByte(text[0])
		text = text[1:]
	}
	return b.String()
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Plain returns a text with the settings by their names in a request.
func Plain(text string) string { return With(func(setting string) string { return setting }, text) }
