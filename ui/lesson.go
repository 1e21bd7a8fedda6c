package main

import (
	"strconv"

	"tensorsketch.example/ui/internal/buckets"
	"tensorsketch.example/ui/internal/convergence"
	"tensorsketch.example/ui/internal/convolution"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/plane"
)

// Lesson is what a teaching place shows in addition to its state.
type Lesson struct {
	Hover   lesson.Item // the item under the pointer
	Playing bool
	Opening bool // D moves by itself at the entrance
	Table   bool // the data table is shown

	samples *convergence.Samples // the estimates received so far
	arrived int                  // how often new estimates were drawn
	Halted  bool                 // no more seeds are to be computed
	Broken  bool                 // the seeds cannot be computed
	Spoken  bool                 // the sum is read out, because the visitor stepped by hand

	picture     lesson.Picture
	key         State // what picture was made from, and how many seeds had arrived
	keyArrived  int
	viewed      lesson.Picture // the picture that words describes
	looked      lesson.Item    // the item that words looks at
	words       lesson.View
	buckets     buckets.Cache
	convolution convolution.Cache
}

// Leave resets what belonged to the place left.
func (l *Lesson) Leave() {
	l.Hover, l.Playing, l.Opening, l.Spoken, l.picture = lesson.Item{}, false, false, false, nil
}

// Picture returns the picture of the teaching place. It returns nil in other places, or if the picture cannot be
// made.
func (a *App) Picture() lesson.Picture {
	if !a.State.IsLesson() {
		return nil
	}
	key := a.State
	key.lookout().At, key.lookout().Speed = lesson.Item{}, 0
	key.Embedded, key.Hide, key.Step, key.Lecture = false, "", 0, false
	if a.Lesson.picture != nil && key == a.Lesson.key && a.Lesson.arrived == a.Lesson.keyArrived {
		return a.Lesson.picture
	}
	picture, err := a.newPicture()
	if err != nil {
		a.Fail(err.Error())
		return nil
	}
	a.Lesson.picture, a.Lesson.key, a.Lesson.keyArrived = picture, key, a.Lesson.arrived
	return picture
}

func (a *App) newPicture() (lesson.Picture, error) {
	switch a.State.Place {
	case PlaceStart:
		before, _ := a.Lesson.picture.(*plane.Entrance)
		return plane.NewEntrance(a.State.Start, before)
	case PlaceBuckets:
		return buckets.New(a.State.Buckets.Params(), &a.Lesson.buckets)
	case PlaceConvolution:
		return convolution.New(a.State.Convolution.Params(), &a.Lesson.convolution)
	case PlaceLearn:
		return plane.New(a.State.Plane.Params())
	}
	return convergence.New(a.State.Convergence.Params(), a.Lesson.samples)
}

// view returns the picture in words. It caches them, because several parts of the page show them.
func (a *App) view(picture lesson.Picture, look lesson.Item) lesson.View {
	if a.Lesson.viewed != picture || a.Lesson.looked != look {
		a.Lesson.viewed, a.Lesson.looked, a.Lesson.words = picture, look, picture.View(look)
	}
	return a.Lesson.words
}

// Look returns the item looked at: the one under the pointer, or else the pinned one.
func (a *App) Look() lesson.Item {
	if picture := a.Picture(); picture != nil {
		for _, item := range []lesson.Item{a.Lesson.Hover, a.State.lookout().At} {
			if lesson.Has(picture.Groups(), item) && !(a.Lesson.Playing && item == a.Lesson.Hover) {
				return item
			}
		}
	}
	return lesson.Item{}
}

// Pin looks at an item until another is pinned. Pinning the same item again unpins it.
func (a *App) Pin(item lesson.Item) {
	if lookout := a.State.lookout(); lookout != nil {
		if lookout.At == item {
			item = lesson.Item{}
		}
		a.Change("at", item.String())
	}
}

// Set makes the changes that a picture asks for.
func (a *App) Set(changes ...lesson.Change) {
	for _, change := range changes {
		a.Change(change.Name, change.Text)
	}
}

