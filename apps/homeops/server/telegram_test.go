package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/server"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/telegram/telegramtest"
	"sortkey.dev/apps/internal/apptest"
)

const family = -500

var annaUser, erikUser = telegram.User{ID: 11, FirstName: "Anna", LanguageCode: "sv"}, telegram.User{ID: 12, FirstName: "Erik", LanguageCode: "sv"}

// A phone is Telegram as its people see it: a local server of the Bot API with a group.
type phone struct {
	*telegramtest.Server
	t       *testing.T
	url     string
	mutex   sync.Mutex
	changed chan struct{} // closed when a chat changes
	deliver atomic.Pointer[http.Client]
}

// RoundTrip delivers to the webhook of the system, whose certificate the client of the test trusts.
func (p *phone) RoundTrip(r *http.Request) (*http.Response, error) {
	return p.deliver.Load().Transport.RoundTrip(r)
}

func newPhone(t *testing.T) *phone {
	p := &phone{t: t, changed: make(chan struct{})}
	p.Server = telegramtest.New(telegramtest.Options{
		Token: "1:token", Now: func() time.Time { return homeopstest.Start }, HTTP: &http.Client{Transport: p},
		Changed: func(int64) {
			p.mutex.Lock()
			defer p.mutex.Unlock()
			close(p.changed)
			p.changed = make(chan struct{})
		},
	})
	p.AddGroup(family, "Hemma", telegram.StatusLeft, annaUser, erikUser)
	p.AddPrivate(annaUser)
	bot := httptest.NewServer(p.Server)
	t.Cleanup(bot.Close)
	p.url = bot.URL
	return p
}

// until waits for the chats to show something.
func (p *phone) until(what string, shown func() bool) {
	p.t.Helper()
	limit := time.After(time.Minute)
	for {
		p.mutex.Lock()
		changed := p.changed
		p.mutex.Unlock()
		if shown() {
			return
		}
		select {
		case <-changed:
		case <-time.After(50 * time.Millisecond): // a refused call changes no chat
		case <-limit:
			for _, chat := range []int64{family, annaUser.ID} {
				for _, m := range p.Messages(chat) {
					p.t.Logf("chat %d: %s: %s", chat, m.From.FirstName, m.Text)
				}
			}
			p.t.Fatalf("Telegram never shows %s", what)
		}
	}
}

// said reports whether the bot wrote a text in a chat.
func (p *phone) said(chat int64, text string) bool {
	for _, m := range p.Messages(chat) {
		if m.From != nil && m.From.IsBot && strings.Contains(m.Text, text) {
			return true
		}
	}
	return false
}

