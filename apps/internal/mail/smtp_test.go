package mail_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/mail"
)

var noon = time.Date(2037, time.February, 2, 12, 0, 0, 0, time.UTC)

// sender returns a sender to a server by the URL that an operator would write.
func sender(t *testing.T, s *server, url string) *mail.SMTP {
	t.Helper()
	settings, err := mail.ParseSettings(strings.ReplaceAll(url, "PORT", s.port()))
	if err != nil {
		t.Fatal(err)
	}
	return mail.NewSMTP(settings, mail.SMTPOptions{TLS: &tls.Config{RootCAs: s.roots}, Now: func() time.Time { return noon }, Name: "app.test"})
}

var message = mail.Message{
	ID: "01ABC", To: "ada@example.org", Subject: "Återställ ditt lösenord – det är snart för sent att göra det, så gör det nu",
	Text: "Hej Åda,\n\n.a line with a point first\n" + strings.Repeat("long ", 40) + "\n",
}

const from = "?from=Exam Büddy <noreply@mail.test>"

func TestSendingByEveryKindOfConnection(t *testing.T) {
	for name, test := range map[string]struct {
		server    *server
		url       string
		encrypted bool
		user      string
	}{
		"implicit TLS and PLAIN": {&server{implicit: true, offers: []string{"AUTH LOGIN PLAIN"}}, "smtps://ada:p%40ss%20w@127.0.0.1:PORT", true, "ada"},
		"STARTTLS and LOGIN":     {&server{offers: []string{"STARTTLS", "AUTH LOGIN"}}, "smtp://ada:p%40ss%20w@127.0.0.1:PORT", true, "ada"},
		"STARTTLS, no user":      {&server{offers: []string{"STARTTLS"}}, "smtp://127.0.0.1:PORT", true, ""},
		"this machine":           {&server{}, "smtp://127.0.0.1:PORT", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			test.server.user, test.server.password = "ada", "p@ss w"
			s, url := serve(t, test.server), test.url+from
			if !test.encrypted {
				url += "&tls=off"
			}
			if err := sender(t, s, url).Send(t.Context(), message); err != nil {
				t.Fatal(err)
			}
			got := s.received()
			if len(got) != 1 {
				t.Fatalf("%d mails", len(got))
			}
			if got[0].encrypted != test.encrypted || got[0].user != test.user || got[0].hello != "app.test" {
				t.Errorf("got %+v", got[0])
			}
			if !strings.HasPrefix(got[0].from, "MAIL FROM:<noreply@mail.test>") || !strings.HasPrefix(got[0].to, "RCPT TO:<ada@example.org>") {
				t.Errorf("envelope %q %q", got[0].from, got[0].to)
			}
			checkMessage(t, got[0].data, message)
		})
	}
}

// checkMessage parses a received mail as a mail program does.
func checkMessage(t *testing.T, data string, want mail.Message) {
	t.Helper()
	for line := range strings.SplitSeq(data, "\r\n") {
		if len(line) > 78 || strings.ContainsAny(line, "\r\n") || strings.ContainsFunc(line, func(r rune) bool { return r > 126 }) {
			t.Errorf("line %q is not fit for mail", line)
		}
	}
	parsed, err := netmail.ReadMessage(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if subject, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject")); err != nil || subject != want.Subject {
		t.Errorf("subject %q (%v)", subject, err)
	}
	if sender, err := netmail.ParseAddress(parsed.Header.Get("From")); err != nil || sender.Name != "Exam Büddy" || sender.Address != "noreply@mail.test" {
		t.Errorf("from %v (%v)", sender, err)
	}
	if id := parsed.Header.Get("Message-ID"); id != "<"+want.ID+"@mail.test>" {
		t.Errorf("id %q", id)
	}
	if date, err := parsed.Header.Date(); err != nil || !date.Equal(noon) {
		t.Errorf("date %v (%v)", date, err)
	}
	if to := parsed.Header.Get("To"); to != "<"+want.To+">" {
		t.Errorf("to %q", to)
	}
	kind, params, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if want.HTML == "" {
		if body := read(t, quotedprintable.NewReader(parsed.Body)); kind != "text/plain" || params["charset"] != "utf-8" || body != want.Text {
			t.Errorf("%s %v: %q", kind, params, body)
		}
		return
	}
	if kind != "multipart/alternative" {
		t.Fatalf("a mail of kind %s", kind)
	}
	parts := multipart.NewReader(parsed.Body, params["boundary"]) // which decodes quoted-printable
	for _, part := range []struct{ kind, body string }{{"text/plain; charset=utf-8", want.Text}, {"text/html; charset=utf-8", want.HTML}} {
		got, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		if body := read(t, got); got.Header.Get("Content-Type") != part.kind || body != part.body {
			t.Errorf("part %v: %q", got.Header, body)
		}
	}
	if _, err := parts.NextPart(); err != io.EOF {
		t.Errorf("another part (%v)", err)
	}
}

func read(t *testing.T, r io.Reader) string {
	t.Helper()
	all, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(all), "\r\n", "\n")
}

