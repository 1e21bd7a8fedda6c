//go:build !js

package page

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"
)

// picture is an image of w × h with a colour at each place.
func picture(w, h int, at func(x, y int) color.Color) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.Set(x, y, at(x, y))
		}
	}
	return m
}

func asPNG(m image.Image) string {
	var b strings.Builder
	png.Encode(&b, m)
	return b.String()
}

func asJPEG(m image.Image) string {
	var b strings.Builder
	jpeg.Encode(&b, m, &jpeg.Options{Quality: 100})
	return b.String()
}

// imageRows is what filejob.js makes of images.
type imageRows struct {
	Name, Text, Error string
	Unused            []string
	Problem           string
	Rows              int
	Roles             string
}

// images hands files to the worker, in the order given.
func (v *visit) images(options string, files ...[2]string) imageRows {
	v.Helper()
	var list strings.Builder
	for _, file := range files {
		fmt.Fprintf(&list, "new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], %q, { lastModified: 7 }),",
			base64.StdEncoding.EncodeToString([]byte(file[1])), file[0])
	}
	return eval[imageRows](v, fmt.Sprintf(`(async () => {
		try {
			const made = await fileJob("images", { files: [%s], ...%s });
			const { layout, plan } = await fileJob("open", { file: made.file });
			const { id, rows } = await fileJob("run", {
				file: made.file, plan, params: { nComponents: 4, coef0: 1 }, format: "csv",
			});
			await fileJob("remove", { job: id });
			return { Name: made.file.name, Text: await made.file.text(), Unused: made.unused, Problem: made.problem,
				Rows: rows, Roles: [...new Set(JSON.parse(layout.columns).map(([, , role]) => role))].join() };
		} catch (error) { return { Error: error.message }; }
	})()`, &list, options))
}

