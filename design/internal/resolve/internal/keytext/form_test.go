package keytext

import (
	"regexp"
	"testing"

	"sortkey.dev/design/internal/model"
)

// TestFormIsTheLanguageOfAKey compares the regular expression of a key with its language, on the
// texts at its edges.
func TestFormIsTheLanguageOfAKey(t *testing.T) {
	for _, c := range []struct {
		template, form string
		in, out        []string
	}{
		{"CREW#{ulid}", "^CREW#[0-7][0-9A-HJ-KM-NP-TV-Z]{25}$", []string{"CREW#01J8ZQ5V6T7B8C9D0E1F2G3H4J"}, []string{"CREW#0042", "CREW#81J8ZQ5V6T7B8C9D0E1F2G3H4J", "CREW#01J8ZQ5V6T7B8C9D0E1F2G3H4"}},
		{"CREW#{int|pad 4}", "^CREW#[0-9]{4}$", []string{"CREW#0042"}, []string{"CREW#42", "CREW#00042", "CREW#0042\n"}},
		{"{int}", "^-?[0-9]+$", []string{"-7", "0"}, []string{"", "-", "7-"}},
		{"--{int}", "^-{2,3}[0-9]+$", []string{"--7", "---7"}, []string{"-7"}},
		{"{e}.{string}", `^(a|a1|1)\.[^#]+$`, []string{"a.x", "a1.\n"}, []string{"ab.x", "a.", "a.x#"}},
		{"{string|prefix 3}{string|prefix 3}X", "^[^#]{1,3}[^#]{1,3}X$", []string{"abX", "abcdefX"}, []string{"aX", "abcdefgX"}},
		{"{int|pad 2}{int}", "^[0-9]{2}-?[0-9]+$", []string{"123", "12-3"}, []string{"12"}},
		{"{int|pad 2}{int|pad 2}", "^[0-9]{4}$", []string{"1234"}, []string{"123"}},
		{"{uuid|upper}", "^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$", []string{"0B54E6C0-0000-4000-8000-000000000000"}, []string{"0b54e6c0-0000-4000-8000-000000000000"}},
		{"{date}#{timestamp|hour}", "^[0-9]{4}-[0-9]{2}-[0-9]{2}#[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}$", []string{"2026-02-17#2026-02-17T10"}, []string{"2026-02-17"}},
	} {
		key := templateKey(t, c.template)
		form := Form(key)
		if form != c.form {
			t.Errorf("%s has the form %s, want %s", c.template, form, c.form)
		}
		compiled := regexp.MustCompile(form)
		lang := newValues(key).language()
		for want, texts := range map[bool][]string{true: c.in, false: c.out} {
			for _, text := range texts {
				if got := compiled.MatchString(text); got != want {
					t.Errorf("%s matches %q: %v", form, text, got)
				}
				if got := lang.intersects(wordLanguage(text)); got != want {
					t.Errorf("the language of %s has %q: %v", c.template, text, got)
				}
			}
		}
	}
}

// TestAlikeKeysDifferByCharactersAlone lists keys that literals and widths tell apart, and others.
func TestAlikeKeysDifferByCharactersAlone(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"CREW#{ulid}", "CREW#{int|pad 4}", true},
		{"CREW#{ulid}", "TEMP#{int|pad 4}", false},
		{"LOG#{date}", "LOG#{int}", true},
		{"LOG#{date}", "LOG#{int|pad 4}", false},
		{"LOG#{date}", "LOG#{date}#{int}", false},
		{"{uuid}", "{ulid}", true},
	} {
		if got := Alike(templateKey(t, c.a), templateKey(t, c.b)); got != c.want {
			t.Errorf("Alike(%s, %s) = %v", c.a, c.b, got)
		}
	}
	if !Alike(naturalKey(string(model.ULID)), templateKey(t, "CREW#{ulid}")) {
		t.Error("a key that is an attribute as it is has any text")
	}
}
