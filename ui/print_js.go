package main

import "tensorsketch.example/ui/internal/dom"

// paper is what a picture is drawn for before the page is printed: the width of a sheet of A4 or Letter without its
// margins (print.css), in CSS pixels, the height that leaves room for words, and letters of about 9 points.
var paper = room{width: 690, window: 900, em: 12, scale: 3}

// watchPrint draws the picture for paper before the page is printed, with the parameters and the link below, and for
// the window again afterwards. The browser lays the page out as soon as the listener has returned.
func (s *stage) watchPrint() {
	s.page.Listen(dom.Window(), "beforeprint", func(dom.Value) bool {
		s.page.app.grown()
		dom.Update("printed", "textContent", s.page.app.Printed(pageAddress()))
		if dom.Exists(s.frame) {
			s.room, s.stuck, s.isPrinting = paper, false, true
			s.draw(s.page.app)
		}
		return false
	})
	s.page.Listen(dom.Window(), "afterprint", func(dom.Value) bool {
		s.isPrinting = false
		s.measure()
		return true
	})
}
