package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/learn"
	"tensorsketch.example/ui/internal/lesson"
)

func TestParseHash(t *testing.T) {
	with := func(change func(*State)) State {
		s := embedState()
		change(&s)
		return s
	}
	for hash, want := range map[string]State{
		"":                                  DefaultState(),
		"#":                                 DefaultState(),
		"#/start":                           with(func(s *State) { s.Place = PlaceStart }),
		"#/embed":                           embedState(),
		"#/embed?":                          embedState(),
		"#/embed/?":                         embedState(),
		"#/embed?degree=3&nComponents=100":  with(func(s *State) { s.Embed.Degree, s.Embed.NComponents = 3, 100 }),
		"#/embed?gamma=0.5&coef0=0":         with(func(s *State) { s.Embed.Gamma, s.Embed.Coef0 = .5, 0 }),
		"#/embed?seed=18446744073709551615": with(func(s *State) { s.Embed.Seed = sketch.IntSeed(1<<64 - 1) }),
		"#/embed?seed=hello+world":          with(func(s *State) { s.Embed.Seed = sketch.StringSeed("hello world") }),
		"#/embed?seed=%225%22":              with(func(s *State) { s.Embed.Seed = sketch.StringSeed("5") }),
		"#/embed?rows=none&normalize=kernel": with(func(s *State) {
			s.Embed.Rows, s.Embed.Normalize = embed.RowsNone, sketch.NormalizeKernel
		}),
		"#/embed?output=spectrum&embed=1": with(func(s *State) {
			s.Embed.Output, s.Embedded = sketch.OutputSpectrum, true
		}),
		"#/embed?hide=seed,degree,seed": with(func(s *State) { s.Hide = "degree,seed" }),
	} {
		got, notes := ParseHash(hash)
		if got != want || len(notes) > 0 {
			t.Errorf("%s: got %+v, notes %q; want %+v", hash, got, notes, want)
		}
	}
}

// TestBadHash: a bad part keeps its default, is named, and spoils nothing else.
func TestBadHash(t *testing.T) {
	for hash, want := range map[string]string{
		"#/embed?degree=0&degree=3":             `degree must be an integer from 1 to 64, got 0.`,
		"#/embed?degree=3&degree=65":            `degree must be an integer from 1 to 64, got 65.`,
		"#/embed?degree=3&degree=two":           `degree must be an integer from 1 to 64, got "two".`,
		"#/embed?degree=3&degree=":              `degree must be an integer from 1 to 64, got "".`,
		"#/embed?degree=3&gamma=0":              `gamma must be a finite number > 0, got 0.`,
		"#/embed?degree=3&gamma=NaN":            `gamma must be a finite number > 0, got "NaN".`,
		"#/embed?degree=3&coef0=-1":             `coef0 must be a finite number ≥ 0, got -1.`,
		"#/embed?degree=3&coef0=1e999":          `coef0 must be a finite number ≥ 0, got "1e999".`,
		"#/embed?degree=3&nComponents=16777217": `nComponents must be an integer from 1 to 16777216, got 16777217.`,
		"#/embed?degree=3&rows=l2":              `rows must be one of "auto", "none", "unit", got "l2".`,
		"#/embed?degree=3&normalize=unit":       `normalize must be one of "none", "kernel", got "unit".`,
		"#/embed?degree=3&output=complex":       `output must be one of "real", "spectrum", got "complex".`,
		"#/embed?degree=3&Gamma=2": `Gamma must be one of method, kernel, degree, gamma, coef0, a, ` +
			`nComponents, seed, rows, normalize, output, release, epsilon, delta, radius, meanRows, sparseWidth, budget.`,
		"#/embed?degree=3&seed=%zz":        `"seed=%zz" is not properly escaped.`,
		"#/embed?degree=3&hide=everything": `hide knows no control "everything".`,
		"#/embed?degree=2&degree=3":        `degree stands there more than once; its last value counts, 3.`,
		"#/embed?degree=3&embed=banana":    `embed must be 1 or 0, got "banana".`,
		"#/embed?degree=3&=5":              `"=5" has no name.`,
		"#/embed?degree=3&seed=a%ff":       `"seed=a%ff" is not properly escaped.`,
		"#/embed?lecture=&degree=3":        `lecture must be 1 or 0, got "".`,
	} {
		got, notes := ParseHash(hash)
		wantState := embedState()
		wantState.Embed.Degree = 3
		if got != wantState || len(notes) != 1 || !strings.HasSuffix(notes[0], want) {
			t.Errorf("%s: got %+v, notes %q; want %q", hash, got, notes, want)
		}
	}
}

