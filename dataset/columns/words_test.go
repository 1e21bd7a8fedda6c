package columns

import (
	"encoding/json"
	"testing"
)

// A remedy names settings as each program does. What a file has between quotes stays, also with braces.
func TestRemedies(t *testing.T) {
	n := Note{Code: NoteUnusedColumn, Column: "id", What: `column "id" is not used`,
		Remedy: `set {missing} to drop, or {sheet} to "a {label} \" <b>", { not closed and {}`}
	flags := n.In(func(setting string) string { return "--" + setting })
	const want = `column "id" is not used; set --missing to drop, or --sheet to "a {label} \" <b>", { not closed and {}`
	if flags != want {
		t.Errorf("got %s", flags)
	}
	text, err := json.Marshal([]Note{n})
	const plain = `[{"code":"column-not-used","column":"id","what":"column \"id\" is not used",` +
		`"remedy":"set missing to drop, or sheet to \"a {label} \\\" \u003cb\u003e\", { not closed and {}"}]`
	if err != nil || string(text) != plain {
		t.Errorf("got %s, %v", text, err)
	}
}
