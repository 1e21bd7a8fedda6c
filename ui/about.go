package main

import (
	_ "embed"
	"strings"
	"sync"

	"tensorsketch.example/ui/internal/algorithm"
)

// About shows the algorithm on one screen, code to copy, a speed test of this browser, and sources.
type About struct {
	View  AboutView
	Press PressHandler
}

// AboutView is what About shows around its picture and its text, which have their own host elements.
type AboutView struct {
	Notes   []string
	CanSave bool
	Copy    string // the label of the button
	Speed   SpeedView
}

// AboutView describes the place.
func (a *App) AboutView() AboutView {
	return AboutView{Notes: a.Notes, CanSave: a.State.Shows("save"), Copy: a.Said(CopyCode, "Copy the code"),
		Speed: a.Speed.View()}
}

//go:embed about.html
var aboutHTML string

// aboutParts holds the parts of about.html by host. A comment in about.html names the host of the text after it.
var aboutParts = parts(aboutHTML)

func parts(html string) map[string]string {
	byHost := map[string]string{}
	for _, part := range strings.Split(html, "<!-- ")[1:] {
		host, content, _ := strings.Cut(part, " -->\n")
		byHost[host] = strings.TrimRight(content, "\n")
	}
	return byHost
}

// theAlgorithm returns the picture of the place.
var theAlgorithm = sync.OnceValues(algorithm.New)
