package notify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

// ErrNoNotification refuses a request for a notification that the person does not have.
var ErrNoNotification = refusal.New(refusal.NotFound, "NOTIFICATION_NOT_FOUND", "There is no such notification.")

// An Entry is a notification in a person's inbox.
type Entry struct {
	ID    string
	Kind  string
	Title string
	Body  string
	Link  string
	At    time.Time
	Read  bool
}

// Inbox returns a page of a person's notifications, the newest first. The cursor is "" for the
// first page; the returned one is "" after the last.
func (n *Notifier) Inbox(ctx context.Context, recipient, cursor string) (entries []Entry, next string, err error) {
	page, err := n.p.DB.ListNotifications(recipient).Page(ctx, cursor)
	switch {
	case errors.Is(err, access.ErrBadCursor):
		return nil, "", refusal.OfField(refusal.Field{Name: "cursor", Constraint: "format"}, "This cursor is not one of this list.")
	case err != nil:
		return nil, "", fmt.Errorf("list notifications: %w", err)
	}
	for _, row := range page.Items {
		entries = append(entries, entryOf(row))
	}
	return entries, page.Next, nil
}

func entryOf(row platformdb.Notification) Entry {
	return Entry{
		ID: row.NotificationID, Kind: row.Kind, Title: row.Title, Body: row.Body, Link: row.Link, At: row.CreatedAt,
		Read: row.State == platformdb.NotificationStateRead,
	}
}

// MaxUnread is the number at which Unread stops counting.
const MaxUnread = 100

// Unread counts the notifications that a person has not read, up to MaxUnread.
func (n *Notifier) Unread(ctx context.Context, recipient string) (int, error) {
	count, err := n.p.DB.ListUnread(recipient).Limit(MaxUnread).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count notifications: %w", err)
	}
	return int(count), nil
}

// Read marks a notification as read.
func (n *Notifier) Read(ctx context.Context, recipient, id string) error {
	changed, err := n.read(ctx, recipient, id)
	if changed {
		n.hint(recipient)
	}
	return err
}

func (n *Notifier) read(ctx context.Context, recipient, id string) (changed bool, err error) {
	_, err = n.p.DB.ReadNotification(ctx, platformdb.NotificationKey{Recipient: recipient, NotificationID: id}, platformdb.ReadNotificationParams{
		ReadAt: new(n.p.Now()),
	})
	switch {
	case errors.Is(err, access.ErrNotFound):
		return false, ErrNoNotification
	case access.Refused(err): // it is read already
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read notification %s: %w", id, err)
	}
	return true, nil
}

// ReadAll marks all notifications of a person as read that came until now, and returns how many
// there were.
func (n *Notifier) ReadAll(ctx context.Context, recipient string) (read int, err error) {
	unread, err := n.p.DB.ListUnread(recipient).Limit(0).Slice(ctx)
	if err != nil {
		return 0, fmt.Errorf("list notifications: %w", err)
	}
	for _, row := range unread {
		changed, err := n.read(ctx, recipient, row.NotificationID)
		if err != nil && !errors.Is(err, ErrNoNotification) {
			return read, err
		}
		if changed {
			read++
		}
	}
	if read > 0 {
		n.hint(recipient)
	}
	return read, nil
}
