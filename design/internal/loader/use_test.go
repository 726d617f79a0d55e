package loader_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
)

// usedDesign is a design that the designs of the tests use.
const usedDesign = `
design: Platform
types: { Place: { street: string } }
entities:
  Job: { id: job_id, attributes: { job_id: ulid, at: Place }, growth: 100/day, keep: 7d }
  Person: { id: person_id, label: P, attributes: { person_id: ulid }, count: 10 }
tables:
  jobs: { pk: job_id, type: kind, items: [Job] }
  people: { pk: person_id, items: [Person] }
patterns:
  QueueJob: { create: Job, rate: 10/s, peak: 40/s, expect: { units: 1 } }
  GetJob: { get: Job, where: { job_id: $ }, rate: 10/s, peak: 40/s }
  GetPerson: { get: Person, where: { person_id: $ }, rate: 10/s }
profiles: { large: { scale: 10 } }
roles:
  server: { patterns: [QueueJob] }
  operator: { patterns: [GetJob], bind: { person_id: sub } }
`

// userDesign is a design without the block uses.
const userDesign = `
design: Shop
entities:
  Order: { id: order_id, attributes: { order_id: ulid } }
tables:
  orders: { pk: order_id, items: [Order] }
patterns:
  GetOrder: { get: Order, where: { order_id: $ }, rate: 1/s }
alternatives: { apart: { tables: { other: { pk: order_id, items: [Order] } } } }
roles:
  web: { patterns: all }
  operator: { patterns: all, bind: { order_id: sub } }
`

// loadUsing loads the user's design with more text beside the used one.
func loadUsing(t *testing.T, more string) (*model.Design, []diag.Finding) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "platform.design.yaml"), []byte(usedDesign), 0o644); err != nil {
		t.Fatal(err)
	}
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: filepath.Join(dir, "shop.design.yaml"), Text: []byte(userDesign + more)}}, &report)
	return d, report.Findings()
}

func TestUsedDesignHasQualifiedNamesAndTheWorkloadOfItsUser(t *testing.T) {
	d, findings := loadUsing(t, `
uses:
  platform:
    file: platform.design.yaml
    tables: shop-
    scale: 2
    rates: { GetJob: 5/s }
    peaks: { GetPerson: 7/s }
    counts: { Job: 3 }
profiles: { sale: { rates: { platform.GetJob: 9/s }, counts: { platform.Person: 8 } } }
`)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	whole := d.Whole()
	job, person := whole.Entity("platform.Job"), whole.Entity("platform.Person")
	if job == nil || person == nil || job.TypeName() != "Job" || person.TypeName() != "P" || job.LocalName() != "Job" {
		t.Fatal("entities are not qualified, or their items hold other labels")
	}
	if got := job.Volume.Count.String(); got != "3" {
		t.Errorf("Job has %s items", got)
	}
	if got := person.Volume.Count.String(); got != "20" {
		t.Errorf("Person has %s items", got)
	}
	for name, want := range map[string][2]string{
		"platform.QueueJob":  {"20", "80"}, // scaled
		"platform.GetJob":    {"5", "20"},  // set; the peak in proportion
		"platform.GetPerson": {"20", "7"},
		"GetOrder":           {"1", ""},
	} {
		p, peak := whole.Pattern(name), ""
		if p.Peak != nil {
			peak = p.Peak.PerSecond().String()
		}
		if rate := p.Rate.PerSecond().String(); rate != want[0] || peak != want[1] || len(p.Claims) > 0 {
			t.Errorf("%s: rate %s, peak %s, claims %v; want %v and no claims", name, rate, peak, p.Claims, want)
		}
	}
	tables := func(d *model.Design) string {
		var names []string
		for _, table := range d.Tables {
			names = append(names, table.Name)
		}
		return strings.Join(names, " ")
	}
	if got := tables(whole); got != "orders shop-jobs shop-people" {
		t.Errorf("tables: %s", got)
	}
	if got := tables(whole.WithTables(whole.Alternatives[0])); got != "other shop-jobs shop-people" {
		t.Errorf("tables of the alternative: %s", got)
	}
	if got := tables(d); got != "orders" || len(d.Patterns) != 1 {
		t.Errorf("the design alone has tables %s", got)
	}
	sale := whole.Profile("sale")
	if sale == nil || len(whole.Profiles) != 1 || len(sale.Rates) != 1 || len(sale.Counts) != 1 {
		t.Errorf("profiles: %+v", sale)
	}
}

