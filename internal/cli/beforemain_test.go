package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// maxBeforeMain is the memory that all packages of this module together may allocate before main.
// What a command needs is parsed and compiled when the command needs it: see sync.OnceValue and
// package lazyregexp.
const maxBeforeMain = 1 << 20

func TestPackagesDoLittleBeforeMain(t *testing.T) {
	version := exec.Command("sortkey", "version") // TestMain puts it in the PATH
	version.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	version.Stderr = &trace
	if err := version.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &trace)
	}
	type work struct {
		path          string
		bytes, allocs int
	}
	var all []work
	sum := 0
	for lines := bufio.NewScanner(&trace); lines.Scan(); {
		var w work
		var at, clock float64
		if n, _ := fmt.Sscanf(lines.Text(), "init %s @%f ms, %f ms clock, %d bytes, %d allocs", &w.path, &at, &clock, &w.bytes, &w.allocs); n == 5 && strings.HasPrefix(w.path, "sortkey.dev/") {
			all = append(all, w)
			sum += w.bytes
		}
	}
	if len(all) < 10 {
		t.Fatalf("only %d packages of this module are in the trace", len(all))
	}
	slices.SortFunc(all, func(a, b work) int { return cmp.Compare(b.bytes, a.bytes) })
	if sum > maxBeforeMain {
		t.Errorf("the packages of this module allocate %d bytes before main, more than %d; the most: %+v", sum, maxBeforeMain, all[:5])
	}
	t.Logf("%d bytes before main, the most in %s", sum, all[0].path)
}
