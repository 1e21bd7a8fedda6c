package dataset

import (
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// Times of day and durations are hours.
func TestClock(t *testing.T) {
	for cell, want := range map[string]float64{"7:05": 7 + 5./60, "07:30": 7.5, "19:17:24": 19.29, "125:30:00": 125.5,
		"0:00:01.8": .0005, "7:30 PM": 19.5, "12:15am": .25, "12:15 PM": 12.25, "-1:30": -1.5, " 24:00 ": 24,
		"1 days 06:30:00": 30.5, "2 days, 0:15:00": 48.25, "1 day, 6:30:00": 30.5, "-1 days +23:30:00": -.5,
		"-1 day, 23:30:00": -.5, "1 day -00:30:00": 23.5, "0 days 00:00:01.800000000": .0005,
		"P1DT4H4M44.5S": 28 + 4./60 + 44.5/3600, "-PT1H": -1,
		"P-1DT23H0M0S": -1, "P0D": 0, "PT101084S": 101084. / 3600, "P400D": 9600, "PT0S": 0} {
		if x, ok := parseClock([]byte(cell)); !ok || x != want {
			t.Errorf("%q is %v, %v", cell, x, ok)
		}
	}
	for _, cell := range []string{"", ":", "7:5", "7:60", "7:05:60", "7:05:1", "2:1", "7:05:", "13:00 PM", "0:15 AM",
		"7:05 h", "1.5:00", "+1:30", "7:05:00:00", "12345678:00", "3 days", "3 days ago", "3 7:05",
		"x days 7:05", "7 :05", "a:30", "12:30-13:00", "7:05.5",
		"P", "PT", "P1", "P1DT", "PT1", "P1H", "PT1D", "PT1S1M", "P1Y", "PTS",
		"PT.S", "PT-S", "PT1-S", "PT1.2.3S", "P1D2D", "PT1h", "1DT1H"} {
		if x, ok := parseClock([]byte(cell)); ok {
			t.Errorf("%q is %v", cell, x)
		}
	}
}

// A column of times of day was kept as text and not used.
func TestColumnOfClocks(t *testing.T) {
	const ends = ",1\n"
	l := mustSniff(t, "t.csv", "x,y\n"+strings.Repeat("7:05"+ends+"23:30"+ends, 20)+"n/a"+ends+ends)
	x := l.Columns[0]
	if x.Type != columns.Number || x.Measure != ClockUnit || x.Role != columns.AsNumber {
		t.Errorf("%v of %q as %v", x.Type, x.Measure, x.Role)
	}
	notes := l.Notes()
	if len(notes) == 0 || notes[0].Code != columns.NoteUnits || !strings.Contains(notes[0].What, "is read as hours") {
		t.Errorf("the notes are %v", notes)
	}
	read := new(Preprocessing)
	if err := read.UnmarshalJSON(must(NewPreprocessing(l).MarshalJSON())); err != nil {
		t.Fatal(err)
	}
	if read.Columns[0].Measure != ClockUnit {
		t.Errorf("read again: %+v", read.Columns[0])
	}
	style := numberStyle{'.', 0, true, ClockUnit}
	for cell, want := range map[string]float64{"7:30": 7.5, "8": 8} {
		if got, reason := style.number([]byte(cell)); reason != "" || got != want {
			t.Errorf("%q is %v, %q", cell, got, reason)
		}
	}
	if _, what := l.NumberIn(0, []byte("7:75")); what != `"7:75" is no time such as 7:30` {
		t.Errorf("a time that is none: %q", what)
	}
}

// Scores and ratios are no times.
func TestNoClocks(t *testing.T) {
	for _, cells := range []string{"2:1 0:0 3:2 1:1", "16:9 4:3 21:9", "7:05 7:99 8:70 9:80", "7:05-8:00 8:00-9:30",
		"1:30:00:00 2:30:00:00"} {
		l := mustSniff(t, "t.csv", "x,y\n"+strings.ReplaceAll(cells, " ", ",1\n")+",2\n")
		if x := l.Columns[0]; x.Type != columns.Text {
			t.Errorf("%s are %v", cells, x.Type)
		}
	}
}
