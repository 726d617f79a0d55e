package askahuman_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/apps/askahuman"
)

func TestTidyRemovesInvisibleCharacters(t *testing.T) {
	for name, test := range map[string]struct{ given, want string }{
		"space around it":           {" \t a b \r\n", "a b"},
		"line ends":                 {"a\r\nb\u2028c\u2029d", "a\nb\nc\nd"},
		"an overridden direction":   {"pay \u202eevif\u202c euros \u2066x\u2069\u200f", "pay evif euros x"},
		"spaces without width":      {"\ufeffde\u200blete\u2060 me\u00ad", "delete me"},
		"tags for programs":         {"yes\U000e0069\U000e0067\U000e006e", "yes"},
		"a private character":       {"a\ue000b\U000f0000", "ab"},
		"empty letters only":        {"\u3164\u115f\u2800\u034f", ""},
		"joiners only":              {"\u200d\u200c\u200d \u200d", ""},
		"forms of nothing":          {"\ufe0f\ufe0e \ufe01", ""},
		"many forms of one":         {"a\ufe00\ufe01\U000e0101b", "a\ufe00b"},
		"a joiner at the end":       {"a\u200d", "a"},
		"two joiners":               {"a\u200d\u200cb", "a\u200db"},
		"emoji stay":                {"👩‍💻 ❤️‍🔥 1️⃣", "👩‍💻 ❤️‍🔥 1️⃣"},
		"Persian stays":             {"می‌خواهم", "می‌خواهم"},
		"Malayalam stays":           {"അവന്‍ വന്നു", "അവന്‍ വന്നു"},
		"Arabic signs stay":         {"\u0600\u0661 \u0890\u0662", "\u0600\u0661 \u0890\u0662"},
		"Arabic and Hebrew stay":    {"שלום مرحبا 5", "שלום مرحبا 5"},
		"what is no text is as was": {" \xff\u200b", " \xff\u200b"},
	} {
		if got := askahuman.Tidy(test.given); got != test.want {
			t.Errorf("%s: %+q becomes %+q, want %+q", name, test.given, got, test.want)
		}
	}
}

func FuzzTidy(f *testing.F) {
	for _, seed := range []string{"", "a\u200d\ufe0fb", "\u202ea\r\n\r", "👩‍💻", "ന്‍\u200d", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := askahuman.Tidy(text)
		if again := askahuman.Tidy(got); again != got {
			t.Fatalf("%+q becomes %+q, and that %+q", text, got, again)
		}
		if !utf8.ValidString(text) {
			return
		}
		if len(got) > len(text) || got != strings.TrimSpace(got) {
			t.Fatalf("%+q becomes %+q", text, got)
		}
		seen := got == ""
		for _, c := range got {
			if unicode.In(c, unicode.Cf, unicode.Co) && !unicode.In(c, unicode.Join_Control, unicode.Prepended_Concatenation_Mark) || strings.ContainsRune("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\ufeff", c) {
				t.Fatalf("%+q keeps %+q", text, c)
			}
			seen = seen || !unicode.In(c, unicode.Join_Control, unicode.Variation_Selector, unicode.White_Space)
		}
		if !seen {
			t.Fatalf("nothing of %+q can be seen", got)
		}
	})
}
