package randomdesign

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestSoak looks for failures in thousands of designs. It runs only if SOAK_DIR is set, to
// the folder for the smallest design of each kind of failure; SOAK_SEEDS is the range of
// seeds as first-last.
func TestSoak(t *testing.T) {
	folder := os.Getenv("SOAK_DIR")
	if folder == "" {
		return
	}
	firstText, lastText, _ := strings.Cut(os.Getenv("SOAK_SEEDS"), "-")
	first, err := strconv.ParseUint(firstText, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	last, err := strconv.ParseUint(lastText, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	passed := 0
	for seed := first; seed < last; seed++ {
		root := admitted(tree(seed))
		if root == nil {
			continue
		}
		passed++
		for _, s := range stages {
			if only := os.Getenv("SOAK_STAGES"); only != "" && !strings.Contains(only, s.name) {
				continue
			}
			f := walkOnly(s, root.text())
			if f == nil {
				continue
			}
			for _, class := range f.classes() {
				if seen[class]++; seen[class] == 1 {
					keep(t, folder, seed, root, s, class, len(seen))
				}
			}
		}
	}
	fmt.Printf("%d of %d designs were admitted\n", passed, last-first)
	for class, n := range seen {
		fmt.Println(n, class)
	}
}

// keep writes the smallest design of a kind of failure.
func keep(t *testing.T, folder string, seed uint64, root *node, s stage, class string, number int) {
	t.Helper()
	small := minimised(root, s, class, time.Now().Add(20*time.Second))
	detail := "it does not fail again"
	if f := walkOnly(s, small.text()); f != nil {
		detail = f.detail
	}
	name := filepath.Join(folder, fmt.Sprintf("%s-%d-%d.yaml", s.name, seed, number))
	text := fmt.Sprintf("# %s\n# %s\n%s", class, strings.ReplaceAll(detail, "\n", "\n# "), small.text())
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	fmt.Println(name, class)
}
