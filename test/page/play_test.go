//go:build !js

package page

import (
	"fmt"
	"testing"

	"tensorsketch.example/sketch"
)

// TestPlay: Play goes on by itself, stops where it is told, and at the end.
func TestPlay(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	for _, place := range []string{"buckets", "convolution"} {
		v.follow("#/" + place + "?nFeatures=60&nComponents=60&step=0&speed=2") // 24 s from step 2 to step 50
		v.click("#play")
		v.until("#play", "Pause")
		v.wait(`Number(/step (\d+) of 60/.exec(document.querySelector("#step").textContent)?.[1]) >= 2`)
		v.click("#play")
		v.until("#play", "Play")
		v.settled()
		step := v.whole(v.link(), "step")
		if eval[any](v, `new Promise((resolve) => setTimeout(resolve, 700))`); step < 2 || step > 50 ||
			v.whole(v.link(), "step") != step {
			t.Errorf("%s: paused at step %d, the page goes on to %s", place, step, v.link().Get("step"))
		}
		v.follow("#/" + place + "?nFeatures=60&nComponents=60&step=57&speed=8")
		v.click("#play")
		v.wait(`/step 60 of 60/.test(document.querySelector("#step").textContent) &&
			document.querySelector("#play").textContent === "Play"`)
		v.holds("step", "60")
	}
}

// TestQuestions: the page applies what answers a question, and takes the answer
// back when something else is asked.
func TestQuestions(t *testing.T) {
	t.Parallel()
	v := visitPlace(t, "#/about")
	for place, changes := range map[string][]map[string]string{
		"buckets":     {{"nComponents": "4"}, {"vector": "one-hot", "y": "hidden"}, {"seed": "416"}},
		"convolution": {{"view": "products", "step": "6"}, {"view": "frequencies"}, {"degree": "3", "round": "2"}},
		"convergence": {{"nComponents": "512"}, {"angle": "90"}, {"degree": "6"}},
		"learn": {{"preset": "xor", "degree": "2"}, {"nComponents": "8"}, {"seed": "444"},
			{"nComponents": "512", "degree": "4", "coef0": "1", "seed": "42"}},
	} {
		v.Run(place, func(t *testing.T) {
			v.follow("#/" + place)
			v.speaksWell()
			for k, want := range changes {
				v.click(fmt.Sprintf("#ask-%d", k+1))
				for name, value := range want {
					v.holds(name, value)
				}
				answers := eval[[]string](v, `[...document.querySelectorAll(".questions .answer")].map((e) => e.textContent)`)
				for i, answer := range answers {
					if (answer != "") != (i == k) {
						t.Errorf("question %d is asked, and the answer of %d is %q", k+1, i+1, answer)
					}
				}
				if len(answers) != len(changes) || len(numbers(answers[k])) == 0 && place != "buckets" {
					t.Errorf("question %d of %d has the answer %q", k+1, len(answers), answers[k])
				}
				v.speaksWell()
			}
			v.click("#reset")
			v.settled()
			v.says(".questions .answer", "")
		})
	}
	v.follow("#/buckets")
	v.click("#ask-1")
	v.settled()
	h, _ := hashes(t, sketch.Params{Method: sketch.MethodCountSketch, NFeatures: 16, NComponents: 4, Degree: 1,
		Seed: sketch.IntSeed(415)})
	pairs := 0
	for i := range h[0] {
		for j := range i {
			if h[0][i] == h[0][j] {
				pairs++
			}
		}
	}
	found := map[float64]bool{}
	for _, number := range numbers(v.text(".questions .answer")) {
		found[number.value] = true
	}
	if !found[120] || !found[30] || !found[float64(pairs)] {
		t.Errorf("the answer is %q, want 120 pairs: 30 expected to collide, and %d that do",
			v.text(".questions .answer"), pairs)
	}
	checkBuckets(v)
}
