//go:build !js

package page

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An engine is a browser other than Chromium, driven by the commands of WebDriver.
type engine struct {
	name   string
	needs  []string // programs
	debian string   // the packages that have them
	keeps  bool     // files for a page, in a private file system
	rows   int      // of a file whose embedding leaves time to press buttons
	start  func(t *testing.T, home string) caller
}

// engines are those that Debian has. Both take the same commands. Firefox takes them by Marionette, its own
// protocol, which needs no geckodriver.
var engines = []engine{
	{"Firefox", []string{"firefox-esr"}, "firefox-esr", true, 60_000, startFirefox},
	{"WebKit", []string{"WebKitWebDriver", "Xvfb"}, "webkit2gtk-driver and xvfb", false, 80_000, startWebKit},
}

// A caller sends a command and returns the value that answers it.
type caller func(command string, parameters map[string]any) (json.RawMessage, error)

// A command of WebDriver, by its name in Marionette.
type command struct{ method, path string }

var commands = map[string]command{
	"NewSession":         {"POST", ""},
	"DeleteSession":      {"DELETE", ""},
	"Navigate":           {"POST", "/url"},
	"SetWindowRect":      {"POST", "/window/rect"},
	"SetTimeouts":        {"POST", "/timeouts"},
	"FindElement":        {"POST", "/element"},
	"ElementSendKeys":    {"POST", "/element/{id}/value"},
	"PerformActions":     {"POST", "/actions"},
	"ExecuteAsyncScript": {"POST", "/execute/async"},
	"TakeScreenshot":     {"GET", "/screenshot"},
}

// elementKey marks an element in the answers of WebDriver.
const elementKey = "element-6066-11e4-a52e-4f735466cecf"

// patience is how long a browser may take for anything: other tests run beside it, and a test machine may be slow.
const patience = 2 * time.Minute

// program starts a program that ends with the test, with a home of its own, and returns what it prints.
func program(t *testing.T, home string, environment []string, name string, args ...string) io.Reader {
	t.Helper()
	command := exec.Command(name, args...)
	for _, variable := range os.Environ() {
		prefix, _, _ := strings.Cut(variable, "_")
		if !slices.Contains([]string{"XDG", "DBUS", "WAYLAND"}, prefix) {
			command.Env = append(command.Env, variable)
		}
	}
	command.Env = append(command.Env, "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"))
	command.Env = append(command.Env, environment...)
	output := must(command.StdoutPipe())(t)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Signal(os.Interrupt)
		kill := time.AfterFunc(5*time.Second, func() { command.Process.Kill() })
		command.Wait()
		kill.Stop()
	})
	return output
}

// downloads is the folder of a home that files are saved into.
func downloads(home string) string { return filepath.Join(home, "downloads") }

// startFirefox starts Firefox without a window.
func startFirefox(t *testing.T, home string) caller {
	t.Helper()
	profile := filepath.Join(home, "profile")
	if err := os.Mkdir(profile, 0o700); err != nil {
		t.Fatal(err)
	}
	preferences := fmt.Sprintf(`user_pref("marionette.port", 0);
user_pref("browser.download.folderList", 2);
user_pref("browser.download.dir", %q);
user_pref("browser.download.alwaysOpenPanel", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.normandy.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
`, downloads(home))
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o600); err != nil {
		t.Fatal(err)
	}
	program(t, home, nil, "firefox-esr", "--marionette", "--headless", "--no-remote", "--profile", profile)
	port := ""
	for deadline := time.Now().Add(patience); port == ""; time.Sleep(50 * time.Millisecond) {
		content, _ := os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		if port = strings.TrimSpace(string(content)); port == "" && time.Now().After(deadline) {
			t.Fatal("Firefox opens no port for Marionette")
		}
	}
	connection := must(net.Dial("tcp", "127.0.0.1:"+port))(t)
	t.Cleanup(func() { connection.Close() })
	incoming := bufio.NewReader(connection)
	receive := func() (message json.RawMessage, err error) {
		connection.SetReadDeadline(time.Now().Add(patience))
		length, err := incoming.ReadString(':')
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
		if err != nil {
			return nil, err
		}
		message = make([]byte, n)
		_, err = io.ReadFull(incoming, message)
		return message, err
	}
	if _, err := receive(); err != nil { // it says what it is
		t.Fatal(err)
	}
	id := 0
	return func(name string, parameters map[string]any) (json.RawMessage, error) {
		id++
		message, err := json.Marshal([]any{0, id, "WebDriver:" + name, parameters})
		if err != nil {
			return nil, err
		}
		if _, err := fmt.Fprintf(connection, "%d:%s", len(message), message); err != nil {
			return nil, err
		}
		if message, err = receive(); err != nil {
			return nil, err
		}
		var problem *struct{ Error, Message string }
		var result json.RawMessage
		if err := json.Unmarshal(message, &[]any{new(int), new(int), &problem, &result}); err != nil {
			return nil, err
		}
		if problem != nil {
			return nil, fmt.Errorf("%s: %s", problem.Error, problem.Message)
		}
		var wrapped struct{ Value json.RawMessage }
		if json.Unmarshal(result, &wrapped) == nil && wrapped.Value != nil {
			return wrapped.Value, nil
		}
		return result, nil
	}
}

