package loader

import (
	"os"
	"strings"
	"testing"
	"time"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

func loadText(t *testing.T, text string) *model.Design {
	t.Helper()
	var report diag.Report
	d := Load([]Source{{Name: "test.design.yaml", Text: []byte(text)}}, &report)
	for _, f := range report.Findings() {
		t.Fatalf("%s: %s %s", f.Place, f.Code, f.Message)
	}
	return d
}

// TestModelMatchesFile checks the values of a design that has every key.
func TestModelMatchesFile(t *testing.T) {
	text, err := os.ReadFile("testdata/cases/ok_everything/design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d := loadText(t, string(text))
	tenant, user := d.Entity("Tenant"), d.Entity("User")
	table := d.Tables[0]
	gsi, lsi := table.Index("GSI1"), table.Index("LSI1")
	get, list, update, many := d.Pattern("GetUser"), d.Pattern("ListUsers"), d.Pattern("Update"), d.Pattern("Many")
	same := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	same("stored name", user.Attribute("email").Stored, "e")
	same("time of the id", user.Attribute("user_id").Time, user.Attribute("created_at"))
	same("start of the lifecycle", user.Attribute("status").Lifecycle.Start, "new")
	same("new to active", user.Attribute("status").Lifecycle.Allows("new", "active"), true)
	same("new to gone", user.Attribute("status").Lifecycle.Allows("new", "gone"), false)
	same("unique rules", len(user.Unique), 4)
	same("scope of the third", user.Unique[2].Per[0].Name, "tenant_id")
	same("size", user.Size, model.Size{Avg: 1024, Max: 2048})
	same("keep", time.Duration(user.Volume.Keep), 90*24*time.Hour)
	same("growth", user.Volume.Growth.Text, "50/day")
	same("per with only max", user.PerOf(user.Attribute("email")).Avg.String(), "2")
	same("deadline", user.Deadline.Name, "closes_at")
	same("what is summed", tenant.Counters[1].Sum, user.Attribute("spent"))
	same("default match", tenant.Counters[0].Match[0], model.Match{Mine: tenant.ID[0], Theirs: user.ID[0]})
	same("most", tenant.Counters[0].Max.String(), "100")

	same("billing", table.Billing.Provisioned, true)
	same("write units", table.Billing.WCU.String(), "2.5")
	same("target", table.Billing.Autoscale.Target.String(), "0.5")
	same("projection", strings.Join(gsi.Project.Attributes, " "), "e kind person")
	same("sort key", gsi.SK[1].Name, "created_at")
	same("partition key of a local index", lsi.PK[0].Name, "PK")
	same("projection of a local index", lsi.Project.Kind, model.ProjectKeys)
	same("when", len(table.Item(user).Key("GSI1PK").When), 1)
	same("guard of a set", table.Guards[2].Computed[0].Template.Parts[1].Attribute, user.Attribute("labels"))

	same("parameter", get.Where[1].Values[0].Param, "id")
	same("belief", get.Claims[1].Of+" "+get.Claims[1].Says.Value.String(), "price 0.12")
	same("reach", time.Duration(get.Reach), 30*24*time.Hour)
	same("in", list.Filter[0].Op, model.In)
	same("order", list.Order.Descending, true)
	same("accepted by its name", string(list.Accepts[0].Code), "H502")
	same("where the accept counts", list.Accepts[0].Scope.Covers(list.Place), true)
	same("and where not", list.Accepts[0].Scope.Covers(get.Place), false)
	same("decided by", d.Pattern("Create").BasedOn[0], get)
	same("must be missing", d.Pattern("Put").Requires[0].Missing, true)
	same("added", update.Add[0].By.String(), "-2.5")
	same("clauses", len(update.If), 2)
	same("repeated", many.Steps[0].Each, int64(3))
	same("not repeated", many.Steps[1].Each, int64(1))

	same("rates of the profile", len(d.Profiles[0].Rates), 1)
	same("patterns of all", len(d.Roles[1].Patterns), len(d.Patterns))
	same("price", d.Prices.Values["write"].String(), "0.625")
	same("free tier that is stated", d.FreeTier.RCU.String(), "5")
	same("free tier that is not", d.FreeTier.WCU.String(), "25")
	same("free storage", d.FreeTier.Bytes.Int64(), int64(1<<30))
	same("claim", d.Claims[0].Says.Unit+d.Claims[0].Says.Value.String(), "$1.75")
	same("formula", d.Claims[0].Worked, "2.8M * write")
	same("another layout", d.Alternatives[0].Tables[1].Item(user).Key("user_id").Attribute, user.Attribute("user_id"))
}

func TestDefaults(t *testing.T) {
	d := loadText(t, smallDesign+"patterns: {}\n")
	table := d.Tables[0]
	if table.Billing.Provisioned || table.Class != model.Standard || table.Encryption != "aws-owned" || table.PITR || table.Stream != "" {
		t.Errorf("a table without settings: %+v", table)
	}
	if got := d.FreeTier; got.RCU.String() != "25" || got.WCU.String() != "25" || got.Bytes.Int64() != 25<<30 {
		t.Errorf("the free tier without a word: %+v", got)
	}
	if a := d.Entities[0].Attributes[0]; a.Stored != "a" || a.Type.Base != model.Integer {
		t.Errorf("an attribute with only a type: %+v", a)
	}
	if d.Prices != nil || len(d.Accepts) > 0 {
		t.Errorf("prices and accepts without a word: %v %v", d.Prices, d.Accepts)
	}
	none := loadText(t, smallDesign+"patterns: {}\nfree_tier: none\nprices: eu-north-1\n")
	if !none.FreeTier.RCU.IsZero() || !none.FreeTier.Bytes.IsZero() || none.Prices.Name != "eu-north-1" {
		t.Errorf("no free tier and a named price list: %+v %+v", none.FreeTier, none.Prices)
	}
}

// TestAmountsToAdd checks that add takes a number or a parameter.
func TestAmountsToAdd(t *testing.T) {
	for written, want := range map[string]string{"-2.5": "-2.5 ", "$amount": "0 amount", "$": "0 n"} {
		d := loadText(t, "design: App\nentities: { User: { id: a, attributes: { a: int, n: number } } }\ntables: { app: { pk: a, items: [User] } }\n"+
			"patterns: { P: { update: User, where: { a: $ }, add: { n: "+written+" }, rate: 1/s } }\n")
		add := d.Patterns[0].Add[0]
		if got := add.By.String() + " " + add.Param; got != want {
			t.Errorf("add %s is %q, want %q", written, got, want)
		}
	}
}

// TestTemplatesKnowTheirPlaces checks the places of the parts of a template.
func TestTemplatesKnowTheirPlaces(t *testing.T) {
	d := loadText(t, "design: App\nentities: { User: { id: a, attributes: { a: string } } }\n"+
		"tables:\n  app:\n    pk: PK\n    items:\n      User: { PK: \"É#{a}\" }\npatterns: {}\n")
	template := d.Tables[0].Items[0].Computed[0].Template
	if got := template.Place.At(template.Parts[1].Offset, 3); got.Line != 7 || got.Column != 22 || got.EndColumn != 25 {
		t.Errorf("the hole is at %+v", got)
	}
}