func TestRolesOfAUsedDesign(t *testing.T) {
	for _, test := range []struct{ roles, want string }{
		{"", "web: GetOrder | operator order_id person_id: GetOrder platform.GetJob | server: platform.QueueJob"},
		{"roles: { server: [web, operator] }", "web: GetOrder platform.QueueJob | operator order_id person_id: GetOrder platform.QueueJob platform.GetJob"},
		{"roles: { server: web, operator: web }", "web person_id: GetOrder platform.QueueJob platform.GetJob | operator order_id: GetOrder"},
	} {
		d, findings := loadUsing(t, "uses:\n  platform:\n    file: platform.design.yaml\n    "+test.roles+"\n")
		if len(findings) > 0 {
			t.Fatal(findings)
		}
		var all []string
		for _, role := range d.Whole().Roles {
			text := role.Name
			for _, b := range role.Bind {
				text += " " + b.Attribute
			}
			text += ":"
			for _, p := range role.Patterns {
				text += " " + p.Name
			}
			all = append(all, text)
		}
		if got := strings.Join(all, " | "); got != test.want {
			t.Errorf("%s: %s, want %s", test.roles, got, test.want)
		}
		if len(d.Roles[0].Patterns) != 1 {
			t.Error("the roles of the design itself have changed")
		}
	}
}

func TestUsesThatCannotBe(t *testing.T) {
	for _, test := range []struct{ more, want string }{
		{"uses: { p: { file: other.design.yaml } }", "F021 cannot read"},
		{"uses: { p: { file: shop.design.yaml/x.design.yaml } }", "F021 cannot read"},
		{"uses: { p: { file: /platform.design.yaml } }", "F006 file is a path relative to this file"},
		{"uses: { p: { file: platform.yaml } }", "F006 file is a path relative to this file"},
		{"uses: { p: { tables: x- } }", "F004 use p has no file"},
		{"uses: { p: { file: platform.design.yaml, rates: { QueueJobs: 1/s } } }", "F007 Platform has no pattern \"QueueJobs\"; did you mean QueueJob?"},
		{"uses: { p: { file: platform.design.yaml, peaks: { QueueJobs: 1/s } } }", "F007 Platform has no pattern \"QueueJobs\""},
		{"uses: { p: { file: platform.design.yaml, counts: { Jobs: 1 } } }", "F007 Platform has no entity \"Jobs\"; did you mean Job?"},
		{"uses: { p: { file: platform.design.yaml, growth: { Jobs: 1/s } } }", "F007 Platform has no entity \"Jobs\""},
		{"uses: { p: { file: platform.design.yaml, growth: { Job: 1/s }, counts: { Job: 1 } } }", "F006 Job is both in counts and in growth"},
		{"uses: { p: { file: platform.design.yaml, roles: { servers: web } } }", "F007 Platform has no role \"servers\"; did you mean server?"},
		{"uses: { p: { file: platform.design.yaml, roles: { server: webb } } }", "F007 there is no role \"webb\"; did you mean web?"},
		{"uses: { p: { file: platform.design.yaml }, q: { file: platform.design.yaml, tables: q- }, r: { file: platform.design.yaml, tables: q- } }", "F021 r has a table q-jobs, and so has q"},
		{"uses: { p: { file: platform.design.yaml } }\nprofiles: { x: { rates: { p.QueueJobs: 1/s } } }", "F007 there is no pattern \"p.QueueJobs\"; did you mean p.QueueJob?"},
		{"uses: { p: { file: platform.design.yaml } }\nprofiles: { x: { counts: { q.Job: 1 } } }", "F007 there is no entity \"q.Job\""},
	} {
		_, findings := loadUsing(t, test.more)
		if len(findings) == 0 || !strings.HasPrefix(string(findings[0].Code)+" "+findings[0].Message, test.want) {
			t.Errorf("%s:\n%v, want %s", test.more, findings, test.want)
		}
	}
}

func TestAUsedDesignCannotUseOthers(t *testing.T) {
	dir := t.TempDir()
	nested := filepath.Join(dir, "nested.design.yaml")
	if err := os.WriteFile(nested, []byte(userDesign+"uses: { again: { file: nested.design.yaml } }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var report diag.Report
	text := strings.ReplaceAll(userDesign, "orders:", "others:") + "uses: { p: { file: nested.design.yaml } }\n"
	loader.Load([]loader.Source{{Name: filepath.Join(dir, "shop.design.yaml"), Text: []byte(text)}}, &report)
	findings := report.Findings()
	if len(findings) != 1 || findings[0].Code != "F021" || findings[0].Place.File != nested {
		t.Errorf("findings: %v", findings)
	}
}
