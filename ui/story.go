package main

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/control"
)

// The thread through the places: seven steps. A step is a place in a prepared state, with a heading, some sentences and
// one thing to do. Its link is #/start/3.

// A step of the thread.
type step struct {
	link            string // of the prepared state
	title, says, do string
	hides           string // names of controls and parts that are not shown, as hide has them
}

const lessonParts = "questions,save"

var steps = []step{
	{"#/learn?half=plane&preset=xor&degree=1&coef0=1&nComponents=64", "Products bend lines",
		"Blue discs lie where x and y have the same sign, orange triangles elsewhere. No straight line in x and y divides " +
			"them. But the product xy is positive for nearly all discs and negative for nearly all triangles: the features " +
			"that help are products. A model of degree 2 has them. (A kernel says how alike two rows are.)",
		"Set Degree p from 1 to 2, and see all three models. Then press on the plane to add points of your own.",
		lessonParts + ",play,noise,dataSeed,coef0,alpha,seed,nComponents,nSamples"},
	{"#/convolution?view=coordinates&nFeatures=16&nComponents=16", "Too many products",
		"A row of d numbers has d² products of two and d³ of three. The square, x ⊗ x, shows the products of two of " +
			"one row x. (Step 4 explains its colours, and C₁x ∗ C₂x.) An image of 28 × 28 pixels has 784 numbers, about " +
			"308,000 different pairs and 81 million different triples.",
		"Raise Coordinates d to 32: the square has four times as many products.",
		lessonParts + ",cards,play,coordinate,value,method,nComponents,degree,seed,view,y"},
	{"#/buckets?vector=zipf&nFeatures=16&nComponents=8", "Squeeze them: Count Sketch",
		"A seed draws a hash: it drops each number into one of D buckets, with a random sign, + or −. Numbers that meet " +
			"in a bucket are added. The signs make the mistakes cancel: ⟨Cx, Cy⟩, the inner product of two sketches, is " +
			"⟨x, y⟩ on average, and off by less where D is larger.",
		"Turn Signs off and press “Draw seeds”: the mean of the estimates is wrong. Turn them on: it is right.",
		lessonParts + ",coordinate,value,method,y,angle,hash"},
	{"#/convolution?view=products&nFeatures=24&nComponents=16", "The trick: never make the products",
		"Sketch x twice, with two hashes, and convolve: multiply every bucket m of one by every bucket n of the other, " +
			"and add where m + n is the same (mod D). That is the Count Sketch of all products, which nobody made. A " +
			"fast Fourier transform does it in about D log D steps.",
		"Press a cell: its products xᵢxⱼ light up in x ⊗ x. Then raise d to 64: seven times the products, the same FFTs.",
		lessonParts + ",coordinate,value,method"},
	{"#/convergence", "How far off?",
		"One seed is one draw of the hashes, and gives one estimate of the kernel κ(x, y): a dot. The spread σ of the " +
			"dots over all seeds, their standard deviation, is known exactly, before any is drawn: the grey band. Four times " +
			"as many buckets, the components D, make it half as wide.",
		"Raise Degree p: the products grow in number, and the band widens.",
		lessonParts + ",planner,compare"},
	{"#/learn?half=plane&preset=circles&degree=4&nComponents=64&view=features&brush=look", "Learn with it",
		"Each point is now D numbers. A straight line through them is a curve in the plane, and nearly the same curve as " +
			"the exact kernel machine draws, which compares a point with all the others.",
		"Press Play: features are added up until their sum is the decision. Then press on a place of the plane, and " +
			"compare its features, weighed and added, with the exact kernel’s sum. Lower D to 8: do the sums still agree?",
		lessonParts + ",noise,dataSeed,seed,nSamples,own"},
	{"#/learn?half=file", "Your data",
		"The same on a table: how many rows are answered rightly that the model has not seen, against D, beside a linear " +
			"model and, at the press of a button, the exact kernel. Where the linear model is as good, it is enough. A file " +
			"that you choose is read in this tab and sent nowhere.",
		"Press “Choose a file”, or look at the sample first.", ""},
}