// TestEqualParts: parts of a link that say the same are no fault.
func TestEqualParts(t *testing.T) {
	if _, notes := ParseHash("#/embed?degree=3&degree=3&embed=0&lecture=0"); len(notes) > 0 {
		t.Errorf("notes %q", notes)
	}
}

func TestSeedText(t *testing.T) {
	for text, want := range map[string]sketch.Seed{
		"0":                    sketch.IntSeed(0),
		"18446744073709551616": sketch.StringSeed("18446744073709551616"),
		"-1":                   sketch.StringSeed("-1"),
		"":                     sketch.StringSeed(""),
		`"7"`:                  sketch.StringSeed("7"),
		`"`:                    sketch.StringSeed(`"`),
		`""a""`:                sketch.StringSeed(`"a"`),
	} {
		seed := control.ParseSeed(text)
		if seed != want {
			t.Errorf("%q: got %v, want %v", text, seed, want)
		}
		if again := control.ParseSeed(control.FormatSeed(seed)); again != seed {
			t.Errorf("%q: %v is written %q, which reads %v", text, seed, control.FormatSeed(seed), again)
		}
	}
}

// TestLessonHash: links to the teaching places.
func TestLessonHash(t *testing.T) {
	in := func(place string, change func(*State)) State {
		s := DefaultState()
		s.Place = place
		change(&s)
		return s
	}
	for hash, want := range map[string]State{
		"#/buckets":     in(PlaceBuckets, func(s *State) {}),
		"#/about":       in(PlaceAbout, func(s *State) {}),
		"#/convergence": in(PlaceConvergence, func(s *State) {}),
		"#/learn":       in(PlaceLearn, func(s *State) {}),
		"#/learn?embed=1&half=plane&hide=seed,half,title": in(PlaceLearn, func(s *State) {
			s.Embedded, s.Hide = true, "title,half,seed"
		}),
		"#/learn?half=file&nComponents=64&degree=3": in(PlaceLearn, func(s *State) {
			s.Half, s.Embed.NComponents, s.Embed.Degree = HalfFile, 64, 3
		}),
		"#/buckets?nFeatures=20":        in(PlaceBuckets, func(s *State) { s.Buckets.NFeatures, s.Buckets.Step = 20, 20 }),
		"#/buckets?nFeatures=20&step=3": in(PlaceBuckets, func(s *State) { s.Buckets.NFeatures, s.Buckets.Step = 20, 3 }),
		"#/buckets?step=3&nFeatures=5":  in(PlaceBuckets, func(s *State) { s.Buckets.NFeatures, s.Buckets.Step = 5, 3 }),
		"#/buckets?x=0.5,-1,0.25": in(PlaceBuckets, func(s *State) {
			s.Buckets.Vector, s.Buckets.Own, s.Buckets.NFeatures, s.Buckets.Step = "own", "0.5,-1,0.25", 3, 3
		}),
		"#/buckets?vector=digit": in(PlaceBuckets, func(s *State) {
			s.Buckets.Vector, s.Buckets.NFeatures, s.Buckets.Step = "digit", 64, 64
		}),
		"#/buckets?at=k5&y=hidden": in(PlaceBuckets, func(s *State) {
			s.Buckets.At, s.Buckets.Y = lesson.Item{Kind: lesson.Bucket, I: 5}, "hidden"
		}),
		"#/buckets?seed=7&hash=random-state": in(PlaceBuckets, func(s *State) {
			s.Buckets.Seed, s.Buckets.Hash = sketch.IntSeed(7), "random-state"
		}),
		"#/convolution?nComponents=128": in(PlaceConvolution, func(s *State) {
			s.Convolution.NComponents, s.Convolution.Step = 128, 128
		}),
		"#/convolution?degree=4&round=3&slice=2": in(PlaceConvolution, func(s *State) {
			s.Convolution.Degree, s.Convolution.Round, s.Convolution.Slice = 4, 3, 2
		}),
		"#/convolution?view=frequencies&at=c3.4&question=2": in(PlaceConvolution, func(s *State) {
			s.Convolution.View, s.Convolution.At, s.Convolution.Question = "frequencies",
				lesson.Item{Kind: lesson.Cell, I: 3, J: 4}, 2
		}),
		"#/convolution?step=3": in(PlaceConvolution, func(s *State) {
			s.Convolution.Step, s.Convolution.At = 3, lesson.Item{}
		}),
		"#/convolution?step=3&at=k1": in(PlaceConvolution, func(s *State) {
			s.Convolution.Step, s.Convolution.At = 3, lesson.Item{Kind: lesson.Bucket, I: 1}
		}),
		"#/convolution?at=": in(PlaceConvolution, func(s *State) { s.Convolution.At = lesson.Item{} }),
		"#/convergence?nComponents=16384&seeds=2000&hide=planner,seed": in(PlaceConvergence, func(s *State) {
			s.Convergence.NComponents, s.Convergence.Seeds, s.Hide = 16384, 2000, "planner,seed"
		}),
		"#/convergence?compare=craft,random-maclaurin,,craft&axis=time&coef0=0.5": in(PlaceConvergence, func(s *State) {
			s.Convergence.Compare, s.Convergence.Axis, s.Convergence.Coef0 = "random-maclaurin,craft", "time", .5
		}),
	} {
		got, notes := ParseHash(hash)
		if got != want || len(notes) > 0 {
			t.Errorf("%s: got %+v, notes %q; want %+v", hash, got, notes, want)
		}
	}
	for hash, want := range map[string]string{
		"#/buckets?nFeatures=65":    "nFeatures must be an integer from 1 to 64, got 65.",
		"#/buckets?nComponents=129": "nComponents must be an integer from 1 to 128, got 129.",
		"#/buckets?step=17":         "step must be an integer from 0 to 16, got 17.",
		"#/buckets?x=2": "x must be 1 to 64 numbers from −1 to 1, " +
			"separated by commas, got \"2\".",
		"#/buckets?at=z":    "at must be what a picture has, such as x4 or k5, got \"z\".",
		"#/buckets?value=1": "value belongs to x and at, and is not in links.",
		"#/buckets?degree=2": "degree must be one of vector, nFeatures, x, method, nComponents, " +
			"seed, step, hash, signs, draws, y, angle, at, speed, question.",
		"#/buckets?hash=random-state&seed=caf%C3%A9": "seed must be an integer from 0 to 4294967295 for " +
			"scikit-learn's tables, got \"café\".",
		"#/buckets?hash=random-state&seed=4294967296": "seed must be an integer from 0 to 4294967295 for " +
			"scikit-learn's tables, got \"4294967296\".",
		"#/buckets?hash=tables":           "hash must be one of \"seed\", \"random-state\", got \"tables\".",
		"#/buckets?x=0,1.5":               "x must be 1 to 64 numbers from −1 to 1, separated by commas, got \"0,1.5\".",
		"#/convolution?nFeatures=65":      "nFeatures must be an integer from 1 to 64, got 65.",
		"#/convolution?nFeatures=0":       "nFeatures must be an integer from 1 to 64, got 0.",
		"#/convolution?nComponents=129":   "nComponents must be an integer from 1 to 128, got 129.",
		"#/convolution?nComponents=0":     "nComponents must be an integer from 1 to 128, got 0.",
		"#/convolution?degree=1":          "degree must be an integer from 2 to 4, got 1.",
		"#/convolution?x=NaN":             "x must be 1 to 64 numbers from −1 to 1, separated by commas, got \"NaN\".",
		"#/convolution?method=ams":        "method must be one of \"tensor-sketch\", \"complex-tensor-sketch\", got \"ams\".",
		"#/convergence?vector=own":        "\"smooth\", \"one-hot\", \"digit\", got \"own\".",
		"#/convergence?nFeatures=1":       "nFeatures must be an integer from 2 to 256, got 1.",
		"#/convergence?nonZero=101":       "nonZero must be an integer from 1 to 100, got 101.",
		"#/convergence?angle=NaN":         "angle must be an integer from 0 to 180, got \"NaN\".",
		"#/convergence?pairs=2":           "pairs must be one of \"1\", \"20\", got \"2\".",
		"#/convergence?degree=9":          "degree must be an integer from 1 to 8, got 9.",
		"#/convergence?seeds=2001":        "seeds must be an integer from 10 to 2000, got 2001.",
		"#/convergence?epsilon=0":         "epsilon must be a number from 0.001 to 1, got \"0\".",
		"#/convergence?delta=0.6":         "delta must be a number from 0.001 to 0.5, got \"0.6\".",
		"#/convergence?question=5":        "question must be an integer from 0 to 4, got 5.",
		"#/convergence?nComponents=32768": "nComponents must be a power of two from 8 to 16384, got \"32768\".",
		"#/convolution?degree=5":          "degree must be an integer from 2 to 4, got 5.",
		"#/convolution?view=all": "view must be one of \"products\", \"coordinates\", " +
			"\"frequencies\", got \"all\".",
		"#/convergence?nComponents=100": "nComponents must be a power of two from 8 to 16384, got \"100\".",
		"#/convergence?delta=0":         "delta must be a number from 0.001 to 0.5, got \"0\".",
		"#/convergence?coef0=2":         "coef0 must be a number from 0 to 1, got \"2\".",
		"#/convergence?axis=seeds":      "axis must be one of \"components\", \"time\", got \"seeds\".",
		"#/convergence?compare=nystroem": "compare must be methods that are offered here, such as " +
			"random-maclaurin,tensor-srht, got \"nystroem\".",
		"#/convergence?compare=craft,tensor-sketch": "random-maclaurin,tensor-srht, got \"tensor-sketch\".",
		"#/convergence?seed=x":                      "seed must be an integer from 0 to 18446744073709551615, got \"x\".",
		"#/about?degree=2":                          "there are no parameters in this place; degree is not one.",
	} {
		_, notes := ParseHash(hash)
		if len(notes) != 1 || !strings.HasSuffix(notes[0], want) {
			t.Errorf("%s: notes %q, want %q", hash, notes, want)
		}
	}
}