// startWebKit starts WebKitGTK's small browser on a screen that nobody sees.
func startWebKit(t *testing.T, home string) caller {
	t.Helper()
	browsers, _ := filepath.Glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
	if len(browsers) == 0 {
		t.Fatal("webkit2gtk-driver is there, and MiniBrowser is not")
	}
	config := filepath.Join(home, ".config")
	if err := os.Mkdir(config, 0o700); err != nil {
		t.Fatal(err)
	}
	folders := fmt.Sprintf("XDG_DOWNLOAD_DIR=%q\n", downloads(home))
	if err := os.WriteFile(filepath.Join(config, "user-dirs.dirs"), []byte(folders), 0o600); err != nil {
		t.Fatal(err)
	}
	xvfb := program(t, home, nil, "Xvfb", "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp")
	screen, err := bufio.NewReader(xvfb).ReadString('\n')
	if err != nil {
		t.Fatal("Xvfb does not start: ", err)
	}
	listener := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := listener.Addr().String()
	listener.Close()
	_, port, _ := net.SplitHostPort(address)
	// Without a graphics card, WebKit would draw by OpenGL on the processor, which takes a quarter of the test's time.
	environment := []string{"DISPLAY=:" + strings.TrimSpace(screen), "NO_AT_BRIDGE=1", "GDK_BACKEND=x11",
		"WEBKIT_DISABLE_DMABUF_RENDERER=1"}
	program(t, home, environment, "WebKitWebDriver", "--port="+port)
	client := http.Client{Timeout: patience}
	session := ""
	return func(name string, parameters map[string]any) (json.RawMessage, error) {
		c, known := commands[name]
		if !known {
			return nil, fmt.Errorf("no command %s", name)
		}
		if name == "NewSession" {
			parameters = map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
				"webkitgtk:browserOptions": map[string]any{"binary": browsers[len(browsers)-1], "args": []string{"--automation"}}}}}
			for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
				if connection, err := net.Dial("tcp", address); err == nil {
					connection.Close()
					break
				} else if time.Now().After(deadline) {
					return nil, err
				}
			}
		}
		var body io.Reader
		if c.method == "POST" {
			content, err := json.Marshal(parameters)
			if err != nil {
				return nil, err
			}
			body = bytes.NewReader(content)
		}
		id, _ := parameters["id"].(string)
		url := "http://" + address + "/session" + session + strings.Replace(c.path, "{id}", id, 1)
		request, err := http.NewRequest(c.method, url, body)
		if err != nil {
			return nil, err
		}
		response, err := client.Do(request)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		var answer struct{ Value json.RawMessage }
		if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
			return nil, err
		}
		if response.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%s", answer.Value)
		}
		if name == "NewSession" {
			var opened struct{ SessionID string }
			if err := json.Unmarshal(answer.Value, &opened); err != nil {
				return nil, err
			}
			session = "/" + opened.SessionID
		}
		return answer.Value, nil
	}
}

