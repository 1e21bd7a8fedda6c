package dom

import (
	"strconv"
	"strings"
)

// Element returns the element with an id, null where there is none.
func Element(id string) Value { return Document().Call("getElementById", id) }

// NewElement makes an element of a class, as the last child of its parent.
func NewElement(parent Value, tag, class string) Value {
	element := Document().Call("createElement", tag)
	element.Set("className", class)
	parent.Call("append", element)
	return element
}

// Update sets a property of an element if it is there and the value is another. So a sentence is read out once.
func Update(id, property, value string) {
	if element := Element(id); Exists(element) && Text(element, property) != value {
		element.Set(property, value)
	}
}

// SetHTML writes the content of an element if it is there.
func SetHTML(id, html string) {
	if element := Element(id); Exists(element) {
		element.Set("innerHTML", html)
	}
}

// SetAttribute sets an attribute.
func SetAttribute(element Value, name string, value any) { element.Call("setAttribute", name, value) }

// IsEmpty reports whether an element has no content, because it is new.
func IsEmpty(element Value) bool { return Get(element, "firstChild").IsNull() }

// Matches reports whether a selector names an element. It never names the document.
func Matches(element Value, selector string) bool {
	matches, err := Try(element, "matches", selector)
	return err == nil && matches.Truthy()
}

// Prefers asks a media query.
func Prefers(query string) bool { return Truth(Window().Call("matchMedia", query), "matches") }

// Size returns the room in an element and the size of its letters, which is 0 where it has left the page.
func Size(element Value) (width, height, em float64) {
	style := Window().Call("getComputedStyle", element)
	em, _ = strconv.ParseFloat(strings.TrimSuffix(Text(style, "fontSize"), "px"), 64)
	return Number(element, "clientWidth"), Number(element, "clientHeight"), em
}

// SetBounds places an element.
func SetBounds(element Value, x, y, width, height float64) {
	style := Get(element, "style")
	for name, value := range map[string]float64{"left": x, "top": y, "width": width, "height": height} {
		style.Set(name, strconv.FormatFloat(value, 'f', 1, 64)+"px")
	}
}

var marked = map[string]bool{}

// Mark notes the first time of a moment in the browser's list of measurements: "first-picture", and "files-ready" when
// everything that files need is loaded. They tell how long the page takes to start.
func Mark(moment string) {
	if !marked[moment] {
		marked[moment] = true
		Get(Window(), "performance").Call("mark", moment)
	}
}
