// Package learnfile is the half of the place Learn that learns from the rows of a file. The rows and the map are those
// of Embed.
package learnfile

import "tensorsketch.example/ui/internal/control"

// Settings are the settings of the half in addition to those of Embed.
type Settings struct{}

// Place describes the half for its rail. Its groups may name parameters of Embed and of Settings.
var Place = control.Place{Name: "learn", Label: "Learn", Hideable: []string{"title"}}

// DefaultSettings returns the settings that the half opens with.
func DefaultSettings() Settings { return Settings{} }

// Parameters returns the parameters in the order of a link, after those of Embed.
func (s *Settings) Parameters() []control.Parameter { return nil }
