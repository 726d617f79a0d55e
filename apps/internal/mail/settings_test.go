package mail_test

import (
	"strings"
	"testing"

	"sortkey.dev/apps/internal/mail"
)

func TestSettings(t *testing.T) {
	for text, want := range map[string]struct {
		host, port, user, password string
		security                   mail.Security
		from, text                 string
	}{
		"smtps://ada:p%40ss@mail.example.org:2465?from=ExamBuddy <noreply@example.org>": {
			"mail.example.org", "2465", "ada", "p@ss", mail.Implicit, `"ExamBuddy" <noreply@example.org>`, "smtps://ada@mail.example.org:2465"},
		"smtps://mail.example.org?from=noreply@example.org": {
			"mail.example.org", "465", "", "", mail.Implicit, "<noreply@example.org>", "smtps://mail.example.org:465"},
		"smtp://mail.example.org/?from=noreply@example.org": {
			"mail.example.org", "587", "", "", mail.StartTLS, "<noreply@example.org>", "smtp://mail.example.org:587"},
		"smtp://[::1]:25?from=noreply@example.org&tls=off": {
			"::1", "25", "", "", mail.Plain, "<noreply@example.org>", "smtp://[::1]:25"},
	} {
		got, err := mail.ParseSettings(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got.Host != want.host || got.Port != want.port || got.User != want.user || got.Password != want.password ||
			got.Security != want.security || got.From.String() != want.from || got.String() != want.text {
			t.Errorf("%s: %+v %s %s", text, got, got.From.String(), got)
		}
	}
}

func TestSettingsThatAreRefused(t *testing.T) {
	for text, says := range map[string]string{
		"":                                  "scheme",
		"mail.example.org:465":              "",
		"https://mail.example.org?from=a@b": "scheme",
		"smtps://mail.example.org":          "sender",
		"smtps://mail.example.org?from=":    "sender",
		"smtps://mail.example.org?from=a@b%0D%0ABcc:c@d":        "sender",
		"smtps://?from=a@b.example":                             "smtps://user",
		"smtps://mail.example.org/inbox?from=a@b.example":       "smtps://user",
		"smtps://ada@mail.example.org?from=a@b.example":         "password",
		"smtp://mail.example.org?from=a@b.example&tls=off":      "this machine",
		"smtps://localhost?from=a@b.example&tls=off":            "tls=off",
		"smtp://localhost?from=a@b.example&tls=on":              "tls=off",
		"smtps://ada:secret@word@ex ample.org?from=a@b.example": "escape",
	} {
		_, err := mail.ParseSettings(text)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