// stepOf returns the number of a step in the path of a link: start/3, or 0.
func stepOf(path string) int {
	number, _ := strings.CutPrefix(path, PlaceStart+"/")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(steps) || number != strconv.Itoa(n) {
		return 0
	}
	return n
}

// prepared returns the state of a step, as its link opens it.
func prepared(n int) State {
	s, _ := DefaultState().Follow(steps[n-1].link)
	s.Step = n
	return s
}

// Thread is the line above a place that leads through the steps. In a step it has its heading and sentences.
type Thread struct {
	View  ThreadView
	Press PressHandler
}

// ThreadEnd leads to the next step where the controls end, on a phone.
type ThreadEnd struct {
	View  ThreadView
	Press PressHandler
}

// ThreadView is what a Thread shows.
type ThreadView struct {
	Step                int    // 0 in free play
	Of, Title, Says, Do string // of the step
	Number              string // of the step, where its line is not shown: "3 of 7 ·"
	Steps               []PlaceLink
	Links               []PlaceLink // back, on, and out of the step
	Lecture             PlaceLink   // into lecture mode, or out of it
	End                 PlaceLink   // to the next step, below the controls of a phone
	ShowsLinks          bool
}

// HasThread reports whether the thread stands above the place.
func (s State) HasThread() bool {
	return s.Step > 0 || s.Place != PlaceStart && !s.Embedded
}

// stepsAt returns the numbers of the steps in the place.
func (s *State) stepsAt() (numbers []int) {
	for n := range steps {
		at := prepared(n + 1)
		if at.Place == s.Place && (at.Place != PlaceLearn || at.Half == s.Half) {
			numbers = append(numbers, n+1)
		}
	}
	return numbers
}

// linkTo returns the link of a step as the visitor left it, or else as it is prepared; for 0 of the entrance.
func (a *App) linkTo(n int) string {
	s := a.State
	if left, ok := a.steps[n]; ok && n != s.Step {
		left.Embedded, left.Hide, left.Lecture = false, "", s.Lecture
		return left.Hash()
	}
	link := "#/" + PlaceStart
	if n > 0 {
		link += "/" + strconv.Itoa(n)
	}
	if s.Lecture {
		link += "?lecture=1"
	}
	return link
}

// ThreadView describes the thread as the place shows it.
func (a *App) ThreadView() ThreadView {
	s := a.State
	v := ThreadView{Step: s.Step, ShowsLinks: !s.Embedded}
	add := func(label, link string) { v.Links = append(v.Links, PlaceLink{Label: label, Link: link}) }
	lecture := s
	lecture.Lecture = !s.Lecture
	switch {
	case s.IsLecture():
		v.Lecture = PlaceLink{Label: "All controls (key L)", Link: lecture.Hash()}
	case s.HasBoard():
		v.Lecture = PlaceLink{Label: "Lecture mode", Link: lecture.Hash()}
	}
	if s.Step == 0 {
		if at := s.stepsAt(); a.left > 0 && slices.Contains(at, a.left) {
			back := s
			back.Step = a.left
			add("Back to step "+strconv.Itoa(a.left), back.Hash())
		} else if len(at) > 0 && at[len(at)-1] < len(steps) {
			next := at[len(at)-1] + 1
			add("Next: "+steps[next-1].title, a.linkTo(next))
		} else {
			add("How it works, in seven steps", a.linkTo(1))
		}
		return v
	}
	at := steps[s.Step-1]
	v.Of = "Step " + strconv.Itoa(s.Step) + " of " + strconv.Itoa(len(steps))
	v.Number = strings.TrimPrefix(v.Of, "Step ") + " ·"
	v.Title, v.Says, v.Do = at.title, at.says, at.do
	for n := range steps {
		link := PlaceLink{Label: strconv.Itoa(n + 1), Link: a.linkTo(n + 1)}
		if n+1 == s.Step {
			link.Current = "step"
		}
		v.Steps = append(v.Steps, link)
	}
	add("Back", a.linkTo(s.Step-1))
	switch {
	case s.Step < len(steps) && s.Lecture: // the sentences need the room
		add("Next", a.linkTo(s.Step+1))
	case s.Step < len(steps):
		add("Next: "+steps[s.Step].title, a.linkTo(s.Step+1))
	}
	free := s
	free.Step, free.Lecture = 0, false
	add("Explore freely", free.Hash())
	if !s.Embedded {
		v.End = v.Links[1]
	}
	return v
}

