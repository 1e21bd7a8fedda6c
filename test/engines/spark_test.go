//go:build !js

package engines

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"tensorsketch.example/test/need"
)

// TestSpark: two executors make the model file of one machine, also when processes of Python are killed, as the system
// does where memory is short, and then an executor; and the features of the table are the command line's.
func TestSpark(t *testing.T) {
	w := newWork(t, "requirements-spark.txt", 5000)
	port, events := freePort(t), t.TempDir()
	api := "http://127.0.0.1:" + port + "/api/v1/applications"
	spark := w.start(t, filepath.Join(filepath.Dir(w.python), "spark-submit"), "--master", "local-cluster[2,1,1024]",
		"--conf", "spark.ui.port="+port, "--conf", "spark.driver.host=127.0.0.1",
		"--conf", "spark.driver.bindAddress=127.0.0.1",
		"--conf", "spark.executorEnv.PYTHONPATH="+w.library, "--conf", "spark.eventLog.enabled=true",
		"--conf", "spark.eventLog.dir="+events,
		"--conf", "spark.eventLog.compress=false", "--conf", "spark.sql.files.maxPartitionBytes=500000",
		need.Value(filepath.Abs(repo+"/examples/spark/fit.py"))(t), "part-*.parquet", "--label", "y",
		"--like", "start.tsm", "--model", "spark.json", "--features", "features")
	var application []struct{ ID string }
	var stages []struct{ NumTasks, NumCompleteTasks int }
	after := func(completed int) {
		t.Helper()
		spark.waitFor(t, "these tasks", func() bool {
			if !get(api, &application) || len(application) == 0 || !get(api+"/"+application[0].ID+"/stages", &stages) {
				return false
			}
			for _, s := range stages {
				if s.NumTasks >= parts && s.NumCompleteTasks >= completed {
					return true
				}
			}
			return false
		})
	}
	after(parts / 6)
	workers := processes(t, "pyspark.daemon", w.library) // each executor's, with the process that started it
	if len(workers) < 2 {
		t.Fatalf("%d processes of Python run:\n%s", len(workers), spark.output())
	}
	for _, id := range workers { // all, since one alone may wait between two tasks
		syscall.Kill(id, syscall.SIGKILL)
	}
	after(parts / 3)
	executors := processes(t, "CoarseGrainedExecutorBackend", application[0].ID)
	if len(executors) != 2 {
		t.Fatalf("%d executors run, want 2:\n%s", len(executors), spark.output())
	}
	need.OK(t, syscall.Kill(executors[0], syscall.SIGKILL))
	spark.finish(t, strconv.Itoa(w.rows)+" rows")
	w.same(t, "spark.json")
	log := ""
	for _, file := range need.Value(filepath.Glob(events + "/*/events_*"))(t) {
		log += string(need.Value(os.ReadFile(file))(t))
	}
	for _, event := range []string{"Python worker exited unexpectedly", "SparkListenerExecutorRemoved",
		`"Reason":"ExecutorLostFailure"`} {
		if !strings.Contains(log, event) {
			t.Errorf("Spark's log of events has no %s: a process was killed too late", event)
		}
	}
	files := need.Value(filepath.Glob(w.folder + "/part-*.parquet"))(t)
	w.run(t, filepath.Join(w.library, "shell"), append([]string{"transform", "--model", "one.json", "--to", "npy", "-o",
		"features.npy"}, files...)...)
	w.run(t, w.python, need.Value(filepath.Abs("features.py"))(t), "features", "features.npy")
}
