package reply_test

import (
	"testing"

	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/reply"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		text string
		want reply.Answer
		rest string
	}{
		{"ja", reply.Yes, ""}, {"Japp!", reply.Yes, ""}, {"jaaa", reply.Yes, ""}, {"aa", reply.Yes, ""}, {"mm", reply.Yes, ""},
		{"Just det", reply.Yes, ""}, {"ja precis 👍", reply.Yes, ""}, {"👍🏽", reply.Yes, ""}, {"✅", reply.Yes, ""}, {"yes", reply.Yes, ""},
		{"jadå", reply.Yes, ""}, {"That’s right", reply.Yes, ""},
		{"nej", reply.No, ""}, {"Nää", reply.No, ""}, {"nix!", reply.No, ""}, {"nope", reply.No, ""}, {"👎", reply.No, ""}, {"nej nej", reply.No, ""},
		{"nej, jag handlade", reply.Instead, "jag handlade"}, {"Nä det var tvätten", reply.Instead, "det var tvätten"}, {"no, the laundry", reply.Instead, "the laundry"},
		{"kanske", reply.Ambiguous, ""}, {"nja", reply.Ambiguous, ""}, {"typ", reply.Ambiguous, ""}, {"inte riktigt", reply.Ambiguous, ""}, {"nej, kanske", reply.Ambiguous, ""},
		{"nähä", reply.None, ""}, {"Nämen", reply.None, ""}, {"jag har handlat", reply.None, ""}, {"ja vad ska vi äta?", reply.None, ""}, {"", reply.None, ""}, {"🎉", reply.None, ""},
	} {
		if got, rest := reply.Read(c.text); got != c.want || rest != c.rest {
			t.Errorf("%q: %s, %q, want %s, %q", c.text, got, rest, c.want, c.rest)
		}
	}
}

func TestEffort(t *testing.T) {
	for text, want := range map[string]understanding.Effort{"1": "low", " 3! ": "high", "Lagom": "medium", "tungt": "high", "hard": "high"} {
		if got, ok := reply.Effort(text); !ok || got != want {
			t.Errorf("%q: %s, %t", text, got, ok)
		}
	}
	for _, text := range []string{"4", "0", "", "1 2", "tungt arbete", "ja"} {
		if got, ok := reply.Effort(text); ok {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"nej, nej, nej jag", "ja’", "👍🏽👎", "no-no", "n\u0308"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if answer, rest := reply.Read(text); (answer == reply.Instead) != (rest != "") {
			t.Fatalf("%q: %s with rest %q", text, answer, rest)
		}
		reply.Effort(text)
	})
}
