//go:build !js

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A part is one row of the tests: a command of bash, and how its tests are counted.
type part struct {
	name    string
	reads   format
	command string
	needs   []string      // it is skipped without these
	wants   []string      // these are installed first, where they can be
	after   []string      // the parts that make what this one tests
	timeout time.Duration // 0: the command's own
}

// A format is what a part's command prints.
type format int

const (
	status  format = iota // anything: the command is one test
	goTests               // go test -json: counts each test
	tap                   // node --test-reporter=tap: counts each test
)

const (
	// A slow machine took 10 minutes for ./sketch. The parts "vet" vet all.
	goTest     = "go test -json -count=1 -vet=off -timeout 30m "
	wasm       = "GOOS=js GOARCH=wasm "
	elsewhere  = "TENSORSKETCH_SLOW=elsewhere " // test/slow says what this leaves out
	emulated   = "TENSORSKETCH_SLOW=emulated "
	inEmulator = "-exec qemu-aarch64 "
	// A Go program in WebAssembly has room for 14 KB of environment, so it gets little.
	inNode = `-exec="env -i 'PATH=$PATH' CI=$CI GOGC=$GOGC ` + elsewhere + `$(go env GOROOT)/lib/wasm/go_js_wasm_exec" `
	nosimd = "GOEXPERIMENT=nosimd "
	native = "$(go list ./... | grep -v /test/) " // what needs nothing built
	// The packages beside the engine whose bits are kept.
	beside = "./sketch ./sketch/learn ./sketch/kernel ./sketch/subspace ./sketch/product ./sketch/pairs ./sketch/model " +
		"./internal/exact ./internal/solve "
	// The mathematics. All but the longest is tested in full for one level of amd64.
	maths = "./sketch/... ./internal/engine/... ./internal/solve ./internal/exact ./privacy "
	// The part "sketch in full" leaves simulations and accuracies of learn to `soak`: they take as long as the rest.
	engine = "$(go list " + maths + " | grep -vE '/(learn|solve)$') "
	// These take half of its time. -short has every second law and variance, and a quarter of the rows and seeds or less.
	longest = "^(TestLaws|TestKSpaceSubspace|TestExactVariance|TestNormalisedChoice|" +
		"TestNormalisedError|TestOrthogonalLaw|TestPlanPrediction)$"
	others = `$(go list ./... | grep -vE '/(test|sketch|internal/(engine|exact|solve)|privacy)(/|$)') `
	node   = "node --test --test-reporter=tap "
	// These files of the API's tests load a build and compare its bits with the digests.
	sameBits = "{digests,load,transform}"
)

var (
	needNode  = []string{"node"}
	afterDist = []string{"dist"}
)

