package design

import (
	"os"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
)

// homeops returns the design of HomeOps with texts replaced.
func homeops(t *testing.T, replace ...string) Version {
	t.Helper()
	path := "../apps/homeops/homeops.design.yaml"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	after := string(text)
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(after, replace[i]) {
			t.Fatalf("the design has no %q", replace[i])
		}
		after = strings.Replace(after, replace[i], replace[i+1], 1)
	}
	return Version{Name: "homeops.design.yaml", Design: Parse(path, []byte(after))}
}

// ofClass returns the changes that are not compatible, and not about permissions, as codes with their subjects.
func ofClass(t *testing.T, before, after Version) []string {
	t.Helper()
	changes, err := Diff(t.Context(), before, after, DiffOptions{})
	if err != nil {
		t.Fatal(failure(err))
	}
	var all []string
	for _, c := range changes.Changes.Changes {
		if text := string(c.Code) + " " + string(c.Class) + " " + c.Subject; c.Class != diag.Compatible && c.Code != "E072" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// eventsApart are the changes that give events a table of their own.
var eventsApart = []string{`      Event:
        PK: "CHAT#{chatId}"
        SK: "EVENT#{occurredAt}#{eventId}"
        GSI1PK: "USER#{userId}"
        GSI1SK: "EVENT#{occurredAt}#{eventId}" # FIX Event.GSI1SK: with the id, so that the order is total
        # who did X last
        GSI2PK: "DONE#{chatId}#{activity}"
        GSI2SK: "EVENT#{occurredAt}#{eventId}"
`, "", "# ── 3. HOW IT IS ASKED", `  homeops-events:
    pk: PK
    sk: SK
    type: type
    ttl: expiresAt
    indexes:
      GSI1: { pk: GSI1PK, sk: GSI1SK, project: all }
      GSI2: { pk: GSI2PK, sk: GSI2SK, project: all }
    items:
      Event:
        PK: "CHAT#{chatId}"
        SK: "EVENT#{occurredAt}#{eventId}"
        GSI1PK: "USER#{userId}"
        GSI1SK: "EVENT#{occurredAt}#{eventId}"
        GSI2PK: "DONE#{chatId}#{activity}"
        GSI2SK: "EVENT#{occurredAt}#{eventId}"
# ── 3. HOW IT IS ASKED`}

// TestKeysOfHomeOps compares versions of HomeOps with other keys and tables.
func TestKeysOfHomeOps(t *testing.T) {
	now, apart := homeops(t), homeops(t, eventsApart...)
	done := `"DONE#{chatId}#{activity}"`
	for name, c := range map[string]struct {
		before, after Version
		want          []string
	}{
		"events into a table of their own": {now, apart, []string{"E042 dual entity Event"}},
		"and back":                         {apart, now, []string{"E042 dual entity Event", "E045 ordered table homeops-events"}},
		"other keys in an index":           {now, homeops(t, done, `"DID#{chatId}#{activity}"`), []string{"E023 breaking entity Event"}},
		"other keys in another index": {now, homeops(t, "      GSI2:\n", "      GSI3: { pk: GSI3PK, sk: GSI3SK, tags: [phase2] }\n      GSI2:\n", done, done+"\n        GSI3PK: \"DID#{activity}#{chatId}\"\n        GSI3SK: \"EVENT#{occurredAt}#{eventId}\""),
			[]string{"E022 dual entity Event"}},
		"the chat is called a group": {now, homeops(t, "Event:\n        PK: \"CHAT#{chatId}\"", "Event:\n        PK: \"GROUP#{chatId}\""), []string{"E021 dual entity Event"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := ofClass(t, c.before, c.after); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestNoPlanSplitsACollection: a member in a table of its own is not collected with promises and habits.
func TestNoPlanSplitsACollection(t *testing.T) {
	member := `      Member:
        PK: "HOUSEHOLD#{householdId}"
        SK: "MEMBER#{userId|pad 12}"
        GSI1PK: "USER#{userId}"
        GSI1SK: "MEMBER#{householdId}"
        GSI2PK: { value: "PLAN#{householdId}", when: status = active }
        GSI2SK: { value: "MEMBER#{userId|pad 12}", when: status = active }
`
	v := homeops(t, member, "", "# ── 3. HOW IT IS ASKED", "  homeops-members:\n    pk: PK\n    sk: SK\n    indexes:\n      GSI1: { pk: GSI1PK, sk: GSI1SK }\n      GSI2: { pk: GSI2PK, sk: GSI2SK }\n    items:\n"+member+"# ── 3. HOW IT IS ASKED")
	_, err := v.Design.Plan(PlanOptions{Name: "members"})
	if text := failure(err); !strings.Contains(text, "C301") || !strings.Contains(text, "LoadPlannerInput") {
		t.Errorf("got %s", text)
	}
}

// TestLayoutsOfSystemsTogether compares the chosen layout of each system with the others, and back. No limit breaks
// while both are in use: what both versions break or accept is no change.
func TestLayoutsOfSystemsTogether(t *testing.T) {
	for _, path := range []string{"../apps/askahuman/askahuman.design.yaml", "../apps/ecobid/ecobid.design.yaml", "../apps/exambuddy/exambuddy.design.yaml", "../apps/homeops/homeops.design.yaml"} {
		chosen := open(t, path)
		if _, err := chosen.loaded(); err != nil {
			t.Fatal(err)
		}
		for _, a := range chosen.model.Alternatives {
			now, other := Version{Name: "chosen", Design: chosen}, Version{Name: a.Name, Design: chosen, Alternative: a.Name}
			for _, pair := range [][2]Version{{now, other}, {other, now}} {
				for _, text := range ofClass(t, pair[0], pair[1]) {
					if strings.HasPrefix(text, "E073") {
						t.Errorf("%s from %s to %s: %s", path, pair[0].Name, pair[1].Name, text)
					}
				}
			}
		}
	}
}