// A guest is the page in an engine.
type guest struct {
	*testing.T
	call      caller
	downloads string
	version   string
}

// visitWith opens an engine with a window of 1280 × 900. Where it is not installed the test is skipped; in
// CI it fails, if build.sh can install it.
func (e engine) visitWith(t *testing.T) *guest {
	t.Helper()
	for _, name := range e.needs {
		if _, err := exec.LookPath(name); err != nil {
			if _, err := exec.LookPath("apt-get"); err == nil && os.Getenv("CI") == "true" && os.Geteuid() == 0 {
				t.Fatalf("install %s", e.debian)
			}
			t.Skipf("install %s", e.debian)
		}
	}
	home := must(os.MkdirTemp("", "tensorsketch-engine-"))(t)
	t.Cleanup(func() { os.RemoveAll(home) }) // what a dying process still writes there is left
	if err := os.Mkdir(downloads(home), 0o700); err != nil {
		t.Fatal(err)
	}
	g := &guest{T: t, call: e.start(t, home), downloads: downloads(home)}
	var opened struct {
		Capabilities struct{ BrowserName, BrowserVersion string }
	}
	if err := json.Unmarshal(g.command("NewSession", map[string]any{}), &opened); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.call("DeleteSession", map[string]any{}) })
	g.version = opened.Capabilities.BrowserName + " " + opened.Capabilities.BrowserVersion
	g.command("SetTimeouts", map[string]any{"script": patience.Milliseconds(), "pageLoad": patience.Milliseconds()})
	g.resize(1280, 900)
	return g
}

func (g *guest) command(name string, parameters map[string]any) json.RawMessage {
	g.Helper()
	value, err := g.call(name, parameters)
	if err != nil {
		g.Fatalf("%s %.200v: %v", name, parameters, err)
	}
	return value
}

func (g *guest) resize(width, height int) {
	g.Helper()
	g.command("SetWindowRect", map[string]any{"x": 0, "y": 0, "width": width, "height": height})
}

// ask evaluates an expression in the page, and waits for it where it is a promise.
func ask[T any](g *guest, expression string) (value T) {
	g.Helper()
	script := fmt.Sprintf(`const done = arguments[arguments.length - 1];
		const answer = Promise.resolve().then(() => (%s));
		answer.then((value) => done({ value: value ?? null }), (error) => done({ error: String(error) }));`, expression)
	var answer struct {
		Value json.RawMessage
		Error string
	}
	// Without a sandbox of its own, Firefox shows the script what the page has added to its window.
	content := g.command("ExecuteAsyncScript", map[string]any{"script": script, "args": []any{}, "sandbox": nil})
	if err := json.Unmarshal(content, &answer); err != nil || answer.Error != "" {
		g.Fatalf("%s: %v %s", expression, err, answer.Error)
	}
	if err := json.Unmarshal(answer.Value, &value); err != nil {
		g.Fatalf("%s is %s: %v", expression, answer.Value, err)
	}
	return value
}

// wait waits until an expression is true, and fails with what the page says.
func (g *guest) wait(expression string) {
	g.Helper()
	deadline := time.Now().Add(patience)
	const longest = 200 * time.Millisecond
	for pause := 10 * time.Millisecond; !ask[bool](g, "Boolean("+expression+")"); pause = min(pause*5/4, longest) {
		if time.Now().After(deadline) {
			g.Fatalf("waited %v for %s; the page says %q, %q, %q", patience, expression, g.text("#status"), g.text("#problem"),
				g.text("#saving-status"))
		}
		time.Sleep(pause)
	}
}

// text returns the text of an element, or the empty string.
func (g *guest) text(selector string) string {
	g.Helper()
	text := ask[string](g, fmt.Sprintf(`document.querySelector(%q)?.textContent.trim() ?? ""`, selector))
	return strings.ReplaceAll(text, "\u00a0", " ")
}

