package main

func (a *App) trained() (trained, bool) { return trained{}, false }
func (a *App) isRegression() bool       { return false }
