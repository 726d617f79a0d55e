package conversation_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

const anna, erik, chat = homeopstest.Anna, homeopstest.Erik, homeopstest.Chat

func open(t *testing.T) *homeopstest.World {
	w := homeopstest.Open(t)
	w.Set(t, func(s *households.Settings) { s.AcknowledgeText = true })
	w.Means("Jag har diskat", homeopstest.Did("dishes", understanding.Medium, 0.9))
	return w
}

func wantTexts(t *testing.T, w *homeopstest.World, chat int64, want ...string) {
	t.Helper()
	if got := w.Telegram.Texts(chat); !slices.Equal(got, want) {
		t.Errorf("the bot said %q, want %q", got, want)
	}
}

// ask delivers a message that mentions the bot.
func ask(t *testing.T, w *homeopstest.World, userID int64, text string, meaning understanding.Meaning) *telegram.Message {
	t.Helper()
	w.Means(text, meaning)
	text += " @HomeOps_bot"
	m := w.Message(userID, text)
	m.Entities = []telegram.MessageEntity{{Type: telegram.Mention, Offset: len([]rune(text)) - 12, Length: 12}}
	w.Deliver(t, telegram.Update{Message: m})
	w.Step(t)
	return m
}

func question(kind understanding.QuestionKind, who understanding.Person) understanding.Meaning {
	return understanding.Meaning{Questions: []understanding.Question{{Kind: kind, Activity: "dishes", Who: who, Confidence: 0.9}}}
}

func TestQuestionsToTheBotAreAnsweredFromTheLog(t *testing.T) {
	w := open(t)
	all := understanding.Person{}
	ask(t, w, anna, "Vem diskade senast?", question(understanding.WhoLast, all))
	w.Say(t, erik, "Jag har diskat")
	w.Clock.Advance(24 * time.Hour)
	ask(t, w, anna, "Vem diskade senast?", question(understanding.WhoLast, all))
	ask(t, w, anna, "När diskade jag?", question(understanding.WhenLast, understanding.Person{Role: understanding.RoleAuthor}))
	erikRole := understanding.Person{Role: understanding.RoleMember, Member: households.MemberID(erik)}
	ask(t, w, anna, "Hur ofta diskade Erik?", question(understanding.HowOften, erikRole))
	wantTexts(t, w, chat, "Hittar inget om diskning.", "Erik diskade senast igår kl 10:00.", "Hittar inget om diskning.", "Erik: diskning 1 gång den här veckan.")
	ask(t, w, anna, "Hur ofta diskade vi?", question(understanding.HowOften, all))
	if said := w.Telegram.Texts(chat); said[len(said)-1] != "Diskning: 1 gång den här veckan." {
		t.Errorf("the bot said %q", said)
	}
	// A question that is not addressed to the bot is the family's own.
	w.Means("Vem diskade senast?", question(understanding.WhoLast, all))
	if m := w.Say(t, anna, "Vem diskade senast?"); w.Reason(t, m) != "none" {
		t.Errorf("reason %s", w.Reason(t, m))
	}
	if n := len(w.Telegram.Texts(chat)); n != 5 {
		t.Errorf("the bot said %d texts", n)
	}
	// A longer name is not the bot's.
	m := w.Message(anna, "Vem diskade senast? @homeops_botten")
	w.Means(m.Text, question(understanding.WhoLast, all))
	m.Entities = []telegram.MessageEntity{{Type: telegram.Mention, Offset: 20, Length: 15}}
	w.Deliver(t, telegram.Update{Message: m})
	w.Step(t)
	if n := len(w.Telegram.Texts(chat)); n != 5 {
		t.Error("the bot answered to another name")
	}
}

