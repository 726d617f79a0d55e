// Package chatroom is the chat of a system that runs without Telegram: two households of simulated
// people whose messages reach the system through its own webhook, and a stand-in of the Bot API
// that keeps what the bot sends. Everything stays in this process and in its memory. It is not a
// chat for real households: any visitor of its page may speak as any of its people. Package server
// opens it, and package web shows it.
package chatroom

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/telegram/telegramtest"
	"sortkey.dev/apps/internal/refusal"
)

// A Group is a group chat with its people.
type Group struct {
	ID     int64
	Title  string
	Lang   string // of its people
	People []telegram.User
}

// Person returns a person of the group; ok is false if there is none with this id.
func (g Group) Person(id int64) (person telegram.User, ok bool) {
	i := slices.IndexFunc(g.People, func(p telegram.User) bool { return p.ID == id })
	if i < 0 {
		return telegram.User{}, false
	}
	return g.People[i], true
}

// groups are the simulated households. Ids of groups are negative, as in Telegram.
var groups = []Group{
	{ID: -7001, Title: "Hemma", Lang: "sv", People: []telegram.User{person(701, "Anna", "sv"), person(702, "Erik", "sv"), person(703, "Maja", "sv")}},
	{ID: -7002, Title: "Our place", Lang: "en", People: []telegram.User{person(711, "Emma", "en"), person(712, "Oliver", "en")}},
}

func person(id int64, name, lang string) telegram.User {
	return telegram.User{ID: id, FirstName: name, LanguageCode: lang}
}

// Options configures a Room.
type Options struct {
	Now func() time.Time // time.Now if nil
	// Changed is called after a chat changed; may be nil.
	Changed func(chatID int64)
}

// Limits of a room. Older messages are forgotten.
const (
	kept    = 200
	MaxText = 1000 // characters of a message
)

const (
	token   = "simulated"
	address = "http://chatroom.invalid" // never resolved: both transports stay in the process
)

var (
	errNoChat    = refusal.New(refusal.NotFound, "CHAT_NOT_FOUND", "There is no such chat.")
	errNoButton  = refusal.New(refusal.Gone, "BUTTON_GONE", "This button is gone.")
	errNotStored = errors.New("chatroom: the webhook did not accept the message")
)

// A Room holds the chats. It is safe for concurrent use.
type Room struct {
	server  *telegramtest.Server
	client  *telegram.Client
	webhook *inside
	mutex   sync.Mutex
	joined  map[int64]bool // groups that the bot was added to
	// requests of the keys of Once, the oldest first
	requests []*request
}

// New returns a room that is not yet connected to a webhook.
func New(o Options) (*Room, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &Room{webhook: new(inside), joined: make(map[int64]bool)}
	r.server = telegramtest.New(telegramtest.Options{
		Token: token, Now: o.Now, HTTP: &http.Client{Transport: r.webhook}, Changed: o.Changed,
		First: o.Now().Unix(), Keep: kept, // ids grow over restarts, as those of Telegram
	})
	api := new(inside)
	api.set(r.server)
	var err error
	r.client, err = telegram.New(telegram.Options{
		Token: token, BaseURL: address, HTTP: &http.Client{Transport: api}, Now: o.Now,
		Limits: telegram.Limits{PerSecond: 1000, GroupPerMinute: 1000},
	})
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		r.server.AddGroup(g.ID, g.Title, telegram.StatusLeft, g.People...)
		for _, p := range g.People {
			r.server.AddPrivate(p)
		}
	}
	return r, nil
}

// Connect delivers what is written to a webhook.
func (r *Room) Connect(ctx context.Context, webhook http.Handler, secret string) error {
	r.webhook.set(webhook)
	return r.client.SetWebhook(ctx, telegram.Webhook{URL: address + "/webhook", SecretToken: secret})
}

// Client returns the bot's client of the room.
func (r *Room) Client() *telegram.Client { return r.client }

