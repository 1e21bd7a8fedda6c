package main

import (
	"regexp"
	"strconv"
	"strings"
)

// A literal is a string in Go.
const literal = `("(?:[^"\\]|\\.)*")`

var (
	attribute = regexp.MustCompile(`\{Namespace: "", Key: ` + literal + `, Val: ` + literal + `\}`)
	element   = regexp.MustCompile(`&vugu\.VGNode\{Type: vugu\.VGNodeType\(3\), Namespace: "", Data: ` + literal +
		`, Attr: \[\]vugu\.VGAttribute(?:\(nil\)|\{(.*)\})\}\n(\s*vgparent\.AppendChild\(vgn\)\n)?`)
	text = regexp.MustCompile(`&vugu\.VGNode\{Type: vugu\.VGNodeType\(1\), Data: ` + literal +
		`\}\n\s*vgparent\.AppendChild\(vgn\)\n`)
	handler = regexp.MustCompile(`vgn\.DOMEventHandlerSpecList = append\(vgn\.DOMEventHandlerSpecList, ` +
		`vugu\.DOMEventHandlerSpec\{\s*EventType: ` + literal + `,\s*Func: +(.*),\s*\}\)\n`)
	property = regexp.MustCompile(`\{\s*b, err := vjson\.Marshal\((.*)\)\s*if err != nil \{\s*panic\(err\)\s*\}` +
		`\s*vgn\.Prop = append\(vgn\.Prop, vugu\.VGProperty\{Key: ` + literal +
		`, JSONVal: vjson\.RawMessage\(b\)\}\)\s*\}\n`)
	component = regexp.MustCompile(
		`vgcompKey := vugu\.MakeCompKey\((0x[0-9A-F]+)\^vgin\.CurrentPositionHash\(\), vgiterkey\)` +
			`\s*vgcomp, _ := vgin\.BuildEnv\.CachedComponent\(vgcompKey\)\.(\(\*\w+\))` +
			`\s*if vgcomp == nil \{\s*vgcomp = (new\(\w+\))\s*vgin\.BuildEnv\.WireComponent\(vgcomp\)\s*\}` +
			`\s*vgin\.BuildEnv\.UseComponent\(vgcompKey, vgcomp\).*\n`)
	inner = regexp.MustCompile(`vgn\.SetInnerHTML\(vugu\.HTML\(` + literal + `\)\)\n`)
	child = regexp.MustCompile(`vgout\.Components = append\(vgout\.Components, vgcomp\)` +
		`\s*vgn = &vugu\.VGNode\{Component: vgcomp\}\s*vgparent\.AppendChild\(vgn\)\n`)
)

// short calls the functions of ui/nodes.go instead of writing out what they do: a page of many elements is an eighth
// smaller by it. Some nodes are not used after that, hence _ = vgn.
func short(code []byte) []byte {
	s := element.ReplaceAllStringFunc(string(code), func(found string) string {
		parts := element.FindStringSubmatch(found)
		words := []string{unquoted(parts[1])}
		for _, pair := range attribute.FindAllStringSubmatch(parts[2], -1) {
			words = append(words, unquoted(pair[1]), unquoted(pair[2]))
		}
		parent, used := "vgparent", "_ = vgn\n"
		if parts[3] == "" {
			parent, used = "nil", ""
		}
		return "addElement(" + parent + ", " + strconv.Quote(strings.Join(words, "\n")) + ")\n" + used
	})
	s = text.ReplaceAllString(s, "addText(vgparent, $1)\n_ = vgn\n")
	s = handler.ReplaceAllString(s, "addHandler(vgn, $1, $2)\n")
	s = property.ReplaceAllString(s, "setProperty(vgn, $2, $1)\n")
	s = component.ReplaceAllString(s, "vgcomp := usedComponent(vgin, $1, vgiterkey, $3).$2\n")
	s = inner.ReplaceAllString(s, "setHTML(vgn, $1)\n")
	s = child.ReplaceAllString(s, "vgn = addComponent(vgout, vgparent, vgcomp)\n_ = vgn\n")
	return []byte(s)
}

// unquoted returns what a literal says. Vugu writes valid ones.
func unquoted(literal string) string {
	text, err := strconv.Unquote(literal)
	if err != nil {
		panic(err)
	}
	return text
}
