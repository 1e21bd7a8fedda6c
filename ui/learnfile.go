package main

// LearnFile is the half of Learn that learns from the rows of a file.
type LearnFile struct {
	View  LearnFileView
	Press PressHandler
	Edit  EditHandler
}

// LearnFileView is what a LearnFile shows.
type LearnFileView struct{ Title string }

// LearnFileView describes the half for the state.
func (a *App) LearnFileView() LearnFileView { return LearnFileView{Title: "Learn from your file"} }
