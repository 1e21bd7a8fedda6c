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
./build.sh test [PART …]   everything that CI runs, or these parts of it; the last line is "N passed, N failed"
./build.sh dist            pack dist/site/ for any static host and dist/npm/ for `npm pack`
./build.sh shots [DIR]     save pictures of the page in Chromium (default: shots/)
./build.sh bench           measure against the peers on this machine, into README.md, docs/performance.md and bench/results.json
./build.sh soak [TIME [PART …]]   run each fuzz target for TIME (default: 5m), then the long tests
END
}

build() {
  rm -f public/{*.wasm,goexec.js,tables.js,picture.css} # where they were built up to 0.3.0
  generate
  compile simd ./wasm public/api/tensorsketch.simd.wasm
  compile nosimd ./wasm public/api/tensorsketch.wasm
  # The tag has Vugu's JSON library do without encoding/json: 6 % less.
  compile nosimd,nojsonv2 ./ui public/page/ui.wasm -tags=tinygo
  # Parsing takes twice as long without inlining. What reads no rows does without: 4 % less.
  local dataset=tensorsketch.example/dataset
  local inlined=(-gcflags=all= -gcflags=encoding/json/...=-l -gcflags=fmt=-l -gcflags=reflect=-l -gcflags=$dataset/plan=-l)
  compile nosimd ./wasm/dataset public/api/dataset.wasm "${inlined[@]}"
  compile nosimd ./wasm/dataset public/api/dataset-columnar.wasm "${inlined[@]}" -tags=columnar
  if [[ ${1:-} == --tinygo ]]; then compile_tiny; fi
  goexec >public/api/goexec.js
  go run ./tools/precompress -quality 5 public # 11 is 30 times slower and 12 % smaller: dist does that
}

# generate writes what comes from the .vugu files, the scalar engine, and the tables that JavaScript shares.
generate() {
  go run ./tools/vugugen ui
  go generate ./sketch/...
  go run ./tools/tables >public/api/tables.js
  install -m 644 ui/internal/draw/picture.css public/page/ # package draw also puts it into pictures to save
}

# goexec prints Go's wasm_exec.js as a module without side effects: a function of what the program sees as globalThis.
goexec() {
  echo 'export function goexec(globalThis) {'
  sed -E 's/([^.])\bfs\./\1globalThis.fs./' "$(go env GOROOT)/lib/wasm/wasm_exec.js"
  echo 'return globalThis.Go;'
  echo '}'
}

# compile builds a WebAssembly file: compile EXPERIMENT PACKAGE FILE [FLAGS]. To keep it small only the engine, the sums
# and the noise are inlined (−7 to −11 % with Brotli, and no row or picture slower), and the runtime does without what is meant for
# servers: the garbage collector for many cores and allocators of their own for each size (−2 %).
compile() {
  local sketch=tensorsketch.example/sketch
  GOEXPERIMENT=$1,nogreenteagc,nosizespecializedmalloc GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' \
    -gcflags=all=-l -gcflags=$sketch/internal/...= -gcflags=simd/...= -gcflags=math/...= \
    -gcflags=${sketch%/*}/internal/exact= -gcflags=${sketch%/*}/privacy= "${@:4}" -o "$3" "$2"
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
  install -m 644 "$work/core.small.wasm" public/api/tensorsketch.tiny.wasm
  install -m 644 "$work/more.small.wasm" public/api/tensorsketch.tiny.more.wasm
  rm -r "$work"
}

# has_tinygo puts TinyGo where tools/install-tinygo.sh installs it into PATH.
has_tinygo() {
  [[ $PATH == *:/opt/tinygo/bin ]] || PATH+=:/opt/tinygo/bin
  type tinygo opt-19 wasm-ld-19 wasm-opt &>/dev/null # all of them
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
    rm -f public/api/tensorsketch.tiny*.wasm
    build
  fi
  mkdir -p dist/site
  find dist/site -type f ! -name '*.br' ! -name '*.gz' -delete # those are kept while they fit
  copy public dist/site
  cp packaging/_headers LICENSE dist/site/
  licenses -tags=columnar ./ui ./wasm/dataset >dist/site/third-party-licenses.txt
  go run . -release -dir dist/site >dist/site/release.js
  go run ./tools/precompress -quality 11 dist/site

  rm -rf dist/npm
  mkdir -p dist/npm
  copy public/api dist/npm
  cp packaging/README.md LICENSE dist/npm/
  licenses -tags=columnar ./wasm ./wasm/dataset >dist/npm/third-party-licenses.txt
  sed "s/@VERSION@/$(version)/" packaging/package.json >dist/npm/package.json
  if [[ ! -e dist/npm/tensorsketch.tiny.wasm ]]; then sed -i '/^  tiny: () =>/d' dist/npm/wasmfile.js; fi

  (cd dist && find npm site -type f | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)

  echo "dist/site and dist/npm are ready, version $(version). Bytes with Brotli:"
  wc -c dist/site/*/*.wasm.br
}

# copy copies all of a folder that is not compressed into another: copy FROM TO.
copy() {
  tar -C "$1" --exclude='*.br' --exclude='*.gz' -cf - . | tar -C "$2" -xmf -
}

# licenses prints those of all that is compiled into some packages: licenses [FLAGS] PACKAGE …
licenses() {
  local module folder
  printf '%s\n\n' 'Go, its runtime and standard library'
  cat "$(go env GOROOT)/LICENSE"
  if [[ -e public/api/tensorsketch.tiny.wasm ]]; then
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
  sed -nE 's/^.*version = "([^"]+)".*$/\1/p' public/api/tensorsketch.js
}

test() {
  go build -o bin/check ./tools/check # its table has the parts
  exec bin/check "$@"
}

soak() {
  go build -o bin/check ./tools/check
  exec bin/check -soak "${1:-5m}" "${@:2}"
}

shots() {
  command -v chromium-headless-shell chromium chromium-browser google-chrome >/dev/null || { echo 'build.sh: install Chromium' >&2; exit 1; }
  build
  mkdir -p "${1:-shots}"
  go test -count=1 ./test/page -run '^TestShots$' -shots "$(cd "${1:-shots}" && pwd)"
}

bench() {
  dist
  go run ./tools/bench -json bench/results.json -readme README.md -details docs/performance.md "$@"
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