func (p *phone) write(chat int64, from telegram.User, text string) telegram.Message {
	p.t.Helper()
	m, _, err := p.Write(p.t.Context(), chat, from, text, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return m
}

// signIn follows the link that the bot sends to Anna.
func (p *phone) signIn(w *world) *browser {
	p.t.Helper()
	p.write(annaUser.ID, annaUser, "/start")
	p.until("the welcome", func() bool { return p.said(annaUser.ID, "Tack! Här kommer") })
	p.write(annaUser.ID, annaUser, "logga in")
	link := ""
	p.until("the link", func() bool {
		for _, m := range p.Messages(annaUser.ID) {
			if _, token, ok := strings.Cut(m.Text, "/sign-in?token="); ok {
				link = "/sign-in?token=" + token
			}
		}
		return link != ""
	})
	b := w.browser("sv")
	b.Open(link).Send(http.StatusOK, "/sign-in", "token", strings.TrimPrefix(link, "/sign-in?token="))
	return b
}

// chat walks through what both ways of delivery share: a message in, a log, an answer out, with
// Telegram's refusals between.
func (p *phone) chat(w *world) *browser {
	p.t.Helper()
	if err := p.SetMember(p.t.Context(), family, annaUser, p.Bot(), telegram.StatusAdministrator); err != nil {
		p.t.Fatal(err)
	}
	p.until("the announcement", func() bool { return p.said(family, "Hej! Jag läser") })
	dishes := p.write(family, annaUser, "Jag har diskat")
	p.until("the reaction", func() bool { return len(p.Reactions(family, dishes.MessageID)) == 1 })
	anna := p.signIn(w)
	anna.Open("/log").Says("diskning")

	p.Fail(telegramtest.Fault{Method: "sendMessage", Status: http.StatusTooManyRequests, RetryAfter: 1})
	p.write(family, erikUser, "@homeops_bot vem diskade senast?") // an answer waits for the limit
	p.until("the answer", func() bool { return p.said(family, "Anna diskade senast idag kl 10:00.") })

	p.Fail(telegramtest.Fault{Method: "sendMessage", Malformed: true})
	calls := len(p.Calls("sendMessage"))
	p.write(family, erikUser, "@homeops_bot vem tvättade senast?") // may have been sent, so it is not repeated
	p.until("the lost answer", func() bool { return len(p.Calls("sendMessage")) > calls })
	p.write(family, erikUser, "@homeops_bot vem dammsög senast?")
	p.until("the next answer", func() bool { return p.said(family, "Hittar inget om dammsugning.") })
	if p.said(family, "Hittar inget om tvättning.") {
		p.t.Error("a message that Telegram may have got was sent again")
	}
	return anna
}

// logged waits until the household's log shows a number of entries of an activity.
func logged(b *browser, p *phone, activity string, want int) {
	b.t.Helper()
	p.write(annaUser.ID, annaUser, "summering") // an answer follows when all before is understood
	before := len(p.Messages(annaUser.ID))
	p.until("the summary", func() bool { return len(p.Messages(annaUser.ID)) > before })
	if got := strings.Count(b.Open("/household").Page, "<strong>"+activity+"</strong>"); got != want {
		b.t.Errorf("the log has %d entries of %s, want %d", got, activity, want)
	}
}

func TestTelegramByWebhook(t *testing.T) {
	p := newPhone(t)
	var refuse atomic.Bool
	w := startWith(t, map[string]string{"HOMEOPS_TELEGRAM_TOKEN": "1:token", "HOMEOPS_TELEGRAM_URL": p.url, "HOMEOPS_WEBHOOK_SECRET": "a_secret"},
		func(h http.Handler) *httptest.Server {
			s := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				if refuse.Load() && r.URL.Path == "/webhook" {
					rw.WriteHeader(http.StatusBadGateway) // a proxy in front of a system that restarts
					return
				}
				h.ServeHTTP(rw, r)
			}))
			p.deliver.Store(s.Client())
			return s
		})
	anna := p.chat(w)
	anna.Open("/setup").Says("Boten läser alla meddelanden i sina grupper.").Hides("/chat")
	if anna.do(http.MethodGet, "/chat", nil); anna.Code != http.StatusNotFound {
		t.Errorf("the simulated chat: %d", anna.Code)
	}
	refuse.Store(true)
	m, status, err := p.Write(t.Context(), family, erikUser, "Jag har dammsugit", nil)
	if err != nil || status != http.StatusBadGateway {
		t.Fatalf("the refused delivery: %d, %v", status, err)
	}
	refuse.Store(false)
	for range 2 { // Telegram delivers again, and once more than needed
		if left, err := p.Redeliver(t.Context()); err != nil || left != 0 {
			t.Fatalf("%d updates are left: %v", left, err)
		}
		if _, err := p.Edit(t.Context(), family, m.MessageID, "Jag har dammsugit"); err != nil { // an edit that changes nothing
			t.Fatal(err)
		}
	}
	logged(anna, p, "dammsugning", 1)
}