// testParts are the parts of `./build.sh test`. The longest come first, as soon as dist has made what they test: then
// no lane waits long for another at the end.
func testParts() []part {
	level := amd64Level()
	return []part{
		// Brotli 11 takes as long as all else in dist. `soak` has it.
		{name: "dist", command: "./build.sh dist 5", needs: []string{"tinygo"}},
		// Beside another part, three browsers take the processors 6 % longer than two, and end no sooner.
		{name: "page", reads: goTests, command: goTest + "-short -timeout 60m -parallel 2 ./test/page -brotli 5",
			needs: []string{"browser"}, wants: []string{"shell", "engines"}, after: afterDist},
		{name: "vet", command: "go vet ./..."},
		{name: "vet, js/wasm", command: wasm + "go vet ./..."},
		// What the page does not use is looked for in its own build alone: with two builds, staticcheck's cache mixes up the
		// folders of two clones.
		{name: "staticcheck", command: "go tool staticcheck $(go list ./... | grep -vE '/(ui|wasm)(/|$)') && " +
			"go tool staticcheck -checks inherit,-U1000 ./ui/... ./wasm/... && " +
			`printf 'js: GOOS=js GOARCH=wasm\n' | go tool staticcheck -matrix ./ui/... ./wasm/...`},
		{name: "core for other hosts", reads: goTests, needs: []string{"tinygo"},
			command: "./build.sh wheel core >&2 && " + goTest + "./test/host ./test/python"},
		{name: "native", reads: goTests, command: goTest + "-short " + others},
		{name: "sketch, GOAMD64=v1", reads: goTests, command: keptBits(elsewhere, "", beside)},

		// The other builds are loaded, and their bits compared. `soak` runs all of the scalar build's tests. Go's compiler
		// makes the core where TinyGo is not installed.
		{name: "API", reads: tap, command: node + "test/api/*.test.mjs",
			needs: needNode, after: afterDist, timeout: 15 * time.Minute},
		{name: "API, scalar build", reads: tap, needs: needNode, after: afterDist, timeout: 15 * time.Minute,
			command: "TENSORSKETCH_BUILD=scalar " + node + "test/api/" + sameBits + ".test.mjs"},
		coreByGo("API, core by Go", sameBits),

		{name: "sketch in full, GOAMD64=" + level, reads: goTests,
			command: "export GOAMD64=" + level + "; " + goTest + "-skip '" + longest + "' " + engine + "&& " +
				goTest + "-short -run '" + longest + "' ./sketch && " + goTest + "-short ./sketch/learn ./internal/solve"},
		{name: "arm64, emulated", reads: goTests, needs: []string{"arm64"},
			command: keptBits(emulated+"GOARCH=arm64 ", inEmulator, beside+"./privacy ./dataset ./dataset/onnx")},
		// ui.wasm and dataset.wasm are built without SIMD, so their packages are tested without it. The part "API, core by
		// Go" runs the maps in Go's own SIMD.
		{name: "js/wasm", reads: goTests, needs: needNode,
			command: wasm + goTest + "-short " + inNode + "./internal/engine/... ./wasm/... && " +
				nosimd + wasm + goTest + "-short " + inNode + "./ui ./ui/internal/dom && " +
				nosimd + wasm + goTest + "-short -run 'Digest|Vectors|Bits' " + inNode +
				"./sketch ./sketch/learn ./internal/exact ./internal/solve ./privacy ./dataset"}, // `soak` has the others
		{name: "experiments, few rows", command: "./build.sh experiments -quick", timeout: 10 * time.Minute},
		{name: "tools", reads: goTests, command: goTest + "./test/tools",
			needs: needNode, wants: []string{"browser", "shell", "engines"}, after: afterDist},

		// The race detector makes simulations 15 times slower. It runs what shares memory here, and everything in `soak`.
		{name: "race detector", reads: goTests, command: goTest + "-race -short . ./internal/exact"},
		{name: "race detector, maps", reads: goTests,
			command: goTest + "-race -short -run 'Goroutines|Bits|BadRows|Fit' ./sketch"},
		{name: "Go package", reads: goTests, command: goTest + "./test/gopkg"},
		{name: "what dist made", reads: goTests, command: goTest + "./test/dist -brotli 5", after: afterDist},
		// Beam and its runners take minutes to compile: `soak` tests what is made of them.
		{name: "Beam, imports", command: "cd beam && go list -deps -test ./... > /dev/null"},
		{name: "types", needs: needNode, command: "npm --prefix test/types ci --no-audit --no-fund && " +
			"TYPESCRIPT='5.0 7.0' npm --prefix test/types test"},
	}
}