// TestMethod: links name the method where it is not the tensor sketch; with complex
// features D is even, steps go to half of it, and the hashes are Carter–Wegman's.
func TestMethod(t *testing.T) {
	const twin = sketch.MethodComplexTensorSketch
	for _, place := range []string{PlaceBuckets, PlaceConvolution} {
		plain, notes := ParseHash("#/" + place + "?nComponents=9&seed=1")
		if len(notes) != 0 || plain.Get("method") != sketch.MethodTensorSketch || strings.Contains(plain.Hash(), "method") {
			t.Errorf("%s without a method: %s, %v", place, plain.Hash(), notes)
		}
		s, err := plain.With("method", twin)
		if err != nil || s.Get("nComponents") != "10" || !strings.Contains(s.Hash(), "&method="+twin+"&nComponents=10&") {
			t.Errorf("%s: %s, %v", place, s.Hash(), err)
		}
		app, _ := newTestApp()
		app.State = s
		if field := app.Field("method"); !field.Has(twin) || len(field.Options) != 2 {
			t.Errorf("%s offers %+v", place, field)
		}
		for _, group := range app.RailView().Groups {
			if group.Menu != "" {
				t.Errorf("%s shows the methods of Embed", place)
			}
		}
		if again, notes := ParseHash(s.Hash()); again != s || len(notes) != 0 {
			t.Errorf("%s gives %s, %v", s.Hash(), again.Hash(), notes)
		}
		for _, change := range [][2]string{{"7", "8"}, {"11", "12"}, {"12", "12"}, {"127", "128"}, {"1", "2"},
			{"128", "128"}} {
			if s, err = s.With("nComponents", change[0]); err != nil || s.Get("nComponents") != change[1] {
				t.Errorf("%s: D = %s becomes %s (%v), want %s", place, change[0], s.Get("nComponents"), err, change[1])
			}
		}
		app.State = s
		if slider := app.Field("nComponents").Slider; *slider != (control.Slider{Min: 1, Max: 64, At: 64}) {
			t.Errorf("%s: the slider is %+v", place, slider)
		}
		app.Slide("nComponents", "7")
		if got := app.State.Get("nComponents"); got != "14" {
			t.Errorf("%s: position 7 of the slider is D = %s", place, got)
		}
		odd, notes := ParseHash("#/" + place + "?method=" + twin + "&nComponents=7")
		if want := "The link was not used as it is: nComponents must be even with complex signs, got 7; here it is " +
			"8."; odd.Get("nComponents") != "8" || len(notes) != 1 || notes[0] != want {
			t.Errorf("%s, D = 7 in a link: %s, notes %q", place, odd.Hash(), notes)
		}
		if _, err := s.With("method", "tree-tensor-sketch"); err == nil {
			t.Errorf("%s takes any method", place)
		}
		labels := [2]string{}
		for k, state := range []State{plain, s} {
			app, _ := newTestApp()
			app.State = state
			labels[k] = app.Field("nComponents").Label
		}
		if labels != [2]string{"Components D", "Components D"} {
			t.Errorf("%s: the field of D is called %q", place, labels)
		}
	}
	s, _ := ParseHash("#/convolution?nComponents=12")
	if s, _ = s.With("method", twin); s.Convolution.Step != 6 {
		t.Errorf("the last step of 12 numbers is %d, want 6", s.Convolution.Step)
	}
	if s, _ = s.With("method", sketch.MethodTensorSketch); s.Convolution.Step != 12 {
		t.Errorf("back again the last step is %d, want 12", s.Convolution.Step)
	}
	if s, _ = ParseHash("#/buckets?hash=random-state"); s.Buckets.Hash != sketch.HashRandomState {
		t.Fatal("no tables")
	}
	if s, _ = s.With("method", twin); s.Buckets.Hash != sketch.HashSeed {
		t.Errorf("complex signs have hash %q", s.Buckets.Hash)
	}
	if _, err := s.With("hash", sketch.HashRandomState); err == nil ||
		err.Error() != `hash must be "seed" with complex signs, got "random-state"` {
		t.Errorf("scikit-learn's tables: %v", err)
	}
}

