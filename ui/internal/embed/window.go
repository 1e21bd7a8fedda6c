package embed

// A Span is a part of a list: the rows from From up to but without To.
type Span struct{ From, To int }

// beyond is how many rows are drawn above and below those in view. The tab key thus always finds the next one.
const beyond = 8

// Window returns the spans of a list that are drawn, from top to bottom: the rows in view and some around them, and
// the row kept, which has the focus, if it is one. The list has n rows of equal height, and view of its height are seen
// from top on. All lengths are in CSS pixels.
func Window(n int, top, view, row float64, kept int) []Span {
	if n == 0 {
		return nil
	}
	first, last := 0, n
	if row > 0 {
		first, last = int(max(top, 0)/row), int((max(top, 0)+view)/row)+1
	}
	// In steps of half of beyond, so that not every pixel of a scroll changes what is drawn.
	first = max(first/(beyond/2)*(beyond/2)-beyond, 0)
	last = min((last/(beyond/2)+1)*(beyond/2)+beyond, n)
	first = min(first, max(last-1, 0))
	spans := []Span{{first, last}}
	switch {
	case kept < 0 || kept >= n || kept >= first && kept < last:
	case kept == first-1:
		spans[0].From--
	case kept == last:
		spans[0].To++
	case kept < first:
		spans = []Span{{kept, kept + 1}, spans[0]}
	default:
		spans = append(spans, Span{kept, kept + 1})
	}
	return spans
}
