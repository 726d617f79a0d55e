package web

import (
	"net/http"

	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/webkit"
)

// newsPages shows notifications.
type newsPages struct {
	notifier *notify.Notifier
	site     *webkit.Site
}

func (p *newsPages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /notifications":  p.notifications,
		"POST /notifications": p.readNotifications,
	}
}

// newsView holds the data of notifications.html.
type newsView struct {
	Entries []notify.Entry
	Unread  bool
	More    string
}

func (p *newsPages) notifications(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	entries, next, err := p.notifier.Inbox(r.Context(), me, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	view := newsView{Entries: entries}
	for _, entry := range entries {
		view.Unread = view.Unread || !entry.Read
	}
	if next != "" {
		view.More = addQuery("/notifications", "cursor", next)
	}
	p.site.Render(w, r, http.StatusOK, "notifications.html", view)
	return nil
}

func (p *newsPages) readNotifications(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	if _, err := p.notifier.ReadAll(r.Context(), me); err != nil {
		return err
	}
	p.site.Redirect(w, r, "/notifications")
	return nil
}
