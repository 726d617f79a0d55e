package api_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/homeops/conversation"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/telegram/telegramtest"
	"sortkey.dev/apps/homeops/understanding/rules"
	"sortkey.dev/apps/homeops/worker"
)

// TestChatThroughTheWholeSystem: a server that speaks the Bot API delivers to the webhook, the
// rules understand, and the bot answers through the real client.
func TestChatThroughTheWholeSystem(t *testing.T) {
	w := homeopstest.Open(t)
	bot := telegram.User{ID: homeopstest.BotID, IsBot: true, FirstName: "HomeOps", Username: "homeops_bot", CanReadAllGroupMessages: true}
	chats := telegramtest.New(telegramtest.Options{Token: "1:token", Bot: bot, Now: w.Clock.Now})
	api := httptest.NewServer(chats)
	t.Cleanup(api.Close)
	client, err := telegram.New(telegram.Options{Token: "1:token", BaseURL: api.URL, Now: w.Clock.Now, Sleep: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := worker.New(worker.Options{Env: w.Env, Bot: client, Conversation: conversation.Options{Classifier: rules.New(), Bot: bot}}); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	hook := telegram.Webhook{URL: serve(t, w, nil).URL + "/webhook", SecretToken: secret, AllowedUpdates: telegram.AllowedUpdates()}
	if err := client.SetWebhook(ctx, hook); err != nil {
		t.Fatal(err)
	}
	anna, erik := *homeopstest.User(homeopstest.Anna), *homeopstest.User(homeopstest.Erik)
	chats.AddGroup(homeopstest.Chat, "Hemma", telegram.StatusAdministrator, anna, erik)
	if err := chats.SetMember(ctx, homeopstest.Chat, anna, bot, telegram.StatusAdministrator); err != nil {
		t.Fatal(err)
	}
	w.Step(t)
	say := func(from telegram.User, text string, change func(*telegram.Message)) telegram.Message {
		t.Helper()
		w.Clock.Advance(20 * time.Minute)
		m, status, err := chats.Write(ctx, homeopstest.Chat, from, text, change)
		if err != nil || status != 200 {
			t.Fatalf("%q: %d (%v)", text, status, err)
		}
		w.Step(t)
		return m
	}
	log := func() (all []string) {
		for _, e := range w.Events(t) {
			all = append(all, e.UserName+" "+e.Activity)
		}
		return all
	}
	m := say(anna, "Jag har diskat", nil)
	if got := chats.Reactions(homeopstest.Chat, m.MessageID); len(got) != 1 || got[0].Emoji != "✍" {
		t.Errorf("reactions %v", got)
	}
	say(erik, "Vad ska vi äta ikväll?", nil)
	say(erik, "Jag har lagat mat", nil)
	if got := log(); !slices.Equal(got, []string{"Anna dishes", "Erik cooking"}) {
		t.Errorf("log %v", got)
	}
	say(erik, "@homeops_bot vem diskade senast?", nil)
	messages := chats.Messages(homeopstest.Chat)
	if last := messages[len(messages)-1]; last.Text != "Anna diskade senast idag kl 10:20." {
		t.Errorf("the bot answered %q", last.Text)
	}
	if _, err := chats.Edit(ctx, homeopstest.Chat, m.MessageID, "Jag har tvättat"); err != nil {
		t.Fatal(err)
	}
	w.Step(t)
	if got := log(); !slices.Equal(got, []string{"Anna laundry", "Erik cooking"}) {
		t.Errorf("after the edit %v", got)
	}
	say(anna, "ta bort", func(r *telegram.Message) { r.ReplyToMessage = &m })
	if got := log(); !slices.Equal(got, []string{"Erik cooking"}) {
		t.Errorf("after undo %v", got)
	}
	m = say(anna, "Jag har dammsugit", nil)
	say(anna, "det var Erik", func(r *telegram.Message) { r.ReplyToMessage = &m }) // as the bot explains it
	if got := log(); !slices.Equal(got, []string{"Erik cooking", "Erik vacuuming"}) {
		t.Errorf("after a credit %v", got)
	}
	say(anna, "det var Erik", nil) // of something else
	say(anna, "hjälp", nil)
	say(erik, "paus", nil)      // of a film
	say(erik, "pausa mig", nil) // as the bot announced it
	say(erik, "Jag har diskat", nil)
	say(erik, "fortsätt", nil) // to the family
	say(erik, "Jag har diskat", nil)
	if got := log(); !slices.Equal(got, []string{"Erik cooking", "Erik vacuuming"}) {
		t.Errorf("of a paused member %v", got)
	}
	say(erik, "@homeops_bot fortsätt!", nil)
	say(erik, "Jag har diskat", nil)
	if got := log(); !slices.Equal(got, []string{"Erik cooking", "Erik vacuuming", "Erik dishes"}) {
		t.Errorf("after the pause %v", got)
	}
	said := len(chats.Messages(homeopstest.Chat))
	say(anna, "@homeops_bot hjälp", nil)
	if messages := chats.Messages(homeopstest.Chat); len(messages) != said+2 || !strings.Contains(messages[said+1].Text, "ta bort") {
		t.Errorf("after a call for help %+v", messages[said:])
	}
}
