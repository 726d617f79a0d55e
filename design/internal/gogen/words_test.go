package gogen

import (
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/design/internal/gogen/internal/naming"
)

// wordsDesign is a design in which the attribute ATTR is a part of a key, an argument, a
// field, a condition and a filter.
const wordsDesign = `design: Words
entities:
  Thing:
    id: id
    version: rev
    attributes: { id: ulid, rev: int, ATTR: string, made: timestamp, note: string?, count: int }
    size: 100B
    count: 10
    per: { ATTR: 5 }
tables:
  things:
    pk: PK
    sk: SK
    indexes: { second: { pk: GPK, sk: GSK } }
    items:
      Thing: { PK: "T#{id}", SK: "T", GPK: "A#{ATTR}", GSK: "{made}" }
patterns:
  AddThing: { create: Thing, rate: 1/day }
  PutThing: { put: Thing, rate: 1/day }
  ListThings: { list: Thing, where: { ATTR: $, made: gt $since, count: in $counts }, rate: 1/day }
  Rename: { update: Thing, where: { id: $ }, set: [ATTR, note], rate: 1/day }
  Count: { update: Thing, where: { id: $ }, add: { count: 1 }, if: ATTR = $ATTR, rate: 1/day }
  Drop: { delete: Thing, where: { id: $, ATTR: $ }, rate: 1/day }
`

// TestNamesOfAttributesChangeOnlyThemselves generates a design with one attribute under many
// names. The packages must be the same but for the name.
func TestNamesOfAttributesChangeOnlyThemselves(t *testing.T) {
	plain := wordsTokens(t, "plain")
	for _, name := range []string{
		"encode", "k", "err", "db", "ctx", "tx", "writes", "write", "x", "item", "items", "key", "keys", "params", "values",
		"requests", "found", "seen", "in", "filter", "v", "shard", "options", "query", "client", "from", "access", "types",
		"time", "errors", "context", "nil", "len", "new", "append", "string", "error", "func", "type", "range",
	} {
		got := wordsTokens(t, name)
		if len(got) != len(plain) {
			t.Errorf("an attribute named %s gives %d tokens, not %d", name, len(got), len(plain))
			continue
		}
		for i, want := range plain {
			if !sameToken(want, got[i], name) {
				t.Errorf("an attribute named %s changes %s to %s after %s", name, want, got[i], strings.Join(got[max(0, i-8):i], " "))
				break
			}
		}
	}
}

// sameToken reports whether two tokens are equal, or are the name plain and the other name in
// the same spelling. An argument may have the entity in front.
func sameToken(plain, got, name string) bool {
	switch strings.TrimSuffix(plain, "Value") {
	case "plain":
		return got == naming.Unexported(name) || got == naming.Unexported(name)+"Value" || got == "thing"+naming.Exported(name)
	case "Plain":
		return got == naming.Exported(name) || got == naming.Exported(name)+"Value" || got == "Thing"+naming.Exported(name)
	}
	return got == regexp.MustCompile(`\bplain\b`).ReplaceAllString(plain, name)
}

// wordsTokens returns the tokens of the package without comments. Lines, and the commas that
// only lines need, are left out.
func wordsTokens(t *testing.T, name string) []string {
	t.Helper()
	files, err := Generate(layoutOf(t, "words.design.yaml", []byte(strings.ReplaceAll(wordsDesign, "ATTR", name))), Options{Package: "wordsdb", ImportPath: "x/wordsdb"})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var all []string
	for _, f := range files {
		if f.Name == "db.gen.go" {
			continue // has a hash of the design
		}
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile(f.Name, -1, len(f.Text)), f.Text, nil, 0)
		for _, tok, text := s.Scan(); tok != token.EOF; _, tok, text = s.Scan() {
			closes := tok == token.RBRACE || tok == token.RPAREN
			switch {
			case tok == token.SEMICOLON && text == "\n":
			case closes && all[len(all)-1] == ",":
				all[len(all)-1] = tok.String()
			case text == "":
				all = append(all, tok.String())
			default:
				all = append(all, text)
			}
		}
	}
	return all
}

// TestPatternsAreNoMethodsOfTheStandardLibrary generates a pattern with the name of a method that
// the standard library calls with other parameters.
func TestPatternsAreNoMethodsOfTheStandardLibrary(t *testing.T) {
	for _, name := range []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "String", "Format", "LogValue", "GobEncode", "WriteTo"} {
		text := strings.Replace(strings.ReplaceAll(wordsDesign, "ATTR", "plain"), "PutThing:", name+":", 1)
		files, err := Generate(layoutOf(t, "words.design.yaml", []byte(text)), Options{Package: "wordsdb", ImportPath: "x/wordsdb"})
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, f := range files {
			all.Write(f.Text)
		}
		if strings.Contains(all.String(), ") "+name+"(") || !strings.Contains(all.String(), ") "+name+"Pattern(") {
			t.Errorf("the pattern %s is no method %sPattern", name, name)
		}
	}
}
