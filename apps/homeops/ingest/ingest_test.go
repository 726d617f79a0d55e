package ingest_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ingest"
	"sortkey.dev/apps/homeops/telegram"
)

func jobsOf(t *testing.T, w *homeopstest.World) int {
	t.Helper()
	page, err := w.Env.Jobs.Waiting(t.Context(), "messages", 0, "")
	if err != nil {
		t.Fatal(err)
	}
	return len(page.Items)
}

// Vector 13, the part of ingest.
func TestMessageIsStoredAndQueuedOnce(t *testing.T) {
	w := homeopstest.Open(t)
	m := w.Message(homeopstest.Anna, "Jag har diskat")
	if got := w.Deliver(t, telegram.Update{Message: m}); got != ingest.Stored {
		t.Errorf("first delivery: %s", got)
	}
	var all sync.WaitGroup
	for range 8 {
		u := w.Update(telegram.Update{Message: m})
		all.Go(func() {
			if got, err := w.Ingest.Deliver(t.Context(), u); err != nil || got != ingest.Repeated {
				t.Errorf("redelivery: %s (%v)", got, err)
			}
		})
	}
	all.Wait()
	stored := w.Stored(t, m)
	if stored.Text != m.Text || stored.UserID != homeopstest.Anna || !stored.Timestamp.Equal(w.Clock.Now()) || stored.Revision != 0 {
		t.Errorf("stored %+v", stored)
	}
	if got := stored.ExpiresAt.Sub(w.Clock.Now()); got != 90*24*time.Hour {
		t.Errorf("kept for %v", got)
	}
	if n := jobsOf(t, w); n != 1 {
		t.Errorf("%d jobs", n)
	}
	home, err := w.Households.ByChat(t.Context(), homeopstest.ChatID(homeopstest.Chat))
	if err != nil {
		t.Fatal(err)
	}
	days, err := w.DB.ListUserDays(home.HouseholdID, homeopstest.Anna, "2037-02-16", "2037-02-16").Slice(t.Context())
	if err != nil || len(days) != 1 || days[0].Messages != 1 {
		t.Errorf("counted %+v (%v)", days, err)
	}
	if owner, _ := home.Member(homeopstest.Anna); owner.Role != homeopsdb.MemberRoleOwner || home.MemberCount != 1 {
		t.Errorf("the first member is %+v of %d", owner, home.MemberCount)
	}
}

