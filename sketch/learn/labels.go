package learn

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tensorsketch.example/internal/engine/order"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// A Label names a class: true or false, a number, or a text. Labels come back as they went in. Two
// labels are equal with == exactly if they name the same class; 1, "1" and true are three classes.
// The zero Label is false.
type Label struct {
	kind   labelKind
	number float64 // of true: 1
	text   string
}

type labelKind uint8

const (
	boolLabel labelKind = iota
	numberLabel
	textLabel
)

// BoolLabel returns the label true or false.
func BoolLabel(b bool) Label {
	if b {
		return Label{number: 1}
	}
	return Label{}
}

// NumberLabel returns the label of a number. −0 is the label 0. NaN and infinities are refused where
// labels are used.
func NumberLabel(x float64) Label { return Label{kind: numberLabel, number: x + 0} }

// TextLabel returns the label of a text. Texts are compared byte by byte, without normalisation; a
// text that is not UTF-8 is refused where labels are used.
func TextLabel(text string) Label { return Label{kind: textLabel, text: text} }

// Labels returns the labels of values. An integer beyond 2^53 may share its float64 with another
// one: use texts for such names.
func Labels[T bool | int | int32 | float64 | string](values []T) []Label {
	labels := make([]Label, len(values))
	for i, value := range values {
		switch v := any(value).(type) {
		case bool:
			labels[i] = BoolLabel(v)
		case int:
			labels[i] = NumberLabel(float64(v))
		case int32:
			labels[i] = NumberLabel(float64(v))
		case float64:
			labels[i] = NumberLabel(v)
		case string:
			labels[i] = TextLabel(v)
		}
	}
	return labels
}

// Value returns the bool, float64 or string that the label was made of.
func (l Label) Value() any {
	switch l.kind {
	case numberLabel:
		return l.number
	case textLabel:
		return l.text
	}
	return l.number == 1
}

// String returns true or false, the number as JavaScript writes it, or the text in quotation marks.
func (l Label) String() string {
	switch l.kind {
	case numberLabel:
		return portable.FormatNumber(l.number)
	case textLabel:
		return `"` + l.text + `"`
	}
	return strconv.FormatBool(l.number == 1)
}

// Compare returns −1, 0 or 1 by the order of classes: false, true, numbers ascending, texts by their
// UTF-8 bytes.
func (l Label) Compare(o Label) int {
	return cmp.Or(cmp.Compare(l.kind, o.kind), cmp.Compare(l.number, o.number), strings.Compare(l.text, o.text))
}

// isValid reports whether the label can be written and read again.
func (l Label) isValid() bool { return l.number-l.number == 0 && utf8.ValidString(l.text) }

// wantLabel completes "must …" for a label that is not valid.
const wantLabel = "be true, false, a finite number or a text in UTF-8"

// checkLabels returns an error for the first label of an argument that is not valid, with its row.
func checkLabels(argument string, labels []Label) error {
	for row, l := range labels {
		if !l.isValid() {
			e := sketch.ErrParam.New(argument, l.String(), wantLabel)
			e.Row = row
			return e
		}
	}
	return nil
}

// checkClasses returns nil for valid labels in ascending order without repetition, as models have
// them. Otherwise it returns an *sketch.Error with code ErrParam that names the argument "classes".
func checkClasses(classes []Label) error {
	for k, l := range classes {
		if !l.isValid() {
			return sketch.ErrParam.New("classes["+strconv.Itoa(k)+"]", l.String(), wantLabel)
		}
		if k > 0 && classes[k-1].Compare(l) >= 0 {
			return sketch.ErrParam.New("classes["+strconv.Itoa(k)+"]", l.String(), "come after "+classes[k-1].String()+
				": false, true, numbers ascending, then texts by their UTF-8 bytes, each once")
		}
	}
	return nil
}

// SortClasses returns the labels in the order of classes, each once. It does not change its argument.
func SortClasses(labels []Label) []Label {
	sorted := slices.Clone(labels)
	order.Func(sorted, Label.Compare)
	return slices.Compact(sorted)
}

// classIndex returns the index of a label in sorted classes, or −1.
func classIndex(classes []Label, l Label) int {
	if k, ok := slices.BinarySearchFunc(classes, l, Label.Compare); ok {
		return k
	}
	return -1
}
