#!/usr/bin/env bash
# Builds, serves, tests and packs Tensor Sketch. Needs Go 1.21 or later, which
# fetches the toolchain named here; `./build.sh help` lists the verbs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

unset GOROOT GOTOOLCHAIN_INTERNAL_SWITCH_COUNT GOTOOLCHAIN_INTERNAL_SWITCH_VERSION # go test sets them, and TinyGo needs another Go
export GOTOOLCHAIN=go1.27.1 GOEXPERIMENT=simd
# With simd, Go 1.27.1 leaves the upper halves of vector registers in use after it has interrupted a loop. Scalar
# arithmetic with FMA in it is 4 to 200 times as slow from then on (golang.org/issue/80835 is of this kind).
export GODEBUG=asyncpreemptoff=1
# The same sources give the same bytes in any clone, and what one clone has compiled and vetted serves the next.
export GOFLAGS="${GOFLAGS:-} -buildvcs=false -trimpath"

help() {
  cat <<'END'
./build.sh [build]         compile everything into public/
./build.sh serve [FLAGS]   build, then serve public/ on http://127.0.0.1:8080/ (-addr HOST:PORT, -dir FOLDER)
./build.sh test [PART …]   everything that CI runs, or these parts of it; the last line is "N passed, N failed"
./build.sh dist [QUALITY]  pack dist/site/ for any static host, dist/npm/ for `npm pack`, dist/host/ for SQL and dist/python/; needs TinyGo.
                           Brotli's quality is 11 if you do not say less, as tests do: it takes 30 times longer than 5
./build.sh host            compile the core for other hosts than JavaScript into dist/host/ (packaging/host.md); dist 11 does too
./build.sh wheel [core]    make the wheel for Python in dist/python/ (python/README.md); dist 11 does too. With core it
                           lacks what reads tables with texts, which takes 15 s to compile
./build.sh core DIR        compile the core alone, by TinyGo where it is installed, otherwise by Go's own compiler
./build.sh core-by-go DIR  compile the core by Go's own compiler
./build.sh shots [DIR]     save pictures of the page in Chromium (default: shots/)
./build.sh bench           measure against the peers on this machine, into README.md, docs/performance.md and bench/results.json
./build.sh experiments     make the papers' tables again, into docs/experiments.md (-only NAME, -quick, -data FOLDER, -jobs N)
./build.sh soak [TIME [PART …]]   run each fuzz target for TIME (default: 5m), then the long tests
END
}

build() {
  rm -f public/{*.wasm,goexec.js,tables.js,picture.css} public/api/tensorsketch.{simd,tiny}* # built up to 0.3.0
  generate
  core public/api
  index public/api
  # The tag has Vugu's JSON library do without encoding/json: 6 % less.
  compile nosimd,nojsonv2 ./ui public/page/ui.wasm -tags=tinygo
  # Parsing takes twice as long without inlining, and the exact kernel ten times. What else reads no rows does without:
  # 4 % less. The JSON library of before is 9 % less.
  local name inlined=(-gcflags=all=)
  for name in encoding/json/... fmt reflect google.golang.org/... tensorsketch.example/{dataset/{columns,onnx},internal/solve,jobs,sketch,sketch/{learn,model},wasm/work}; do
    inlined+=("-gcflags=$name=-l")
  done
  compile nosimd,nojsonv2 ./wasm/work public/api/dataset.wasm "${inlined[@]}"
  compile nosimd,nojsonv2 ./wasm/work public/api/dataset-columnar.wasm "${inlined[@]}" -tags=columnar
  goexec >public/api/goexec.js
  go run ./tools/bundle public/api
  go run ./tools/precompress -quality 5 public # 11 is 30 times slower and 12 % smaller: dist does that
}

