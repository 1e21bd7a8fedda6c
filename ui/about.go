package main

// About is the algorithm in one screen, the API to copy, a test of this browser's
// speed, and sources.
type About struct {
	View  AboutView
	Press PressHandler
}

// AboutView is what About shows around its text, which has a host element of its
// own.
type AboutView struct{ Speed Speed }

// Speed is what the test of this browser has found.
type Speed struct{ Running bool }

// AboutView describes the place.
func (a *App) AboutView() AboutView { return AboutView{Speed: a.Speed} }
