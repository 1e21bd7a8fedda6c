package columns

import "strings"

// IsSideFile reports whether a file is one that a system puts beside the files of a person: it holds views, icons or
// metadata. Its path may have folders before its name.
func IsSideFile(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	switch strings.ToLower(name) {
	case "thumbs.db", "ehthumbs.db", "desktop.ini", ".ds_store":
		return true
	}
	return strings.HasPrefix(path, "__MACOSX/") || strings.HasPrefix(name, "._")
}
