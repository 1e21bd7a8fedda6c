package learn

import "testing"

// TestForget: another file takes all with it but the drawing, another label of the same file only what was suggested.
func TestForget(t *testing.T) {
	digits := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
	for _, c := range []struct {
		isSameFile     bool
		typed, want    Typed
		suggestedFirst bool
	}{
		{true, Typed{"yes, no", "0 100"}, Typed{"yes, no", "0 100"}, false},
		{false, Typed{"yes, no", "0 100"}, Typed{}, false},
		{true, Typed{}, Typed{}, true},
		{true, Typed{"0, 1", ""}, Typed{"0, 1", ""}, true},
	} {
		var r Use
		r.Recognise(64, digits, 16)
		r.Private.Typed = c.typed
		if c.suggestedFirst {
			r.Suggest()
			if r.Private.Typed.Ranges != "0 16" {
				t.Fatalf("suggested is %+v", r.Private.Typed)
			}
		}
		r.Forget(c.isSameFile)
		if r.Private.Typed != c.want || r.Form != nil || r.Classes != nil {
			t.Errorf("%+v: %+v stays, with the form %v", c, r.Private.Typed, r.Form)
		}
	}
}
