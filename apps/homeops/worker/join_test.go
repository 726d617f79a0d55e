package worker_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ingest"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

const guest = 77

// A person who belongs to no household joins by an invitation, whatever is delivered twice.
func TestStartWithAnInvitationJoins(t *testing.T) {
	w := open(t)
	home := w.Set(t, func(s *households.Settings) { s.ClosedMembership = true })
	token, err := w.Households.Invite(t.Context(), anna, home.HouseholdID, "")
	if err != nil {
		t.Fatal(err)
	}
	u := w.Update(telegram.Update{Message: w.Private(guest, "/start join-"+token)})
	for range 2 {
		if _, err := w.Ingest.Deliver(t.Context(), u); err != nil {
			t.Fatal(err)
		}
		w.Step(t)
	}
	if err := w.Worker.Conversation().HandleUpdate(t.Context(), u); err != nil { // of a worker that crashed before it finished the job
		t.Fatal(err)
	}
	w.Step(t)
	if _, ok := w.Home(t).Member(guest); !ok {
		t.Fatal("the guest is no member")
	}
	want := []string{`Nu hör du till Hemma. Skriv "logga in" för dina egna sidor.`}
	if got := w.Telegram.Texts(guest); !slices.Equal(got, want) {
		t.Errorf("the bot said %q", got)
	}
	w.Say(t, guest, "Jag har diskat")
	if events := w.Events(t); len(events) != 1 || events[0].UserID != guest {
		t.Errorf("the log of the closed household is %+v", events)
	}
	other := w.Update(telegram.Update{Message: w.Private(guest+1, "/start join-"+token)})
	if _, err := w.Ingest.Deliver(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	w.Step(t)
	if got := w.Telegram.Texts(guest + 1); !slices.Equal(got, []string{"Inbjudan är använd eller för gammal."}) {
		t.Errorf("to the second person: %q", got)
	}
	if _, ok := w.Home(t).Member(guest + 1); ok {
		t.Error("one invitation made two members")
	}
}

// A household without room answers, and the invitation is left.
func TestStartWithAnInvitationToAFullHousehold(t *testing.T) {
	w := open(t)
	home := w.Home(t)
	token, err := w.Households.Invite(t.Context(), anna, home.HouseholdID, "")
	if err != nil {
		t.Fatal(err)
	}
	for i := int64(0); len(w.Home(t).Active()) < 12; i++ {
		if _, err := w.Households.Join(t.Context(), home.HouseholdID, households.Person{ID: 300 + i, Name: "Guest"}); err != nil {
			t.Fatal(err)
		}
	}
	w.Deliver(t, telegram.Update{Message: w.Private(guest, "/start join-"+token)})
	w.Step(t)
	if got := w.Telegram.Texts(guest); !slices.Equal(got, []string{"Hushållet har inte plats för fler."}) {
		t.Errorf("the bot said %q", got)
	}
	if _, err := w.Households.LookInvitation(t.Context(), token); err != nil {
		t.Errorf("the invitation: %v", err)
	}
}

// A member who asks for a summary in the group is told once how to open the private channel.
func TestPrivateChannelIsOfferedOnce(t *testing.T) {
	w := open(t)
	w.Home(t)
	for range 2 {
		m := w.Message(anna, "@homeops_bot summering")
		m.Entities = []telegram.MessageEntity{{Type: telegram.Mention, Offset: 0, Length: 12}}
		w.Means("summering", understanding.Meaning{Requests: []understanding.Request{{Kind: understanding.Summary, Confidence: 0.95}}})
		w.Deliver(t, telegram.Update{Message: m})
		w.Step(t)
		w.Clock.Advance(time.Hour)
	}
	if got := w.Telegram.Texts(chat); len(got) != 1 {
		t.Errorf("the bot said %q", got)
	}
}

// A person who left their household, or who paused, can still sign in to what is theirs and have it
// erased. What else they write to the bot is not kept.
func TestThoseWhoAreNotRecordedCanStillAskForWhatIsTheirs(t *testing.T) {
	for name, stop := range map[string]func(w *homeopstest.World) error{
		"left": func(w *homeopstest.World) error {
			return w.Households.Leave(t.Context(), w.Home(t).HouseholdID, maja)
		},
		"paused": func(w *homeopstest.World) error { return w.Households.Pause(t.Context(), maja) },
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.Say(t, maja, "Jag har diskat")
			if err := stop(w); err != nil {
				t.Fatal(err)
			}
			for text, want := range map[string]ingest.Outcome{"Hej, vad gör du?": ingest.Ignored, "Logga in!": ingest.Stored} {
				m := w.Private(maja, text)
				if got := w.Deliver(t, telegram.Update{Message: m}); got != want {
					t.Errorf("%q is %s, want %s", text, got, want)
				}
				if _, err := w.DB.GetMessage(t.Context(), homeopstest.ChatID(maja), m.MessageID); !errors.Is(err, access.ErrNotFound) {
					t.Errorf("%q was recorded: %v", text, err)
				}
			}
			w.Step(t)
			if said := w.Telegram.Texts(maja); len(said) != 1 || !strings.Contains(said[0], "https://homeops.example/in?t=") {
				t.Fatalf("the bot said %q", said)
			}
			u := w.Update(telegram.Update{Message: w.Private(maja, "radera mina uppgifter")})
			for range 2 {
				if _, err := w.Ingest.Deliver(t.Context(), u); err != nil {
					t.Fatal(err)
				}
			}
			w.Step(t)
			if said := w.Telegram.Texts(maja); said[len(said)-1] != "Allt om dig raderas nu." {
				t.Errorf("the bot said %q", said)
			}
			w.Clock.Advance(homeops.EraseAfter)
			w.Step(t)
			events, err := w.DB.ListEventsByUser(maja).Slice(t.Context())
			if err != nil || len(events) > 0 {
				t.Errorf("after the erasure: %+v (%v)", events, err)
			}
			if got := w.Deliver(t, telegram.Update{Message: w.Private(maja, "logga in")}); got != ingest.Ignored {
				t.Errorf("a stranger signs in: %s", got)
			}
		})
	}
}
