package gogen

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// misuses are calls that the compiler must refuse, with what it says. Each stands on a
// line of its own.
var misuses = []struct{ name, code, says string }{
	{"a missing argument", `_, _ = db.GetOrderOf(ctx, "o1")`, "not enough arguments"},
	{"an attribute the pattern does not set", `_, _ = db.Pay(ctx, shopdb.OrderKey{}, shopdb.PayParams{Total: "1"})`, "unknown field Total"},
	{"an update without what an index key is made of", `_, _ = db.Reschedule(ctx, shopdb.OrderKey{}, due, shopdb.RescheduleParams{})`, "not enough arguments"},
	{"a value of another enum", `_ = db.ListCustomersByStatus(shopdb.OrderStatusOpen)`, "cannot use shopdb.OrderStatusOpen"},
	{"a text that is no enum", `var text string; _ = db.ListCustomersByStatus(text)`, "cannot use text"},
	{"a cursor where none belongs", `_, _ = db.LoadOrder(ctx, "o1", "cursor")`, "too many arguments"},
	{"a cursor of a single item", `_, _ = db.GetOrder(ctx, "o1").Page(ctx, "")`, "multiple-value|Page undefined"},
	{"a key of another entity", `_, _ = db.Pay(ctx, shopdb.CustomerKey{}, shopdb.PayParams{})`, "cannot use shopdb.CustomerKey"},
	{"an item of another entity", `_, _ = db.Register(ctx, shopdb.Order{})`, "cannot use shopdb.Order"},
	{"an attribute that was not selected", `for row := range db.ListDue(due).All(ctx) { _ = row.Total }`, "Total undefined"},
	{"a token without a transaction", `_, _ = db.AddCoupon(ctx, shopdb.Coupon{}, access.Token("t"))`, "too many arguments"},
	{"a read in a transaction", `db.Tx().GetOrder("o1")`, "GetOrder undefined"},
	{"a batch of a write with conditions", `_ = db.RegisterBatch(ctx, nil)`, "RegisterBatch undefined"},
}

// TestTheCompilerRefusesMisuse compiles wrong calls of the shop's methods, all at once.
func TestTheCompilerRefusesMisuse(t *testing.T) {
	const pkg = "internal/shop/misuse"
	var b strings.Builder
	b.WriteString("package misuse\nimport (\n\"context\"\n\"time\"\n\"sortkey.dev/access\"\n\"sortkey.dev/design/internal/gogen/internal/shop/shopdb\"\n)\nvar _ = access.Token\nvar due time.Time\n")
	first := strings.Count(b.String(), "\n") + 1
	for i, m := range misuses {
		fmt.Fprintf(&b, "func misuse%d(ctx context.Context, db *shopdb.DB) { %s }\n", i, m.code)
	}
	dir := t.TempDir()
	source, overlay := filepath.Join(dir, "misuse.go"), filepath.Join(dir, "overlay.json")
	write(t, source, []byte(b.String()))
	target, err := filepath.Abs(filepath.Join(pkg, "misuse.go"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {target: source}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, overlay, text)
	out, err := exec.Command("go", "build", "-overlay", overlay, "-gcflags=-e", "./"+pkg).CombinedOutput()
	if err == nil {
		t.Fatal("all of it compiles")
	}
	said := map[int]string{}
	for _, match := range regexp.MustCompile(`(?m)misuse\.go:(\d+):\d+: (.*)$`).FindAllStringSubmatch(string(out), -1) {
		line, err := strconv.Atoi(match[1])
		if err != nil {
			t.Fatal(err)
		}
		said[line-first] += match[2] + "\n"
	}
	for i, m := range misuses {
		if !regexp.MustCompile(m.says).MatchString(said[i]) {
			t.Errorf("%s: the compiler says %q, want %q", m.name, said[i], m.says)
		}
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}
