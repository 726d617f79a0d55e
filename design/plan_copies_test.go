package design

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/migrate"
	"sortkey.dev/design/internal/model"
)

// layoutOf returns a design with the tables of one of its alternatives.
func layoutOf(t *testing.T, d *Design, name string) *model.Design {
	t.Helper()
	m, err := d.loaded()
	if err != nil {
		t.Fatal(err)
	}
	a, err := alternative(m, name)
	if err != nil {
		t.Fatal(err)
	}
	if a != nil {
		m = m.WithTables(a)
	}
	return m
}

// TestPlansOfCopies plans moves of the events of HomeOps. A copy is a put of 1 KB with two entries of indexes, and the original a delete of as many; tables are
// read at one unit for 4 KB.
func TestPlansOfCopies(t *testing.T) {
	now, apart := homeops(t), homeops(t, eventsApart...)
	group := homeops(t, "Event:\n        PK: \"CHAT#{chatId}\"", "Event:\n        PK: \"GROUP#{chatId}\"")
	const all, events = 5051, 2930 // units to read the shared table, and one of events alone
	for name, c := range map[string]struct {
		before, after Version
		from, to      string
		steps         []string
		reads         [3]int // of fill, verify and clean
	}{
		"into a table of their own": {now, apart, "homeops", "homeops-events", []string{"expand", "deploy", "fence", "prepare", "write", "fill", "verify", "read", "after", "clean"}, [3]int{all, all + events, all}},
		"and back":                  {apart, now, "homeops-events", "homeops", []string{"deploy", "fence", "prepare", "write", "fill", "verify", "read", "after", "snapshot", "contract", "clean"}, [3]int{events, all + events, events}},
		"to other keys":             {now, group, "homeops", "homeops", []string{"deploy", "fence", "prepare", "write", "fill", "verify", "read", "after", "clean"}, [3]int{all, all + events, all}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := newPlan("events", layoutOf(t, c.before.Design, ""), layoutOf(t, c.after.Design, ""), 1, migrate.Settings{}, migrate.Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Parts) != 1 || p.Parts[0].Name != "Event" || p.Parts[0].Table != c.from || p.Parts[0].To != c.to {
				t.Errorf("parts %+v", p.Parts)
			}
			var steps []string
			for _, s := range p.Steps {
				steps = append(steps, s.Step)
				i := slices.Index([]string{"fill", "verify", "clean"}, s.Step)
				if i < 0 {
					continue
				}
				writes := 24000 * 3
				if s.Step == "verify" {
					writes = 0
				}
				if got, want := s.Items.Fixed(0)+" "+s.Reads.Fixed(0)+" "+s.Writes.Fixed(0), fmt.Sprint(24000, " ", c.reads[i], " ", writes); got != want {
					t.Errorf("%s: items, reads and writes are %s, want %s", s.Step, got, want)
				}
			}
			if !slices.Equal(steps, c.steps) {
				t.Errorf("steps %q, want %q", steps, c.steps)
			}
		})
	}
}

// TestPlanFromManyTablesToOne: of the 25 entities of ExamBuddy only those with unique values do not move yet.
func TestPlanFromManyTablesToOne(t *testing.T) {
	path := "../apps/exambuddy/exambuddy.design.yaml"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := Parse(path, text)
	_, err = newPlan("single", layoutOf(t, d, "multi-table"), layoutOf(t, d, ""), 1, migrate.Settings{}, migrate.Options{}, nil)
	refused, is := errors.AsType[*migrate.RefusedError](err)
	if !is {
		t.Fatal(err)
	}
	for _, c := range refused.Changes {
		if c.Code != "E063" && !strings.Contains(c.Message, "unique") {
			t.Errorf("%s %s: %s", c.Code, c.Subject, c.Message)
		}
	}
}
