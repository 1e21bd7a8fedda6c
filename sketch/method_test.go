package sketch

import (
	"os"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

// A method has code, a cost, a type in JavaScript, and a place in the documents (CONTRIBUTING.md, "Where a change
// begins").
func TestMethodsHavePlaces(t *testing.T) {
	types := string(need.Value(os.ReadFile("../public/api/tensorsketch.d.ts"))(t))
	_, types, _ = strings.Cut(types, "export type Method =")
	types, _, _ = strings.Cut(types, ";")
	spec := string(need.Value(os.ReadFile("../docs/SPEC.md"))(t))
	theory := string(need.Value(os.ReadFile("../docs/theory.md"))(t))
	for _, m := range Methods() {
		if methodOf(m.Name) == nil {
			t.Errorf("%s has no code in allMethods (method.go)", m.Name)
			continue
		}
		p := Params{Method: m.Name, NFeatures: 8, NComponents: 64}.WithDefaults()
		var w work
		if w.count(&p, 8, 8); w == (work{}) { // what work adds for all methods is not its own
			t.Errorf("%s has no cost (cost.go)", m.Name)
		}
		for file, found := range map[string]bool{
			"tensorsketch.d.ts": strings.Contains(types, `"`+m.Name+`"`),
			"docs/SPEC.md":      strings.Contains(spec, m.Name),
			"docs/theory.md":    strings.Contains(theory, "`"+m.Name+"`"),
		} {
			if !found {
				t.Errorf("%s does not name %s", file, m.Name)
			}
		}
	}
}
