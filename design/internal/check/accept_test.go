package check_test

import (
	"strings"
	"testing"

	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
)

// lists is a design with two lists of unknown length; words in
// capitals are places for accept.
const lists = `design: Shop
entities:
  Order:
    id: order_id
    attributes: { order_id: ulid, customer: ulid, shop: ulid }
tables:
  shop:
    pk: customer
    sk: order_id
    indexes:
      ByShop: { pk: shop, sk: order_id }
    items: [Order]
patterns:
  Place: { create: Order, rate: 1/day }
  ListByCustomer:
    tags: [later]
    list: Order
    where: { customer: $ }
    rate: 1/day
    PATTERN
  ListByShop:
    list: Order
    where: { shop: $ }
    rate: 1/day
TOP
`

// layouts is a design with an alternative, where one list has no bound; words in
// capitals are places for accept.
const layouts = `design: Shop
entities:
  Order:
    id: order_id
    attributes: { order_id: ulid, customer: ulid, note: string }
tables:
  shop: { pk: customer, sk: order_id, items: [Order] }
patterns:
  Place: { create: Order, rate: 1/day }
  ListByCustomer:
    list: Order
    where: { customer: $ }
    limit: 10
    rate: 1/day
    PATTERN
alternatives:
  lean:
    tables:
      orders:
        pk: order_id
        indexes: { ByCustomer: { pk: customer, project: keys } }
        items: [Order]
        TABLE
    ALTERNATIVE
`

// TestAcceptInAlternatives checks C304, which only the alternative has.
func TestAcceptInAlternatives(t *testing.T) {
	tests := map[string]struct {
		pattern, table, alternative string
		accepted                    string // why C304 was accepted, in the alternative
		unused, chosenUnused        int    // unused accepts in the alternative, in the chosen layout
	}{
		"nothing":            {},
		"in the alternative": {alternative: `accept: { K102: "the finding lies in the pattern" }`, unused: 1},
		"in its table":       {table: `accept: { C308: "unused" }`, unused: 1},
		"in the pattern":     {pattern: `accept: { C304: "lean" }`, accepted: "lean", chosenUnused: 1},
		"unused":             {pattern: `accept: { C308: "few" }`, chosenUnused: 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := strings.NewReplacer("PATTERN", test.pattern, "TABLE", test.table, "ALTERNATIVE", test.alternative).Replace(layouts)
			design := loaded(t, text)
			count := func(o check.Options) (unused int, c304 []diag.Finding) {
				var report diag.Report
				check.Run(design, o, &report)
				for _, f := range report.Findings() {
					switch f.Code {
					case "F012":
						unused++
					case "C304":
						c304 = append(c304, f)
					}
				}
				return unused, c304
			}
			unused, found := count(check.Options{})
			if unused != test.chosenUnused || len(found) != 0 {
				t.Errorf("chosen layout: %d unused accepts and C304 %v, want %d and none", unused, found, test.chosenUnused)
			}
			unused, found = count(check.Options{Alternative: design.Alternatives[0]})
			if unused != test.unused || len(found) != 1 || found[0].Accepted != test.accepted {
				t.Errorf("alternative: %d unused accepts and C304 %v, want %d and one accepted for %q", unused, found, test.unused, test.accepted)
			}
		})
	}
}

func TestTopLevelAcceptCoversAllFiles(t *testing.T) {
	var report diag.Report
	design := loader.Load([]loader.Source{
		{Name: "a.design.yaml", Text: []byte("accept: { C308: \"all few\" }\n")},
		{Name: "b.design.yaml", Text: []byte(strings.NewReplacer("PATTERN", "", "TOP", "").Replace(lists))},
	}, &report)
	if design == nil || report.Failed() {
		t.Fatalf("the design does not load: %v", report.Findings())
	}
	check.Run(design, check.Options{}, &report)
	accepted := 0
	for _, f := range report.Findings() {
		if f.Code == "C308" && f.Accepted == "all few" {
			accepted++
		}
	}
	if accepted != 2 {
		t.Errorf("%d lists are accepted, want 2", accepted)
	}
}

