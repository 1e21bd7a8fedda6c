package main

import (
	"slices"

	"github.com/vugu/vugu"
)

// roomForVugu is the number of bytes that Vugu's buffer has for one attribute or property: 16 KB less some overhead.
// A longer one would end the application.
const roomForVugu = 16_000

// dropOversized removes attributes and properties that do not fit; the element then keeps its old values. A long
// text therefore stays in its field until it is refused.
func dropOversized(results *vugu.BuildResults, out *vugu.BuildOut) {
	for _, node := range out.Out {
		dropOversizedOf(node)
	}
	for _, component := range out.Components {
		dropOversized(results, results.ResultFor(component))
	}
}

func dropOversizedOf(node *vugu.VGNode) {
	node.Attr = slices.DeleteFunc(node.Attr, func(a vugu.VGAttribute) bool { return len(a.Key)+len(a.Val) > roomForVugu })
	node.Prop = slices.DeleteFunc(node.Prop, func(p vugu.VGProperty) bool {
		return len(p.Key)+len(p.JSONVal) > roomForVugu
	})
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		dropOversizedOf(child)
	}
}
