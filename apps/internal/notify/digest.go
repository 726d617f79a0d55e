package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// DigestTime is the time of the day at which digests are made, in minutes after midnight of the
// person's time zone. Weekly digests are made on Mondays.
const DigestTime = 8 * 60

// settleTime is the time in which the transaction of a notification is committed or fails. What
// was told that shortly before a digest is in the next one, so that nothing is missed.
const settleTime = time.Minute

// digestMost is the maximum number of notifications that a digest lists, and digestSize that of
// bytes, with some left for its end.
const (
	digestMost = 20
	digestSize = mail.MaxBody - 4000
)

// A digestErrand is the payload of jobDigest.
type digestErrand struct {
	Recipient string `json:"recipient"`
}

// nextDigest returns when the first digest after a time is due.
func (p Preferences) nextDigest(after time.Time) time.Time {
	zone := p.Location()
	year, month, day := after.In(zone).Date()
	for ; ; day++ {
		at, _ := clockTime(year, month, day, DigestTime, zone)
		if at.After(after) && (p.Digest == DigestDaily || at.In(zone).Weekday() == time.Monday) {
			return at
		}
	}
}

// queueDigest queues the first digest after a time. Its id contains the due time, so that there
// is one job for it.
func (n *Notifier) queueDigest(ctx context.Context, recipient string, p Preferences, after time.Time) error {
	due := p.nextDigest(after)
	_, err := n.o.Queue.Add(ctx, jobs.Job{
		ID: "digest-" + strconv.FormatInt(due.Unix(), 36) + "-" + recipient, Kind: jobDigest, Payload: digestErrand{recipient}, Due: due,
	})
	return err
}

// runDigest makes a digest if one is due, and queues the next. The preferences may have changed
// since the job was queued; then another job is queued for the right time.
func (n *Notifier) runDigest(ctx context.Context, job jobs.Job) error {
	e, err := jobs.Payload[digestErrand](job)
	if err != nil {
		return err
	}
	p, err := n.Preferences(ctx, e.Recipient)
	if err != nil || p.Digest == DigestNone || n.o.Mail == nil {
		return err
	}
	now := n.p.Now()
	due := p.nextDigest(p.digestAt)
	if now.Before(due) {
		return n.queueDigest(ctx, e.Recipient, p, p.digestAt)
	}
	// The next digest is queued first, so that a digest that fails for ever is the only one.
	if err := n.queueDigest(ctx, e.Recipient, p, now); err != nil {
		return err
	}
	news, err := n.news(ctx, e.Recipient, p, now)
	if err != nil {
		return err
	}
	tx := n.p.DB.Tx()
	tx.MarkDigest(platformdb.PreferenceKey{Recipient: e.Recipient}, platformdb.MarkDigestParams{DigestAt: now, Due: due})
	if len(news) > 0 {
		if err := n.mailDigest(ctx, tx, e.Recipient, news); err != nil {
			return err
		}
	}
	if err := tx.Commit(ctx); err != nil && !access.Refused(err) { // refused: another worker was faster, or the person was deleted
		return fmt.Errorf("make a digest: %w", err)
	}
	return nil
}

// news returns what a person was told since the last digest and has not read, the newest first.
func (n *Notifier) news(ctx context.Context, recipient string, p Preferences, now time.Time) ([]platformdb.Notification, error) {
	unread, err := n.p.DB.ListUnread(recipient).Limit(MaxUnread).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list notifications: %w", err)
	}
	var news []platformdb.Notification
	for _, row := range unread {
		told := row.ToldAt.Add(settleTime)
		if told.After(p.digestAt) && !told.After(now) && !p.mutes(row.Kind) {
			news = append(news, row)
		}
	}
	return news, nil
}

// mailDigest adds a digest to a transaction, if the person has a mail address.
func (n *Notifier) mailDigest(ctx context.Context, tx access.Tx, recipient string, news []platformdb.Notification) error {
	to, err := n.o.Address(ctx, recipient)
	switch {
	case err != nil:
		return fmt.Errorf("find the address of a person: %w", err)
	case to == "":
		return nil
	}
	err = n.o.Mail.Add(tx, mail.Message{To: to, Subject: n.digestSubject(len(news)), Text: n.digestText(news)})
	if wrong, ok := errors.AsType[*mail.MessageError](err); ok { // such as an address that is none
		n.p.Log.Warn("digest cannot be mailed", slog.String("reason", wrong.Reason))
		return nil
	}
	return err
}

func (n *Notifier) digestSubject(count int) string {
	if count == 1 {
		return "One new notification from " + n.o.Name
	}
	return fmt.Sprintf("%s new notifications from %s", upTo(count, MaxUnread), n.o.Name)
}

// upTo returns a count, with a plus if counting stopped there.
func upTo(count, most int) string {
	if count >= most {
		return strconv.Itoa(most) + "+"
	}
	return strconv.Itoa(count)
}

// digestText lists notifications, as many as are readable and fit into a mail.
func (n *Notifier) digestText(news []platformdb.Notification) string {
	var text strings.Builder
	listed := 0
	for _, row := range news[:min(len(news), digestMost)] {
		part := n.digestPart(row)
		if text.Len()+len(part) > digestSize {
			break
		}
		text.WriteString(part)
		listed++
	}
	if more := len(news) - listed; more > 0 {
		fmt.Fprintf(&text, "And %d more.\n\n", more)
	}
	if n.o.SettingsLink != "" {
		fmt.Fprintf(&text, "Choose how often this mail comes: %s\n", n.absolute(n.o.SettingsLink))
	}
	return text.String()
}

// digestPart returns a notification as a digest lists it.
func (n *Notifier) digestPart(row platformdb.Notification) string {
	part := oneLine(row.Title) + "\n"
	if row.Body != "" {
		part += oneLine(row.Body) + "\n"
	}
	if row.Link != "" {
		part += n.absolute(row.Link) + "\n"
	}
	return part + "\n"
}

// oneLine replaces line breaks, so that the words of others cannot look like the digest's own.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
