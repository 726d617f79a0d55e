package verify_test

import (
	"strings"
	"testing"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
)

// neighbourDesign has entities in one partition whose keys have the same literals: a ULID beside a
// padded number, and a date beside a number that may be as wide.
const neighbourDesign = `
design: Depots
entities:
  Driver: { id: [depot, driver_id], attributes: { depot: string, driver_id: ulid, name: string }, per: { depot: 6 }, count: 30 }
  Temp: { id: [depot, number], attributes: { depot: string, number: int, agency: string }, per: { depot: 6 }, count: 30 }
  Day: { id: [depot, day], attributes: { depot: string, day: date, note: string }, per: { depot: 6 }, count: 30 }
  Entry: { id: [depot, entry], attributes: { depot: string, entry: int, note: string }, per: { depot: 6 }, count: 30 }
tables:
  depots:
    pk: PK
    sk: SK
    items:
      Driver: { PK: "CREW#{depot}", SK: "CREW#{driver_id}" }
      Temp: { PK: "CREW#{depot}", SK: "CREW#{number|pad 4}" }
      Day: { PK: "LOG#{depot}", SK: "LOG#{day}" }
      Entry: { PK: "LOG#{depot}", SK: "LOG#{entry}" }
patterns:
  AddDriver: { create: Driver, rate: 10/day }
  AddTemp: { create: Temp, rate: 10/day }
  LoadCrew: { collect: [Driver, Temp], where: { depot: $ }, rate: 10/day }
  LoadLog: { collect: [Day, Entry], where: { depot: $ }, rate: 10/day }
`

// TestNeighboursAreToldApart runs entities whose keys differ only by the characters of their values,
// in both orders of the table.
func TestNeighboursAreToldApart(t *testing.T) {
	lines := strings.SplitAfter(neighbourDesign, "\n")
	for i, line := range strings.SplitAfter(neighbourDesign, "\n") {
		if strings.Contains(line, "Driver: { PK") || strings.Contains(line, "Day: { PK") {
			lines[i], lines[i+1] = lines[i+1], lines[i]
		}
	}
	for name, text := range map[string]string{"as written": neighbourDesign, "swapped": strings.Join(lines, "")} {
		t.Run(name, func(t *testing.T) {
			report := run(t, layoutFrom(t, []loader.Source{{Name: "depots.design.yaml", Text: []byte(text)}}), verify.Options{Seed: 1})
			for _, p := range report.Patterns {
				for _, d := range p.Differences {
					t.Errorf("%s: %s: %s: %s", p.Name, d.Kind, d.Arguments, d.Detail)
				}
				if p.Found == 0 {
					t.Errorf("%s: none of %d calls found something or succeeded", p.Name, p.Calls)
				}
			}
			for _, d := range report.Leftover {
				t.Errorf("afterwards: %s: %s", d.Kind, d.Detail)
			}
		})
	}
}
