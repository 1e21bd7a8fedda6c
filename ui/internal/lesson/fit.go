package lesson

// An Elastic picture can be drawn in any height from lowest em on, although Fit would make it higher.
type Elastic interface{ IsElastic() }

// A low picture stays in view while a visitor uses the controls beneath it. It is better a little small than hard to
// read: it is at least lowest em high, and its letters have at least smallest times their usual size, and that only
// where the height is less than enough em.
const (
	lowest   = 25.0
	enough   = 30.0
	smallest = .8
)

// FitLow returns the size of a picture that is at most so high, in a column of the given width, or false if it could
// not be read then. A picture that fits as it is keeps its size. Others are drawn lower if they are Elastic, or
// else narrower.
func FitLow(p Picture, width, height, em float64) (Size, bool) {
	usual := p.Fit(width, height, em)
	if usual.Height <= height {
		return usual, true
	}
	em = min(max(height/enough, smallest*em), em)
	if height < lowest*em {
		return Size{}, false
	}
	return lower(p, width, height, em)
}

// lower returns the size of a picture that is drawn lower than usual, with letters of this size.
func lower(p Picture, width, height, em float64) (Size, bool) {
	if _, ok := p.(Elastic); ok {
		return Size{Width: width, Height: height, Em: em}, true
	}
	const step = 8
	for ; width >= lowest/2*em; width -= step {
		if narrow := p.Fit(width, height, em); narrow.Height <= height {
			return narrow, true
		}
	}
	return Size{}, false
}

// A Tall picture can be hard to read below lowest em. Others are readable from tight em on.
type Tall interface{ IsTall() bool }

const tight = 20.0

// A Whole picture reports whether all of its parts have room. For them its letters may get smaller, down to tiniest
// times their usual size.
type Whole interface{ IsWhole(size Size) bool }

const tiniest = .65

// A Screened picture has a layout of its own for a wide and low screen. It returns false if that needs more room.
type Screened interface {
	FitScreen(width, height, em float64) (Size, bool)
}

// FitWithin returns the size of a picture that fills a screen of the given width and height. Its letters have their
// usual size unless it does not fit then.
func FitWithin(p Picture, width, height, em float64) Size {
	least, need, whole := smallest*em, tight, tiniest*em
	if tall, ok := p.(Tall); ok && tall.IsTall() {
		need = lowest
	}
	for {
		usual := p.Fit(width, height, em)
		if usual.Height <= height {
			return usual
		}
		if screened, ok := p.(Screened); ok {
			if size, ok := screened.FitScreen(width, height, em); ok {
				return size
			}
		}
		if size, ok := lower(p, width, height, em); ok && (height >= need*em || em < least) {
			if parts, ok := p.(Whole); !ok || parts.IsWhole(size) || em < whole {
				return size
			}
		}
		if em *= .97; em < 4 {
			return Size{Width: width, Height: height, Em: em}
		}
	}
}