// turn goes to another step, as a presenter's clicker asks for. It reports whether there is one. An iframe stays,
// because the link of a step would end embed=1: it hands the key to the page around it, whose slides turn. Outside
// lecture mode, which the last step does not have, the keys scroll as long as the page does.
func (a *App) turn(by int, scrolls bool) bool {
	n := a.State.Step + by
	if scrolls && !a.State.IsLecture() {
		return false
	}
	if a.State.Embedded {
		a.Browser.TurnParent(by)
		return false
	}
	if a.State.Step == 0 || n < 1 || n > len(steps) {
		return false
	}
	next, _ := a.State.Follow(a.linkTo(n))
	clear(a.Drafts)
	a.take(next, "step-"+strconv.Itoa(n))
	return true
}

// toggleLecture begins or ends lecture mode.
func (a *App) toggleLecture() {
	if !a.State.HasThread() {
		return
	}
	next := a.State
	next.Lecture = !next.Lecture
	a.take(next, "lecture")
}

// lecture is the parameter of links that fills the screen with the picture.
const lecture = "lecture"

// Start is the entrance of the page.
type Start struct {
	View  StartView
	Press PressHandler
	Edit  EditHandler
}

// StartView is what a Start shows besides its picture.
type StartView struct {
	Notes        []string
	D            Field
	Play         string
	Sum, Summary string
	Copy         string
	Ways         []Way
}

// A Way leads on from the entrance.
type Way struct{ ID, Label, Says, Link string }

var ways = []Way{
	{"way-steps", "See how it works", "Seven steps, about five minutes.", "#/start/1"},
	{"way-file", "Try your own file", "It is read in this tab, and sent nowhere.", "#/learn?half=file"},
	{"way-code", "Use it in your code", "Four lines to copy, below.", ""},
}

// StartView describes the entrance.
func (a *App) StartView() StartView {
	v := StartView{Notes: a.Notes, D: a.Field("nComponents"), Play: "Play", Ways: ways, Copy: a.Said(CopyCode, "Copy")}
	if a.Lesson.Playing {
		v.Play = "Pause"
	}
	if picture := a.Picture(); picture != nil {
		view := a.view(picture, a.Look())
		v.Sum, v.Summary = view.Sum, view.Summary
	}
	return v
}

// open has D move by itself, once, if the page was opened at the entrance as it is.
func (a *App) open() {
	if a.State != DefaultState() || a.Browser.IsCalm() {
		return
	}
	a.State.Start = a.State.Start.Begin()
	a.Lesson.Playing, a.Lesson.Opening = true, true
	a.Browser.Play()
}

// grown has D where it stays, for what is copied or printed while it moves by itself.
func (a *App) grown() {
	for a.Lesson.Opening && a.Lesson.Playing {
		a.grow()
	}
}

// grow takes the next step of the entrance, and leaves the address alone until D is where it stays.
func (a *App) grow() {
	at := a.State.Start.NComponents
	next, err := a.State.With("nComponents", strconv.Itoa(2*at))
	if err != nil {
		a.Lesson.Playing = false
		return
	}
	a.State = next
	if a.Lesson.Playing = next.Start.NComponents < DefaultState().Start.NComponents; !a.Lesson.Playing {
		a.Browser.ShowHash(next.Hash(), false)
	}
}

var startPlace = control.Place{Name: PlaceStart, Label: "Start", Hideable: []string{"title", "play"}}

//go:embed start.html
var startHTML string

// startParts holds the parts of start.html by host.
var startParts = parts(startHTML)
