package main

import (
	"strings"

	"github.com/vugu/vjson"
	"github.com/vugu/vugu"
)

// The functions that generated code calls, as tools/vugugen has it: written out they would be a fifth of ui.wasm.

// addElement appends an element to parent, unless that is nil. Its words are its tag, and then the key and the value of
// each attribute, on lines.
func addElement(parent *vugu.VGNode, words string) *vugu.VGNode {
	tag, rest, more := strings.Cut(words, "\n")
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: tag}
	for more {
		a := vugu.VGAttribute{}
		a.Key, rest, _ = strings.Cut(rest, "\n")
		a.Val, rest, more = strings.Cut(rest, "\n")
		n.Attr = append(n.Attr, a)
	}
	return appended(parent, n)
}

// addText appends a text to parent.
func addText(parent *vugu.VGNode, text string) *vugu.VGNode {
	return appended(parent, &vugu.VGNode{Type: vugu.TextNode, Data: text})
}

// addComponent appends what a component draws to parent.
func addComponent(out *vugu.BuildOut, parent *vugu.VGNode, component vugu.Builder) *vugu.VGNode {
	out.Components = append(out.Components, component)
	return appended(parent, &vugu.VGNode{Component: component})
}

func appended(parent, n *vugu.VGNode) *vugu.VGNode {
	if parent != nil {
		parent.AppendChild(n)
	}
	return n
}

// addHandler has f called at events of an element.
func addHandler(n *vugu.VGNode, eventType string, f func(vugu.DOMEvent)) {
	n.DOMEventHandlerSpecList = append(n.DOMEventHandlerSpecList, vugu.DOMEventHandlerSpec{EventType: eventType, Func: f})
}

// setProperty sets a property of an element. A value is a text, a number or a bool, which JSON always has.
func setProperty(n *vugu.VGNode, key string, value any) {
	written, err := vjson.Marshal(value)
	if err != nil {
		panic(err)
	}
	n.Prop = append(n.Prop, vugu.VGProperty{Key: key, JSONVal: written})
}

// setHTML sets what stands in an element.
func setHTML(n *vugu.VGNode, html string) { n.InnerHTML = &html }

// usedComponent returns the component that stood in this place of the source, of the tree and of a list at the last
// build, or else the new one.
func usedComponent(in *vugu.BuildIn, source uint64, item any, made vugu.Builder) vugu.Builder {
	key := vugu.MakeCompKey(source^in.CurrentPositionHash(), item)
	if c := in.BuildEnv.CachedComponent(key); c != nil {
		made = c
	}
	in.BuildEnv.UseComponent(key, made)
	return made
}
