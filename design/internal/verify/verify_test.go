package verify_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

// TestSystemsHaveNoDifferences runs every pattern of the four systems.
func TestSystemsHaveNoDifferences(t *testing.T) {
	for _, name := range []string{"askahuman", "ecobid", "exambuddy", "homeops"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := run(t, layoutOf(t, filepath.Join("../../../apps", name, name+".design.yaml")), verify.Options{Seed: 1})
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

// TestRunIgnoresCapacityAndEncryption runs a table with a customer managed key and with capacity
// that would throttle the run.
func TestRunIgnoresCapacityAndEncryption(t *testing.T) {
	const notes = `
design: Notes
entities:
  Note: { id: note_id, attributes: { note_id: ulid, text: string } }
tables:
  notes: { pk: note_id, encryption: customer, billing: { mode: provisioned, rcu: 1, wcu: 1 }, items: [Note] }
patterns:
  AddNote: { create: Note, rate: 10/day }
  GetNote: { get: Note, where: { note_id: $ }, rate: 10/day }
`
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	l := layoutFrom(t, []loader.Source{{Name: "notes.design.yaml", Text: []byte(notes)}})
	report, err := verify.Run(t.Context(), l, db.API(), verify.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Patterns {
		if len(p.Differences) > 0 || p.Found == 0 {
			t.Errorf("%s: found %d, %v", p.Name, p.Found, p.Differences)
		}
	}
	made, err := db.API().DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("notes")})
	if err != nil {
		t.Fatal(err)
	}
	if mode := made.Table.BillingModeSummary; mode == nil || mode.BillingMode != types.BillingModePayPerRequest {
		t.Errorf("the billing mode of the table is %+v", mode)
	}
}

// TestReadsByEmptySets reads by a set that some items lack.
func TestReadsByEmptySets(t *testing.T) {
	l := layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(setDesign)}})
	for seed := range uint64(3) {
		for _, p := range run(t, l, verify.Options{Seed: seed, Runs: 40}).Patterns {
			for _, d := range p.Differences {
				t.Errorf("seed %d: %s: %s: %s: %s", seed, p.Name, d.Kind, d.Arguments, d.Detail)
			}
			if p.Found == 0 {
				t.Errorf("seed %d: %s: none of %d calls found something or succeeded", seed, p.Name, p.Calls)
			}
		}
	}
}

// TestRunIsReproducible runs a design twice with the same seed.
func TestRunIsReproducible(t *testing.T) {
	l := layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(keyDesign)}})
	o := verify.Options{Seed: 5, Runs: 8}
	if diff := cmp.Diff(run(t, l, o), run(t, l, o)); diff != "" {
		t.Errorf("two runs with one seed differ:\n%s", diff)
	}
}

func run(t *testing.T, l *resolve.Layout, o verify.Options) *verify.Report {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	report, err := verify.Run(context.Background(), l, db.API(), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func layoutOf(t *testing.T, path string) *resolve.Layout {
	t.Helper()
	sources, err := loader.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return layoutFrom(t, sources)
}

func layoutFrom(t *testing.T, sources []loader.Source) *resolve.Layout {
	t.Helper()
	var report diag.Report
	d := loader.Load(sources, &report)
	if d == nil || report.Failed() {
		t.Fatalf("loading the design: %v", report.Findings())
	}
	return resolve.New(d)
}
