package accountpages

import (
	"net/http"
	"net/url"
	"strings"

	"sortkey.dev/apps/internal/platform/platformdb"
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

func (p *Pages) showOutbox(w http.ResponseWriter, r *http.Request) error {
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