func TestWhatIsNotAMembersStatementIsNotStored(t *testing.T) {
	w := homeopstest.Open(t)
	w.Home(t)
	bot := w.Message(homeopstest.Anna, "Noterat")
	bot.From.IsBot = true
	forward := w.Message(homeopstest.Anna, "Jag har städat")
	forward.ForwardOrigin = &telegram.MessageOrigin{Type: "user"}
	anonymous := w.Message(telegram.AnonymousAdmin, "Jag har städat")
	via := w.Message(homeopstest.Anna, "gif")
	via.ViaBot = &telegram.User{ID: 1, IsBot: true}
	channel := w.Message(homeopstest.Anna, "Jag har städat")
	channel.Chat.Type = telegram.Channel
	for name, m := range map[string]*telegram.Message{
		"bot": bot, "forward": forward, "anonymous": anonymous, "via": via, "channel": channel,
		"empty": w.Message(homeopstest.Anna, ""), "stranger in private": w.Private(1234, "hej"),
	} {
		if got := w.Deliver(t, telegram.Update{Message: m}); got != ingest.Ignored {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := w.Deliver(t, telegram.Update{}); got != ingest.Ignored {
		t.Errorf("an unknown kind: %s", got)
	}
	if n := jobsOf(t, w); n != 0 {
		t.Errorf("%d jobs", n)
	}
}

func TestVisitorsAndPausedMembersAreNotRecorded(t *testing.T) {
	w := homeopstest.Open(t)
	w.Set(t, func(s *households.Settings) { s.ClosedMembership = true })
	if got := w.Deliver(t, telegram.Update{Message: w.Message(homeopstest.Maja, "Jag har diskat")}); got != ingest.Ignored {
		t.Errorf("a visitor: %s", got)
	}
	w.Set(t, func(s *households.Settings) { s.ClosedMembership = false })
	if got := w.Deliver(t, telegram.Update{Message: w.Message(homeopstest.Maja, "Jag har diskat")}); got != ingest.Stored {
		t.Errorf("a new member of an open household: %s", got)
	}
	m := w.Message(homeopstest.Erik, "Jag har diskat")
	w.Deliver(t, telegram.Update{Message: m})
	if err := w.Households.Pause(t.Context(), homeopstest.Erik); err != nil {
		t.Fatal(err)
	}
	if got := w.Deliver(t, telegram.Update{Message: w.Message(homeopstest.Erik, "Jag har lagat mat")}); got != ingest.Ignored {
		t.Errorf("a paused member: %s", got)
	}
	edited := *m
	edited.Text = "Jag har diskat och lagat mat"
	if got := w.Deliver(t, telegram.Update{EditedMessage: &edited}); got != ingest.Ignored {
		t.Errorf("an edit of a paused member: %s", got)
	}
	if got := w.Deliver(t, telegram.Update{Message: w.Private(homeopstest.Erik, "/start onboard")}); got != ingest.Stored {
		t.Errorf("start: %s", got)
	}
	if got := w.Deliver(t, telegram.Update{Message: w.Message(homeopstest.Erik, "Jag har lagat mat")}); got != ingest.Stored {
		t.Errorf("after the pause: %s", got)
	}
}

// A reply carries the message that it replies to. That is not kept: a paused member wrote it, a
// visitor, or a member who has it erased later.
func TestTheMessageThatAReplyIsAboutIsNotKept(t *testing.T) {
	w := homeopstest.Open(t)
	w.Home(t)
	if err := w.Households.Pause(t.Context(), homeopstest.Erik); err != nil {
		t.Fatal(err)
	}
	said := w.Message(homeopstest.Erik, "Between us, and not for the bot")
	w.Deliver(t, telegram.Update{Message: said})
	m := w.Message(homeopstest.Anna, "Jag har diskat")
	m.ReplyToMessage, m.Quote = said, &telegram.TextQuote{Text: "not for the bot"}
	edited := *m
	edited.Text = "Jag har dammsugit"
	for _, u := range []telegram.Update{{Message: m}, {EditedMessage: &edited}} {
		w.Deliver(t, u)
		raw := w.Stored(t, m).Raw
		if strings.Contains(raw, "not for the bot") || strings.Contains(raw, "Erik") {
			t.Errorf("the words of a paused member are kept: %s", raw)
		}
		var kept telegram.Message
		if err := json.Unmarshal([]byte(raw), &kept); err != nil {
			t.Fatal(err)
		}
		if to := kept.ReplyToMessage; to == nil || to.MessageID != said.MessageID || to.From == nil || to.From.ID != homeopstest.Erik {
			t.Errorf("what the reply is about is not known: %s", raw)
		}
	}
}

func TestEditIsStoredIfTheTextChanged(t *testing.T) {
	w := homeopstest.Open(t)
	m := w.Message(homeopstest.Anna, "Jag har diskat")
	w.Deliver(t, telegram.Update{Message: m})
	same := *m
	if got := w.Deliver(t, telegram.Update{EditedMessage: &same}); got != ingest.Repeated {
		t.Errorf("the same text: %s", got)
	}
	edited := *m
	edited.Text = "Jag har tvättat"
	for i, want := range []ingest.Outcome{ingest.Stored, ingest.Repeated} {
		if got := w.Deliver(t, telegram.Update{EditedMessage: &edited}); got != want {
			t.Errorf("delivery %d of an edit: %s, want %s", i+1, got, want)
		}
	}
	if stored := w.Stored(t, m); stored.Text != "Jag har tvättat" || stored.Revision != 1 {
		t.Errorf("stored %q, revision %d", stored.Text, stored.Revision)
	}
	if n := jobsOf(t, w); n != 2 {
		t.Errorf("%d jobs", n)
	}
	if got := w.Deliver(t, telegram.Update{EditedMessage: w.Message(homeopstest.Anna, "unknown")}); got != ingest.Ignored {
		t.Errorf("an edit of an unknown message: %s", got)
	}
}

func TestChatMovesWithItsHousehold(t *testing.T) {
	const newChat = -100777
	for _, early := range []bool{false, true} {
		w := homeopstest.Open(t)
		home := w.Home(t)
		if early { // a message of the new chat arrives before the notice
			m := w.Message(homeopstest.Anna, "Jag har diskat")
			m.Chat.ID = newChat
			w.Deliver(t, telegram.Update{Message: m})
		}
		to, from := w.Message(homeopstest.Anna, ""), w.Message(homeopstest.Anna, "")
		to.MigrateToChatID = newChat
		from.Chat.ID, from.MigrateFromChatID = newChat, homeopstest.Chat
		for _, notice := range []*telegram.Message{to, from, to} {
			if got := w.Deliver(t, telegram.Update{Message: notice}); got != ingest.Applied {
				t.Errorf("notice: %s", got)
			}
		}
		for _, chat := range []int64{homeopstest.Chat, newChat} {
			found, err := w.Households.ByChat(t.Context(), homeopstest.ChatID(chat))
			if err != nil || found.HouseholdID != home.HouseholdID || found.ChatID != homeopstest.ChatID(newChat) {
				t.Errorf("early %v: chat %d is of %s in %s (%v), want %s", early, chat, found.HouseholdID, found.ChatID, err, home.HouseholdID)
			}
		}
		m := w.Message(homeopstest.Erik, "Jag har lagat mat")
		m.Chat.ID = newChat
		if got := w.Deliver(t, telegram.Update{Message: m}); got != ingest.Stored {
			t.Errorf("a message in the new chat: %s", got)
		}
		homes, err := w.Households.OfUser(t.Context(), homeopstest.Anna)
		if err != nil || len(homes) != 1 || len(homes[0].Chats()) != 2 {
			t.Errorf("early %v: Anna has %d households (%v)", early, len(homes), err)
		}
	}
}

func TestMembersJoinAndLeave(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	joins := w.Message(homeopstest.Anna, "")
	joins.NewChatMembers = []telegram.User{*homeopstest.User(homeopstest.Maja), {ID: homeopstest.BotID, IsBot: true}}
	leaves := w.Message(homeopstest.Anna, "")
	leaves.LeftChatMember = homeopstest.User(homeopstest.Maja)
	status := func(s telegram.MemberStatus) telegram.Update {
		return telegram.Update{ChatMember: &telegram.ChatMemberUpdated{
			Chat: joins.Chat, NewChatMember: telegram.ChatMember{Status: s, User: *homeopstest.User(homeopstest.Maja)},
		}}
	}
	for i, step := range []struct {
		update telegram.Update
		want   int64
	}{
		{telegram.Update{Message: joins}, 3}, {telegram.Update{Message: joins}, 3}, {telegram.Update{Message: leaves}, 2},
		{telegram.Update{Message: leaves}, 2}, {status(telegram.StatusMember), 3}, {status(telegram.StatusKicked), 2},
	} {
		w.Deliver(t, step.update)
		now, err := w.Households.Get(t.Context(), home.HouseholdID)
		if err != nil || now.MemberCount != step.want || int64(len(now.Active())) != step.want {
			t.Errorf("step %d: %d members, %d active (%v), want %d", i, now.MemberCount, len(now.Active()), err, step.want)
		}
		if now.NameOf(homeopstest.Maja) != "Maja" {
			t.Errorf("step %d: the name is lost", i)
		}
	}
}

// Telegram delivers updates at the same time, and those that failed again. What a member wrote before
// they left does not bring them back when it arrives late; what they write later does.
func TestALateMessageDoesNotBringAMemberBack(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	isMember := func() bool {
		t.Helper()
		now, err := w.Households.Get(t.Context(), home.HouseholdID)
		if err != nil {
			t.Fatal(err)
		}
		_, ok := now.Member(homeopstest.Erik)
		return ok
	}
	late, came := w.Message(homeopstest.Erik, "Jag har diskat"), w.Message(homeopstest.Anna, "")
	came.NewChatMembers = []telegram.User{*homeopstest.User(homeopstest.Erik)}
	w.Clock.Advance(time.Second)
	left := w.Message(homeopstest.Erik, "")
	left.LeftChatMember = homeopstest.User(homeopstest.Erik)
	w.Clock.Advance(time.Second)
	for _, m := range []*telegram.Message{left, late, came} {
		w.Deliver(t, telegram.Update{Message: m})
		if isMember() {
			t.Errorf("a member again after update of message %d", m.MessageID)
		}
	}
	if got := w.Deliver(t, telegram.Update{Message: w.Message(homeopstest.Erik, "Jag är tillbaka")}); got != ingest.Stored || !isMember() {
		t.Errorf("a member who came back: %s, %t", got, isMember())
	}
}

func TestUpdatesThatAreNoMessagesAreQueuedOnce(t *testing.T) {
	w := homeopstest.Open(t)
	u := w.Update(telegram.Update{MessageReaction: &telegram.MessageReactionUpdated{MessageID: 1}})
	for i, want := range []ingest.Outcome{ingest.Stored, ingest.Repeated} {
		if got, err := w.Ingest.Deliver(t.Context(), u); err != nil || got != want {
			t.Errorf("delivery %d: %s (%v)", i+1, got, err)
		}
	}
	if job, err := w.Env.Jobs.Get(t.Context(), "update-1"); err != nil || job.Kind != homeops.JobUpdate {
		t.Errorf("queued %+v (%v)", job, err)
	}
}

func TestStartIsRecognised(t *testing.T) {
	for text, want := range map[string]bool{"/start": true, "/start onboard": true, "/start@homeops_bot x": true, "/started": false, "start": false, "hej /start": false} {
		if got := ingest.IsStart(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