// TestPlacesAreRemembered: following a link to another place keeps this one's
// parameters for the way back.
func TestPlacesAreRemembered(t *testing.T) {
	s, _ := ParseHash("#/buckets?nComponents=5&hide=seed")
	s, _ = s.Follow("#/convolution?nComponents=7")
	if s.Buckets.NComponents != 5 || s.Convolution.NComponents != 7 || s.Hide != "" {
		t.Errorf("got %+v", s)
	}
	s.Place = PlaceBuckets
	if got, _ := ParseHash(s.Hash()); got.Buckets != s.Buckets {
		t.Errorf("the link %s gives %+v", s.Hash(), got)
	}
}

// TestParametersHaveFields: each place's rail names parameters that it has.
func TestParametersHaveFields(t *testing.T) {
	for _, place := range places {
		s := DefaultState()
		s.Place = place.Name
		for _, group := range place.Groups {
			for _, name := range group.Names {
				if p := s.parameter(name); p == nil || p.Label == "" {
					t.Errorf("%s: the rail shows %q, which is no parameter with a label", place.Name, name)
				}
			}
		}
	}
}

// FuzzParseHash: any fragment gives a state that can be shown, and its own link
// gives it again without a note.
func FuzzParseHash(f *testing.F) {
	for _, hash := range []string{"", "#/embed?degree=3&gamma=.5", "#/embed?seed=%225%22&hide=seed,x", "#/a/b?=&&%",
		"#/embed?seed=\"\"5\"\"", "#/embed?seed=%20a", "#/embed?method=nystroem&kernel=gaussian&gamma=2&nComponents=9",
		"#/embed?method=spherical&a=3&degree=9", "#/embed?method=taylor-sketch&nComponents=3", "?epsilon=2",
		"#/embed?release=rows&meanRows=5&delta=1e-6",
		"#/buckets?x=.5,-1,0&at=x2&y=hidden&nFeatures=7&step=3", "#/buckets?seed=x&hash=random-state",
		"#/convolution?degree=4&view=coordinates&slice=9&nComponents=128&at=c3.4",
		"#/convergence?vector=one-hot&nonZero=1&angle=180&degree=7&pairs=20&seeds=10&epsilon=1e-3",
		"#/convergence?compare=craft,spherical,craft&axis=time&coef0=.5", "#/about?embed=1", "#/convolution?at=",
		"#/buckets?vector=own&nFeatures=64&vector=digit&nFeatures=1"} {
		f.Add(hash)
	}
	f.Fuzz(func(t *testing.T, hash string) {
		s, _ := ParseHash(hash)
		params := s.Embed.Params(1).WithDefaults()
		if err := params.Validate(); err != nil {
			t.Fatalf("%q gives %+v: %v", hash, s, err)
		}
		again, notes := ParseHash(s.Hash())
		for _, seed := range []sketch.Seed{s.Embed.Seed, s.Buckets.Seed, s.Convolution.Seed} {
			if text, _ := seed.Text(); !utf8.ValidString(text) {
				t.Fatalf("%q gives a seed that JavaScript would change: %q", hash, text)
			}
		}
		if again != s || len(notes) > 0 {
			t.Fatalf("%q gives %+v, its link %q gives %+v, notes %q", hash, s, s.Hash(), again, notes)
		}
		if s.Place == PlaceConvolution && s.Convolution.Degree == 4 {
			return // a picture takes a moment then
		}
		app := NewApp(hash)
		picture := app.Picture()
		if s.IsLesson() && picture == nil {
			t.Fatalf("%q gives no picture: %q", hash, app.Notes)
		}
		app.BoardView()
		app.RailView()
	})
}

