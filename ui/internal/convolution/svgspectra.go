package convolution

import (
	"cmp"
	"math"
	"math/cmplx"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// dialFrom is the width, in CSS pixels, from which a frequency shows its phase as a dial. Narrower frequencies show
// it as the height of a dot.
const dialFrom = 12.0

// drawSpectra draws both factors and their product. Magnitudes are bars, with the phases under them.
func (d *drawing) drawSpectra() {
	names := [3][2]string{
		{"spectrum of " + d.firstName(), d.firstName()},
		{"spectrum of " + d.secondName(), d.secondName()},
		{"their product, frequency by frequency", "their product"},
	}
	for k, name := range names {
		f := d.magnitude[k]
		if d.r.focus.Kind == lesson.Frequency {
			tab, bottom := d.phase[k].Bottom+.2*d.em, d.phase[k].Bottom+.2*d.em
			if k == 2 {
				bottom = d.region.Bottom + 1.3*d.em
			}
			r := lesson.Rect{X: f.Left + float64(d.r.focus.I)*d.wave, Y: f.Top - .3*d.em, Width: d.wave,
				Height: bottom - f.Top + .3*d.em}
			d.mark(d.r.focus.I, r, tab)
		}
		if k > 0 {
			d.b.LabelOf("strong", d.left, f.Top-d.name, "start", [3]string{1: "×", 2: "="}[k])
		}
		d.b.LabelOf("strong", f.Left, f.Top-d.name, "start", d.fitting(f.Width()/1.08, name[:]...))
		z := d.spectra[k]
		if k == 2 && !d.isDone() {
			z = z[:d.p.Step]
		}
		d.drawMagnitudes(f, z, d.spectra[k])
		d.drawPhases(d.phase[k], z, vector.Longest(d.spectra[k]))
	}
	d.drawLabels(lesson.Frequency, d.distinct(), d.wave, d.region.Left, d.region.Bottom+.9*d.em)
	d.b.Label(d.region.Left-.9*d.em, d.region.Bottom+.9*d.em, "end", "f")
	d.paragraph(d.left, d.caption, d.captionWidth, d.legend())
}

func (d *drawing) drawMagnitudes(f draw.Frame, z, all []complex128) {
	most := cmp.Or(vector.Longest(all), 1)
	scale := f.Up(0, most)
	ticks := draw.Ticks(0, most, max(int(f.Height()/(2.6*d.em)), 1))
	d.grid(f, scale, tickText, ticks[min(1, len(ticks)):]...) // the first is the axis
	d.b.Line("axis", f.Left, f.Bottom, f.Right, f.Bottom)
	gap := gapOf(d.wave)
	paths := draw.Paths{}
	for k, value := range z {
		at := scale.At(cmplx.Abs(value))
		if f.Bottom-at >= .1 {
			bar := shape{x: f.Left + float64(k)*d.wave + gap/2, y: at, width: d.wave - gap, height: f.Bottom - at}
			bar.write(paths.Of(d.r.frequency(k).class("bars")))
		}
	}
	d.b.Filled(paths, "bars", "bars faint")
}

// drawPhases draws the angles as dials: 0 is on the right, and angles grow counterclockwise. Without room for dials
// it draws heights from −180° to 180°. A number that is zero up to rounding has no angle.
func (d *drawing) drawPhases(f draw.Frame, z []complex128, most float64) {
	radius := min(.42*d.wave, f.Height()/2)
	dials := d.wave >= dialFrom
	scale := draw.Scale{Low: -math.Pi, High: math.Pi, From: f.Bottom - .3*d.em, To: f.Top + .3*d.em}
	if dials {
		d.b.Label(f.Left-.6*d.em, (f.Top+f.Bottom)/2+.35*d.em, "end", "phase")
	} else {
		label := func(phase float64) string { return format.Fixed(phase*180/math.Pi, 0) + "°" }
		d.grid(f, scale, label, -math.Pi, math.Pi)
	}
	paths := draw.Paths{}
	for k, value := range z {
		x, y := f.Left+(float64(k)+.5)*d.wave, (f.Top+f.Bottom)/2
		if dials {
			paths.Of("axis").Circle(x, y, radius)
		}
		if cmplx.Abs(value) <= silent*most {
			continue
		}
		switch unit := value / complex(cmplx.Abs(value), 0); {
		case dials:
			hand := paths.Of(d.r.frequency(k).class("exact"))
			hand.Text("M", x, " ", y, "L", x+radius*real(unit), " ", y-radius*imag(unit))
		case d.r.focus == lesson.Item{Kind: lesson.Frequency, I: k}:
			paths.Of("dots big").Point(x, scale.At(cmplx.Phase(value)))
		default:
			paths.Of("dots").Point(x, scale.At(cmplx.Phase(value)))
		}
	}
	d.b.Filled(paths, "axis", "exact", "exact faint", "dots big", "dots")
}
