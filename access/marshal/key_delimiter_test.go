package marshal_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access/marshal"
)

var delimiters = []string{"#", ":", "|", "/", "_"}

// TestDelimiterOfAKey builds and takes apart keys with each delimiter.
func TestDelimiterOfAKey(t *testing.T) {
	at := time.Date(2026, 2, 17, 10, 30, 5, 123e6, time.UTC)
	for _, d := range delimiters {
		var k marshal.KeyText
		odd := "a" + d + "b"
		key := k.Of("E").By(d).Lit("T"+d).Time("at", at).Lit(d).Escape("odd", odd).Lit(d).Hole("id", "7").Sort()
		if err := k.Err(); err != nil {
			t.Fatal(err)
		}
		template := []string{marshal.By(d), "T" + d, marshal.Wide(24), d, "", d, ""}
		if d == ":" {
			template[2] = marshal.WideTime
		}
		if !marshal.Matches(key, template...) || marshal.Matches(key+d+"x", template...) {
			t.Errorf("%s: the form of %q is not recognized", d, key)
		}
		escaped, _ := marshal.Part(key, template, 1)
		if back, err := marshal.ParseEscapedBy(d)(escaped); err != nil || back != odd {
			t.Errorf("%s: %q is read back as %q, %v", d, odd, back, err)
		}
		if id, ok := marshal.Part(key, template, 2); !ok || id != "7" {
			t.Errorf("%s: the id of %q is %q", d, key, id)
		}
		if k.Of("E").By(d).Hole("odd", odd); k.Err() == nil || !strings.Contains(k.Err().Error(), d) {
			t.Errorf("%s: a value that contains it is accepted: %v", d, k.Err())
		}
	}
}

// TestEscapedTextsSort checks that texts sort as before once they are escaped.
func TestEscapedTextsSort(t *testing.T) {
	for _, d := range delimiters {
		var texts, escaped []string
		for _, c := range " !\"#$./09:;^_`az{|}~" {
			texts = append(texts, "x"+string(c), "x"+string(c)+"z", "x"+string(c)+string(c))
		}
		slices.Sort(texts)
		for _, text := range texts {
			var k marshal.KeyText
			e := k.Of("E").By(d).Escape("t", text).Done()
			if strings.Contains(e, d) {
				t.Errorf("%s: %q is escaped as %q", d, text, e)
			}
			if back, err := marshal.ParseEscapedBy(d)(e); err != nil || back != text {
				t.Errorf("%s: %q is read back as %q, %v", d, text, back, err)
			}
			escaped = append(escaped, e)
		}
		if !slices.IsSorted(escaped) {
			t.Errorf("%s: escaped texts are not in order: %q", d, escaped)
		}
	}
}