func TestTelegramByPolling(t *testing.T) {
	p := newPhone(t)
	p.Fail(telegramtest.Fault{Method: "getUpdates", Malformed: true})
	p.Fail(telegramtest.Fault{Method: "getUpdates", Status: http.StatusTooManyRequests, RetryAfter: 1})
	w := start(t, map[string]string{"HOMEOPS_TELEGRAM_TOKEN": "1:token", "HOMEOPS_TELEGRAM_URL": p.url})
	anna := p.chat(w)
	p.Fail(telegramtest.Fault{Method: "getUpdates", Status: http.StatusBadGateway})
	p.write(family, erikUser, "Jag har dammsugit")
	logged(anna, p, "dammsugning", 1)
	if n := len(p.Calls("setWebhook")); n != 0 {
		t.Errorf("setWebhook was called %d times", n)
	}
}

// A person who left the household sees nothing of it any more, but can still download what is stored
// of them and have it erased.
func TestThoseWhoLeftKeepWhatIsTheirs(t *testing.T) {
	p := newPhone(t)
	w := start(t, map[string]string{"HOMEOPS_TELEGRAM_TOKEN": "1:token", "HOMEOPS_TELEGRAM_URL": p.url})
	anna := p.chat(w)
	if err := p.SetMember(t.Context(), family, annaUser, annaUser, telegram.StatusLeft); err != nil {
		t.Fatal(err)
	}
	p.until("that Anna left", func() bool { return anna.Open("/household").Path != "/household" })
	for _, path := range []string{"/week", "/log", "/household", "/household/settings", "/promises"} {
		if anna.Open(path); anna.Path != "/preferences" {
			t.Errorf("%s leads to %s", path, anna.Path)
		}
	}
	anna.Open("/preferences/export").Says("Jag har diskat", `"dishes"`)
	p.write(annaUser.ID, annaUser, "logga in")
	links := func() (n int) {
		for _, m := range p.Messages(annaUser.ID) {
			n += strings.Count(m.Text, "/sign-in?token=")
		}
		return n
	}
	p.until("the second link", func() bool { return links() == 2 })
	anna.Open("/preferences").Send(http.StatusOK, "/preferences/erase", "sure", "on")
	erik := w.browser("sv")
	erik.Open("/week")
	if anna.Open("/preferences"); anna.Path == "/preferences" || erik.Path == "/preferences" {
		t.Errorf("a stranger is at %s, and Anna at %s", erik.Path, anna.Path)
	}
}

// A token that Telegram does not know, or a webhook without https, is an error at the start that
// says what to do, and no error shows the token.
func TestTelegramSettingsAreChecked(t *testing.T) {
	p := newPhone(t)
	database := apptest.Open(t, nil)
	for name, c := range map[string]struct {
		settings map[string]string
		want     string
	}{
		"unknown":      {map[string]string{"HOMEOPS_TELEGRAM_TOKEN": "2:other"}, "does not know this bot"},
		"plain http":   {map[string]string{"HOMEOPS_TELEGRAM_TOKEN": "1:token", "HOMEOPS_WEBHOOK_SECRET": "s"}, "--public-url"},
		"bad secret":   {map[string]string{"HOMEOPS_TELEGRAM_TOKEN": "1:token", "HOMEOPS_WEBHOOK_SECRET": "no spaces"}, "letters, digits"},
		"only secret":  {map[string]string{"HOMEOPS_WEBHOOK_SECRET": "s"}, "HOMEOPS_TELEGRAM_TOKEN"},
		"no such zone": {map[string]string{"HOMEOPS_ZONE": "Mars/Base"}, "Europe/Stockholm"},
		"model":        {map[string]string{"HOMEOPS_MODEL_URL": "http://127.0.0.1:1"}, "HOMEOPS_MODEL"},
	} {
		t.Run(name, func(t *testing.T) {
			c.settings["HOMEOPS_TELEGRAM_URL"] = p.url
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			_, err := server.Open(ctx, apps.Config{
				DynamoDB: database.DynamoDB, Streams: database.Streams, TablePrefix: database.Prefix, Secret: []byte("a secret of tests"),
				PublicURL: "http://127.0.0.1:1", Setting: func(name string) string { return c.settings[name] },
			})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "2:other") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
