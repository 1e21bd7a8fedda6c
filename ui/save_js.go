package main

import (
	"github.com/hack-pad/safejs"
	"tensorsketch.example/dataset/plan"
)

// Do does what only a browser can. The App is locked.
func (b *browser) Do(action Action) {
	switch {
	case action == ChooseFile:
		b.chooseFile(nil)
	case action == GoOffline:
		b.provoke(safejs.Global(), "goOffline")
	case action == Leave:
		b.address.flush()
	case action == UseSample:
		b.openSample()
	case action == CopyLink || action == CopyFrame || action == CopyCode:
		b.background(func() { b.copy(action) })
	case action == TestSpeed:
		b.testSpeed()
	case action == SavePicture || action == SavePicturePNG || action == SavePictureData:
		b.takePicture(action)
	case action == SaveModel || action == ConfirmRelease || formatOf(action) != "":
		b.writer.ask(action, func() { b.writer.write(action) })
	case action == UseModel && b.model != nil:
		b.background(func() { b.useModel(b.model, true) })
	case action == ReadLatin:
		b.readAs("encoding", plan.Windows1252)
	case action == PauseSaving:
		b.writer.pause()
	case action == SaveLedger || action == ForgetLedger:
		b.doLedger(action)
	default:
		b.writer.do(action)
	}
}

// chooseFile has the visitor choose a file, for that job if there is one. The App is locked.
func (b *browser) chooseFile(resume *Job) {
	b.writer.resume = resume
	if input, err := element("file"); err == nil {
		b.provoke(input, "click")
	}
}

// download hands a Blob to the visitor as a file.
func download(blob safejs.Value, name string) error {
	_, err := safejs.Global().Call("saveFile", blob, name)
	return err
}
