//go:build !js

package engines

import (
	"os"
	"path/filepath"
	"testing"

	"tensorsketch.example/test/need"
)

// flinkSettings are added to those of Flink's distribution.
const flinkSettings = `
taskmanager.numberOfTaskSlots: 2
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
// after a third of the files.
func TestFlink(t *testing.T) {
	w := newWork(t, "requirements-flink.txt")
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
	first := w.start(t, "bash", script("taskmanager.sh"), "start-foreground")
	w.start(t, "bash", script("taskmanager.sh"), "start-foreground")
	api := "http://127.0.0.1:" + port
	manager.waitFor(t, "two task managers", func() bool {
		var workers struct{ Taskmanagers []struct{} }
		return get(api+"/taskmanagers", &workers) && len(workers.Taskmanagers) == 2
	})
	job := w.start(t, "bash", script("flink"), "run", "--jobmanager", "127.0.0.1:"+port, "--python",
		need.Value(filepath.Abs(repo+"/examples/flink/fit.py"))(t), w.folder+"/part-*.parquet", "--label", "y",
		"--like", "start.tsm", "--model", "flink.json")
	var jobs struct{ Jobs []struct{ ID string } }
	job.waitFor(t, "a third of the files", func() bool {
		var state struct {
			Vertices []struct {
				Name    string
				Metrics struct {
					Written int `json:"write-records"`
				}
			}
		}
		return get(api+"/jobs", &jobs) && len(jobs.Jobs) > 0 && get(api+"/jobs/"+jobs.Jobs[0].ID, &state) &&
			len(state.Vertices) > 1 && 3*state.Vertices[1].Metrics.Written >= parts
	})
	first.kill()
	job.finish(t)
	w.same(t, "flink.json")
	var faults struct {
		ExceptionHistory struct {
			Entries []struct {
				ExceptionName string
			}
		}
	}
	if !get(api+"/jobs/"+jobs.Jobs[0].ID+"/exceptions", &faults) || len(faults.ExceptionHistory.Entries) == 0 {
		t.Error("Flink knows of no fault: the task manager was killed too late")
	}
}
