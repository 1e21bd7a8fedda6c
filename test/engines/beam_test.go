//go:build !js

package engines

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tensorsketch.example/test/need"
)

// beamSettings are all that a cluster without Flink's scripts needs. A task manager has 1.2 GB.
const beamSettings = `
jobmanager.rpc.address: 127.0.0.1
jobmanager.bind-host: 127.0.0.1
taskmanager.host: 127.0.0.1
taskmanager.bind-host: 127.0.0.1
rest.address: 127.0.0.1
rest.bind-address: 127.0.0.1
taskmanager.numberOfTaskSlots: 1
parallelism.default: 2
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 10
restart-strategy.fixed-delay.delay: 1 s
heartbeat.interval: 1000
heartbeat.timeout: 8000
taskmanager.cpu.cores: 1.0
taskmanager.memory.framework.heap.size: 128m
taskmanager.memory.framework.off-heap.size: 128m
taskmanager.memory.task.heap.size: 384m
taskmanager.memory.task.off-heap.size: 0m
taskmanager.memory.managed.size: 128m
taskmanager.memory.network.min: 64m
taskmanager.memory.network.max: 64m
taskmanager.memory.jvm-metaspace.size: 256m
taskmanager.memory.jvm-overhead.min: 192m
taskmanager.memory.jvm-overhead.max: 192m
`

// newTable makes parts of numbers as CSV, with so many rows each, whose labels need products of columns.
func newTable(t *testing.T, rows int) work {
	t.Helper()
	w := work{folder: t.TempDir(), library: t.TempDir(), rows: parts * rows, env: os.Environ()}
	for part := range parts {
		random := rand.New(rand.NewPCG(uint64(part), 0))
		file := need.Value(os.Create(fmt.Sprintf("%s/part-%02d.csv", w.folder, part)))(t)
		to := bufio.NewWriter(file)
		fmt.Fprintln(to, "x0,x1,x2,x3,x4,x5,x6,x7,y")
		for range rows {
			var x [8]float64
			for j := range x {
				x[j] = random.NormFloat64()
				fmt.Fprintf(to, "%.4f,", x[j])
			}
			fmt.Fprintln(to, map[bool]string{true: "yes", false: "no"}[x[0]*x[1]+0.5*x[2]*x[2] > 0.5])
		}
		need.OK(t, to.Flush())
		need.OK(t, file.Close())
	}
	w.build(t, repo, "shell", "./cmd/tensorsketch")
	w.fit(t, "csv")
	return w
}

// build compiles a program of a module into the library.
func (w work) build(t *testing.T, module, name, what string) string {
	t.Helper()
	program := filepath.Join(w.library, name)
	c := exec.Command("go", "build", "-o", program, what)
	c.Dir = module
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", what, err, out)
	}
	return program
}

