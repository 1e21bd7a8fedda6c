#!/usr/bin/env bash
# Builds, serves, tests and packs Tensor Sketch. Needs Go 1.21 or later, which
# fetches the toolchain named here; `./build.sh help` lists the verbs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

unset GOROOT GOTOOLCHAIN_INTERNAL_SWITCH_COUNT GOTOOLCHAIN_INTERNAL_SWITCH_VERSION # go test sets them, and TinyGo needs another Go
export GOTOOLCHAIN=go1.27.1 GOEXPERIMENT=simd
export GOFLAGS="${GOFLAGS:-} -buildvcs=false" # the same sources give the same bytes, in any clone

help() {
  cat <<'END'
./build.sh [build]         compile everything into public/; with --tinygo also tensorsketch.tiny*.wasm
./build.sh serve [FLAGS]   build, then serve public/ on http://127.0.0.1:8080/ (-addr HOST:PORT, -dir FOLDER)
./build.sh test            everything that CI runs; its last line is "N passed, N failed"
./build.sh dist            pack dist/site/ for any static host and dist/npm/ for `npm pack`
./build.sh shots [DIR]     save pictures of the page in Chromium (default: shots/)
./build.sh bench           measure against the peers on this machine, into README.md, docs/performance.md and bench/results.json
./build.sh soak [TIME]     run each fuzz target for TIME (default: 5m), then the long tests
END
}

build() {
  generate
  compile simd ./wasm public/tensorsketch.simd.wasm
  compile nosimd ./wasm public/tensorsketch.wasm
  # The tag has Vugu's JSON library do without encoding/json: 6 % less.
  compile nosimd,nojsonv2 ./ui public/ui.wasm -tags=tinygo
  # Parsing takes twice as long without inlining. What reads no rows does without: 4 % less.
  local dataset=tensorsketch.example/dataset
  local inlined=(-gcflags=all= -gcflags=encoding/json/...=-l -gcflags=fmt=-l -gcflags=reflect=-l -gcflags=$dataset/plan=-l)
  compile nosimd ./wasm/dataset public/dataset.wasm "${inlined[@]}"
  compile nosimd ./wasm/dataset public/dataset-columnar.wasm "${inlined[@]}" -tags=columnar
  if [[ ${1:-} == --tinygo ]]; then compile_tiny; fi
  goexec >public/goexec.js
  go run ./tools/precompress -quality 5 public # 11 is 30 times slower and 12 % smaller: dist does that
}

# generate writes what comes from the .vugu files, Vugu's own script, and the scalar engine.
generate() {
  go run ./tools/vugugen ui
  go generate ./sketch/...
  go run ./tools/vuguhelper public/vugu-helper.js
  install -m 644 ui/internal/draw/picture.css public/ # package draw also puts it into pictures to save
}

# goexec prints Go's wasm_exec.js as a module without side effects: a function of what the program sees as globalThis.
goexec() {
  echo 'export function goexec(globalThis) {'
  sed -E 's/([^.])\bfs\./\1globalThis.fs./' "$(go env GOROOT)/lib/wasm/wasm_exec.js"
  echo 'return globalThis.Go;'
  echo '}'
}

# compile builds a WebAssembly file: compile EXPERIMENT PACKAGE FILE [FLAGS]. To keep it small only the engine and
# the noise are inlined (−7 to −11 % with Brotli, and no row or picture slower), and the runtime does without what is meant for
# servers: the garbage collector for many cores and allocators of their own for each size (−2 %).
compile() {
  local sketch=tensorsketch.example/sketch
  GOEXPERIMENT=$1,nogreenteagc,nosizespecializedmalloc GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' \
    -gcflags=all=-l -gcflags=$sketch/internal/...= -gcflags=simd/...= -gcflags=math/...= \
    -gcflags=${sketch%/*}/privacy= "${@:4}" -o "$3" "$2"
}

