package design

import (
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/design/internal/claim"
	"sortkey.dev/design/internal/cost"
)

// The reference of formulas is generated from the functions and names of package claim.
func TestReferenceOfFormulas(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Formulas of claims

A design may state numbers of its document, and the checker verifies them:

` + "```yaml" + `
expect:
  - claim: "25 WCU free = ~2.16M writes/month free"
    says: ~2.16M
    worked: 25 * 86400
    is: free(writes)
` + "```" + `

` + "`worked`" + ` is the document's calculation, which must give the stated number to its digits; ` + "`is`" + ` gives the true value. Numbers may be written
2.5M, 100k, 25%, $0.25; with a unit 6KB, 5GB, 5km, 90d. A stated number may begin with ~ (within a tenth), < or >.
Operators are + - * / and brackets. Quantities of unlike units do not mix.

## Functions

| function | gives |
|---|---|
`)
	for _, f := range claim.Functions() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", f.Signature(), f.Doc)
	}
	b.WriteString("\n## Names\n\n| name | stands for |\n|---|---|\n")
	for _, name := range claim.Names() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", name.Name, name.Doc)
	}
	golden(t, "../docs/reference/formulas.md", []byte(b.String()))
}

// The reference of prices lists every built-in price with its source.
func TestReferenceOfPrices(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Built-in prices\n\nThe price files of this build. *Listed* prices were stated by AWS, or computed from AWS's price list; " +
		"*derived* ones are computed from other prices, as the source describes; *secondary* ones are quoted by third parties.\n" +
		"To use prices of your own, write them under `prices:` in the design or give a file of the same form with `--prices`.\n")
	b.WriteString("`sortkey cost --json` shows every price a design was priced with, and its source.\n" +
		"\n| region | of | write | read | WCU-hour | RCU-hour | storage | pitr | |\n|---|---|---:|---:|---:|---:|---:|---:|---|\n")
	var lists []*cost.PriceList
	for _, region := range cost.Regions() {
		list, err := cost.PricesOf(region)
		if err != nil {
			t.Fatal(err)
		}
		lists = append(lists, list)
		note := ""
		if list.Approximate {
			note = "approximate"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", list.Name, list.Date, stated(list, "write", "read"), stated(list, "wcu_hour", "rcu_hour", "storage", "pitr"), note)
	}
	b.WriteString("\nWrite and read are of a million request units on demand; storage and pitr of a GB-month.\n")
	for _, list := range lists {
		fmt.Fprintf(&b, "\n## %s\n\n", list.Name)
		if list.Note != "" {
			fmt.Fprintf(&b, "%s\n\n", list.Note)
		}
		sources(&b, list)
	}
	golden(t, "../docs/reference/prices.md", []byte(b.String()))
}

// stated returns prices as quoted by their sources, as cells of a table.
func stated(list *cost.PriceList, names ...string) string {
	cells := make([]string, len(names))
	for i, name := range names {
		for _, quote := range list.Prices {
			if quote.Name == name {
				cells[i] = quote.Stated.String()
			}
		}
	}
	return strings.Join(cells, " | ")
}

// sources lists each source of a price list once, with its prices.
func sources(b *strings.Builder, list *cost.PriceList) {
	var order []string
	from := map[string][]string{}
	for _, quote := range list.Prices {
		source := fmt.Sprintf("%s: %s", quote.Status, quote.Source)
		if from[source] == nil {
			order = append(order, source)
		}
		from[source] = append(from[source], quote.Name)
	}
	for _, source := range order {
		fmt.Fprintf(b, "- %s. %s.\n", strings.Join(from[source], ", "), strings.TrimSuffix(source, "."))
	}
}

// The starter design of sortkey init has no findings.
func TestStarter(t *testing.T) {
	findings, err := Check([]*Design{Parse("shop.design.yaml", Starter("shop"))}, CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(findings.Findings.Findings); n > 0 {
		t.Errorf("%d findings in the starter: %v", n, findings.Findings.Findings)
	}
}
