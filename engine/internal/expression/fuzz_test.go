package expression

import (
	"strings"
	"testing"
	"unicode/utf8"

	"sortkey.dev/engine/internal/dynamo"
)

// FuzzParse parses any text as each of the six languages. Nothing may panic,
// every error must be DynamoDB's, and parsed expressions must evaluate.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", " ", "a", "#a", ":s", "a = :s", "a.b[0].#a <> :n AND NOT (size(c) > :n OR d IN (:s, :t))", "a BETWEEN :s AND :t",
		"begins_with(a, :s) and contains(ss, :s) or attribute_type(m, :type)", "((a)) = :s", "(a.b).c[1] >= (d)", "a = a",
		"SET a = b + :n, c = list_append(if_not_exists(d, :l), :l) REMOVE e[1], f.g ADD h :n DELETE i :ss", "SET a = (b - (c))",
		"SET l[5] = :s, l[0] = :n REMOVE l[1]", "ADD n :n, ss :ss DELETE ns :ns", "a, b.c, d[0][1], e", "a.b, a[0]", "status", "SET a = :undefined",
		"pk = :s AND begins_with(sk, :t)", ":n < sk and pk = :s", strings.Repeat("(", 3000), strings.Repeat("NOT ", 500) + "a = :s", "\x00\xff#:é",
	} {
		f.Add(text)
	}
	stored := item(f, before)
	vals := values(f, sample)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // the doors reject it
		}
		s := NewScope(map[string]string{"#a": "a", "#m": "m", "#l": "l"}, vals)
		c, err := s.ParseCondition(text)
		checkFuzzed(t, text, err)
		if err == nil {
			_, err = c.Matches(stored)
			checkFuzzed(t, text, err)
			_, _ = c.Matches(nil)
		}
		k, err := s.ParseKeyCondition(text)
		checkFuzzed(t, text, err)
		if err == nil {
			_, err = k.Bind(key("pk:S/sk:S,a:N"))
			checkFuzzed(t, text, err)
		}
		_, err = s.ParseSearchCondition(text)
		checkFuzzed(t, text, err)
		p, err := s.ParseProjection(text)
		checkFuzzed(t, text, err)
		if err == nil {
			checkCanonical(t, p.Apply(stored))
		}
		u, err := s.ParseUpdate(text)
		checkFuzzed(t, text, err)
		if err == nil {
			after, err := u.Apply(stored)
			checkFuzzed(t, text, err)
			checkCanonical(t, after)
			checkCanonical(t, u.Touched(after))
		}
		_, err = s.ParseFilter(text)
		checkFuzzed(t, text, err)
		checkFuzzed(t, text, s.CheckUnused())
	})
}

// checkFuzzed checks an error: it is a client error, and a syntax error quotes the text.
func checkFuzzed(t *testing.T, text string, err error) {
	t.Helper()
	got := message(t, err)
	if !utf8.ValidString(got) {
		t.Errorf("%q is not text", got)
	}
	if _, near, found := strings.Cut(got, `", near: "`); found && !strings.Contains(text, strings.TrimSuffix(near, `"`)) {
		t.Errorf("%s does not quote %q", got, text)
	}
}

// checkCanonical checks that an item is encoded canonically.
func checkCanonical(t *testing.T, it dynamo.Item) {
	t.Helper()
	if it == nil {
		return
	}
	if again := encodedValue(t, decodedItem(it)).Map(); string(again) != string(it) {
		t.Errorf("%s is not encoded canonically", show(it))
	}
}