func TestHTMLStandsBesideTheText(t *testing.T) {
	s := serve(t, &server{implicit: true})
	both := message
	both.HTML = "<p>Hej Åda,</p>\n<p><a href=\"https://example.org/?a=b&amp;c=d\">Återställ</a></p>\n"
	if err := sender(t, s, "smtps://127.0.0.1:PORT"+from).Send(t.Context(), both); err != nil {
		t.Fatal(err)
	}
	checkMessage(t, s.received()[0].data, both)
}

func TestMessagesThatAreRefused(t *testing.T) {
	s := serve(t, &server{implicit: true})
	smtp := sender(t, s, "smtps://127.0.0.1:PORT"+from)
	for name, change := range map[string]func(*mail.Message){
		"line break in the subject":   func(m *mail.Message) { m.Subject = "Hi\r\nBcc: eve@example.org" },
		"line feed in the subject":    func(m *mail.Message) { m.Subject = "Hi\nBcc: eve@example.org" },
		"line break in the recipient": func(m *mail.Message) { m.To = "ada@example.org>\r\nRCPT TO:<eve@example.org" },
		"two recipients":              func(m *mail.Message) { m.To = "ada@example.org, eve@example.org" },
		"name of the recipient":       func(m *mail.Message) { m.To = "Ada <ada@example.org>" },
		"no address":                  func(m *mail.Message) { m.To = "ada" },
		"no subject":                  func(m *mail.Message) { m.Subject = "" },
		"subject too long":            func(m *mail.Message) { m.Subject = strings.Repeat("x", mail.MaxSubject+1) },
		"no text":                     func(m *mail.Message) { m.Text = "" },
		"text too long":               func(m *mail.Message) { m.Text = strings.Repeat("x", mail.MaxBody+1) },
		"not UTF-8":                   func(m *mail.Message) { m.Text = "\xff" },
		"id of another form":          func(m *mail.Message) { m.ID = "a>\r\nBcc: eve" },
	} {
		t.Run(name, func(t *testing.T) {
			m := message
			change(&m)
			if err := smtp.Send(t.Context(), m); !mail.Permanent(err) {
				t.Errorf("got %v", err)
			}
		})
	}
	if got := s.received(); len(got) != 0 {
		t.Errorf("%d mails were sent", len(got))
	}
	largest := message
	largest.Subject, largest.Text = strings.Repeat("x", mail.MaxSubject), strings.Repeat("x", mail.MaxBody)
	if err := smtp.Send(t.Context(), largest); err != nil {
		t.Errorf("the largest message: %v", err)
	}
}

func TestRepliesOfTheServer(t *testing.T) {
	for name, test := range map[string]struct {
		server    *server
		url       string
		permanent bool
		says      string
	}{
		"recipient unknown":     {&server{implicit: true, replies: map[string]string{"RCPT": "550 5.1.1 no such user"}}, "smtps://127.0.0.1:PORT", true, "no such user"},
		"busy":                  {&server{implicit: true, replies: map[string]string{"MAIL": "451 4.3.0 try later"}}, "smtps://127.0.0.1:PORT", false, "try later"},
		"wrong password":        {&server{implicit: true, offers: []string{"AUTH PLAIN"}}, "smtps://ada:wrong@127.0.0.1:PORT", true, "5.7.8"},
		"no STARTTLS":           {&server{}, "smtp://127.0.0.1:PORT", false, "no STARTTLS"},
		"no authentication":     {&server{implicit: true}, "smtps://ada:secret@127.0.0.1:PORT", false, "no AUTH"},
		"TLS where there is no": {&server{}, "smtps://127.0.0.1:PORT", false, "tls"},
	} {
		t.Run(name, func(t *testing.T) {
			test.server.user, test.server.password = "ada", "secret"
			s := serve(t, test.server)
			err := sender(t, s, test.url+from).Send(t.Context(), message)
			if err == nil || mail.Permanent(err) != test.permanent || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, permanent %t", err, mail.Permanent(err))
			}
			if err != nil && strings.Contains(err.Error(), "wrong@") {
				t.Errorf("the error shows the password: %v", err)
			}
			if len(s.received()) != 0 {
				t.Error("the mail was sent")
			}
		})
	}
}

func TestACertificateOfAnotherServerIsRefused(t *testing.T) {
	s := serve(t, &server{implicit: true})
	settings, err := mail.ParseSettings("smtps://127.0.0.1:" + s.port() + from)
	if err != nil {
		t.Fatal(err)
	}
	var unknown *tls.CertificateVerificationError
	if err := mail.NewSMTP(settings, mail.SMTPOptions{}).Send(t.Context(), message); !errors.As(err, &unknown) {
		t.Errorf("got %v", err)
	}
}

func TestSendEndsWithItsContext(t *testing.T) {
	for _, command := range []string{"CONNECT", "EHLO", "MAIL", "DATA"} {
		t.Run(command, func(t *testing.T) {
			s := serve(t, &server{hangs: command})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() { <-s.hanging; cancel() }()
			if err := sender(t, s, "smtp://127.0.0.1:PORT"+from+"&tls=off").Send(ctx, message); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
	}
}