// TestBeamOnFlink: the pipelines of Beam, submitted to Beam's job server for a cluster of one job manager and two task
// managers, which start the workers, write the bytes of the command line's features and model. They do so, too, when a
// task manager is killed with its worker, which has begun its third file of six.
func TestBeamOnFlink(t *testing.T) {
	needJava(t)
	flink, beam := need.Maven(t, "pom-flink.xml"), need.Maven(t, "pom-beam.xml")
	w := newTable(t, 100000)
	command := w.build(t, repo+"/beam", "tensorsketch-beam", "./cmd/tensorsketch-beam")
	boot := w.build(t, repo+"/beam", "boot", "github.com/apache/beam/sdks/v2/go/container")
	starter := filepath.Join(w.library, "boot.sh") // as beam/README.md has it
	need.OK(t, os.WriteFile(starter,
		[]byte("#!/bin/bash\nexec "+boot+` --semi_persist_dir="$(mktemp -d)" "$@"`+"\n"), 0o700))
	settings, port, endpoint := t.TempDir(), freePort(t), "127.0.0.1:"+freePort(t)
	w.env = append(w.env, "TMPDIR="+t.TempDir())
	need.OK(t, os.WriteFile(settings+"/config.yaml",
		[]byte(beamSettings+"rest.port: "+port+"\njobmanager.rpc.port: "+freePort(t)+"\n"), 0o644))
	copies := map[string]bool{} // of the program, which boot leaves
	t.Cleanup(func() {
		for name := range copies {
			if filepath.Base(name) == "worker" {
				os.RemoveAll(filepath.Dir(name))
			}
		}
	})
	java := func(args ...string) *program { return w.start(t, "java", args...) }
	ofFlink := func(heap, main string) *program { // its distribution has more of these flags
		return java("-Xmx"+heap, "--add-opens=java.base/java.lang=ALL-UNNAMED",
			"--add-opens=java.base/java.util=ALL-UNNAMED", "-cp", flink, "org.apache.flink.runtime."+main, "--configDir",
			settings)
	}
	worker := func() *program { return ofFlink("512m", "taskexecutor.TaskManagerRunner") }
	manager := ofFlink("600m", "entrypoint.StandaloneSessionClusterEntrypoint")
	victim, other := worker(), worker()
	workers, read := []*program{victim, other}, map[*program]map[string]bool{}
	server := java("-Xmx600m", "-cp", beam, "org.apache.beam.runners.flink.FlinkJobServerDriver",
		"--flink-master=127.0.0.1:"+port, "--flink-conf-dir="+settings, "--job-host=127.0.0.1",
		"--job-port="+endpoint[len("127.0.0.1:"):], "--artifact-port=0", "--expansion-port=-1",
		"--artifacts-dir="+t.TempDir())
	api := "http://127.0.0.1:" + port
	manager.waitFor(t, "two task managers", func() bool { return taskManagers(api) == 2 })
	server.waitFor(t, "the job server", func() bool {
		c, err := net.Dial("tcp", endpoint)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	submit := func(args ...string) *program {
		return w.start(t, command, append(args, "--runner=universal", "--endpoint="+endpoint,
			"--environment_type=PROCESS", fmt.Sprintf("--environment_config={\"command\":%q}", starter))...)
	}
	fit := []string{"fit", w.folder + "/part-*.csv", "--like", w.folder + "/start.tsm", "-o", w.folder + "/beam.json"}
	look := func() {
		for _, p := range workers {
			if read[p] == nil {
				read[p] = map[string]bool{}
			}
			p.opened(w.folder+"/part-", read[p])
			p.opened("/tmp/bin", copies)
		}
	}
	finish := func(job *program, rows int) {
		t.Helper()
		for running := true; running; {
			look()
			select {
			case <-job.ended:
				running = false
			case <-time.After(100 * time.Millisecond):
			}
		}
		job.finish(t, fmt.Sprintf("rows           %d\n", rows))
	}

	finish(submit(fit...), w.rows)
	w.same(t, "beam.json")
	// A file that is read between two looks is not seen.
	if v, o := len(read[victim]), len(read[other]); min(v, o) < 3 || max(v, o) > parts/2 {
		t.Errorf("the workers were seen to read %d and %d files, want 3 to %d", v, o, parts/2)
	}

	need.OK(t, os.Remove(w.folder+"/beam.json"))
	clear(read)
	job := submit(fit...)
	job.waitFor(t, "the third file", func() bool {
		look()
		return len(read[victim]) >= 3
	})
	victim.kill()
	workers = append(workers, worker())
	finish(job, w.rows)
	w.same(t, "beam.json")
	hasFault(t, api)

	finish(submit("embed", w.folder+"/part-0[0-3].csv", "--model", w.folder+"/one.json", "--to", "parquet", "-o",
		w.folder+"/features"), w.rows/parts*4)
	for part := range 4 {
		name := fmt.Sprintf("part-%02d.csv", part)
		w.run(t, filepath.Join(w.library, "shell"), "transform", name, "--model", "one.json", "-o", "one.parquet")
		got := need.Value(os.ReadFile(w.folder + "/features/" + name + ".parquet"))(t)
		if want := need.Value(os.ReadFile(w.folder + "/one.parquet"))(t); string(got) != string(want) {
			t.Errorf("%s: the features have %d bytes and the command line's %d, and they differ", name, len(got), len(want))
		}
	}
}
