package request

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// A fingerprint depends on the text and on every parameter, and on their boundaries.
func TestFingerprintsOfStatements(t *testing.T) {
	value := func(s string) dynamo.Value {
		var e dynamo.Encoder
		e.String(s)
		return e.Value(0)
	}
	statement := func(text string, parameters ...string) ExecuteStatement {
		s := ExecuteStatement{Text: text}
		for _, p := range parameters {
			s.Parameters.Values = append(s.Parameters.Values, value(p))
		}
		return s
	}
	seen := map[Fingerprint]string{}
	for _, list := range [][]ExecuteStatement{
		{statement("a")}, {statement("b")}, {statement("a"), statement("b")}, {statement("b"), statement("a")}, {statement("ab")},
		{statement("a", "x")}, {statement("a", "y")}, {statement("a", "x", "y")}, {statement("a", "xy")}, {statement("a", "x"), statement("y")},
		{{Text: "a", ReturnOnFailure: true}},
	} {
		f := fingerprintOfStatements(list)
		if before, taken := seen[f]; taken {
			t.Errorf("%v has the fingerprint of %s", list, before)
		}
		seen[f] = list[0].Text
	}
	if actions := fingerprintOf(nil); seen[actions] != "" {
		t.Error("a transaction of actions has the fingerprint of one of statements")
	}
}

// The limits of a page are not part of a statement's fingerprint.
func TestFingerprintOfOneStatement(t *testing.T) {
	one := ExecuteStatement{Text: "a"}
	other := ExecuteStatement{Text: "a", Limit: 5, Consistent: true, NextToken: "n", ReturnOnFailure: true, Capacity: CapacityTotal}
	if one.Fingerprint() != other.Fingerprint() {
		t.Error("the fingerprints differ")
	}
}