# compile_tiny has TinyGo compile the core, and LLVM make vectors of what are four float32 in Go: TinyGo does not. A
# panic is a trap, and there is no scheduler; wasm/tinygo.json says the rest. What is needed only by the exports named
# here goes to a file of its own (tools/tinycore). TINYGO_GOTOOLCHAIN is for a tinygo that is a script around it.
compile_tiny() {
  has_tinygo || { echo 'build.sh: install TinyGo as tools/install-tinygo.sh does' >&2; return 1; }
  local more='ts_(plan|choose|miss|dimension|product_.*|private_bound|mechanism|ledger|charge|privatize|mean_.*|tradeoff)'
  local work features part
  work=$(mktemp -d)
  features=$(sed -nE 's/^.*"features": "(.*)".*$/\1/p' wasm/tinygo.json)
  GOTOOLCHAIN=go1.26.8 TINYGO_GOTOOLCHAIN=go1.26.8 GOEXPERIMENT='' GOFLAGS='' tinygo build -target wasm/tinygo.json -panic trap -no-debug -opt z -o "$work/tinygo.bc" ./wasm
  llvm-dis-19 "$work/tinygo.bc" -o - | go run ./tools/tinycore ir >"$work/small.ll"
  opt-19 -S -passes='function(slp-vectorizer,instcombine<no-verify-fixpoint>,simplifycfg),mergefunc,lto<Oz>' \
    "$work/small.ll" -o "$work/core.ll"
  llvm-as-19 "$work/core.ll" -o "$work/core.o"
  wasm-ld-19 --stack-first --no-demangle --no-entry --allow-undefined --export-memory=mem --strip-debug --lto-O0 \
    -mllvm -mattr="$features" -mllvm -disable-lsr "$work/core.o" -o "$work/linked.wasm"
  go run ./tools/tinycore split "$more" "$work/core.ll" "$work/linked.wasm" "$work/core.wasm" "$work/more.wasm"
  for part in core more; do
    wasm-opt -Oz --converge --low-memory-unused --enable-{bulk-memory,simd,sign-ext,nontrapping-float-to-int,mutable-globals} \
      "$work/$part.wasm" -o "$work/$part.small.wasm"
  done
  install -m 644 "$work/core.small.wasm" public/tensorsketch.tiny.wasm
  install -m 644 "$work/more.small.wasm" public/tensorsketch.tiny.more.wasm
  rm -r "$work"
}

# has_tinygo puts TinyGo where tools/install-tinygo.sh installs it into PATH.
has_tinygo() {
  [[ $PATH == *:/opt/tinygo/bin ]] || PATH+=:/opt/tinygo/bin
  command -v tinygo opt-19 wasm-ld-19 wasm-opt >/dev/null
}

serve() {
  build
  go build -o bin/server .
  exec bin/server "$@"
}

