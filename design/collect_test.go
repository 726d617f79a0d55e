package design

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestACollectHasNoOrderThatAnEntityLacks runs the commands that plan reads on a collect in an
// order that only one of its entities can have: each reports it, in either order of the list,
// whether the other key has a part of the same type or of another.
func TestACollectHasNoOrderThatAnEntityLacks(t *testing.T) {
	const crew = `design: Crew
entities:
  Job: { id: [team, job_id], attributes: { team: ulid, job_id: ulid, place: string } }
  Event: { id: [team, event_id], attributes: { team: ulid, event_id: { type: ulid, time: at }, at: timestamp } }
tables:
  crew:
    pk: PK
    sk: SK
    type: kind
    items:
      Job: { PK: "TEAM#{team}", SK: "LOG#{job_id}" }
      Event: { PK: "TEAM#{team}", SK: "LOG#{event_id}" }
patterns:
  Log: { collect: [Job, Event], where: { team: $ }, order: at desc, limit: 20, rate: 100/day }
`
	for _, list := range []string{"[Job, Event]", "[Event, Job]"} {
		for _, id := range []string{"ulid", "uuid", "string"} {
			t.Run(list+" "+id, func(t *testing.T) {
				text := strings.NewReplacer("[Job, Event]", list, "job_id: ulid", "job_id: "+id).Replace(crew)
				if got := codes(t, text); !strings.Contains(got, "O201") {
					t.Errorf("check finds %q, not O201", got)
				}
				d := Parse("crew.design.yaml", []byte(text))
				if _, err := d.Cost(Workload{}); err != nil {
					t.Errorf("cost: %v", err)
				}
				if err := d.Report(io.Discard, ReportOptions{Format: "md"}); err != nil {
					t.Errorf("report: %v", err)
				}
				var broken *BrokenError
				if _, err := d.Generate(GenerateOptions{Package: "crewdb", ImportPath: "example.com/crewdb"}); !errors.As(err, &broken) {
					t.Errorf("generate: %v, not the finding", err)
				}
			})
		}
	}
}
