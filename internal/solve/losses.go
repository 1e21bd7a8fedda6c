package solve

// The losses that a Model was fitted with.
const (
	LossSquared      = "squared"       // ridge regression; for classes one versus all with targets ±1
	LossSquaredHinge = "squared-hinge" // linear SVM, one versus all
	LossLogistic     = "logistic"      // multinomial logistic regression
)

// How Alpha was chosen.
const (
	RuleGiven           = "given"            // by the caller
	RuleCrossValidation = "cross-validation" // generalised, among λ with at most n/2 degrees of freedom
	RuleHeldOut         = "held-out"         // least error on rows held out
	RuleNoise           = "noise"            // from the noise of private moments
)
