package accountpages

import (
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"

	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

const (
	outboxDays = 7
	outboxMost = 50
)

// outboxView holds the data of account-outbox.html.
type outboxView struct{ Mail []shownMail }

// A shownMail is a mail with its text in paragraphs.
type shownMail struct {
	platformdb.Mail
	Paragraphs []paragraph
}

// A paragraph is a text, or a link of which Href is the path on this site.
type paragraph struct{ Text, Href string }

// keptMail says what people need to know about mail that is not sent.
type keptMail struct {
	Kept   bool   // there is no mail server
	Outbox string // the page that shows the mail; "" for people who may not read it
}

func (p *Pages) keptMail() keptMail {
	kept := keptMail{Kept: p.o.Outbox != nil}
	if kept.Kept && p.o.OpenOutbox {
		kept.Outbox = OutboxPath
	}
	return kept
}

// OutboxLink returns the path of the page with the kept mail, with the key that opens it; "" if there is no such page.
// It is for those who run the system: there are links in the mail with which anyone takes over an account.
func (p *Pages) OutboxLink() string {
	if p.o.Outbox == nil {
		return ""
	}
	return OutboxPath + "?key=" + p.outboxKey()
}

func (p *Pages) outboxKey() string { return p.o.Box.Hash("outbox") }

// readsOutbox reports whether a request may read the kept mail: it has the key. Where it comes from would prove nothing
// behind a proxy. A demo is open to everyone.
func (p *Pages) readsOutbox(r *http.Request) bool {
	return p.o.OpenOutbox || subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("key")), []byte(p.outboxKey())) == 1
}

func (p *Pages) showOutbox(w http.ResponseWriter, r *http.Request) error {
	if !p.readsOutbox(r) {
		return refusal.New(refusal.Forbidden, "", "The mail of this system opens with the address that was shown when it started.")
	}
	rows, err := p.o.Outbox.Recent(r.Context(), outboxDays, outboxMost)
	if err != nil {
		return err
	}
	view := outboxView{}
	for _, row := range rows {
		view.Mail = append(view.Mail, shownMail{row, paragraphs(row.Text)})
	}
	w.Header().Set("Referrer-Policy", "no-referrer") // the key is in the address
	p.site.Render(w, r, http.StatusOK, "account-outbox.html", view)
	return nil
}

func paragraphs(text *string) []paragraph {
	if text == nil {
		return nil
	}
	var all []paragraph
	for part := range strings.SplitSeq(strings.TrimSpace(*text), "\n\n") {
		one := paragraph{Text: part}
		if u, err := url.Parse(part); err == nil && u.Host != "" && !strings.ContainsAny(part, " \n") {
			one.Href = webkit.LocalPath(u.RequestURI())
		}
		all = append(all, one)
	}
	return all
}