// soakParts are the parts of `./build.sh soak`.
func soakParts(fuzzed []target, each time.Duration) []part {
	parts := append(fuzzParts(fuzzed, each.String()), []part{
		// With Go's preemption of loops, which build.sh turns off.
		{name: "in full, with the race detector", reads: goTests,
			command: "GODEBUG= " + goTest + "-race -timeout 1h " + native},
		{name: "386, where int has 32 bits", reads: goTests,
			command: "GOARCH=386 " + nosimd + goTest + "-short ./sketch/... ./internal/exact ./privacy"},
		{name: "arm64, emulated, with statistics", reads: goTests, needs: []string{"arm64"},
			command: "GOARCH=arm64 " + goTest + "-short -timeout 1h " + inEmulator +
				"./sketch/... ./internal/exact ./privacy ./dataset/..."},
		{name: "js/wasm, without SIMD, in full", reads: goTests, needs: needNode,
			command: nosimd + wasm + goTest + "-short " + inNode + "./sketch/... ./internal/exact"},
		{name: "js/wasm, in full", reads: goTests, needs: needNode,
			command: wasm + goTest + "-short " + inNode +
				"./sketch/pairs ./sketch/model ./internal/exact ./privacy ./dataset/..."},
		{name: "laws of every map", reads: goTests, command: goTest + "./sketch -run '" + longest + "'"},
		{name: "sketch, GOAMD64=v1, in full", reads: goTests, command: elsewhere + goTest + "-short " + maths},
		{name: "native, without SIMD, in full", reads: goTests,
			command: elsewhere + nosimd + goTest + "-short ./sketch/... ./internal/exact"},
		{name: "types, for every TypeScript", needs: needNode,
			command: "npm --prefix test/types ci --no-audit --no-fund && npm --prefix test/types test"},
		{name: "benchmarks",
			command: "go test -run '^$' -bench . -benchtime 1x ./sketch/... ./internal/exact ./privacy ./dataset/..."},
		{name: "files that were mutated", reads: goTests,
			command: goTest + "./dataset/columnar -run '^TestMutated$' -mutations 2000 -mutationseed $RANDOM"},
		{name: "second implementation, models at random", reads: goTests,
			command: goTest + "-timeout 1h ./sketch -run '^TestSecondImplementation$' -models 3000"},
		{name: "properties", reads: goTests,
			command: goTest + "-timeout 1h ./sketch -run '^TestProperty' -rapid.checks 20000 -rapid.seed $RANDOM"},
		{name: "breadth, files of other programs", reads: goTests, wants: []string{"R", "Gnumeric"},
			command: goTest + "-timeout 1h ./test/breadth -long"},
		{name: "learn, in full", reads: goTests, command: goTest + "./sketch/learn ./internal/solve"},
		{name: "bench, tables", command: "go run ./tools/bench -only tables -check", timeout: 12 * time.Hour},
		{name: "low rank, all digits", reads: goTests, command: goTest + "./sketch/subspace -run '^TestTheorem7$' -long"},
		{name: "learn, accuracy", reads: goTests,
			command: goTest + "-timeout 3h ./sketch/learn -run '^(TestAccuracy|TestCappedCrossValidation)$' -long"},
		{name: "learn, how sure", reads: goTests, command: goTest + "-timeout 2h ./sketch/learn -run " +
			"'^(TestBalanced|TestCalibrationOfTables|TestCoverOfTables)$' -long && " +
			goTest + "-timeout 2h ./jobs/native -run '(TestCoinsOfDefault|TestFewRowsOfDefault|OfTables|OneWildCell)$' -long"},
		{name: "Beam", reads: goTests, command: "cd beam && go vet ./... && " + goTest + "./..."},
		{name: "server, a minute", reads: goTests, command: goTest + ". -run '^(TestLoad|TestSlowClients)$' -long"},
		{name: "private models", reads: goTests, command: goTest + "./privacy -run '^TestPrivateMNIST$' -long"},
		{name: "dist", command: "./build.sh dist", needs: []string{"tinygo"}},
		{name: "core, without TinyGo and with it", reads: goTests, needs: []string{"tinygo"},
			command: goTest + ". -run '^TestBuildSequence$' -realtinygo"},
		{name: "bench, once", command: "go run ./tools/bench -quick", needs: needNode, after: afterDist},
		{name: "what dist made", reads: goTests, command: goTest + "./test/dist", after: afterDist},
		{name: "tools", reads: goTests,
			command: goTest + "./test/tools -run '^Test(Tools|Examples|Applications|Molecules|Sentences)$' -long",
			needs:   needNode, wants: []string{"browser", "engines"}, after: afterDist},
		{name: "Go package", reads: goTests, command: goTest + "./test/gopkg -long"},
		{name: "core for other hosts, many rows", reads: goTests, needs: []string{"tinygo"},
			command: "./build.sh host >&2 && " + goTest + "./test/host -run '^TestManyRows$' -long"},
	}...)
	// `test` leaves out some of these files for the scalar build and for the core by Go.
	for _, of := range [][2]string{{"simd", "{abi,abidataset,fileaudit,mutations,soak}"}, {"scalar", "*"}} {
		build, files := of[0], of[1]
		parts = append(parts, part{name: "API, long, " + build, reads: tap, needs: needNode, after: afterDist,
			timeout: 2 * time.Hour,
			command: "TENSORSKETCH_SOAK=300 TENSORSKETCH_BUILD=" + build + " " + node + "test/api/" + files + ".test.mjs"})
	}
	parts = append(parts, coreByGo("API, core by Go, memory", "memory"))
	return append(parts, []part{
		{name: "page, huge files and speed", reads: goTests, after: afterDist,
			needs: []string{"browser"}, wants: []string{"shell"},
			command: goTest + "-timeout 60m ./test/page -long " +
				"-run '^(TestHugeFile|TestLearnHugeFile|TestLearnLarge|TestFormatsMNIST|TestOneModelOfTables|TestFirstPicture|" +
				"TestRepaint|TestLongTasks|TestLearnAims|TestWaits)$'"},
		{name: "page, every theme in every width", reads: goTests, after: afterDist,
			needs: []string{"browser"}, wants: []string{"shell"},
			command: goTest + "./test/page -long -run '^(TestAxe|TestCopies|TestLayout|TestNothingJumps|TestPhonePicture|" +
				"TestPrint|TestSameDigits)$'"},
		{name: "page, every control in every state", reads: goTests, after: afterDist,
			needs: []string{"browser"}, wants: []string{"shell"},
			command: goTest + "-timeout 3h ./test/page -run '^(TestPress|TestPressAtRandom)$' -long"},
		{name: "supply chain", reads: goTests, after: afterDist,
			command: goTest + "-timeout 1h ./test/dist -run 'Reproducible|KnownVulnerabilities' -long"},
		{name: "hosts of the package", reads: goTests, after: afterDist, needs: []string{"node", "browser"},
			command: goTest + "-timeout 1h ./test/tools -run '^(TestSlowHosts|TestFrameworks|TestFirstFeatures)$' -long"},
		{name: "Python package, in full", reads: goTests, needs: []string{"tinygo"},
			command: "./build.sh wheel >&2 && " + goTest + "./test/python -long"},
		{name: "Spark and Flink", reads: goTests, needs: []string{"tinygo", "Java"}, wants: []string{"Maven"},
			command: "./build.sh wheel >&2 && " + goTest + "./test/engines -long"},
		{name: "ClickHouse and DuckDB", reads: goTests, after: afterDist, needs: needNode,
			command: goTest + "./test/host -run '^(TestClickHouse|TestDuckDB|TestSQL)$' -long"},
		{name: "sums of 10,000 parts", reads: goTests, command: goTest + "./tools/scale -long"},
		{name: "API in browsers, Deno and Bun", reads: goTests, after: afterDist,
			needs: []string{"node", "browser"}, wants: []string{"engines"},
			command: goTest + "-timeout 1h ./test/tools -run '^TestEngines$' -long"},
	}...)
}

