#!/usr/bin/env bash
# Installs TinyGo and the LLVM tools that `build.sh dist` needs, on Debian as root; a minute and a half
# on two cores. TinyGo is built from its Go module against Debian's LLVM 19. Run it again, and it does nothing.
#
#     tools/install-tinygo.sh [PREFIX]   # default: /opt/tinygo; the command is PREFIX/bin/tinygo
set -euo pipefail

version=v0.41.0 go=go1.26.8 # the last Go that it takes is 1.26
prefix=${1:-/opt/tinygo}
[[ -x $prefix/bin/tinygo && $("$prefix/bin/tinygo" version) == *"${version#v}"* ]] && type opt-19 wasm-ld-19 clang-19 wasm-opt &>/dev/null && exit

apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
  g++ llvm-19 llvm-19-dev libclang-19-dev lld-19 clang-19 binaryen >/dev/null

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf 'module install\n\ngo 1.26\n\nrequire github.com/tinygo-org/tinygo %s\n' "$version" >go.mod
export GOFLAGS=-mod=mod GOTOOLCHAIN=$go GOEXPERIMENT=
go mod download github.com/tinygo-org/tinygo
source=$(go list -m -f '{{.Dir}}' github.com/tinygo-org/tinygo)
mkdir -p "$prefix/bin" "$prefix/tree"
go build -tags llvm19 -o "$prefix/bin/tinygo.real" github.com/tinygo-org/tinygo
cp -R "$source/src" "$source/targets" "$prefix/tree/"
chmod -R u+w "$prefix/tree"
mkdir -p "$prefix/tree/src/net" # which the module leaves out, and the compiler looks for
cat >"$prefix/bin/tinygo" <<END
#!/bin/sh
export TINYGOROOT=$prefix/tree GOTOOLCHAIN=$go GOEXPERIMENT=
exec $prefix/bin/tinygo.real "\$@"
END
chmod +x "$prefix/bin/tinygo"
"$prefix/bin/tinygo" version