// TestImages: PNG and JPEG become rows of grey numbers with their names, in the order of
// these; a broken image is a sentence, and the others stay.
func TestImages(t *testing.T) {
	t.Parallel()
	v := jobPage(t)
	grey := func(w, h int) image.Image {
		return picture(w, h, func(x, y int) color.Color { return color.Gray{uint8(x*7 + y*3)} })
	}
	sharp := asPNG(grey(28, 28))
	bomb := []byte(sharp)
	binary.BigEndian.PutUint32(bomb[16:], 100_000)
	binary.BigEndian.PutUint32(bomb[20:], 100_000)
	coarse := picture(56, 56, func(x, y int) color.Color { return color.Gray{uint8((x + y) % 2 * 255)} })
	got := v.images("{}",
		[2]string{"c, one.png", asPNG(picture(28, 28, func(x, _ int) color.Color {
			return []color.Color{color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255},
				color.NRGBA{0, 0, 255, 255}, color.NRGBA{0, 0, 0, 0}}[x%4]
		}))},
		[2]string{"b.png", sharp},
		[2]string{"a.jpg", asJPEG(grey(28, 28))},
		[2]string{"d.png", asPNG(coarse)},
		[2]string{"bomb.png", string(bomb)},
		[2]string{"cut.png", sharp[:len(sharp)/2]},
		[2]string{"short.jpg", "\xff\xd8\xff\xe0"},
		[2]string{"x.gif", "GIF89a"},
	)
	want := []string{
		"bomb.png: it has 100000 × 100000 pixels, more than 50 million; make it smaller.",
		"cut.png: it is damaged, or of a kind that this browser does not show; save it again as PNG or JPEG.",
		"short.jpg: its head is cut off; save it again.",
		"x.gif: it is no PNG or JPEG; save it as one of these.",
	}
	if !slices.Equal(got.Unused, want) || got.Rows != 4 || got.Roles != "number,keep" || got.Name != "images.csv" {
		t.Errorf("got %q, %d rows, %s, %s, %s; want %q", got.Unused, got.Rows, got.Roles, got.Name, got.Error, want)
	}
	if got.Problem != "4 images could not be used. "+strings.Join(want, " ") {
		t.Errorf("all are told as %q", got.Problem)
	}
	broken := make([][2]string, 22)
	for i := range broken {
		broken[i] = [2]string{fmt.Sprintf("%02d.gif", i), "GIF89a"}
	}
	if got := v.images("{}", broken...); !strings.HasPrefix(got.Error,
		"22 images could not be used. 00.gif: it is no PNG") || !strings.Contains(got.Error, " 19.gif: it is no") ||
		!strings.HasSuffix(got.Error, " And 2 more.") {
		t.Errorf("none of 22: %q", got.Error)
	}
	lines := strings.Split(strings.TrimSpace(got.Text), "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[0], "y0x0,y0x1,") || !strings.HasSuffix(lines[0], ",y27x27,file") {
		t.Fatalf("%d lines: %.100q", len(lines), lines)
	}
	numbers := func(line string) (values []int) {
		for cell := range strings.SplitSeq(strings.Join(strings.Split(line, ",")[:784], ","), ",") {
			n := 0
			fmt.Sscan(cell, &n)
			values = append(values, n)
		}
		return values
	}
	for i, name := range []string{"a.jpg", "b.png", `"c, one.png"`, "d.png"} {
		if !strings.HasSuffix(lines[i+1], ","+name) {
			t.Errorf("row %d is not of %s", i+1, name)
		}
	}
	jpg, exact, colours, mean := numbers(lines[1]), numbers(lines[2]), numbers(lines[3]), numbers(lines[4])
	for i := range 784 {
		if want := int(uint8(i%28*7 + i/28*3)); exact[i] != want || jpg[i] < want-3 || jpg[i] > want+3 {
			t.Fatalf("pixel %d is %d as PNG and %d as JPEG, want %d", i, exact[i], jpg[i], want)
		}
		if want := []int{76, 150, 29, 255}[i%4]; colours[i] != want {
			t.Fatalf("pixel %d is %d, want %d", i, colours[i], want)
		}
		if mean[i] < 124 || mean[i] > 131 {
			t.Fatalf("pixel %d of squares of 0 and 255 is %d, want their mean", i, mean[i])
		}
	}

	large := [2]string{"d.jpg", asJPEG(grey(301, 97))}
	again := v.images(`{ width: 5, height: 3 }`, large)
	if twice := v.images(`{ width: 5, height: 3 }`, large); again.Text != twice.Text || again.Rows != 1 ||
		again.Name != "d.jpg.csv" || strings.Count(again.Text, ",") != 30 {
		t.Errorf("got %+v, then %+v", again, twice)
	}
	for _, wrong := range [][2]string{{"width", "0"}, {"height", "257"}, {"width", "1.5"}} {
		want := wrong[0] + " must be a whole number of pixels from 1 to 256, got " + wrong[1]
		if got := v.images("{ "+wrong[0]+": "+wrong[1]+" }", [2]string{"b.png", sharp}); got.Error != want {
			t.Errorf("%q, want %q", got.Error, want)
		}
	}
	if got := v.images("{}", [2]string{"x.gif", "GIF89a"}); got.Error != want[3] {
		t.Errorf("no image at all: %q, want %q", got.Error, want[3])
	}
	if got := v.images("{}"); got.Error != "no image was chosen: choose some" {
		t.Errorf("none: %q", got.Error)
	}
}

// TestImagesInFolder: files that a system puts into folders, and others beside most images, do not hide the images.
func TestImagesInFolder(t *testing.T) {
	t.Parallel()
	v := visitEmbed(t, "#/embed?nComponents=64")
	grey := asPNG(picture(9, 9, func(x, y int) color.Color { return color.Gray{uint8(x*20 + y)} }))
	v.readyAfter(func() {
		v.choose(v.write("Thumbs.db", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), v.write("a.png", grey), v.write("b.png", grey))
	})
	v.says(".origin strong", "…images.csv…")
	v.says("#status", "Embedded 2 rows in …")
	v.readyAfter(func() { v.choose(v.write("Thumbs.db", "x"), v.write("plain.csv", "1.5,2\n3,4\n5,7\n")) })
	v.says(".origin strong", "…plain.csv…")
}
