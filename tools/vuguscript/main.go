//go:build !js

// Command vuguscript prints the script by which Vugu's renderer writes the page, of the version that go.mod names.
// Vugu would pass it to eval, which the page's policy forbids: the page loads it, and ui/main_js.go does without eval.
//
//	go run ./tools/vuguscript >public/page/vugu-helper.js
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// changes are made so that nothing is written that is there already: the browser would lay the page out anew with each
// rendering, and keep what was there until it collects garbage. And Vugu cuts long HTML into pieces that may end within
// a letter, which the next piece completes.
var changes = []struct {
	from, to string
	places   int
}{
	{"el.setAttribute(attrName, attrValue);", "if (el.getAttribute(attrName) !== attrValue) $0", 1},
	{"el.setAttributeNS(attrNamespace, attrName, attrValue);",
		"if (el.getAttributeNS(attrNamespace, attrName) !== attrValue) $0", 1},
	{"state.el.textContent = content;", "if (state.el.data !== content) state.el.data = content;", 2},
	{`state.el.innerHTML = (state.bufferedInnerHTML || "") + html;`,
		`setHTML(state.el, (state.bufferedInnerHTML || "") + html);`, 1},
	{"let utf8decoder = new TextDecoder();", `$0
		const written = new WeakMap(); // the HTML set into an element, and what the browser made of it
		function setHTML(el, html) {
			const last = written.get(el);
			if (last?.html === html && last.made === el.innerHTML) return;
			el.innerHTML = html;
			written.set(el, { html, made: el.innerHTML });
		}`, 1},
	{"readString() {", "readString(continues) {", 1},
	{"this.dataView.byteOffset + this.offset + 4, len));",
		"this.dataView.byteOffset + this.offset + 4, len), { stream: continues });", 1},
	{"let htmlChunk = decoder.readString();", "let htmlChunk = decoder.readString(true);", 1},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("vuguscript: ")
	folder, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/vugu/vugu/domrender").Output()
	if err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "renderer-js-script.js"))
	if err != nil {
		log.Fatal(err)
	}
	script, err := changed(string(text))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("// Written by tools/vuguscript: domrender/renderer-js-script.js of Vugu (MIT License), changed.")
	fmt.Print(script)
}

// debugging finds the lines that Vugu leaves out, too.
var debugging = regexp.MustCompile(`(?m)^[ \t]*/\*DEBUG\*/.*$`)

// changed returns the script with the changes. It is an error if one of them is not where it should be.
func changed(script string) (string, error) {
	script = debugging.ReplaceAllString(script, "")
	for _, c := range changes {
		if n := strings.Count(script, c.from); n != c.places {
			return "", fmt.Errorf("the script of Vugu has %q in %d places, want %d: look what another version has changed",
				c.from, n, c.places)
		}
		script = strings.ReplaceAll(script, c.from, strings.Replace(c.to, "$0", c.from, 1))
	}
	packed := api.Transform(script, api.TransformOptions{Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true})
	if len(packed.Errors) > 0 {
		return "", fmt.Errorf("the changed script of Vugu is none: %s", packed.Errors[0].Text)
	}
	return string(packed.Code), nil
}