# generate writes what comes from the .vugu files, the scalar engine, the tables that JavaScript shares, and Vugu.
generate() {
  go run ./tools/vugugen ui
  go generate ./internal/engine/...
  go run ./tools/vuguscript >public/page/vugu-helper.js
  go run ./tools/tables >public/api/tables.js
  go run ./tools/tables types >public/page/jobs.d.ts
  go run ./tools/tables reports >public/api/reports.d.ts
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
# tools/shrink then makes the file smaller by a seventh (Brotli); with LINES_OF_GO=1 it is left out, and a panic names lines.
compile() {
  local sketch=tensorsketch.example/sketch
  [[ -z ${LINES_OF_GO:-} ]] || rm -f "$3" # go build keeps a shrunk file
  GOEXPERIMENT=$1,nogreenteagc,nosizespecializedmalloc GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' \
    -gcflags=all=-l -gcflags=${sketch%/*}/internal/engine/...= -gcflags=simd/...= -gcflags=math/...= \
    -gcflags=${sketch%/*}/internal/exact= -gcflags=${sketch%/*}/privacy= "${@:4}" -o "$3" "$2"
  [[ ${LINES_OF_GO:-} ]] || go run ./tools/shrink "$3"
}

# core makes the two cores of a folder, SIMD and scalar: core FOLDER. TinyGo compiles them where it is installed. Go's
# own compiler does otherwise, unless cores that TinyGo made of these sources are there.
core() {
  if has_tinygo; then
    once "$1" core_by_tinygo tensorsketch{,.scalar}.wasm
  elif ! is_built "$1" tinygo; then
    core-by-go "$1"
  fi
  go run ./tools/difference "$1/tensorsketch"
}

# core-by-go compiles the core by Go's own compiler: core-by-go FOLDER.
core-by-go() {
  rm -f "$1"/{tensorsketch{,.scalar}.wasm,core.stamp}
  compile simd ./wasm "$1/tensorsketch.wasm"
  compile nosimd ./wasm "$1/tensorsketch.scalar.wasm"
  stamp "$1" "$(go version)" tensorsketch.wasm tensorsketch.scalar.wasm
  go run ./tools/difference "$1/tensorsketch"
}

# core_by_tinygo compiles the core by TinyGo and LLVM: core_by_tinygo FOLDER. The code is a sixth of what Go's compiler
# makes, and faster.
core_by_tinygo() {
  local work
  work=$(mktemp -d)
  compile_by_tinygo "$work/core.bc"
  link_by_llvm "$work/core.bc" +simd128 "$1/tensorsketch.wasm" &
  link_by_llvm "$work/core.bc" -simd128 "$1/tensorsketch.scalar.wasm"
  wait $!
  go run ./tools/shrink -order "$1"/tensorsketch{,.scalar}.wasm
  rm -r "$work"
}

# once makes files in a folder by a function that calls TinyGo, unless they are there: once FOLDER FUNCTION FILE …
# What it has made is kept beside what Go has compiled, or in $TENSORSKETCH_CORES, and another clone of the same sources
# copies it.
once() {
  local folder=$1 files=("${@:3}") compiler kept new
  compiler=$(tinygo version)
  if is_built "$folder" "$compiler"; then return; fi
  kept=${TENSORSKETCH_CORES:-$(go env GOCACHE)/tensorsketch}/$(made_of "$2")
  if ! is_built "$kept" "$compiler"; then
    mkdir -p "${kept%/*}"
    find "${kept%/*}" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -r {} +
    new=$(mktemp -d "$kept.XXXXXX")
    "$2" "$new"
    stamp "$new" "$compiler" "${files[@]}"
    rm -rf "$kept"
    mv -T "$new" "$kept"
  fi
  mkdir -p "$folder"
  rm -f "$folder/core.stamp"
  install -m 644 -t "$folder" "${files[@]/#/"$kept/"}" "$kept/core.stamp"
}

# made_of prints a hash of what a function makes the core of: the programs that are installed, and the sources.
made_of() {
  local programs=(tinygo {llvm-{dis,link,as},opt,wasm-ld}-19 wasm-{opt,dis,as})
  {
    { type -P "${programs[@]}" || true; } | tr '\n' '\0' | xargs -0 stat -Lc '%n %s %Y'
    sources
    echo "$1"
  } | sha256sum | cut -c1-32
}

# sources prints a hash of all that the core is compiled from, or of the files and folders in compiled_from. The
# generated twin follows from the others.
sources() {
  local others=()
  if [[ ! ${compiled_from:-} ]]; then
    local compiled_from=(build.sh go.mod internal privacy sketch tools/{shrink,twin} wasm)
    others=(! -path 'wasm/work/*' ! -path 'wasm/index/*' ! -path 'sketch/index/*')
  fi
  find "${compiled_from[@]}" -type f "${others[@]}" \
    ! -name '*_gen.go' ! -name '*_test.go' ! -path '*/testdata/*' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1
}

# stamp writes FOLDER/core.stamp, which says by which compiler and from which sources files beside it were built, and
# their hashes: stamp FOLDER COMPILER FILE …
stamp() {
  (cd "$1" && sha256sum "${@:3}") >"$1/core.new"
  printf '%s\n' "$2" "sources $(sources)" | cat - "$1/core.new" >"$1/core.stamp"
  rm "$1/core.new"
}

# is_built reports whether the stamp of a folder is of a compiler, by the beginning of its name, of these sources, and of
# the files that are there: is_built FOLDER COMPILER.
is_built() {
  [[ -e $1/core.stamp && $(head -n1 "$1/core.stamp") == "$2"* &&
    $(sed -n 2p "$1/core.stamp") == "sources $(sources)" ]] &&
    (cd "$1" && tail -n +3 core.stamp | sha256sum --check --status)
}

# compile_by_tinygo compiles the core into LLVM's bitcode, optimised for size: compile_by_tinygo FILE [TAGS [PACKAGE]]. A panic
# is a trap, and there is no scheduler; wasm/tinygo.json says the rest. TINYGO_GOTOOLCHAIN is for a tinygo that is a
# script around it.
compile_by_tinygo() {
  GOTOOLCHAIN=go1.26.8 TINYGO_GOTOOLCHAIN=go1.26.8 GOEXPERIMENT='' GOFLAGS='' tinygo build \
    -target wasm/tinygo.json -tags "${2:-}" -panic trap -no-debug -opt z -o "$1" "${3:-./wasm}"
}

# link_by_llvm makes a WebAssembly file of that bitcode, with or without SIMD: link_by_llvm BITCODE +simd128|-simd128
# FILE [TAG]. The engine's vectors are arrays to TinyGo and vectors to LLVM, which takes their functions from vec.ll and
# pairs….ll. LLVM optimises for size all but what runs for each row, as wasm/frequent.txt lists it. The pipelines are -Os:
# with -O2 and -O3 the core is 10 KB larger, and its rows are as fast. Loops are not unrolled for a number of rounds that
# is not known: the engine's work on whole vectors. Descriptions of types are one byte each, as nothing but their
# addresses is compared (5 KB with Brotli), and errors of reflectlite, which nobody makes, have no texts; the core for
# other hosts keeps both, since its JSON reads them. Texts are put together by calls, not inlined: errors alone need them.
# A loop steps a pointer for each address only in what runs for each row (3.6 KB less): loop-reduce leaves out optnone.
# The scalar core inlines less (1.6 KB). Variables go to a section of their own, from which the collector starts
# (wasm/heap_tinygo.go). Each export calls the collector before all else. Functions have names until tools/shrink -order
# removes them.
link_by_llvm() {
  local work features array='\[(4 x float|4 x i32|2 x double)\]' frequent
  frequent=$(sed -E "$([[ $2 == +* ]] || echo '/^# Not in the scalar/,$d;')/^#|^$/d" wasm/frequent.txt | paste -sd'|' |
    sed 's/[/]/\\&/g')
  features=$(sed -nE "s/[+]simd128/$2/; s/^.*\"features\": \"(.*)\".*\$/\1/p" wasm/tinygo.json)
  local enabled=(--enable-{bulk-memory,sign-ext,nontrapping-float-to-int,mutable-globals})
  local tag=${4:-} linked=() how=(--allow-undefined) types=() inline=() apart=() collects=()
  [[ $tag != host ]] || { linked=(wasm/host.ll); how=(-z stack-size=1048576); }
  [[ $tag != index ]] || { linked=(sketch/index/{scan,dot$2}.ll); apart=(-ocimfs=0); }
  [[ $tag == index ]] || collects=(-e
    's/^ *%[^ ]+ = load i1, ptr @runtime\.initializeCalled,[^!]*(!dbg.*)$/  call void @collect_first(), \1\n&/')
  if [[ $2 == -* ]]; then inline=(-inline-threshold=15); else enabled+=(--enable-simd); fi
  work=$(mktemp -d)
  llvm-dis-19 "$1" -o "$work/made.ll"
  if [[ $tag != host ]]; then
    if grep -Eq 'DISubprogram.*("reflect\.|\.(RawType|TypeOf|ValueOf)\b|interfaceEqual|hashmapInterface)' "$work/made.ll"; then
      echo 'build.sh: the core reads descriptions of types (an any as a key, errors.As?), which are left out' >&2
      return 1
    fi
    types=(-e '/^@"reflect\/types\.type:[^"]*" = internal /s/ = internal .*/ = internal constant i8 0, align 1/'
      -e 's/icmp eq ptr %[^,]*, @"reflect\/types\.type:[^"]*reflectlite\.[^"]*"/icmp ne ptr null, null/')
  fi
  sed -E -e "/^[%@].* = /!{s/(extract|insert)value $array (.*), ([0-9])/\1element <\2> \3, i32 \4/; s/$array/<\1>/g}" \
    "${types[@]}" "${collects[@]}" -e '/^define.*@runtime\.stringConcat\(/s/ (#[0-9]+)/ noinline \1/' \
    -e "/^attributes/{s/ (optsize|minsize)//g; s/[+]simd128/$2/; s/ \"wasm-export-name\"=\"(collect_first|f(min|max)imumf?)\"//}" \
    -e "/^define/{/@(\"[^\"]*|[^\"(]*)($frequent)/!s/ (#[0-9]+)/ minsize optsize \1/}" \
    "$work/made.ll" >"$work/vectors.ll"
  if [[ $tag != index && $(grep -c '^ *call void @collect_first' "$work/vectors.ll") != \
    $(grep -c '^define .*#wasmexport"(' "$work/made.ll") ]]; then
    echo 'build.sh: TinyGo begins an export in another way: not every one would collect what calls left' >&2
    return 1
  fi
  llvm-link-19 --suppress-warnings "$work/vectors.ll" internal/engine/lanes/{vec,pairs$2}.ll "${linked[@]}" |
    opt-19 -S -unroll-runtime=false "${inline[@]}" -passes='always-inline,mergefunc,default<Os>,lto<Os>' |
    sed -E '/^attributes.* minsize/{s/ minsize/ noinline optnone/; s/ optsize/ "optsize"/}' |
    opt-19 -S -passes=loop-reduce |
    sed -E -e '/^attributes.* optnone/{s/ optnone/ minsize/; s/ "optsize"/ optsize/}' \
      -e 's/^(@("[^"]*"|[^ ]+) = ((internal|private|unnamed_addr|local_unnamed_addr) )*global .*)(, align)/\1, section "roots"\5/' |
    llvm-as-19 -o "$work/core.o"
  wasm-ld-19 --stack-first --no-demangle --no-entry "${how[@]}" --export-memory=mem --strip-debug --lto-O0 \
    -mllvm -disable-lsr -mllvm -mattr="$features" "$work/core.o" -o "$work/linked.wasm"
  if [[ $tag == host ]]; then
    wasm-dis "${enabled[@]}" "$work/linked.wasm" | sed -E 's/\(export "_initialize" \(func ([^)]*)\)\)/(start \1)/
        s/\(export "mem" (.*)\)$/&\n (export "memory" \1)/' | awk -f wasm/host.awk |
      wasm-as "${enabled[@]}" - -o "$work/started.wasm"
    mv "$work/started.wasm" "$work/linked.wasm"
  fi
  wasm-opt -g -O3 -pii=0 -fimfs=0 -aimfs=0 --converge --low-memory-unused "${apart[@]}" "${enabled[@]}" \
    "$work/linked.wasm" \
    -o "$work/core.wasm"
  install -m 644 "$work/core.wasm" "$3"
  rm -r "$work"
}

# parts_by_tinygo compiles the cores of the package's entries tensorsketch/map and tensorsketch/learn: parts_by_tinygo
# FOLDER. Their calls are all but those of the files named here, and what only these reach is left out: 84 and 162 KB
# with Brotli, not 178.
parts_by_tinygo() {
  local work
  work=$(mktemp -d)
  compile_by_tinygo "$work/core.bc"
  part "$work" "$1" map {compare,head,learn,moments,plan,preparation,privacy,products,released,rowsfit,search}.go
  part "$work" "$1" learn {compare,plan,privacy,products,released}.go
  rm -r "$work"
}

# part links a part of the core: part FOLDER_OF_BITCODE FOLDER NAME FILE_OF_WASM …
part() {
  local calls
  calls=$(cd wasm && sed -n 's/^\/\/go:wasmexport //p' "${@:4}")
  llvm-dis-19 "$1/core.bc" -o - | without_exports "$calls" | llvm-as-19 -o "$1/$3.bc"
  link_by_llvm "$1/$3.bc" +simd128 "$2/tensorsketch.$3.wasm" &
  link_by_llvm "$1/$3.bc" -simd128 "$2/tensorsketch.$3.scalar.wasm"
  wait $!
  go run ./tools/shrink -order "$2/tensorsketch.$3"{,.scalar}.wasm
}

# without_exports makes exported functions of bitcode, as text, internal: without_exports NAMES. LLVM then drops what
# nobody calls. The name of an export stands in a group of attributes at the end, which its function names by number.
without_exports() {
  awk -v names="$1" '
    BEGIN { split(names, list, "\n"); for (i in list) left[list[i]] = 1 }
    { lines[NR] = $0 }
    /^attributes #/ && match($0, /"wasm-export-name"="[^"]*"/) {
      name = substr($0, RSTART + 20, RLENGTH - 21)
      if (name in left) {
        groups[$2] = 1
        lines[NR] = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
      }
    }
    END {
      for (i = 1; i <= NR; i++) {
        line = lines[i]
        if (line ~ /^define / && match(line, /#[0-9]+/) && substr(line, RSTART, RLENGTH) in groups) {
          sub(/^define (hidden |dso_local )*/, "define internal ", line)
        }
        print line
      }
    }'
}

# index makes the two modules of searches, index.wasm and index.scalar.wasm: index FOLDER. As the core, by TinyGo where
# it is installed.
index() {
  local compiled_from=(build.sh go.mod sketch/error.go sketch/index tools/shrink wasm/{index,tinygo.json,frequent.txt})
  if has_tinygo; then
    once bin/index index_by_tinygo index{,.scalar}.wasm
    install -m 644 -t "$1" bin/index/index{,.scalar}.wasm
  else
    compile simd ./wasm/index "$1/index.wasm"
    compile nosimd ./wasm/index "$1/index.scalar.wasm"
  fi
  go run ./tools/difference "$1/index"
}

# index_by_tinygo compiles them by TinyGo and LLVM: index_by_tinygo FOLDER.
index_by_tinygo() {
  local work
  work=$(mktemp -d)
  compile_by_tinygo "$work/core.bc" '' ./wasm/index
  link_by_llvm "$work/core.bc" +simd128 "$1/index.wasm" index
  link_by_llvm "$work/core.bc" -simd128 "$1/index.scalar.wasm" index
  go run ./tools/shrink -order "$1"/index{,.scalar}.wasm
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
  has_tinygo || { echo 'build.sh: install TinyGo with tools/install-tinygo.sh: dist compiles the core by it' >&2; return 1; }
  local quality=${1:-11}
  build
  mkdir -p bin
  [[ $(cat bin/quality 2>/dev/null) == "$quality" ]] || rm -rf dist/site # its .br files are of another
  echo "$quality" >bin/quality
  mkdir -p dist/site
  find dist/site -type f ! -name '*.br' ! -name '*.gz' -delete # those are kept while they fit
  copy public dist/site
  rm dist/site/api/{map*.*,simd*.*,learn.*,learnfiles.js,index.js,index.d.ts,*.scalar.wasm} # of the package alone
  go run ./tools/bundle -page dist/site
  cp packaging/_headers LICENSE dist/site/
  licenses -tags=columnar ./ui ./wasm/work >dist/site/third-party-licenses.txt
  go run . -release -dir dist/site >dist/site/release.js
  go run ./tools/precompress -quality "$quality" dist/site

  rm -rf dist/npm
  mkdir -p dist/npm
  copy public/api dist/npm
  once bin/parts parts_by_tinygo tensorsketch.{map,learn}{,.scalar}.wasm
  install -m 644 bin/parts/*.wasm dist/npm/
  go run ./tools/difference dist/npm/tensorsketch.{map,learn}
  go run ./tools/bundle public/api dist/npm # tensorsketch.min.js, and sizes.js anew
  cp packaging/README.md LICENSE dist/npm/
  install -m 644 -Dt dist/npm/docs docs/{SPEC,formats,learn,privacy,theory}.md # what the .d.ts files cite
  licenses -tags=columnar ./wasm ./wasm/work >dist/npm/third-party-licenses.txt
  sed "s/@VERSION@/$(version)/" packaging/package.json >dist/npm/package.json

  local folders=(npm site)
  if [[ $quality == 11 ]]; then
    wheel
    folders+=(host python)
  fi
  (cd dist && find "${folders[@]}" -type f | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)

  echo "${folders[*]/#/dist/} are ready, version $(version). Bytes with Brotli:"
  wc -c dist/site/*/*.wasm.br
}

# host_by_tinygo compiles the core for other hosts: host_by_tinygo FOLDER.
host_by_tinygo() {
  local work
  work=$(mktemp -d)
  compile_by_tinygo "$work/core.bc" host
  link_by_llvm "$work/core.bc" +simd128 "$1/tensorsketch.host.wasm" host
  go run ./tools/shrink -order "$1/tensorsketch.host.wasm"
  rm -r "$work"
}

host() {
  has_tinygo || { echo 'build.sh: install TinyGo with tools/install-tinygo.sh: host compiles the core by it' >&2; return 1; }
  mkdir -p dist/host
  once bin/host host_by_tinygo tensorsketch.host.wasm
  install -m 644 bin/host/tensorsketch.host.wasm dist/host/
  licenses ./wasm ./python/table >dist/host/third-party-licenses.txt
  cp LICENSE dist/host/
  install -m 644 packaging/host.md dist/host/README.md
}

# wheel makes the wheel for Python, with the core for other hosts inside, and what reads tables: wheel [core].
wheel() {
  type python3 &>/dev/null || { echo 'build.sh: install Python 3.11 or later: python/backend.py makes the wheel' >&2; return 1; }
  host
  rm -f bin/host/tensorsketch.table.wasm
  [[ ${1:-} == core ]] || table
  rm -rf dist/python
  mkdir -p dist/python
  python3 python/backend.py dist/python
}

# table compiles the rules for tables with texts for any host with WASI: python/table.
table() {
  local file=bin/host/tensorsketch.table.wasm
  GOEXPERIMENT=nosimd,nojsonv2,nogreenteagc,nosizespecializedmalloc GOOS=wasip1 GOARCH=wasm go build -trimpath \
    -ldflags='-s -w' -gcflags=all=-l -o "$file" ./python/table
  go run ./tools/shrink "$file"
}

# copy copies a folder into another, without compressed files and stamps: copy FROM TO.
copy() {
  tar -C "$1" --exclude='*.br' --exclude='*.gz' --exclude='*.stamp' -cf - . | tar -C "$2" -xmf -
}

# licenses prints the licences of all that is compiled into some packages: licenses [FLAGS] PACKAGE …
licenses() {
  local module folder
  printf '%s\n\n' 'Go, its runtime and standard library'
  cat "$(go env GOROOT)/LICENSE"
  printf '\n%s\n\n' 'TinyGo, its runtime'
  cat packaging/tinygo-license.txt
  GOOS=js GOARCH=wasm go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' "$@" | sort -u |
    while read -r module folder; do
      printf '\n%s\n\n' "$module"
      cat "$folder"/LICENSE*
    done
}

# version is the one of the JavaScript module; nothing else states it.
version() {
  sed -nE 's/^.*version = "([^"]+)".*$/\1/p' public/api/module.js
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
  dist 5
  mkdir -p "${1:-shots}"
  go test -count=1 ./test/page -run '^TestShots$' -shots "$(cd "${1:-shots}" && pwd)"
}

bench() {
  [[ "$*" == *'-only tables'* ]] || dist
  go run ./tools/bench -json bench/results.json -readme README.md -details docs/performance.md -learn docs/learn.md "$@"
}

experiments() {
  go build -o bin/experiments/run ./tools/experiments
  exec bin/experiments/run "$@"
}

if [[ $(go env GOVERSION) != "$GOTOOLCHAIN" ]]; then
  echo "build.sh: install Go 1.21 or later; it fetches $GOTOOLCHAIN by itself" >&2
  exit 1
fi
case ${1:-build} in
build | serve | test | dist | host | wheel | shots | bench | experiments | soak | core | core-by-go) "${@:-build}" ;;
help | -h | --help) help ;;
*) help >&2; exit 1 ;;
esac
