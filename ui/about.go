package main

import (
	_ "embed"
	"strings"
	"sync"

	"tensorsketch.example/ui/internal/algorithm"
)

// About is the algorithm in one screen, the API to copy, a test of this browser's
// speed, and sources.
type About struct {
	View  AboutView
	Press PressHandler
}

// AboutView is what About shows around its picture and its text, which have host
// elements of their own.
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

// aboutParts are the parts of about.html, by the hosts they go to: a comment
// names the host of what follows it.
var aboutParts = parts(aboutHTML)

func parts(html string) map[string]string {
	byHost := map[string]string{}
	for _, part := range strings.Split(html, "<!-- ")[1:] {
		host, content, _ := strings.Cut(part, " -->\n")
		byHost[host] = strings.TrimRight(content, "\n")
	}
	return byHost
}

// theAlgorithm is the picture of the place.
var theAlgorithm = sync.OnceValues(algorithm.New)
