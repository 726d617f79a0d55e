package randomdesign

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sortkey.dev/design"
	"sortkey.dev/internal/effort"
)

// seeds is how many designs the tests send down the road. TestHunt takes thousands.
var seeds = effort.Rounds(16)

// TestDesignsArrive sends designs down the whole road. What the checker refuses of them is
// left out first, and enough of them must be left.
func TestDesignsArrive(t *testing.T) {
	packages := map[string][]design.GeneratedFile{}
	arrived := 0
	for seed := range uint64(seeds) {
		root := admitted(tree(seed))
		if root == nil {
			continue
		}
		arrived++
		for _, s := range stages {
			if f := walkOnly(s, root.text()); f != nil {
				small := minimised(root, s, f.classes()[0], time.Now().Add(30*time.Second))
				t.Errorf("seed %d: %s: %s\nthe smallest design that fails so:\n%s", seed, f.stage, f.detail, small.text())
			}
		}
		pkg := fmt.Sprintf("road%ddb", seed)
		if files, err := generated(design.Parse("road.design.yaml", root.text()), pkg); err == nil {
			packages[pkg] = files
		}
	}
	if arrived < seeds/3 {
		t.Errorf("the checker admits %d of %d designs; a third is the least that tests anything", arrived, seeds)
	}
	vet(t, packages)
}

// TestSameDesignForASeed makes every design twice.
func TestSameDesignForASeed(t *testing.T) {
	for seed := range uint64(100) {
		if !bytes.Equal(Design(seed), Design(seed)) {
			t.Errorf("seed %d gives two texts", seed)
		}
	}
}

// TestDesignsHoldEverything looks for every part of the format that is to be tried.
func TestDesignsHoldEverything(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(400) {
		if root := admitted(tree(seed)); root != nil {
			all.Write(root.text())
		}
	}
	for _, part := range []string{
		"|pad ", "|lower", "|upper", "|date", "|month", "|hour", "|prefix ", "|shard ", "when:", "local: true", "project: keys", "project: all", "guards:",
		"unique:", "version: version", "ttl: ", "encrypt:", "count: ", "sum: ", "min: ", "max: ", "shards: ", "lifecycle:", "get: ", "list: ", "collect: ",
		"create: ", "put: ", "update: ", "delete: ", "transact:", "check: ", "each: ", "requires:", "exists: false", "consume: true", "change:", "filter:", "order: ", "select:",
		"limit: ", "fanout:", "consistent: true", "between $", "lt ", "lte ", "gt ", "gte ", "begins_with ", "in $", "in (", "add:", "remove:", "if: ", " != ",
		"list<", "set<", "map<", "bytes", "decimal", "json", "geohash", "week", "uuidv7",
	} {
		if !strings.Contains(all.String(), part) {
			t.Errorf("none of the designs that are admitted holds %q", part)
		}
	}
}

// vet lets the Go command judge all generated packages in one call.
func vet(t *testing.T, packages map[string][]design.GeneratedFile) {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module sortkey.dev\n", "module "+generatedModule+"\n", 1) +
		"\nrequire sortkey.dev v0.0.0\n\nreplace sortkey.dev => " + root + "\n"
	write(t, filepath.Join(dir, "go.mod"), []byte(text))
	write(t, filepath.Join(dir, "go.sum"), sum)
	for pkg, files := range packages {
		for _, f := range files {
			write(t, filepath.Join(dir, pkg, filepath.FromSlash(f.Name)), f.Text)
		}
	}
	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
