package design

import (
	"strings"
	"testing"
)

// codes returns the codes of a check's findings, accepted ones in brackets.
func codes(t *testing.T, text string) string {
	t.Helper()
	findings, err := Check([]*Design{Parse("x.design.yaml", []byte(text))}, CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range findings.Findings.Findings {
		code := string(f.Code)
		if f.Accepted != "" {
			code = "[" + code + "]"
		}
		all = append(all, code)
	}
	return strings.Join(all, " ")
}

const shop = `design: Shop
entities:
  Order:
    id: order_id
    attributes: { order_id: ulid, customer_id: ulid, status: "enum(open, done)" }
    count: 1000
    per: { customer_id: { avg: 10, max: 50 } }
tables:
  shop:
    pk: PK
    sk: SK
    indexes: { by_customer: { pk: GSI1PK, sk: GSI1SK } }
    items:
      Order:
        PK: "ORDER#{order_id}"
        SK: "ORDER"
        GSI1PK: "CUSTOMER#{customer_id}"
        GSI1SK: "ORDER#{order_id}"
patterns:
  PlaceOrder: { create: Order, rate: 10/day }
  GetOrder: { get: Order, where: { order_id: $ }, rate: 10/day }
  ListOrders: { list: Order, where: { customer_id: $ }, limit: 20, rate: 10/day }
`

// One misspelled word is one finding: elements that depend on it are not reported as missing.
func TestOneErrorIsOneFinding(t *testing.T) {
	if got := codes(t, shop); got != "" {
		t.Fatalf("the shop has findings: %s", got)
	}
	for _, mistake := range [][2]string{
		{"{customer_id}\"", "{customerid}\""}, // a template
		{"limit: 20", "limit: 0"},             // a number
		{"where: { customer_id: $ }", "where: { customer: $ }"},
		{"{ order_id: ulid,", "{ order_id: ulit,"},
	} {
		if got := codes(t, strings.Replace(shop, mistake[0], mistake[1], 1)); strings.Contains(got, " ") || !strings.HasPrefix(got, "F0") {
			t.Errorf("%s: %s", mistake[1], got)
		}
	}
}

// Findings about unreadable files cannot be accepted.
func TestUnreadableIsNotAccepted(t *testing.T) {
	text := strings.Replace(shop, "limit: 20", "limit: 0, accept: { F006: never mind }", 1)
	if got := codes(t, text); strings.Contains(got, "[F006]") || !strings.Contains(got, "F006") {
		t.Errorf("got %s", got)
	}
}

// A misspelled tag would check nothing, so it is an error.
func TestUnknownTags(t *testing.T) {
	d := Parse("x.design.yaml", []byte(strings.Replace(shop, "limit: 20", "limit: 20, tags: [phase1]", 1)))
	_, err := Check([]*Design{d}, CheckOptions{Tags: []string{"phaze1"}})
	if err == nil || !strings.Contains(err.Error(), "did you mean phase1?") {
		t.Errorf("check: %v", err)
	}
	if _, err := d.Cost(Workload{Tags: []string{"phaze1"}}); err == nil {
		t.Error("cost took the tag")
	}
}