// TestUnlearned: where nothing was learned, the page says of no column that it was learned from, and no chart stands
// empty. The link to Embed, where the rows can be mended, stays.
func TestUnlearned(t *testing.T) {
	app, _ := newTestApp()
	app.State, _ = ParseHash("#/learn?half=file")
	app.SetData(fileData(1000))
	for _, test := range []struct {
		phase     learn.Phase
		points    int
		unread    bool
		unlearned bool
	}{{learn.Done, 1, false, false}, {learn.Training, 0, false, false}, {learn.Failed, 0, false, true},
		{learn.Failed, 1, false, false}, {learn.Done, 1, true, true}} {
		app.Learned, app.Data.Unread = learn.Session{Phase: test.phase}, test.unread
		for d := range test.points {
			app.Learned.TakePoint(learn.Point{D: d})
		}
		v := app.LearnFileView()
		isHidden := strings.Contains((&Root{App: app}).class(), "unlearned")
		if (v.Columns == "") != test.unlearned || isHidden != test.unlearned || v.Embed == "" {
			t.Errorf("%+v: the page says %q, and hides the charts: %v; its link is %q", test, v.Columns, isHidden, v.Embed)
		}
	}
}

// TestLearnLimits: the half that learns from a file says where its curve ends before D.
func TestLearnLimits(t *testing.T) {
	for d, want := range map[int]string{4096: "", 16384: "The curve ends at D 4,096"} {
		app, _ := newTestApp()
		app.State.Embed.NComponents = d
		if got := app.LearnFileView().Split; !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("D %d: %q, want %q", d, got, want)
		}
	}
}
