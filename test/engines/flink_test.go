//go:build !js

package engines

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"tensorsketch.example/test/need"
)

// flinkSettings are added to those of Flink's distribution.
const flinkSettings = `
taskmanager.numberOfTaskSlots: 1
taskmanager.load-balance.mode: SLOTS
parallelism.default: 2
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 10
restart-strategy.fixed-delay.delay: 1 s
heartbeat.interval: 1000
heartbeat.timeout: 8000
python.fn-execution.bundle.size: 1
taskmanager.memory.process.size: 1200m
jobmanager.memory.process.size: 1000m
`

// TestFlink: a job manager and two task managers make the model file of one machine, also when a task manager is killed
// during its second file.
func TestFlink(t *testing.T) {
	w := newWork(t, "requirements-flink.txt", 40000)
	homes := need.Value(filepath.Glob(filepath.Dir(filepath.Dir(w.python)) + "/lib/python3*/site-packages/pyflink"))(t)
	if len(homes) != 1 {
		t.Fatalf("pyflink is in %q", homes)
	}
	settings, port := t.TempDir(), freePort(t)
	need.OK(t, os.CopyFS(settings, os.DirFS(homes[0]+"/conf")))
	text := string(need.Value(os.ReadFile(settings + "/config.yaml"))(t))
	text += flinkSettings + "rest.port: " + port + "\njobmanager.rpc.port: " + freePort(t) + "\n"
	need.OK(t, os.WriteFile(settings+"/config.yaml", []byte(text), 0o644))
	w.env = append(w.env, "FLINK_CONF_DIR="+settings, "FLINK_LOG_DIR="+t.TempDir())
	script := func(name string) string { return filepath.Join(homes[0], "bin", name) }
	manager := w.start(t, "bash", script("jobmanager.sh"), "start-foreground")
	workers := map[*program]map[string]bool{} // which files each has been seen to read
	for range 2 {
		workers[w.start(t, "bash", script("taskmanager.sh"), "start-foreground")] = map[string]bool{}
	}
	api := "http://127.0.0.1:" + port
	manager.waitFor(t, "two task managers", func() bool { return taskManagers(api) == 2 })
	job := w.start(t, "bash", script("flink"), "run", "--jobmanager", "127.0.0.1:"+port, "--python",
		need.Value(filepath.Abs(repo+"/examples/flink/fit.py"))(t), w.folder+"/part-*.parquet", "--label", "y",
		"--like", "start.tsm", "--model", "flink.json")
	// One may get both subtasks.
	job.waitFor(t, "the second file of a task manager", func() bool {
		for worker, read := range workers {
			if worker.opened(w.folder+"/part-", read); len(read) >= 2 {
				worker.kill()
				return true
			}
		}
		return false
	})
	job.finish(t, strconv.Itoa(w.rows)+" rows")
	w.same(t, "flink.json")
	hasFault(t, api)
}

// taskManagers returns how many the job manager knows.
func taskManagers(api string) int {
	var known struct{ Taskmanagers []struct{} }
	get(api+"/taskmanagers", &known)
	return len(known.Taskmanagers)
}

// hasFault fails the test if Flink knows of no fault in the job that was submitted last.
func hasFault(t *testing.T, api string) {
	t.Helper()
	var all struct {
		Jobs []struct {
			JID   string
			Start int64 `json:"start-time"`
		}
	}
	if !get(api+"/jobs/overview", &all) || len(all.Jobs) == 0 {
		t.Fatal("Flink knows of no job")
	}
	last := all.Jobs[0]
	for _, job := range all.Jobs {
		if job.Start > last.Start {
			last = job
		}
	}
	var faults struct {
		ExceptionHistory struct {
			Entries []struct{ ExceptionName string }
		}
	}
	if !get(api+"/jobs/"+last.JID+"/exceptions", &faults) || len(faults.ExceptionHistory.Entries) == 0 {
		t.Error("Flink knows of no fault: the task manager was killed too late")
	}
}