// ask makes the changes that answer the question with a number.
func (a *App) ask(number string) {
	picture := a.Picture()
	k, err := strconv.Atoi(number)
	if picture == nil || err != nil {
		return
	}
	questions := picture.View(a.Look()).Questions
	if k < 1 || k > len(questions) {
		return
	}
	next := a.State
	for _, change := range append(questions[k-1].Changes, lesson.Change{Name: "question", Text: number}) {
		if next, err = next.With(change.Name, change.Text); err != nil {
			a.Fail(err.Error())
			return
		}
	}
	clear(a.Drafts)
	a.Lesson.Playing = false
	a.take(next, "question-"+number)
	a.Browser.ShowPicture()
}

// play starts stepping through the picture, or pauses. If the visitor wants no motion, it goes to the last step at
// once.
func (a *App) play() {
	picture := a.Picture()
	if picture == nil {
		return
	}
	a.Lesson.Opening = false
	view := picture.View(lesson.Item{})
	if a.Lesson.Playing = !a.Lesson.Playing; !a.Lesson.Playing {
		return
	}
	a.Lesson.Hover = lesson.Item{}
	if a.State.lookout().At != (lesson.Item{}) {
		a.Change("at", "")
	}
	if a.Browser.IsCalm() {
		a.Lesson.Playing = false
		a.Set(picture.StepTo(view.Steps))
		return
	}
	if view.Step == view.Steps {
		a.Set(picture.StepTo(0))
	}
	a.Browser.Play()
}

// Tick takes the next step of a playing picture.
func (a *App) Tick() {
	if !a.Lesson.Playing {
		return
	}
	if a.Lesson.Opening {
		a.grow()
		return
	}
	a.move(1)
	if picture := a.Picture(); picture != nil {
		view := picture.View(lesson.Item{})
		a.Lesson.Playing = view.Step < view.Steps
	}
}

// step moves by a number of steps by hand. It ends playing and looks at the new step.
func (a *App) step(by int) {
	a.Lesson.Playing, a.Lesson.Hover = false, lesson.Item{}
	if lookout := a.State.lookout(); lookout != nil && lookout.At != (lesson.Item{}) {
		a.Change("at", "")
	}
	a.move(by)
	a.Lesson.Spoken = true
}

func (a *App) move(by int) {
	if picture := a.Picture(); picture != nil {
		view := picture.View(lesson.Item{})
		a.Set(picture.StepTo(min(max(view.Step+by, 0), view.Steps)))
	}
}

// speed makes playing faster or slower by a factor.
func (a *App) speed(factor float64) {
	if lookout := a.State.lookout(); lookout != nil {
		a.Change("speed", strconv.Itoa(min(max(int(float64(lookout.Speed)*factor), 1), 8)))
	}
}

// halt stops the workers or lets them continue. After a failure it tries again.
func (a *App) halt() {
	if a.State.Place != PlaceConvergence {
		return
	}
	if a.Lesson.Broken {
		a.Lesson.Broken, a.Lesson.Halted, a.Notes = false, false, nil
	} else {
		a.Lesson.Halted = !a.Lesson.Halted
	}
	a.Browser.Estimate()
}

// FailSeeds shows why no more seeds are computed.
func (a *App) FailSeeds(message string) {
	a.Lesson.Broken, a.Lesson.Halted = true, true
	a.Notes = []string{"The seeds could not be computed: " + message + ". The button “Try again” starts anew."}
}

// Missing returns the number of seeds that have not come in, plus the number of pieces of work left for the
// comparison.
func (a *App) Missing() int {
	if a.State.Place != PlaceConvergence {
		return 0
	}
	samples, params := a.Lesson.samples, a.State.Convergence.Params()
	return params.Seeds - samples.Count(params.Seeds) + len(samples.Unmeasured(params)) + len(samples.Tasks(params))
}

// HasWork reports whether the picture still has to compute something that it shows later.
func (a *App) HasWork() bool {
	worker, ok := a.Picture().(lesson.Worker)
	return ok && worker.HasWork()
}

// Work computes a part of it, in a few milliseconds, and reports whether there is more to show.
func (a *App) Work() (shows bool) {
	worker, ok := a.Picture().(lesson.Worker)
	if shows = ok && worker.Advance(); shows {
		a.Lesson.picture = nil // so that it is made again and shows the result
	}
	return shows
}