dist() {
  if has_tinygo; then
    build --tinygo
  else
    echo 'build.sh: without TinyGo there is no tensorsketch.tiny.wasm; tools/install-tinygo.sh says what it takes' >&2
    rm -f public/tensorsketch.tiny*.wasm
    build
  fi
  mkdir -p dist/site
  find dist/site -type f ! -name '*.br' ! -name '*.gz' -delete # those are kept while they fit
  find public -type f ! -name '*.br' ! -name '*.gz' -exec cp {} dist/site/ ';'
  cp packaging/_headers LICENSE dist/site/
  licenses -tags=columnar ./ui ./wasm/dataset >dist/site/third-party-licenses.txt
  go run . -release -dir dist/site >dist/site/release.js
  go run ./tools/precompress -quality 11 dist/site

  rm -rf dist/npm
  mkdir -p dist/npm
  cp public/*.js public/*.d.ts public/{tensorsketch*,dataset,dataset-columnar}.wasm packaging/README.md LICENSE dist/npm/
  rm dist/npm/{blocks,boot,filejob,filerelease,fileworker,images,jobstore,ledgerstore,offline,pagekey,requests,seeds,serviceworker,vugu-helper}.js # these are the page's
  sed '/"\.\/requests\.js"/d' public/worker.js >dist/npm/worker.js # it counts what leaves the page
  licenses -tags=columnar ./wasm ./wasm/dataset >dist/npm/third-party-licenses.txt
  sed "s/@VERSION@/$(version)/" packaging/package.json >dist/npm/package.json
  if [[ ! -e dist/npm/tensorsketch.tiny.wasm ]]; then sed -i '/^  tiny: () =>/d' dist/npm/wasmfile.js; fi

  (cd dist && find npm site -type f | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)

  echo "dist/site and dist/npm are ready, version $(version). Bytes with Brotli:"
  wc -c dist/site/*.wasm.br
}

# licenses prints those of all that is compiled into some packages: licenses [FLAGS] PACKAGE …
licenses() {
  local module folder
  printf '%s\n\n' 'Go, its runtime and standard library'
  cat "$(go env GOROOT)/LICENSE"
  if [[ -e public/tensorsketch.tiny.wasm ]]; then
    printf '\n%s\n\n' 'TinyGo, its runtime'
    cat packaging/tinygo-license.txt
  fi
  GOOS=js GOARCH=wasm go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' "$@" | sort -u |
    while read -r module folder; do
      printf '\n%s\n\n' "$module"
      cat "$folder"/LICENSE*
    done
}

# version is the one of the JavaScript module; nothing else states it.
version() {
  sed -nE 's/^.*version = "([^"]+)".*$/\1/p' public/tensorsketch.js
}

test() {
  start_counting
  local wasm=(env GOOS=js GOARCH=wasm)
  # Go's wasm start-up holds about 14 KB of environment, so it gets little.
  local exec=(-exec="env -i 'PATH=$PATH' CI=${CI:-} $(go env GOROOT)/lib/wasm/go_js_wasm_exec")
  local node='' browser='' arm64='' level
  level=$(amd64_level)
  # Other platforms are there for the bits: statistics of equal bits, and drawings, are seen natively.
  local slow='SVG$|Law$|Lemma|Mean$|Hoeffding|Prediction|Embedding|Dominant|MatrixProduct|Distributions|Audit|CostModel|CompressedMemory|SecondImplementation|ExampleDeriveKey|SharedFiles|Bombs|Truncated|Damaged|TableMemory|^TestBias|AverageToSigma|Normalised|FirstOrderTable|OneSeed'
  # An emulated processor is ten times slower, and is there for its vector instructions and its fused multiplication.
  local emulated="$slow|Contract$|Allocations|NoAllocation|Memory$|PlanOrder|PlanReaches|Tradeoff|DeriveKey|ReadBack|Accuracy|FilesOfOthers|SecondMoment"
  has_node && node=yes
  has_browser && browser=yes
  has_arm64 && arm64=yes
  local installing=''
  if ! has_tinygo && can_install; then # while other parts run
    tools/install-tinygo.sh >/dev/null &
    installing=$!
  fi

  part check vet go vet ./...
  part check 'vet, js/wasm' "${wasm[@]}" go vet ./...
  part check staticcheck bash -c 'printf "native:\njs: GOOS=js GOARCH=wasm\n" | go tool staticcheck -matrix ./...'

  # Package sketch has by far most of the work, and each of its parts keeps one core busy: one row of them runs beside the
  # rest. The page and what is in dist/ are tested at the end, when they are built.
  beside other_builds
  part go native go test -json -count=1 -short $(packages)
  part go 'Go package' go test -json -count=1 ./test/gopkg
  if [[ $node ]]; then
    part go js/wasm "${wasm[@]}" go test -json -count=1 -short -skip "$slow" "${exec[@]}" ./sketch/... ./privacy ./dataset/... ./wasm/... ./ui/...
  else
    part skip js/wasm 'install Node.js 20 or later'
  fi
  fuzz 1s
  part check benchmarks go test -run '^$' -bench . -benchtime 1x ./sketch/... ./privacy ./dataset/...

  [[ -z $installing ]] || wait "$installing" || true
  part check dist ./build.sh dist
  part go 'what dist made' go test -json -count=1 ./test/dist
  together
  if [[ $node ]]; then
    # The other cores do without what is the same beside each: dataset.wasm, and what lasts with Go's heap or takes many seeds.
    beside part -timeout 15m tap 'API, scalar build' env TENSORSKETCH_BUILD=scalar node --test --test-reporter=tap $(ls test/api/*.test.mjs | grep -v 'abidataset\|fileaudit\|soak\|digits')
    if has_tinygo; then
      beside part -timeout 15m tap 'API, tiny build' env TENSORSKETCH_BUILD=tiny node --test --test-reporter=tap $(ls test/api/*.test.mjs | grep -v 'abidataset\|fileaudit')
    else
      part skip 'API, tiny build' 'install TinyGo as tools/install-tinygo.sh does'
    fi
    part -timeout 15m tap API node --test --test-reporter=tap test/api/*.test.mjs
    together
    beside part check 'bench, once' go run ./tools/bench -quick
    part check 'types' bash -c 'npm --prefix test/types ci --no-audit --no-fund && npm --prefix test/types test'
    part go tools go test -json -count=1 ./test/tools
    together
  else
    part skip API 'install Node.js 20 or later'
    part skip types 'install Node.js 20 or later'
    part skip tools 'install Node.js 20 or later'
  fi
  if [[ $browser ]]; then
    has_engines || true # their tests are skipped by name
    part go page go test -json -count=1 -timeout 25m -parallel 3 ./test/page
  else
    part skip page 'install Chromium'
  fi
  total
}

# other_builds tests package sketch as other builds have it.
other_builds() {
  # The race detector makes simulations 15 times slower, so it sees what shares memory or computes with pointers; `soak`
  # has all of it.
  part go 'race detector' go test -json -count=1 -race -short -skip 'Imports|Dependencies|LockFiles|Formatted|Fresh$' . ./sketch/internal/... ./sketch/model
  part go 'race detector, maps' go test -json -count=1 -race -short -run 'Goroutines|Bits|BadRows|Fit' ./sketch
  part go "sketch in full, GOAMD64=$level" env GOAMD64="$level" go test -json -count=1 ./sketch/... ./privacy
  part go 'native, without SIMD' env GOEXPERIMENT=nosimd go test -json -count=1 -short -skip "$slow" ./sketch/...
  if [[ $node ]]; then
    part go 'js/wasm, without SIMD' env GOEXPERIMENT=nosimd "${wasm[@]}" go test -json -count=1 -short -skip "$slow" "${exec[@]}" ./sketch/...
  fi
  if [[ $arm64 ]]; then
    part go 'arm64, emulated' env GOARCH=arm64 go test -json -count=1 -short -exec qemu-aarch64 -skip "$emulated" ./sketch/... ./privacy ./dataset/...
  else
    part skip 'arm64, emulated' 'install qemu-user'
  fi
}

shots() {
  build
  has_browser || { echo 'build.sh: install Chromium' >&2; exit 1; }
  mkdir -p "${1:-shots}"
  go test -count=1 ./test/page -run '^TestShots$' -shots "$(cd "${1:-shots}" && pwd)"
}

bench() {
  dist
  go run ./tools/bench -json bench/results.json -readme README.md -details docs/performance.md "$@"
}

soak() {
  start_counting
  fuzz "${1:-5m}"
  part go 'in full, with the race detector' go test -json -count=1 -race -timeout 1h $(packages)
  part go '386, where int has 32 bits' env GOARCH=386 GOEXPERIMENT=nosimd go test -json -count=1 -short ./sketch/... ./privacy
  if has_arm64; then part go 'arm64, emulated, with statistics' env GOARCH=arm64 go test -json -count=1 -short -timeout 1h -exec qemu-aarch64 ./sketch/... ./privacy; fi
  part go 'second implementation, models at random' go test -json -count=1 -timeout 1h ./sketch -run '^TestSecondImplementation$' -models 3000
  part go 'properties' go test -json -count=1 -timeout 1h ./sketch -run '^TestProperty' -rapid.checks 20000 -rapid.seed "$RANDOM"
  part go 'server, a minute' go test -json -count=1 . -run '^(TestLoad|TestSlowClients)$' -long
  part check dist ./build.sh dist
  if has_node; then
    local build
    for build in simd scalar $(has_tinygo && echo tiny); do
      part -timeout 2h tap "API, long, $build" env TENSORSKETCH_SOAK=300 TENSORSKETCH_BUILD=$build \
        node --test --test-reporter=tap test/api/{abi,abidataset,fileaudit,mutations,soak}.test.mjs
    done
  fi
  if has_browser; then part go 'page, huge files' go test -json -count=1 -timeout 60m ./test/page -run '^(TestHugeFile|TestFormatsMNIST)$' -long; fi
  if has_browser; then part go 'page, every control in every state' go test -json -count=1 -timeout 3h ./test/page -run '^(TestPress|TestPressAtRandom)$' -long; fi
  part go 'supply chain' go test -json -count=1 -timeout 1h ./test/dist -run 'Reproducible|KnownVulnerabilities' -long
  if has_node && has_browser; then
    has_engines || true
    part go 'API in browsers, Deno and Bun' go test -json -count=1 -timeout 1h ./test/tools -run '^TestEngines$' -long
  fi
  total
}

# packages lists those that need nothing built.
packages() {
  go list ./... | grep -v /test/
}

start_counting() {
  exec </dev/null
  besides=()
  results=$(mktemp)
  trap 'rm -f "$results"' EXIT
  go build -o bin/testsum ./tools/testsum
}

total() {
  bin/testsum -results "$results" total
}

# part runs one part of the tests; `total` remembers whether it failed.
part() {
  bin/testsum -results "$results" -skips test/skips.txt "$@" || true
}

# beside runs a command while others run; what it prints comes at `together`, which waits for all such.
beside() {
  local out
  out=$(mktemp)
  besides+=("$out")
  "$@" >"$out" 2>&1 &
}

together() {
  wait
  cat "${besides[@]}"
  rm "${besides[@]}"
  besides=()
}

has_node() {
  [[ $(node --version 2>/dev/null) =~ ^v([0-9]+) ]] && ((BASH_REMATCH[1] >= 20))
}

# amd64_level is v3 where the processor has it, so that both levels are tested.
amd64_level() {
  if grep -qw avx2 /proc/cpuinfo 2>/dev/null && grep -qw bmi2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then echo v3; else echo v1; fi
}

# has_browser installs Chromium where it can: on Debian, as root. The headless shell has no window of its own to draw: the
# page's tests take three quarters of the time in it.
has_browser() {
  command -v chromium-headless-shell >/dev/null || apt_install chromium chromium-headless-shell fonts-liberation && return
  local name
  for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && return
  done
  return 1
}

# has_engines installs Firefox and WebKit, likewise, which test/page sees the page in.
has_engines() {
  { command -v firefox-esr && command -v WebKitWebDriver && command -v Xvfb; } >/dev/null || apt_install firefox-esr webkit2gtk-driver xvfb
}

# has_arm64 installs a processor to emulate, likewise.
has_arm64() {
  command -v qemu-aarch64 >/dev/null || apt_install qemu-user
}

can_install() {
  ((EUID == 0)) && command -v apt-get >/dev/null
}

apt_install() {
  can_install &&
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}

# fuzz runs every fuzz target for the time given.
fuzz() {
  local package target
  while read -r package target; do
    part go "fuzz $target" go test -json -run '^$' -fuzz "^$target\$" -fuzztime "$1" "$package"
  done < <(go test -list '^Fuzz' ./... | awk '/^Fuzz/ { t[n++] = $1 } /^ok/ { for (i = 0; i < n; i++) print $2, t[i]; n = 0 }')
}

if [[ $(go env GOVERSION) != "$GOTOOLCHAIN" ]]; then
  echo "build.sh: install Go 1.21 or later; it fetches $GOTOOLCHAIN by itself" >&2
  exit 1
fi
case ${1:-build} in
build | serve | test | dist | shots | bench | soak) "${@:-build}" ;;
help | -h | --help) help ;;
*) help >&2; exit 1 ;;
esac
