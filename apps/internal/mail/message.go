// Package mail sends mail to people: plain text, with HTML beside it if there is any, through an
// SMTP server. Without a server it keeps the mail for a page that shows the outbox, so that a
// system can be tried without one. It decides neither when mail is sent nor what it says; packages
// such as accounts and notify call it.
package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/internal/lazyregexp"
)

// Limits of a message, in bytes.
const (
	MaxSubject = 250
	MaxBody    = 24_000 // of text and HTML together, so that the outbox can keep it
)

// A Message is a mail to one person.
type Message struct {
	// ID is unique for the message. A message that is sent twice with one ID is shown once by
	// most mail programs. Outbox sets it.
	ID      string
	To      string // an address: ada@example.org
	Subject string
	Text    string
	HTML    string // optional
}

// A Sender sends messages. It is safe for use by many goroutines.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// A MessageError says that a message cannot be sent as it is.
type MessageError struct{ Reason string }

func (e *MessageError) Error() string { return "mail: " + e.Reason }

// check reports the first fault of a message. A line break in a header would add headers or
// recipients.
func (m Message) check() error {
	to, err := mail.ParseAddress(m.To)
	switch {
	case err != nil || to.Name != "" || to.Address != m.To:
		return &MessageError{"the recipient is not an address"}
	case hasControl(m.To):
		return &MessageError{"the recipient contains control characters"}
	case m.Subject == "" || len(m.Subject) > MaxSubject:
		return &MessageError{fmt.Sprintf("the subject has 1 to %d bytes", MaxSubject)}
	case hasControl(m.Subject):
		return &MessageError{"the subject contains control characters"}
	case m.Text == "":
		return &MessageError{"the text is missing"}
	case len(m.Text)+len(m.HTML) > MaxBody:
		return &MessageError{fmt.Sprintf("the text has more than %d bytes", MaxBody)}
	case !utf8.ValidString(m.Subject + m.Text + m.HTML):
		return &MessageError{"the text is not UTF-8"}
	case m.ID != "" && !messageID.MatchString(m.ID):
		return &MessageError{"the id contains other characters than letters, digits, - and _"}
	}
	return nil
}

var messageID = lazyregexp.New(`^[A-Za-z0-9_-]+$`)

func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	})
}

// encode returns a message as it is sent, with the line ends of the Internet.
func (m Message) encode(from mail.Address, at time.Time) ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	if m.ID == "" {
		return nil, errors.New("mail: a message needs an id")
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	var out bytes.Buffer
	header := func(name, value string) { fmt.Fprintf(&out, "%s: %s\r\n", name, value) }
	header("From", from.String())
	header("To", "<"+m.To+">")
	header("Subject", foldWords(mime.QEncoding.Encode("utf-8", m.Subject)))
	header("Date", at.UTC().Format(time.RFC1123Z))
	header("Message-ID", "<"+m.ID+"@"+domain+">")
	header("MIME-Version", "1.0")
	header("Auto-Submitted", "auto-generated") // no answers of absent people
	if m.HTML == "" {
		header("Content-Type", "text/plain; charset=utf-8")
		header("Content-Transfer-Encoding", "quoted-printable")
		out.WriteString("\r\n")
		err := writeQuoted(&out, m.Text)
		return out.Bytes(), err
	}
	parts := multipart.NewWriter(&out)
	header("Content-Type", "multipart/alternative;\r\n boundary="+parts.Boundary())
	out.WriteString("\r\n")
	for _, part := range []struct{ kind, body string }{{"text/plain", m.Text}, {"text/html", m.HTML}} {
		w, err := parts.CreatePart(textproto.MIMEHeader{
			"Content-Type": {part.kind + "; charset=utf-8"}, "Content-Transfer-Encoding": {"quoted-printable"},
		})
		if err != nil {
			return nil, err
		}
		if err := writeQuoted(w, part.body); err != nil {
			return nil, err
		}
	}
	err := parts.Close()
	return out.Bytes(), err
}

// foldWords puts each encoded word of a header on a line of its own: lines with encoded words have
// at most 76 characters.
func foldWords(encoded string) string {
	if strings.HasPrefix(encoded, "=?") {
		encoded = "\r\n " + encoded
	}
	return strings.ReplaceAll(encoded, "?= =?", "?=\r\n =?")
}

func writeQuoted(w interface{ Write([]byte) (int, error) }, text string) error {
	quoted := quotedprintable.NewWriter(w)
	lines := strings.ReplaceAll(text, "\r\n", "\n")
	if _, err := quoted.Write([]byte(strings.ReplaceAll(lines, "\n", "\r\n"))); err != nil {
		return err
	}
	return quoted.Close()
}