func (g *guest) element(selector string) string {
	g.Helper()
	var found map[string]string
	answer := g.command("FindElement", map[string]any{"using": "css selector", "value": selector})
	if err := json.Unmarshal(answer, &found); err != nil {
		g.Fatal(err)
	}
	return found[elementKey]
}

// choose hands a file to the input, as the dialog would.
func (g *guest) choose(path string) {
	g.Helper()
	g.command("ElementSendKeys", map[string]any{"id": g.element("#file"), "text": path})
}

// press presses an element in its middle with the mouse. The browser makes the events, and a page cannot
// tell them from a visitor's.
func (g *guest) press(selector string) {
	g.Helper()
	quoted := strconv.Quote(selector)
	g.wait(`document.querySelector(` + quoted + `)?.disabled === false || document.querySelector(` + quoted + `)?.href`)
	for range 20 {
		// It is pressed once it has stayed where it is.
		ask[bool](g, `(async () => {
			const element = document.querySelector(`+quoted+`);
			const place = () => {
				const { left, top } = element.getBoundingClientRect();
				return left + "," + top;
			};
			element.scrollIntoView({ block: "center", behavior: "instant" });
			for (let was = ""; was !== place();) {
				was = place();
				await new Promise((resolve) => setTimeout(resolve, 50));
			}
			return true;
		})()`)
		ask[any](g, guard(selector))
		origin := map[string]string{elementKey: g.element(selector)}
		move := map[string]any{"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin}
		g.command("PerformActions", map[string]any{"actions": []any{map[string]any{
			"type": "pointer", "id": "mouse", "parameters": map[string]any{"pointerType": "mouse"}, "actions": []any{
				move, map[string]any{"type": "pointerDown", "button": 0}, map[string]any{"type": "pointerUp", "button": 0},
			}}}})
		if ask[bool](g, `(async () => {
			// A busy browser may hear of the press later. Where it missed, the page has moved under the mouse.
			for (let i = 0; i < 500 && !window.pressHeard(); i++) await new Promise((resolve) => setTimeout(resolve, 20));
			const isHeard = window.pressHeard();
			return !window.pressMissed() && isHeard;
		})()`) {
			return
		}
		g.Logf("%s was missed; pressed again", selector)
	}
	g.Fatalf("%s hears no press", selector)
}

// download presses a button and returns the name and bytes of the file that is saved.
func (g *guest) download(selector string) (name string, content []byte) {
	g.Helper()
	return g.saves(func() { g.press(selector) })
}

// saves calls f and returns the name and bytes of the file that is saved by it, once all is there that the
// page handed over.
func (g *guest) saves(f func()) (name string, content []byte) {
	g.Helper()
	for _, entry := range must(os.ReadDir(g.downloads))(g.T) {
		if err := os.Remove(filepath.Join(g.downloads, entry.Name())); err != nil {
			g.Fatal(err)
		}
	}
	ask[any](g, `window.handed.splice(0)`)
	f()
	g.wait(`window.handed.length`)
	handed := ask[struct {
		Name string
		Size int
	}](g, `window.handed[0]`)
	for deadline := time.Now().Add(patience); len(content) != handed.Size; time.Sleep(10 * time.Millisecond) {
		if content, _ = os.ReadFile(filepath.Join(g.downloads, handed.Name)); time.Now().After(deadline) {
			entries, _ := os.ReadDir(g.downloads)
			g.Fatalf("of the %d bytes of %s %d were saved within %v; there are %v",
				handed.Size, handed.Name, len(content), patience, entries)
		}
	}
	return handed.Name, content
}

// must returns the value of a call that has to succeed.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// shoot saves a picture of the window.
func (g *guest) shoot(path string) {
	g.Helper()
	var encoded string
	if err := json.Unmarshal(g.command("TakeScreenshot", map[string]any{"full": false}), &encoded); err != nil {
		g.Fatal(err)
	}
	if err := os.WriteFile(path, must(base64.StdEncoding.DecodeString(encoded))(g.T), 0o644); err != nil {
		g.Fatal(err)
	}
}
