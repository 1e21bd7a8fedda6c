package control

// An Action names what a button does.
type Action string

// A Button performs an action.
type Button struct {
	Action Action
	Label  string
}
