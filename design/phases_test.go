package design

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"
)

// forLater holds the findings of states and index entries that a later phase uses: items that are
// written from the beginning need no backfill then.
var forLater = map[string]bool{"I401": true, "T606": true}

// TestPhasesOfHomeOpsAreDesigns removes everything of later phases from the design of HomeOps:
// what remains is a design without findings from which a package is generated. The first phase
// needs the table of messages only, and each phase uses no entity of a later one.
func TestPhasesOfHomeOpsAreDesigns(t *testing.T) {
	text, err := os.ReadFile("../apps/homeops/homeops.design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	tables := []int{1, 2, 2, 2, 2, 2}
	entities := 0
	for n := 1; n <= 6; n++ {
		t.Run(fmt.Sprint("phase", n), func(t *testing.T) {
			slice := upToPhase(t, text, n)
			if got := len(slice["tables"].(map[string]any)); got != tables[n-1] {
				t.Errorf("%d tables, want %d", got, tables[n-1])
			}
			if got := len(slice["entities"].(map[string]any)); got <= entities {
				t.Errorf("%d entities, not more than before", got)
			} else {
				entities = got
			}
			cut, err := yaml.Marshal(slice)
			if err != nil {
				t.Fatal(err)
			}
			d := Parse("homeops.design.yaml", cut)
			findings, err := Check([]*Design{d}, CheckOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range findings.Findings.Findings {
				if f.Accepted == "" && !forLater[string(f.Code)] {
					t.Errorf("%s: %s", f.Code, f.Message)
				}
			}
			if _, err := d.Generate(GenerateOptions{Package: "homeopsdb", ImportPath: "example.com/homeopsdb"}); err != nil {
				t.Error(err)
			}
		})
	}
}

// upToPhase returns a design without the parts that are tagged with a later phase only.
func upToPhase(t *testing.T, text []byte, n int) map[string]any {
	t.Helper()
	var d map[string]any
	if err := yaml.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"alternatives", "roles", "expect", "profiles", "uses"} {
		delete(d, name)
	}
	later := func(part any) bool {
		tags, _ := part.(map[string]any)["tags"].([]any)
		return len(tags) > 0 && !slices.ContainsFunc(tags, func(tag any) bool {
			var phase int
			_, err := fmt.Sscanf(tag.(string), "phase%d", &phase)
			return err == nil && phase <= n
		})
	}
	dropLater := func(parts map[string]any) (dropped []string) {
		for name, part := range parts {
			if later(part) {
				delete(parts, name)
				dropped = append(dropped, name)
			}
		}
		return dropped
	}
	dropped := dropLater(d["entities"].(map[string]any))
	dropLater(d["patterns"].(map[string]any))
	tables := d["tables"].(map[string]any)
	for name, table := range tables {
		table := table.(map[string]any)
		indexes, _ := table["indexes"].(map[string]any)
		gone := dropLater(indexes)
		items, ok := table["items"].(map[string]any)
		if !ok {
			continue // a list of entities with native keys
		}
		for _, entity := range dropped {
			delete(items, entity)
		}
		for _, item := range items {
			for _, index := range gone {
				delete(item.(map[string]any), index+"PK")
				delete(item.(map[string]any), index+"SK")
			}
		}
		if len(items) == 0 {
			delete(tables, name)
		}
	}
	if n == 1 { // nothing is accepted in a table of native keys
		delete(d, "accept")
	}
	return d
}
