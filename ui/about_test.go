package main

import (
	"encoding/xml"
	"html"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
)

var (
	hostID   = regexp.MustCompile(`id="(about-[a-z]+)"`)
	asMinus  = regexp.MustCompile(`(^|[\s(])-[\s\d]`)
	sameSite = regexp.MustCompile(`^#/[a-z]+$`)
)

// TestAboutParts: each host of the template has its part of the text, and each
// part its host.
func TestAboutParts(t *testing.T) {
	template, err := os.ReadFile("about.vugu")
	if err != nil {
		t.Fatal(err)
	}
	hosts := map[string]bool{}
	for _, match := range hostID.FindAllStringSubmatch(string(template), -1) {
		hosts[match[1]] = true
		if aboutParts[match[1]] == "" {
			t.Errorf("%s has no text", match[1])
		}
	}
	for host := range aboutParts {
		if !hosts[host] {
			t.Errorf("the text of %s has no host", host)
		}
	}
}

// TestAboutHTML: the text is well-formed, its headings are in order, its formulas
// have real minus signs, and nothing in it comes from elsewhere.
func TestAboutHTML(t *testing.T) {
	decoder := xml.NewDecoder(strings.NewReader("<body>" + aboutHTML + "</body>"))
	decoder.Entity = xml.HTMLEntity
	var open, headings, ids []string
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
			attributes := map[string]string{}
			for _, a := range token.Attr {
				attributes[a.Name.Local] = a.Value
			}
			switch token.Name.Local {
			case "h1", "h2":
				headings = append(headings, token.Name.Local)
			case "a":
				away := strings.HasPrefix(attributes["href"], "https://") && attributes["target"] == "_blank" &&
					attributes["rel"] == "noopener noreferrer"
				if !away && !sameSite.MatchString(attributes["href"]) {
					t.Errorf("link %v", attributes)
				}
			case "img", "script", "link", "style", "iframe", "object", "svg":
				t.Errorf("there is a <%s>", token.Name.Local)
			}
			if attributes["src"] != "" || attributes["style"] != "" {
				t.Errorf("<%s> has %v", token.Name.Local, attributes)
			}
			if attributes["id"] != "" {
				ids = append(ids, attributes["id"])
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			text := string(token)
			if slices.Contains(open, "pre") || slices.Contains(open, "code") {
				continue
			}
			if asMinus.MatchString(text) || slices.Contains(open, "i") && strings.Contains(text, "-") {
				t.Errorf("a hyphen for a minus sign in %q", text)
			}
		}
	}
	if got := strings.Join(headings, " "); got != "h1 h2 h2 h2 h2 h2 h2" {
		t.Errorf("headings %s", got)
	}
	slices.Sort(ids)
	if len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("ids %v", ids)
	}
}

// TestAboutMethods: times, errors and memory are those that ./build.sh bench wrote into docs/performance.md.
func TestAboutMethods(t *testing.T) {
	measured, err := os.ReadFile("../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	cell := "<td>([^<]*)</td>"
	rows := regexp.MustCompile("<code>([a-z-]+)</code>[^<]*</th>.*"+cell+cell+cell+cell+"</tr>").
		FindAllStringSubmatch(aboutHTML, -1)
	if len(rows) != 11 {
		t.Fatalf("%d methods, want 11", len(rows))
	}
	for _, row := range rows {
		name := "`" + row[1] + "`"
		if row[1] == sketch.ProjectionStructured {
			name = "`" + sketch.MethodRandomFourier + "`, " + row[1]
		}
		line := regexp.MustCompile(`(?m)^\| ` + name + ` \|.*$`).FindString(string(measured))
		cells := strings.Split(line+"|||||", "|")
		if a, b := strings.Fields(cells[2] + " –")[0], strings.TrimSpace(cells[3]); a != row[2] ||
			!strings.HasPrefix(b, row[3]+" ("+row[4]+";") || strings.TrimSpace(cells[5]) != row[5] {
			t.Errorf("docs/performance.md has %q: take these figures for A %s, B %s (%s), MB %s", line, row[2], row[3], row[4],
				row[5])
		}
	}
}

// TestAboutApplications: About and docs/applications.md have the same table of applications.
func TestAboutApplications(t *testing.T) {
	read, err := os.ReadFile("../docs/applications.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, row := range regexp.MustCompile(`(?m)^\| \[(.*?)\]\(.*?\)(?: \(Go\))? \|(.*)\|$`).
		FindAllStringSubmatch(string(read), -1) {
		cells := strings.NewReplacer("`", "", "| ", "|").Replace(strings.TrimSpace(row[2]))
		want = append(want, strings.ToUpper(row[1][:1])+row[1][1:]+" |"+cells)
	}
	_, applications, _ := strings.Cut(aboutHTML, `id="applications"`)
	applications, _, _ = strings.Cut(applications, "</table>")
	for _, row := range regexp.MustCompile(`<tr><th scope="row">.*`).FindAllString(applications, -1) {
		plain := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(strings.ReplaceAll(row, "</t", " |</t"), "")
		plain = strings.TrimSuffix(strings.TrimSpace(plain), "| |")
		got = append(got, html.UnescapeString(strings.TrimSpace(plain)))
	}
	if len(want) < 10 || !slices.Equal(got, want) {
		t.Errorf("About has\n%s\ndocs/applications.md has\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestAboutFormulas: the page says what docs/theory.md says.
func TestAboutFormulas(t *testing.T) {
	plain := regexp.MustCompile(`<sup>(.*?)</sup>`).ReplaceAllString(aboutHTML, "^$1")
	plain = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(plain, "")
	plain = strings.Join(strings.Fields(strings.ReplaceAll(plain, "&nbsp;", " ")), " ")
	for _, formula := range []string{
		"κ(x, y) = (γ⟨x, y⟩ + c)^p",
		"Ckx[j] = ∑i : hk(i) = j sk(i) xi",
		"f(x) = C1x ∗ … ∗ Cpx = FFT^−1(FFT(C1x) · … · FFT(Cpx))",
		"E⟨f(x), f(y)⟩ = κ(x, y)",
		"T = ⟨x, y⟩^2", "N = ‖x‖^2‖y‖^2", "s = ∑i xi^2yi^2", "q = gcd(2, D)",
		"Var⟨f(x), f(y)⟩ = 1/D [(T + N − s)^p + (2T − s)^p − 2T^p] + q/D^2 [(2T + N − 2s)^p − (T + N " +
			"− s)^p − (2T − s)^p + T^p]",
		"O(p(nnz(x) + D log D))",
		"(T^p + N^p)/D",
		"Var ≤ (3^p − 1)/D · ‖x‖^2p‖y‖^2p",
	} {
		if !strings.Contains(plain, formula) {
			t.Errorf("%s is not in %s", formula, plain)
		}
	}
}

func TestAboutView(t *testing.T) {
	app := NewApp("#/about")
	if v := app.AboutView(); !v.CanSave || v.Copy == "" || v.Speed.Button == "" {
		t.Errorf("view %+v", v)
	}
	picture, err := theAlgorithm()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := theAlgorithm(); again != picture {
		t.Error("the picture is made twice")
	}
}
