//go:build goexperiment.simd && go1.27 && !tinygo

package lanes

import (
	"os/exec"
	"regexp"
	"simd/archsimd"
	"strings"
	"testing"
)

func init() { rest = archsimd.ClearAVXUpperBits }

// TestNoLegacyMoves: the loops over vecs hold no SSE moves without the AVX prefix. On many Intel processors these wait
// for the upper halves of registers, which made D = 1,000 three times as slow as D = 1,024. Go's compiler writes them
// where it spills a number of 32 bits.
func TestNoLegacyMoves(t *testing.T) {
	archive, err := exec.Command("go", "list", "-export", "-f", "{{.Export}}", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	const loops = `lanes\.(\(\*stage\)\.(for|back)ward[2-5]|(for|back)wardLast[48]|\(\*Plan\)\.(multiply|merge|split).*|` +
		`hadamard\d+|signed8|[aA]ddTile|AddSigns|AddRow|Largest|PutRow|dotTile|Wind|Cosines|Sines)$`
	code, err := exec.Command("go", "tool", "objdump", "-s", loops, strings.TrimSpace(string(archive))).Output()
	if err != nil {
		t.Fatalf("go tool objdump: %v", err)
	}
	if regexp.MustCompile(`\tVMULPS[\t ]`).Find(code) == nil {
		t.Fatal("no AVX instruction was found: do the functions have other names?")
	}
	for _, line := range regexp.MustCompile(`(?m)^.*\tMOV(SS|UPS|APS|SD_XMM)[\t ].*$`).FindAll(code, -1) {
		t.Errorf("%s", line)
	}
}

// TestNoLegacyArithmetic: scalar arithmetic comes after clearUppers, in every function that computes with vecs. Without
// it, a sum of 17 numbers took 280 ns, and one of 16 took 15.
func TestNoLegacyArithmetic(t *testing.T) {
	archive, err := exec.Command("go", "list", "-export", "-f", "{{.Export}}", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	code, err := exec.Command("go", "tool", "objdump", strings.TrimSpace(string(archive))).Output()
	if err != nil {
		t.Fatalf("go tool objdump: %v", err)
	}
	name, dirty, found := "", false, 0
	vector, scalar := regexp.MustCompile(`\tV\w+ .*\bY\d+`), regexp.MustCompile(`\t(ADD|SUB|MUL|DIV)S[SD] `)
	for _, line := range strings.Split(string(code), "\n") {
		switch {
		case strings.HasPrefix(line, "TEXT "):
			name, dirty = strings.Fields(line)[1], false
		case strings.Contains(line, "VZEROUPPER"):
			dirty = false
			found++
		case vector.MatchString(line):
			dirty = true
		case dirty && scalar.MatchString(line):
			t.Errorf("%s: %s", name, strings.TrimSpace(line))
		}
	}
	if found == 0 {
		t.Error("nothing clears the upper halves: is the instruction called otherwise?")
	}
}