func loaded(t *testing.T, text string) *model.Design {
	t.Helper()
	var report diag.Report
	design := loader.Load([]loader.Source{{Name: "shop.design.yaml", Text: []byte(text)}}, &report)
	if design == nil || report.Failed() {
		t.Fatalf("the design does not load: %v", report.Findings())
	}
	return design
}

func checked(t *testing.T, text string, o check.Options) []diag.Finding {
	t.Helper()
	var report diag.Report
	check.Run(loaded(t, text), o, &report)
	return report.Findings()
}

func TestAccept(t *testing.T) {
	tests := map[string]struct {
		pattern, top string
		tags         []string
		want         map[string]string // subject of a C308 to the reason it was accepted for
		unused       int
	}{
		"nothing accepted":            {want: map[string]string{"pattern ListByCustomer": "", "pattern ListByShop": ""}},
		"where it stands":             {pattern: `accept: { C308: "few" }`, want: map[string]string{"pattern ListByCustomer": "few", "pattern ListByShop": ""}},
		"at the top":                  {top: `accept: { C308: "all few" }`, want: map[string]string{"pattern ListByCustomer": "all few", "pattern ListByShop": "all few"}},
		"the nearest wins":            {pattern: `accept: { C308: "few" }`, top: `accept: { C308: "all few" }`, want: map[string]string{"pattern ListByCustomer": "few", "pattern ListByShop": "all few"}},
		"another code":                {pattern: `accept: { C302: "few" }`, want: map[string]string{"pattern ListByCustomer": "", "pattern ListByShop": ""}, unused: 1},
		"an unused accept accepted":   {pattern: `accept: { C302: "few", F012: "soon" }`, want: map[string]string{"pattern ListByCustomer": "", "pattern ListByShop": ""}},
		"phases that were not asked":  {pattern: `accept: { C308: "few" }`, tags: []string{"first"}, want: map[string]string{"pattern ListByShop": ""}},
		"phases and the wrong accept": {pattern: `accept: { C302: "few" }`, tags: []string{"first"}, want: map[string]string{"pattern ListByShop": ""}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := strings.NewReplacer("PATTERN", test.pattern, "TOP", test.top).Replace(lists)
			got, unused := map[string]string{}, 0
			for _, f := range checked(t, text, check.Options{Tags: test.tags}) {
				switch {
				case f.Code == "C308":
					got[f.Subject] = f.Accepted
				case f.Code == "F012" && f.Accepted == "":
					unused++
				}
			}
			if len(got) != len(test.want) {
				t.Errorf("C308 is found for %v, want %v", got, test.want)
			}
			for subject, reason := range test.want {
				if got[subject] != reason {
					t.Errorf("%s is accepted for %q, want %q", subject, got[subject], reason)
				}
			}
			if unused != test.unused {
				t.Errorf("%d unused accepts, want %d", unused, test.unused)
			}
		})
	}
}

// A finding that prevents code generation stays an error even if it is accepted.
func TestAcceptDoesNotHideUnbuildableFindings(t *testing.T) {
	text := `design: Shop
entities:
  Order: { id: order_id, attributes: { order_id: ulid, shop: ulid? } }
tables:
  shop:
    pk: shop
    sk: order_id
    items: [Order]
    accept: { K105: it is always there }
patterns:
  Place: { create: Order, rate: 1/day }
`
	var refused, told bool
	for _, f := range checked(t, text, check.Options{}) {
		refused = refused || f.Code == "K105" && f.Accepted == ""
		told = told || f.Code == "F012" && strings.Contains(f.Message, "cannot be accepted")
	}
	if !refused || !told {
		t.Errorf("K105 is an error: %v; the accept is a finding: %v; want both", refused, told)
	}
}