// Bot returns the account of the bot.
func (r *Room) Bot() telegram.User { return r.server.Bot() }

// Groups returns the groups of the room.
func (r *Room) Groups() []Group { return slices.Clone(groups) }

// A Line is a message as a person sees it.
type Line struct {
	telegram.Message
	Reactions []telegram.ReactionType // of the bot
}

// ID returns the number by which the line is replied to or pressed.
func (l Line) ID() int64 { return max(l.MessageID, l.EphemeralMessageID) }

// Lines returns what a person sees in a chat: in a group without messages for one other member.
func (r *Room) Lines(chatID, viewer int64) []Line {
	var lines []Line
	for _, m := range r.server.Messages(chatID) {
		if m.Text == "" || m.ReceiverUser != nil && m.ReceiverUser.ID != viewer {
			continue
		}
		lines = append(lines, Line{Message: m, Reactions: r.server.Reactions(chatID, m.MessageID)})
	}
	return lines
}

// Say lets a person write in their group, or to the bot if private is set. A reply names the
// message that it replies to; 0 for none.
func (r *Room) Say(ctx context.Context, g Group, from telegram.User, private bool, text string, replyTo int64) error {
	chatID, first := g.ID, false
	if private {
		chatID = from.ID
	} else {
		var err error
		if first, err = r.join(ctx, g, from); err != nil {
			return err
		}
	}
	var replied *telegram.Message
	for _, line := range r.Lines(chatID, from.ID) {
		if line.MessageID != 0 && line.MessageID == replyTo {
			replied = &line.Message
		}
	}
	_, status, err := r.server.Write(ctx, chatID, from, text, func(m *telegram.Message) { m.ReplyToMessage = replied })
	if err := accepted(status, err); err != nil || !first {
		return err
	}
	_, status, err = r.server.Write(ctx, chatID, from, "", func(m *telegram.Message) { m.NewChatMembers = g.People }) // a service message
	return accepted(status, err)
}

// A Past is a message that a person wrote before the room was opened.
type Past struct {
	From telegram.User
	At   time.Time
	Text string
}

// Recall delivers an older message of a group, as Telegram delivers what was written while a
// webhook was unreachable. Its id is derived from its time, so that it is delivered once however
// often it is recalled; two messages of a group need times that are a second apart.
func (r *Room) Recall(ctx context.Context, g Group, past Past) error {
	if _, err := r.join(ctx, g, past.From); err != nil {
		return err
	}
	_, status, err := r.server.Write(ctx, g.ID, past.From, past.Text, func(m *telegram.Message) {
		m.MessageID, m.Date = past.At.Unix(), telegram.Time{Time: past.At.Truncate(time.Second)}
	})
	return accepted(status, err)
}

// Press lets a person press a button of a message of the bot.
func (r *Room) Press(ctx context.Context, g Group, from telegram.User, private bool, messageID int64, data string) error {
	chatID := g.ID
	if private {
		chatID = from.ID
	}
	if len(r.Lines(chatID, from.ID)) == 0 {
		return errNoChat
	}
	if _, err := r.server.Press(ctx, chatID, messageID, from, data); err != nil {
		return errNoButton
	}
	return nil
}

// join adds the bot to a group before the first message, as a person does in Telegram. It reports
// whether this is the first message.
func (r *Room) join(ctx context.Context, g Group, by telegram.User) (first bool, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.joined[g.ID] {
		return false, nil
	}
	if err := r.server.SetMember(ctx, g.ID, by, r.server.Bot(), telegram.StatusAdministrator); err != nil {
		return false, fmt.Errorf("add the bot to a group: %w", err)
	}
	r.joined[g.ID] = true
	return true, nil
}

func accepted(status int, err error) error {
	switch {
	case err != nil:
		return err
	case status != http.StatusOK:
		return fmt.Errorf("%w: status %d", errNotStored, status)
	}
	return nil
}
