package keytext

import (
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/design/internal/model"
)

// entityOfAllTypes has an attribute of every type that can be in a template.
var entityOfAllTypes = func() *model.Entity {
	e := &model.Entity{Name: "E"}
	add := func(name string, t model.Type) {
		e.Attributes = append(e.Attributes, &model.Attribute{Name: name, Stored: name, Type: t})
	}
	for _, base := range model.Bases {
		add(string(base), model.Type{Base: base})
	}
	add("e", model.Type{Base: model.Enum, Values: []string{"a", "a1", "1"}})
	return e
}()

func templateKey(t testing.TB, text string) *model.Key {
	t.Helper()
	template, err := model.ParseTemplate(text, entityOfAllTypes, 0)
	if err != nil {
		t.Fatalf("template %q: %v", text, err)
	}
	return &model.Key{Name: "K", Template: template}
}

func naturalKey(name string) *model.Key {
	return &model.Key{Name: "K", Attribute: entityOfAllTypes.Attribute(name)}
}

func TestCanEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"USER#{string}", "USER#{string}", true},
		{"USER#{int}", "USER#{string}", true},
		{"USER#{ulid}", "USER#{uuid}", false},
		{"USER#{string}", "ORDER#{string}", false},
		{"USER#{string}", "USER#{string}#X", false}, // a value holds no delimiter
		{"USER#{string}", "USER#", false},           // nor is it empty
		{"USER#{int}", "USER#PROFILE", false},
		{"USER#{string}", "USER#PROFILE", true},
		{"{string}", "PROFILE", true},
		{"{string}#{int}", "{int}#{string}", true},
		{"{timestamp}", "{date}", false},
		{"{timestamp|date}", "{date}", true},
		{"{timestamp|month}", "2026-02", true},
		{"{timestamp|hour}", "2026-02-17T1", false},
		{"{week}", "2026-W07", true},
		{"{week}", "2026-W7", false},
		{"{int|pad 3}", "042", true},
		{"{int|pad 3}", "42", false},
		{"{int}", "-7", true},
		{"{int}", "7-", false},
		{"{decimal}", "-7.25", true},
		{"{unixtime}", "1770000000", true},
		{"{bool}", "true", true},
		{"{bool}", "TRUE", false},
		{"{bool}", "{e}", false},
		{"{e|upper}", "A1", true},
		{"{e|upper}", "a1", false},
		{"{string|lower}", "Alice", false},
		{"{string|lower}", "alice é", true},
		{"{string|upper}", "{e}", true}, // 1 has no case
		{"{uuidv7}", "{uuid}", true},
		{"{ulid|lower}", "{ulid}", true}, // of digits only
		{"{ulid}", "01ARZ3NDEKTSV4RRFFQ69G5FAV", true},
		{"{ulid}", "81ARZ3NDEKTSV4RRFFQ69G5FAV", false}, // past the year 10889
		{"{ulid}", "01ARZ3NDEKTSV4RRFFQ69G5FAU", false}, // no U in its alphabet
		{"{geohash}", "u3qcnm", true},
		{"{geohash}", "u3qa", false}, // no a in its alphabet
		{"{geohash|prefix 4}", "u3q", false},
		{"{string|prefix 2}", "abc", false},
		{"{string|prefix 2}", "a", true},
		{"{string|shard 12}", "11", true},
		{"{string|shard 12}", "12", false},
		{"A#{e}#{string}", "A#{string}#1", true},
		{"A{string}B{string}C", "AxBBxC", true},
		{"A{string}B", "AB", false},
	} {
		a, b := templateKey(t, c.a), templateKey(t, c.b)
		if got := CanEqual(a, b); got != c.want {
			t.Errorf("CanEqual(%s, %s) = %v, want %v", c.a, c.b, got, c.want)
		}
		if got := CanEqual(b, a); got != c.want {
			t.Errorf("CanEqual(%s, %s) = %v, want %v", c.b, c.a, got, c.want)
		}
	}
}

func TestCanEqualOfNaturalKeys(t *testing.T) {
	for _, c := range []struct {
		a, b *model.Key
		want bool
	}{
		{naturalKey("string"), templateKey(t, "A#{int}#B"), true}, // it may hold the delimiter
		{naturalKey("timestamp"), templateKey(t, "A#{int}"), false},
		{naturalKey("int"), naturalKey("number"), true},
		{naturalKey("int"), naturalKey("string"), false}, // a number is no text
		{naturalKey("int"), templateKey(t, "{int}"), false},
		{naturalKey("bytes"), naturalKey("bytes"), true},
	} {
		if got := CanEqual(c.a, c.b); got != c.want {
			t.Errorf("CanEqual(%v, %v) = %v, want %v", c.a.Parts(), c.b.Parts(), got, c.want)
		}
	}
}

// pieces lists the parts of random templates, with the regular expression of each.
var pieces = []struct{ template, expression string }{
	{"#", "#"}, {"a", "a"}, {"1", "1"}, {"-", "-"}, {"a#", "a#"},
	{"{string}", "[^#]+"}, {"{int}", "-?[0-9]+"}, {"{e}", "(a|a1|1)"},
	{"{int|pad 2}", "[0-9][0-9]"}, {"{string|prefix 2}", "[^#][^#]?"}, {"{int|shard 3}", "[012]"},
	{"{string|upper}", "[^#a-z]+"},
}

// pick makes a template of up to three pieces, and its expression.
func pick(choice []byte) (string, *regexp.Regexp) {
	var template, expression strings.Builder
	for _, c := range choice {
		p := pieces[int(c)%len(pieces)]
		template.WriteString(p.template)
		expression.WriteString(p.expression)
	}
	return template.String(), regexp.MustCompile("^(?:" + expression.String() + ")$")
}

// words lists all texts of a small alphabet up to a length that holds a witness for every
// pair of templates of three pieces that can be equal.
var words = func() []string {
	all := []string{""}
	for from := 0; len(all[len(all)-1]) < 7; {
		to := len(all)
		for ; from < to; from++ {
			for _, c := range "a#1-" {
				all = append(all, all[from]+string(c))
			}
		}
	}
	return all
}()

// FuzzCanEqual compares the automata with trying every short text.
func FuzzCanEqual(f *testing.F) {
	for _, seed := range [][2]string{
		{"\x05", "\x06"}, {"\x01\x00\x05", "\x05\x00\x06"}, {"\x05\x01", "\x01\x05"}, {"\x07\x07", "\x08"},
		{"\x09\x05", "\x06\x03"}, {"\x0b\x06", "\x07"}, {"\x04\x0a", "\x01\x00\x08"}, {"\x05\x03\x05", "\x06\x06\x06"},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a) == 0 || len(b) == 0 || len(a) > 3 || len(b) > 3 {
			return
		}
		textA, matchA := pick(a)
		textB, matchB := pick(b)
		want := false
		for _, word := range words {
			if matchA.MatchString(word) && matchB.MatchString(word) {
				want = true
				break
			}
		}
		if got := CanEqual(templateKey(t, textA), templateKey(t, textB)); got != want {
			t.Errorf("CanEqual(%s, %s) = %v, want %v", textA, textB, got, want)
		}
	})
}
