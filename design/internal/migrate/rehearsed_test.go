package migrate

import (
	"strings"
	"testing"

	"sortkey.dev/access/migrate"
	"sortkey.dev/design/internal/cost"
)

// TestRehearsed writes what a rehearsal measured beside the estimates, once.
func TestRehearsed(t *testing.T) {
	prices, err := cost.PricesOf("us-east-1")
	if err != nil {
		t.Fatal(err)
	}
	p := &Plan{
		ID: "0002-x", Design: "Shop", Settings: Settings{Write: 10, Read: 4, Conflicts: "stop"}, prices: prices,
		Steps: []*Step{{Step: "deploy", Do: "run it"}, {Step: "fill", Part: "User", Do: "set a, b"}, {Step: "fill", Part: "User2", Do: "set c"}},
	}
	r := &migrate.Rehearsal{Items: 7, Steps: []migrate.Measured{
		{Step: "fill", Part: "User", Items: 7, Changed: 6, Conflicts: 1, Reads: 2, Writes: 600_000},
		{Step: "verify", Part: "User", Items: 7},
	}, Conflicts: make([]migrate.Conflict, 1), Traffic: migrate.Traffic{Writes: 12}}
	text := p.Rehearsed(p.Rehearsed(p.YAML(), r, "2026-11-18"), r, "2026-11-19")
	for want, times := range map[string]int{
		"\nrehearsal: { on: 2026-11-19, items: 7, conflicts: 1, calls: 12, wrong: 0 }\nsteps:\n": 1,
		"rehearsal:": 1, "measured:": 1,
		`- { step: fill, part: User, do: "set a, b", measured: { items: 7, read: 2, write: 600000, price: "$0.38", takes: "16h40m", conflicts: 1 } }`: 1,
	} {
		if n := strings.Count(string(text), want); n != times {
			t.Errorf("%q is there %d times\n%s", want, n, text)
		}
	}
	if _, err := ReadSettings("f.yaml", text); err != nil {
		t.Error(err)
	}
}
