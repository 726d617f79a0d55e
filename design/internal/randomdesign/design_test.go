package randomdesign

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"sortkey.dev/design"
	"sortkey.dev/internal/effort"
	"sortkey.dev/internal/modtest"
)

// seeds is the number of designs the tests run through the pipeline. TestSoak runs thousands.
var seeds = effort.Rounds(16)

// TestRandomDesignsPassThePipeline runs designs through all stages. It first removes the
// patterns the checker rejects, and checks that enough designs are left.
func TestRandomDesignsPassThePipeline(t *testing.T) {
	packages := map[string][]design.GeneratedFile{}
	passed := 0
	for seed := range uint64(seeds) {
		root := admitted(tree(seed))
		if root == nil {
			continue
		}
		passed++
		for _, s := range stages {
			if f := walkOnly(s, root.text()); f != nil {
				small := minimised(root, s, f.classes()[0], time.Now().Add(30*time.Second))
				t.Errorf("seed %d: %s: %s\nthe smallest design that fails so:\n%s", seed, f.stage, f.detail, small.text())
			}
		}
		pkg := fmt.Sprintf("random%ddb", seed)
		if files, err := generated(design.Parse("random.design.yaml", root.text()), pkg); err == nil {
			packages[pkg] = files
		}
	}
	if passed < seeds/3 {
		t.Errorf("the checker admits %d of %d designs; a third is the least that tests anything", passed, seeds)
	}
	vet(t, packages)
}

// TestSeedDeterminesDesign generates every design twice.
func TestSeedDeterminesDesign(t *testing.T) {
	for seed := range uint64(100) {
		if !bytes.Equal(Design(seed), Design(seed)) {
			t.Errorf("seed %d gives two texts", seed)
		}
	}
}

// TestRandomDesignsCoverTheFormat checks that the designs use every part of the format.
func TestRandomDesignsCoverTheFormat(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(400) {
		if root := admitted(tree(seed)); root != nil {
			all.Write(root.text())
		}
	}
	for _, part := range []string{
		"|pad ", "|lower", "|upper", "|year", "|date", "|month", "|hour", "|prefix ", "|shard ", "when:", "local: true", "project: keys", "project: all", "guards:",
		"unique:", "version: version", "ttl: ", "encrypt:", "count: ", "sum: ", "min: ", "max: ", "shards: ", "lifecycle:", "get: ", "list: ", "collect: ", "snapshot:", "as: ",
		"create: ", "put: ", "update: ", "upsert: ", "initial:", "delete: ", "transact:", "check: ", "each: ", "requires:", "exists: false", "consume: true", "change:", "filter:", "order: ", "select:",
		"limit: ", "fanout:", "between $from and $to", "consistent: true", "between $", "lt ", "lte ", "gt ", "gte ", "begins_with ", "in $", "in (", "add:", "remove:", "patch:", "part_", "[$key", ": all", "append:", "more_", "max: 7", "if: ", " != ",
		"list<", "set<", "map<", "bytes", "decimal", "json", "geohash", "week", "uuidv7",
	} {
		if !strings.Contains(all.String(), part) {
			t.Errorf("none of the designs that are admitted holds %q", part)
		}
	}
}

// vet runs go vet on all generated packages in one call.
func vet(t *testing.T, packages map[string][]design.GeneratedFile) {
	t.Helper()
	m := modtest.New(t, "../../..")
	for pkg, files := range packages {
		for _, f := range files {
			m.Write(t, pkg+"/"+f.Name, f.Text)
		}
	}
	if out, err := m.Go(m.Dir, "vet", "./...").CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}
