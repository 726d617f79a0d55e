package verify_test

import (
	"path/filepath"
	"testing"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify"
)

// TestWritesOfTheSystems calls every write of the four systems: each must succeed sometimes, and
// be refused sometimes if it has conditions.
func TestWritesOfTheSystems(t *testing.T) {
	for _, name := range []string{"askahuman", "ecobid", "exambuddy", "homeops"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkWrites(t, layoutOf(t, filepath.Join("../../../apps", name, name+".design.yaml")), 7, 12)
		})
	}
}

// TestWritesOfSmallDesigns runs designs with one feature of writes each.
func TestWritesOfSmallDesigns(t *testing.T) {
	for name, text := range map[string]string{
		"unique values": uniqueDesign, "counters": counterDesign, "requirements": requireDesign, "index keys": keyDesign,
		"moves": moveDesign, "versions": versionDesign, "steps": stepDesign, "bounded sums": boundedDesign, "sets": setDesign,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(3) {
				checkWrites(t, layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(text)}}), seed, 40)
			}
		})
	}
}

// TestSpoiledCallsTouchAnItemOnce runs calls that random faults could make move an item to where
// it is: DynamoDB refuses such a call whatever the pattern says.
func TestSpoiledCallsTouchAnItemOnce(t *testing.T) {
	for _, seed := range []uint64{115, 117, 119} {
		checkWrites(t, layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(moveDesign)}}), seed, 40)
	}
}

func checkWrites(t *testing.T, l *resolve.Layout, seed uint64, runs int) {
	t.Helper()
	var writes []string
	for _, p := range l.Design().Patterns {
		if !p.Verb.Reads() {
			writes = append(writes, p.Name)
		}
	}
	report := run(t, l, verify.Options{Seed: seed, Runs: runs, Only: writes})
	for _, p := range report.Patterns {
		for _, d := range p.Differences {
			t.Errorf("seed %d: %s: %s: %s: %s", seed, p.Name, d.Kind, d.Arguments, d.Detail)
		}
		if p.Found < 3 {
			t.Errorf("seed %d: %s: only %d of %d calls succeeded", seed, p.Name, p.Found, p.Calls)
		}
		if p.Refused == 0 && canBeRefused(l, p.Name) {
			t.Errorf("seed %d: %s: none of %d calls was refused", seed, p.Name, p.Calls)
		}
	}
	for _, d := range report.Leftover {
		t.Errorf("seed %d: afterwards: %s: %s", seed, d.Kind, d.Detail)
	}
}

// canBeRefused reports whether any action of a pattern has a condition.
func canBeRefused(l *resolve.Layout, name string) bool {
	for _, plan := range l.Plans() {
		if plan.Pattern.Name != name {
			continue
		}
		for _, w := range plan.Writes {
			if len(w.Statement.Condition) > 0 {
				return true
			}
		}
	}
	return false
}
