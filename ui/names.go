package main

import "tensorsketch.example/ui/internal/embed"

type (
	EmbedState   = embed.Settings
	ReleaseState = embed.Release
)

const (
	RowsNone, RowsUnit                    = embed.RowsNone, embed.RowsUnit
	ReleaseNone, ReleaseRows, ReleaseMean = embed.ReleaseNone, embed.ReleaseRows, embed.ReleaseMean
)
