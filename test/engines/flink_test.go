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
metrics.fetcher.update-interval: 300
python.fn-execution.bundle.size: 1
taskmanager.memory.process.size: 1200m
jobmanager.memory.process.size: 1000m
`

// TestFlink: a job manager and two task managers make the model file of one machine, also when a task manager is killed
// after some of the files.
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
	victim := w.start(t, "bash", script("taskmanager.sh"), "start-foreground")
	w.start(t, "bash", script("taskmanager.sh"), "start-foreground")
	api := "http://127.0.0.1:" + port
	seen := map[string]bool{}
	for _, written := range []int{parts / 3, parts / 6, 1, 0} { // the job may have ended before its figures are known
		manager.waitFor(t, "two task managers", func() bool {
			var workers struct{ Taskmanagers []struct{} }
			return get(api+"/taskmanagers", &workers) && len(workers.Taskmanagers) == 2
		})
		need.OK(t, os.RemoveAll(filepath.Join(w.folder, "flink.json")))
		job := w.start(t, "bash", script("flink"), "run", "--jobmanager", "127.0.0.1:"+port, "--python",
			need.Value(filepath.Abs(repo+"/examples/flink/fit.py"))(t), w.folder+"/part-*.parquet", "--label", "y",
			"--like", "start.tsm", "--model", "flink.json")
		id := ""
		job.waitFor(t, "files whose sums are written", func() bool { return writesSums(api, seen, &id, written) })
		seen[id] = true
		victim.kill()
		job.finish(t, strconv.Itoa(w.rows)+" rows")
		w.same(t, "flink.json")
		var faults struct {
			ExceptionHistory struct {
				Entries []struct {
					ExceptionName string
				}
			}
		}
		if get(api+"/jobs/"+id+"/exceptions", &faults) && len(faults.ExceptionHistory.Entries) > 0 {
			return
		}
		t.Logf("killed after %d files, too late: Flink knows of no fault", written)
		victim = w.start(t, "bash", script("taskmanager.sh"), "start-foreground")
	}
	t.Error("no task manager was killed in time")
}

// writesSums reports whether the job that was not seen before has written the sums of as many files, and names it.
func writesSums(api string, seen map[string]bool, id *string, written int) bool {
	var jobs struct{ Jobs []struct{ ID string } }
	if !get(api+"/jobs", &jobs) {
		return false
	}
	for _, job := range jobs.Jobs {
		var state struct {
			Vertices []struct {
				Name    string
				Metrics struct {
					Written int `json:"write-records"`
				}
			}
		}
		if *id = job.ID; !seen[job.ID] && get(api+"/jobs/"+job.ID, &state) {
			return len(state.Vertices) > 1 && state.Vertices[1].Metrics.Written >= written
		}
	}
	return false
}