func TestDisputesGetFactsOnly(t *testing.T) {
	dispute := func(confidence float64) understanding.Meaning {
		return understanding.Meaning{Disputes: []understanding.Dispute{{Activity: "dishes", Confidence: confidence}}}
	}
	for _, c := range []struct {
		name          string
		confidence    float64
		logged, other bool
		reason        string
	}{
		{"facts", 0.9, true, true, "spoke"},
		{"unsure", 0.89, true, true, "none"},
		{"empty log", 0.95, false, true, "none"},
		{"one speaker", 0.95, true, false, "none"},
	} {
		w := open(t)
		if c.logged {
			w.Say(t, erik, "Jag har diskat")
		}
		w.Clock.Advance(time.Hour)
		if c.other {
			w.Say(t, erik, "nej")
		}
		w.Means("du diskar ju aldrig", dispute(c.confidence))
		m := w.Say(t, anna, "du diskar ju aldrig")
		if got := w.Reason(t, m); got != c.reason {
			t.Errorf("%s: %s", c.name, got)
		}
		if c.reason == "spoke" {
			wantTexts(t, w, chat, "Noterat ✓", "Idag 10:00 Erik: diskning")
		}
	}
}

func TestCorrectionsByReply(t *testing.T) {
	undo := understanding.Meaning{Corrections: []understanding.Correction{{Kind: understanding.Undo, Confidence: 0.95}}}
	credit := understanding.Meaning{Corrections: []understanding.Correction{{
		Kind: understanding.CreditPerson, Who: understanding.Person{Role: understanding.RoleMember, Member: households.MemberID(erik)}, Confidence: 0.95,
	}}}
	reply := func(w *homeopstest.World, to *telegram.Message, userID int64, text string) {
		m := w.Message(userID, text)
		m.ReplyToMessage = &telegram.Message{MessageID: to.MessageID, From: to.From, Chat: to.Chat}
		w.Deliver(t, telegram.Update{Message: m})
		w.Step(t)
	}
	w := open(t)
	w.Means("ta bort", undo)
	w.Means("det var Erik", credit)
	first := w.Say(t, anna, "Jag har diskat")
	w.Clock.Advance(time.Hour)
	reply(w, first, anna, "det var Erik")
	if e := w.Events(t); len(e) != 1 || e[0].UserID != erik {
		t.Errorf("credited %+v", e)
	}
	w.Clock.Advance(time.Hour)
	second := w.Say(t, anna, "Jag har diskat")
	reply(w, second, erik, "ta bort") // not his
	if n := len(w.Events(t)); n != 2 {
		t.Errorf("%d events after another's undo", n)
	}
	w.Say(t, anna, "ta bort") // neither a reply nor to the bot
	if n := len(w.Events(t)); n != 2 {
		t.Errorf("%d events after undo without a target", n)
	}
	reply(w, second, anna, "ta bort")
	if n := len(w.Events(t)); n != 1 {
		t.Errorf("%d events after undo", n)
	}
	wantTexts(t, w, chat, "Noterat ✓", "Ändrat ✓", "Noterat ✓", "Borttaget ✓")
	// A thumb down on the own message removes, too.
	w.Clock.Advance(time.Hour)
	third := w.Say(t, anna, "Jag har diskat")
	for _, userID := range []int64{erik, anna} {
		w.Deliver(t, telegram.Update{MessageReaction: &telegram.MessageReactionUpdated{
			Chat: third.Chat, MessageID: third.MessageID, User: homeopstest.User(userID), NewReaction: []telegram.ReactionType{telegram.Emoji("👎")},
		}})
		w.Step(t)
		if n, want := len(w.Events(t)), map[int64]int{erik: 2, anna: 1}[userID]; n != want {
			t.Errorf("after the reaction of %d: %d events, want %d", userID, n, want)
		}
	}
}

func TestNamedMembersAreCredited(t *testing.T) {
	w := open(t)
	named := homeopstest.Did("dishes", understanding.Medium, 0.9)
	named.Activities[0].Who = understanding.Person{Role: understanding.RoleMember, Member: households.MemberID(erik)}
	other := homeopstest.Did("dishes", understanding.Medium, 0.9)
	other.Activities[0].Who = understanding.Person{Role: understanding.RoleOther}
	w.Means("Erik diskade", named)
	w.Means("mormor diskade", other)
	w.Say(t, anna, "mormor diskade")
	if n := len(w.Events(t)); n != 0 {
		t.Errorf("%d events of a stranger", n)
	}
	w.Say(t, anna, "Erik diskade")
	if e := w.Events(t); len(e) != 1 || e[0].UserID != erik || e[0].UserName != "Erik" {
		t.Errorf("logged %+v", e)
	}
	if err := w.Households.Pause(t.Context(), erik); err != nil {
		t.Fatal(err)
	}
	w.Say(t, anna, "Erik diskade")
	if n := len(w.Events(t)); n != 1 {
		t.Errorf("a paused member has %d events", n)
	}
}

