package dom

import (
	"strconv"
	"strings"
)

// Element returns the element with an id, or null.
func Element(id string) Value { return Document().Call("getElementById", id) }

// NewElement creates an element with a class as the last child of parent.
func NewElement(parent Value, tag, class string) Value {
	element := Document().Call("createElement", tag)
	element.Set("className", class)
	parent.Call("append", element)
	return element
}

// Update sets a property if the element exists and the value differs. A screen reader thus reads a sentence only
// once.
func Update(id, property, value string) {
	if element := Element(id); Exists(element) && Text(element, property) != value {
		element.Set(property, value)
	}
}

// SetHTML replaces the content of an element if the element exists.
func SetHTML(id, html string) {
	if element := Element(id); Exists(element) {
		element.Set("innerHTML", html)
	}
}

// SetAttribute sets an attribute.
func SetAttribute(element Value, name string, value any) { element.Call("setAttribute", name, value) }

// IsEmpty reports whether an element has no content, which means that it is new.
func IsEmpty(element Value) bool { return Get(element, "firstChild").IsNull() }

// Matches reports whether a selector matches an element. It returns false for the document.
func Matches(element Value, selector string) bool {
	matches, err := Try(element, "matches", selector)
	return err == nil && Truth(matches)
}

// Prefers reports whether a media query matches.
func Prefers(query string) bool { return Truth(Window().Call("matchMedia", query), "matches") }

// Size returns the inner size of an element in CSS pixels, and the em of a picture in it. That is the font size, or
// more where the visitor spaces letters and words: by as much as texts are wider then. The style sheet divides the
// letters of pictures by this factor, --spread, so that they keep their size and have more room. The em is 0 if the
// element has left the page.
func Size(element Value) (width, height, em float64) {
	style := Window().Call("getComputedStyle", element)
	length := func(property string) float64 {
		number, _ := strconv.ParseFloat(strings.TrimSuffix(Text(style, property), "px"), 64) // or "normal"
		return number
	}
	em = length("fontSize")
	const letter, word = .54, 6 // a letter in em, as draw.TextWidth has it, and a word in letters
	spread := 1.0
	if em > 0 {
		spread += max(length("letterSpacing")+length("wordSpacing")/word, 0) / (letter * em)
	}
	Get(Get(Get(Window(), "document"), "documentElement"), "style").Call("setProperty", "--spread", spread)
	return Number(element, "clientWidth"), Number(element, "clientHeight"), em * spread
}

// Style returns a property of an element's style as computed, such as "--pin".
func Style(element Value, property string) string {
	return Text(Window().Call("getComputedStyle", element).Call("getPropertyValue", property))
}

// SetClass gives an element a class, or takes it away.
func SetClass(element Value, class string, has bool) {
	Get(element, "classList").Call("toggle", class, has)
}

var marked = map[string]bool{}

// Mark records the first time of a moment in the browser's performance marks: "first-picture", and "files-ready"
// when everything needed to read files is loaded. They measure how long the page takes to start.
func Mark(moment string) {
	if !marked[moment] {
		marked[moment] = true
		Get(Window(), "performance").Call("mark", moment)
	}
}
