package telegram_test

import (
	"testing"
	"unicode/utf8"

	"sortkey.dev/apps/homeops/telegram"
)

func TestEntitiesCountUTF16(t *testing.T) {
	const text = "🎉🎉 @homeops_bot vem diskade?"
	for _, c := range []struct {
		offset, length int
		want           string
	}{{5, 12, "@homeops_bot"}, {0, 2, "🎉"}, {1, 2, ""}, {5, 100, ""}, {-1, 2, ""}, {5, 0, ""}, {telegram.Length(text) - 1, 1, "?"}} {
		if got := (telegram.MessageEntity{Offset: c.offset, Length: c.length}).In(text); got != c.want {
			t.Errorf("%d+%d: %q, want %q", c.offset, c.length, got, c.want)
		}
	}
}

func TestMentions(t *testing.T) {
	w := open(t, telegram.Limits{})
	for text, want := range map[string]bool{
		"@homeops_bot vem diskade?": true, "hej @HomeOps_Bot!": true, "@homeops_botten": false, "homeops_bot": false,
		"🎉 @homeops_bot": true, "/start@homeops_bot": true, "/start@other_bot": false, "mail@homeops_bot.se": false,
	} {
		m, _, err := w.server.Write(t.Context(), family, erik, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Mentions(w.server.Bot()); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	w := open(t, telegram.Limits{})
	for _, c := range []struct {
		text, name, arguments string
		ok                    bool
	}{
		{"/start onboard", "start", "onboard", true},
		{"/Start", "start", "", true},
		{"/start@homeops_bot x", "start", "x", true},
		{"/start@other_bot x", "", "", false},
		{"hej /start", "", "", false},
		{"hej", "", "", false},
	} {
		m, _, err := w.server.Write(t.Context(), erik.ID, erik, c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if name, arguments, ok := m.Command(w.server.Bot()); name != c.name || arguments != c.arguments || ok != c.ok {
			t.Errorf("%q: %q, %q, %t", c.text, name, arguments, ok)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"🎉🎉", 4, "🎉🎉"}, {"🎉🎉", 3, "🎉…"}, {"🎉🎉", 2, "…"}, {"", 0, ""}} {
		if got := telegram.Truncate(c.text, c.limit); got != c.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

func FuzzEntityIn(f *testing.F) {
	f.Add("🎉 @bot", 3, 4)
	f.Fuzz(func(t *testing.T, text string, offset, length int) {
		part := telegram.MessageEntity{Offset: offset, Length: length}.In(text)
		if utf8.ValidString(text) && part != "" && telegram.Length(part) != length {
			t.Fatalf("%q has %d units, want %d", part, telegram.Length(part), length)
		}
		if cut := telegram.Truncate(text, 10); telegram.Length(cut) > 10 {
			t.Fatalf("%q is longer than 10 units", cut)
		}
	})
}
