package main

import (
	"strings"
	"testing"

	"github.com/vugu/vugu"
	"tensorsketch.example/ui/internal/control"
)

func TestDropOversized(t *testing.T) {
	long := strings.Repeat("x", roomForVugu)
	child := &vugu.VGNode{Type: vugu.ElementNode, Data: "input",
		Attr: []vugu.VGAttribute{{Key: "id", Val: "seed"}, {Key: "title", Val: long}, {Key: "type", Val: "text"}},
		Prop: []vugu.VGProperty{{Key: "value", JSONVal: []byte(`"` + long + `"`)}, {Key: "checked", JSONVal: []byte("true")}}}
	node := &vugu.VGNode{Type: vugu.ElementNode, Data: "div"}
	node.AppendChild(child)
	dropOversized(nil, &vugu.BuildOut{Out: []*vugu.VGNode{node}})
	if len(child.Attr) != 2 || child.Attr[0].Key != "id" || child.Attr[1].Key != "type" {
		t.Errorf("attributes %v", child.Attr)
	}
	if len(child.Prop) != 1 || child.Prop[0].Key != "checked" {
		t.Errorf("properties %v", child.Prop)
	}
}

// TestLongSeed: a seed is in each link, so there is a longest one.
func TestLongSeed(t *testing.T) {
	long := strings.Repeat("s", control.LongestSeed)
	s, notes := ParseHash("#/embed?seed=" + long)
	if text, _ := s.Embed.Seed.Text(); text != long || notes != nil {
		t.Errorf("%v", notes)
	}
	_, notes = ParseHash("#/embed?seed=" + long + "s")
	if len(notes) != 1 || !strings.Contains(notes[0], "seed must have at most 1000 bytes, got \"ssss") {
		t.Errorf("%v", notes)
	}
}