func TestLateMessagesAreLoggedAndNotAnswered(t *testing.T) {
	w := open(t)
	m := w.Message(anna, "Jag har diskat")
	w.Clock.Advance(10*time.Minute + time.Second)
	w.Deliver(t, telegram.Update{Message: m})
	w.Step(t)
	if e := w.Events(t); len(e) != 1 || !e[0].OccurredAt.Equal(homeopstest.Start) || w.Reason(t, m) != "late" {
		t.Errorf("logged %+v, %s", e, w.Reason(t, m))
	}
	wantTexts(t, w, chat)
}

func TestRequests(t *testing.T) {
	w := open(t)
	request := func(kind understanding.RequestKind) understanding.Meaning {
		return understanding.Meaning{Requests: []understanding.Request{{Kind: kind, Confidence: 0.95}}}
	}
	w.Deliver(t, telegram.Update{Message: w.Private(anna, "/start")})
	w.Step(t)
	w.Means("summering", request(understanding.Summary))
	w.Deliver(t, telegram.Update{Message: w.Private(anna, "summering")})
	w.Step(t)
	w.Deliver(t, telegram.Update{Message: w.Private(anna, "logga in")})
	w.Step(t)
	said := w.Telegram.Texts(anna)
	if len(said) != 3 || !strings.HasPrefix(said[1], "Din vecka: 0 sysslor, 0 pauser.") || !strings.HasPrefix(said[2], "Dina sidor") {
		t.Fatalf("in private %q", said)
	}
	token := said[2][strings.Index(said[2], "?t=")+3:]
	for i, want := range []int64{anna, 0} {
		if got, err := w.Households.SignIn(t.Context(), token); got != want || (err == nil) != (want != 0) {
			t.Errorf("use %d of the link: %d (%v)", i+1, got, err)
		}
	}
	// A rating of the last entry.
	w.Say(t, anna, "Jag har diskat")
	w.Deliver(t, telegram.Update{Message: w.Private(anna, "3")})
	w.Step(t)
	if e := w.Events(t); e[0].Effort != "high" {
		t.Errorf("rated %+v", e[0])
	}
	ask(t, w, erik, "pausa mig", request(understanding.Pause))
	if paused, err := w.Households.IsPaused(t.Context(), erik); err != nil || !paused {
		t.Errorf("Erik is not paused (%v)", err)
	}
	ask(t, w, anna, "tyst", request(understanding.Quiet))
	w.Clock.Advance(24 * time.Hour)
	if m := w.Say(t, anna, "Jag har diskat"); w.Reason(t, m) != "preference_suppressed" {
		t.Errorf("after quiet: %s", w.Reason(t, m))
	}
}

func TestTheBotAnnouncesItselfOnce(t *testing.T) {
	w := homeopstest.Open(t)
	joined := func(status telegram.MemberStatus) {
		w.Deliver(t, telegram.Update{MyChatMember: &telegram.ChatMemberUpdated{
			Chat: telegram.Chat{ID: chat, Type: telegram.Supergroup, Title: "Hemma"}, From: *homeopstest.User(anna),
			NewChatMember: telegram.ChatMember{Status: status, User: telegram.User{ID: homeopstest.BotID, IsBot: true}},
		}})
		w.Step(t)
	}
	joined(telegram.StatusMember)
	joined(telegram.StatusAdministrator)
	if said := w.Telegram.Texts(chat); len(said) != 1 || !strings.Contains(said[0], "90 dagar") {
		t.Errorf("the bot said %q", said)
	}
	home, err := w.Households.ByChat(t.Context(), homeopstest.ChatID(chat))
	if err != nil || !home.BotIsAdmin || home.Name != "Hemma" {
		t.Errorf("household %+v (%v)", home.Household, err)
	}
	if m, ok := home.Member(anna); !ok || m.Role != "owner" {
		t.Errorf("owner %+v", m)
	}
	joined(telegram.StatusKicked)
	if home, err = w.Households.Get(t.Context(), home.HouseholdID); err != nil || home.BotIsAdmin {
		t.Errorf("after removal the bot is an administrator (%v)", err)
	}
}
