package expression

import (
	"fmt"
	"strings"
	"testing"
)

const typical = "attribute_exists(pk) AND #s = :s AND n >= :1"

func BenchmarkParseCondition(b *testing.B) {
	s := scope(b, "#s=s", operands)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.ParseCondition(typical); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMatches(b *testing.B) {
	c, err := scope(b, "#s=s", operands).ParseCondition(typical)
	if err != nil {
		b.Fatal(err)
	}
	stored := item(b, strings.Replace(before, `"S":"x"`, `"S":"v"`, 1))
	b.ReportAllocs()
	for b.Loop() {
		if ok, _ := c.Matches(stored); !ok {
			b.Fatal("no match")
		}
	}
}

func BenchmarkParseKeyCondition(b *testing.B) {
	s := scope(b, "#k=pk", operands)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.ParseKeyCondition("#k = :s AND begins_with(sk, :w)"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseUpdate(b *testing.B) {
	s := scope(b, "#s=s", operands)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.ParseUpdate("SET #s = :s, n = n + :1 REMOVE o"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	for _, text := range []string{"SET s = :s, n = n + :1 REMOVE o", "SET m.inr.x = :s, l[1] = :1", "ADD n :1, ss :ac"} {
		u, err := scope(b, "", operands).ParseUpdate(text)
		if err != nil {
			b.Fatal(err)
		}
		stored := item(b, before)
		b.Run(strings.ReplaceAll(text, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := u.Apply(stored); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkProjection(b *testing.B) {
	for _, text := range []string{"pk, n, s", "pk, m.inr.x, l[1]"} {
		p, err := scope(b, "", "").ParseProjection(text)
		if err != nil {
			b.Fatal(err)
		}
		stored := item(b, before)
		b.Run(strings.ReplaceAll(text, " ", ""), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Apply(stored)
			}
		})
	}
}

// BenchmarkParseLongest parses the most expensive texts of the maximum length.
func BenchmarkParseLongest(b *testing.B) {
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("%c%02x", 'a'+i%26, i/26))
	}
	for name, text := range map[string]string{
		"Parentheses": strings.Repeat("(", 4096),
		"Pairs":       strings.Repeat("(", 2040) + "a = :s" + strings.Repeat(")", 2040),
		"Negations":   strings.Repeat("NOT ", 1020) + "a = :s",
		"Paths":       strings.Join(names, ","),
		"Elements":    "REMOVE a" + strings.Repeat("[0]", 1360),
	} {
		b.Run(name, func(b *testing.B) {
			s := scope(b, "", operands)
			for b.Loop() {
				for l := range language(len(languageNames)) {
					_ = parse(s, l, text)
				}
			}
		})
	}
}
