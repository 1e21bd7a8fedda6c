package learn

// What tests from outside call beside the exported names.
var (
	BinEdge      = binEdge
	Calibrate    = calibrate
	CheckClasses = checkClasses
	IdentityMap  = identityMap
	NewScoreSums = newScoreSums
)

// FitMoments does all steps of a MomentsFit.
func FitMoments(m *Moments, o RidgeOptions) (*Head, error) {
	f, err := NewMomentsFit(m, o)
	if err != nil {
		return nil, err
	}
	for {
		if _, finished, err := f.Step(); err != nil {
			return nil, err
		} else if finished {
			return f.Head(), nil
		}
	}
}
