package notify

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/publichttp"
)

// The kinds of jobs that the package queues and runs.
const (
	jobPush   = "notify.push"   // finds the devices of a notification
	jobSend   = "notify.send"   // sends a notification to one device
	jobDigest = "notify.digest" // mails what a person has not read
)

// Limits of a notification, in bytes.
const (
	MaxTitle = 200
	MaxBody  = 1000
	MaxLink  = 500
)

// keep is the time for which notifications are kept.
const keep = 30 * 24 * time.Hour

// Options configures a Notifier.
type Options struct {
	// Queue is the system's job queue. It is required.
	Queue *jobs.Queue
	// Lane is the lane of the jobs; "notifications" by default.
	Lane string
	// Senders holds the sender of each configured channel. Devices of other channels are
	// refused.
	Senders map[Channel]Sender
	// Hub gets a hint when an inbox changes in this process; nil for none.
	Hub *live.Hub
	// HTTP says which push endpoints are accepted: private addresses in development only.
	HTTP publichttp.Options
	// Kinds lists the kinds that people can mute; any kind if it is empty.
	Kinds []string

	// Mail sends digests, and Address returns the mail address of a recipient, "" if there is
	// none. Digests are refused without them.
	Mail    *mail.Outbox
	Address func(ctx context.Context, recipient string) (string, error)
	// Name is the system's name in digests, PublicURL its URL, to which links are relative, and
	// SettingsLink the page where a person changes the preferences.
	Name, PublicURL, SettingsLink string
}

// A Notifier tells the people of one system. It is safe for use by many goroutines.
type Notifier struct {
	p *platform.Platform
	o Options
}

// New returns the notifier of a system and registers its jobs.
func New(p *platform.Platform, options Options) (*Notifier, error) {
	if options.Queue == nil {
		return nil, errors.New("notify: it needs a job queue")
	}
	if (options.Mail == nil) != (options.Address == nil) {
		return nil, errors.New("notify: digests need both Mail and Address")
	}
	options.Lane = cmp.Or(options.Lane, "notifications")
	options.Name = cmp.Or(options.Name, "your account")
	n := &Notifier{p: p, o: options}
	options.Queue.Handle(jobPush, options.Lane, jobs.Policy{}, n.runPush)
	options.Queue.Handle(jobSend, options.Lane, sendPolicy, n.runSend)
	options.Queue.Handle(jobDigest, options.Lane, jobs.Policy{}, n.runDigest)
	return n, nil
}

// A Notification tells a person about an event.
type Notification struct {
	Recipient string
	// Event identifies the event, and At is its time: together they are the identity of the
	// notification, so both must be the same whenever the same event is told. At may be zero if
	// Event is a ULID or a UUIDv7, which contain a time.
	Event string
	At    time.Time

	Kind  string // what people can mute, such as "reply"
	Title string
	Body  string // push messages show it on locked screens
	Link  string // where it leads: a path of the system, or a URL
	// Until is the time after which a push message is useless; zero for no such time.
	Until time.Time
}

// Tell adds a notification to a transaction, which fails with access.ErrExists if the recipient
// has been told of the event.
func (n *Notifier) Tell(tx access.Tx, m Notification) error {
	row, err := n.row(m)
	if err != nil {
		return err
	}
	n.p.DB.Join(tx).Notify(row)
	if len(n.o.Senders) == 0 {
		return nil
	}
	return n.o.Queue.AddTo(tx, jobs.Job{
		ID: "push-" + row.NotificationID + "-" + row.Recipient, Kind: jobPush,
		Payload: errand{Recipient: row.Recipient, Notification: row.NotificationID, Until: m.Until},
	})
}

// TellNow tells a person in a transaction of its own. It reports false if the recipient has been
// told of the event before.
func (n *Notifier) TellNow(ctx context.Context, m Notification) (told bool, err error) {
	tx := n.p.DB.Tx()
	if err := n.Tell(tx, m); err != nil {
		return false, err
	}
	err = tx.Commit(ctx)
	switch {
	case errors.Is(err, access.ErrExists):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("notify %s: %w", m.Recipient, err)
	}
	n.hint(m.Recipient)
	return true, nil
}

// row returns a notification as it is stored.
func (n *Notifier) row(m Notification) (platformdb.Notification, error) {
	if m.At.IsZero() {
		m.At, _ = access.TimeOfID(m.Event) // stays zero if the event has no time
	}
	switch {
	case m.Recipient == "" || m.Event == "" || m.Kind == "" || m.Title == "":
		return platformdb.Notification{}, errors.New("notify: a notification needs a recipient, an event, a kind and a title")
	case m.At.IsZero():
		return platformdb.Notification{}, fmt.Errorf("notify: event %s has no time", m.Event)
	}
	at, now := m.At.UTC().Truncate(time.Millisecond), n.p.Now()
	return platformdb.Notification{
		Recipient: m.Recipient, NotificationID: noteID(at, m.Event), Kind: m.Kind,
		Title: cut(m.Title, MaxTitle), Body: cut(m.Body, MaxBody), Link: cut(m.Link, MaxLink),
		State: platformdb.NotificationStateUnread, CreatedAt: at, ToldAt: now, TTL: now.Add(keep),
	}, nil
}

// crockford is the alphabet of ULIDs.
var crockford = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// noteID returns a ULID whose random part is made from the event, so that the same event always
// has the same id.
func noteID(at time.Time, event string) string {
	const timeChars = 10
	hash := sha256.Sum256([]byte(event))
	return access.NewULID(at)[:timeChars] + crockford.EncodeToString(hash[:10])
}

// cut shortens a text to a number of bytes, at the end of a character, and removes bytes that are
// no characters.
func cut(text string, most int) string {
	const dots = "…"
	text = strings.ToValidUTF8(text, "")
	if len(text) <= most {
		return text
	}
	end := most - len(dots)
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + dots
}

// Topic returns the topic of hints about a person's inbox. A system that follows the streams of
// its platform table sends the hints of other processes there.
func Topic(recipient string) live.Topic { return live.Topic("inbox " + recipient) }

func (n *Notifier) hint(recipient string) {
	if n.o.Hub != nil {
		n.o.Hub.Tell(Topic(recipient))
	}
}
