package main

import "github.com/hack-pad/safejs"

// countFrom has the page count requests from now on, before the file is read.
func countFrom(file safejs.Value) error {
	_, err := safejs.Global().Call("fileOpened", text(file, "name"))
	return err
}

// onRequests takes over what was counted.
func (b *browser) onRequests(event safejs.Value) error {
	detail, err := event.Get("detail")
	if err != nil {
		return err
	}
	left, err := detail.Get("left")
	if err != nil {
		return err
	}
	n, err := left.Length()
	if err != nil {
		return err
	}
	requests := Requests{File: text(detail, "file")}
	for i := range n {
		entry, err := left.Index(i)
		if err != nil {
			return err
		}
		times, err := number(entry, "times")
		if err != nil {
			return err
		}
		requests.Left = append(requests.Left, Sent{text(entry, "address"), int(times)})
	}
	b.app.Requests = requests
	return nil
}