// keptBits runs all tests of the engine, and in the other packages those that compare with digests and vectors.
func keptBits(environment, how, packages string) string {
	test := environment + goTest + "-short " + how
	return test + "./internal/engine/... && " + test + "-run 'Digest|Vectors|Bits' " + packages
}

// coreByGo tests the core that Go's compiler makes by files of the API's tests.
func coreByGo(name, files string) part {
	return part{name: name, reads: tap, needs: needNode, after: afterDist, timeout: 15 * time.Minute,
		command: "rm -rf bin/npm && cp -R dist/npm bin && ./build.sh core-by-go bin/npm && " +
			"TENSORSKETCH_DIST=bin/npm TENSORSKETCH_COMPILER=go " + node + "test/api/" + files + ".test.mjs"}
}

// A target is a fuzz test and its package.
type target struct{ name, path string }

// fuzzParts fuzzes each target for a time, as "5m".
func fuzzParts(targets []target, each string) (parts []part) {
	for _, t := range targets {
		parts = append(parts, part{name: "fuzz " + t.name, reads: goTests,
			command: fmt.Sprintf("go test -json -vet=off -run '^$' -fuzz '^%s$' -fuzztime %s %s", t.name, each, t.path)})
	}
	return parts
}

// fuzzTargets finds every fuzz target of the module.
func fuzzTargets() (targets []target, err error) {
	const format = "{{.ImportPath}}\n{{.Dir}}\n{{.TestGoFiles}} {{.XTestGoFiles}}"
	out, err := exec.Command("go", "list", "-f", format, "./...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	declared := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for ; len(lines) >= 3; lines = lines[3:] {
		for _, name := range strings.FieldsFunc(lines[2], func(r rune) bool { return strings.ContainsRune("[] ", r) }) {
			text, err := os.ReadFile(filepath.Join(lines[1], name))
			if err != nil {
				return nil, err
			}
			for _, match := range declared.FindAllSubmatch(text, -1) {
				targets = append(targets, target{string(match[1]), lines[0]})
			}
		}
	}
	return targets, nil
}

// amd64Level is v3 where the processor has it, so that both levels are tested.
func amd64Level() string {
	info, _ := os.ReadFile("/proc/cpuinfo") // absent elsewhere than on Linux
	words := bytes.Fields(info)
	has := map[string]bool{}
	for _, word := range words {
		has[string(word)] = true
	}
	if has["avx2"] && has["bmi2"] && has["fma"] {
		return "v3"
	}
	return "v1"
}
