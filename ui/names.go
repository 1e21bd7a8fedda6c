package main

import "tensorsketch.example/ui/internal/embed"

// The words of Embed that what embeds on the page has, until the worker makes previews.
type (
	EmbedState = embed.Settings
	Data       = embed.Data
	Reading    = embed.Reading
	Result     = embed.Result
	Run        = embed.Run
	Share      = embed.Share
	Model      = embed.Model
)

const (
	RowsUnit   = embed.RowsUnit
	sampleRows = embed.SampleRows
	shownRows  = embed.ShownMost
	Running    = embed.Running
	Stopping   = embed.Stopping
	Stopped    = embed.Stopped
	Done       = embed.Done
	Failed     = embed.Failed
)
