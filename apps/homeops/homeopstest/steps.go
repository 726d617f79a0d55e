package homeopstest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/worker"
)

// A Telegram is the side of Telegram in a test: it keeps what the bot sends and numbers it.
type Telegram struct {
	mu        sync.Mutex
	sent      []telegram.SendMessage
	reactions []int64
	next      int64
	// Refuse returns the error of a message; nil to accept all.
	Refuse func(m telegram.SendMessage, d telegram.Delivery) error
}

// Send keeps a message.
func (b *Telegram) Send(_ context.Context, m telegram.SendMessage, d telegram.Delivery) (telegram.Message, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Refuse != nil {
		if err := b.Refuse(m, d); err != nil {
			return telegram.Message{}, err
		}
	}
	b.next++
	b.sent = append(b.sent, m)
	if m.Ephemeral != nil {
		return telegram.Message{EphemeralMessageID: 900_000 + b.next}, nil
	}
	return telegram.Message{MessageID: 900_000 + b.next, Chat: telegram.Chat{ID: m.ChatID}}, nil
}

// AnswerCallback ends the waiting animation of a button.
func (b *Telegram) AnswerCallback(context.Context, string, string) error { return nil }

// React keeps a reaction.
func (b *Telegram) React(_ context.Context, _, messageID int64, _ ...telegram.ReactionType) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reactions = append(b.reactions, messageID)
	return nil
}

// Texts returns what the bot sent to a chat, in order.
func (b *Telegram) Texts(chat int64) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	texts := []string{}
	for _, m := range b.sent {
		if m.ChatID == chat {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// Sent returns all that the bot sent, in order.
func (b *Telegram) Sent() []telegram.SendMessage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]telegram.SendMessage{}, b.sent...)
}

// Reactions returns the messages that the bot reacted to.
func (b *Telegram) Reactions() []int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]int64{}, b.reactions...)
}

// A Script is a classifier that knows the meanings of texts, without the name of the bot; others
// mean nothing.
type Script struct {
	mu       sync.Mutex
	meanings map[string]func(understanding.Message) understanding.Meaning
}

// Classify returns the meaning of a text.
func (s *Script) Classify(_ context.Context, m understanding.Message) (understanding.Meaning, error) {
	s.mu.Lock()
	meaning := s.meanings[strings.TrimSpace(m.Text)]
	s.mu.Unlock()
	if meaning != nil {
		return meaning(m), nil
	}
	return understanding.Meaning{Classifier: "recorded"}, nil
}

// Means sets the meaning of a text.
func (w *World) Means(text string, meaning understanding.Meaning) {
	meaning.Classifier = "recorded"
	w.MeansBy(text, func(understanding.Message) understanding.Meaning { return meaning })
}

// MeansBy sets the meaning of a text that depends on the household's words.
func (w *World) MeansBy(text string, meaning func(understanding.Message) understanding.Meaning) {
	w.Script.mu.Lock()
	defer w.Script.mu.Unlock()
	w.Script.meanings[text] = meaning
}

// Did returns the meaning of a message that reports an activity of its author.
func Did(id understanding.ActivityID, effort understanding.Effort, confidence float64) understanding.Meaning {
	d, _ := understanding.Lookup(id)
	a := understanding.Activity{
		Activity: id, Name: d.Noun(understanding.Swedish), Kind: d.Kind, Who: understanding.Person{Role: understanding.RoleAuthor},
		Effort: effort, Confidence: confidence,
	}
	return understanding.Meaning{Activities: []understanding.Activity{a}}
}

// Promised returns the meaning of a message that promises an activity.
func Promised(id understanding.ActivityID, deadline time.Time) understanding.Meaning {
	d, _ := understanding.Lookup(id)
	return understanding.Meaning{Promises: []understanding.Promise{{
		Activity: id, Name: d.Noun(understanding.Swedish), Kind: d.Kind, Deadline: deadline, Confidence: 0.9,
	}}}
}

// startWorker gives the world a worker of its own environment.
func (w *World) startWorker(t testing.TB) {
	t.Helper()
	var err error
	options := worker.Options{Env: w.Env, Bot: w.Telegram}
	options.Conversation.Classifier = w.Script
	options.Conversation.Bot = telegram.User{ID: BotID, IsBot: true, FirstName: "HomeOps", Username: "homeops_bot"}
	options.Conversation.SignInLink = func(token string) string { return "https://homeops.example/in?t=" + token }
	options.Conversation.StartLink = "https://t.me/homeops_bot?start=onboard"
	if w.Worker, err = worker.New(options); err != nil {
		t.Fatal(err)
	}
}

// Step runs all jobs that are due, and those that they queue for now.
func (w *World) Step(t testing.TB) {
	t.Helper()
	for {
		begun, err := w.Env.Jobs.Step(t.Context())
		if err != nil {
			t.Fatalf("run jobs: %v", err)
		}
		if begun == 0 {
			break
		}
	}
	dead, err := w.Env.Jobs.Dead(t.Context(), 10, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range dead.Items {
		t.Fatalf("job %s is dead: %s", job.ID, job.LastError)
	}
}

// Say delivers a message of a member and runs what follows.
func (w *World) Say(t testing.TB, userID int64, text string) *telegram.Message {
	t.Helper()
	m := w.Message(userID, text)
	w.Deliver(t, telegram.Update{Message: m})
	w.Step(t)
	return m
}

// Reply delivers a reply to the bot's last message in the group and runs what follows.
func (w *World) Reply(t testing.TB, userID int64, text string) *telegram.Message {
	t.Helper()
	m := w.Message(userID, text)
	m.ReplyToMessage = &telegram.Message{MessageID: 900_000 + w.Telegram.next, From: &telegram.User{ID: BotID, IsBot: true}, Chat: m.Chat}
	w.Deliver(t, telegram.Update{Message: m})
	w.Step(t)
	return m
}

// Events returns the log of the world's household, oldest first.
func (w *World) Events(t testing.TB) []homeopsdb.Event {
	t.Helper()
	home := w.Home(t)
	events, err := w.DB.ListEventsInRange(home.Chats(), Start.AddDate(-1, 0, 0), Start.AddDate(2, 0, 0)).Limit(0).Slice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// Decision returns the decision about a message.
func (w *World) Decision(t testing.TB, m *telegram.Message) homeopsdb.Decision {
	t.Helper()
	d, err := w.DB.GetDecision(t.Context(), ChatID(m.Chat.ID), m.MessageID)
	if err != nil {
		t.Fatalf("read a decision: %v", err)
	}
	return d
}

// Reason returns why the bot spoke or not about a message.
func (w *World) Reason(t testing.TB, m *telegram.Message) string {
	t.Helper()
	d, err := w.DB.GetDecision(t.Context(), ChatID(m.Chat.ID), m.MessageID)
	if errors.Is(err, access.ErrNotFound) || d.Reason == nil {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return *d.Reason
}
