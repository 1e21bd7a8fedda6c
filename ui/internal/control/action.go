package control

// An Action is what a button asks for.
type Action string

// A Button asks for an action.
type Button struct {
	Action Action
	Label  string
}
