package main

// Take saves the picture of a place, or its data.
type Take struct{ Press PressHandler }
