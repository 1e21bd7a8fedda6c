package main

// Questions are things to notice, with buttons that set what shows them.
type Questions struct {
	Questions []Asked
	Press     PressHandler
}
