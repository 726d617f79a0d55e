package accountpages

import (
	"net/http"
	"net/netip"
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

func (p *Pages) keptMail(r *http.Request) keptMail {
	kept := keptMail{Kept: p.o.Outbox != nil}
	if kept.Kept && p.readsOutbox(r) {
		kept.Outbox = OutboxPath
	}
	return kept
}

// readsOutbox reports whether a request may read the kept mail, whose links let anyone take over an account: it comes
// from this machine, through no proxy, to a system that has no other address. A demo is open to everyone.
func (p *Pages) readsOutbox(r *http.Request) bool {
	if p.o.OpenOutbox {
		return true
	}
	for _, name := range []string{"X-Forwarded-For", "Forwarded", "Via"} {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !from.Addr().Unmap().IsLoopback() {
		return false
	}
	public, err := url.Parse(p.o.PublicURL)
	asked := url.URL{Host: r.Host} // another name that leads here is a proxy's, or that of a hostile page
	return err == nil && onThisMachine(public.Hostname()) && onThisMachine(asked.Hostname())
}

func onThisMachine(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && address.IsLoopback()
}

func (p *Pages) showOutbox(w http.ResponseWriter, r *http.Request) error {
	if !p.readsOutbox(r) {
		return refusal.New(refusal.Forbidden, "", "The mail of this system is shown only on the machine that it runs on.")
	}
	rows, err := p.o.Outbox.Recent(r.Context(), outboxDays, outboxMost)
	if err != nil {
		return err
	}
	view := outboxView{}
	for _, row := range rows {
		view.Mail = append(view.Mail, shownMail{row, paragraphs(row.Text)})
	}
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
