package notify

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/publichttp"
)

// A fixture is a system that tells people, with a queue that the test steps.
type fixture struct {
	*platformtest.World
	*Notifier
	t     *testing.T
	queue *jobs.Queue
	hub   *live.Hub
}

// start returns a fixture with web push and mail, unless change removes them.
func start(t *testing.T, change func(*Options)) *fixture {
	t.Helper()
	f := &fixture{World: platformtest.Open(t), t: t, hub: &live.Hub{}}
	var err error
	f.queue, err = jobs.New(f.Platform, jobs.Options{Lanes: []jobs.Lane{{Name: "notifications"}}, Random: func() float64 { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	push, _ := webPush(t)
	options := Options{
		Queue: f.queue, Hub: f.hub, Senders: map[Channel]Sender{ChannelWebPush: push}, HTTP: publichttp.Options{AllowPrivate: true},
		Name: "Shop", PublicURL: "https://shop.example/", SettingsLink: "/me", Mail: mail.NewOutbox(f.Platform, mail.Options{}),
		Address: func(_ context.Context, recipient string) (string, error) { return recipient + "@people.example", nil },
	}
	if change != nil {
		change(&options)
	}
	if f.Notifier, err = New(f.Platform, options); err != nil {
		t.Fatal(err)
	}
	return f
}

// mails returns the mails of the current day, the newest first.
func (f *fixture) mails() []platformdb.Mail {
	f.t.Helper()
	all, err := f.DB.ListMail(access.DateOf(f.World.Now())).Slice(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	return all
}

func (f *fixture) step() {
	f.t.Helper()
	if _, err := f.queue.Step(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
}

// tell tells a person of an event now.
func (f *fixture) tell(recipient, event string) {
	f.t.Helper()
	f.tellAs(Notification{Recipient: recipient, Event: event})
}

func (f *fixture) tellAs(m Notification) {
	f.t.Helper()
	if m.Kind == "" {
		m.Kind = "reply"
	}
	m.At, m.Title, m.Body, m.Link = f.World.Now(), "Bob replied", "He says yes.", "/threads/7"
	if told, err := f.TellNow(f.t.Context(), m); err != nil || !told {
		f.t.Fatalf("told %v (%v)", told, err)
	}
}

// prefer sets the preferences of a person.
func (f *fixture) prefer(recipient string, p Preferences) {
	f.t.Helper()
	if err := f.SetPreferences(f.t.Context(), recipient, p); err != nil {
		f.t.Fatal(err)
	}
}

// subscribe adds a browser as a device.
func (f *fixture) subscribe(recipient string, to Target) Device {
	f.t.Helper()
	d, err := f.Subscribe(f.t.Context(), recipient, NewDevice{Channel: ChannelWebPush, Target: to})
	if err != nil {
		f.t.Fatal(err)
	}
	return d
}

// jobsLeft returns the number of jobs that are not finished.
func (f *fixture) jobsLeft() (n int) {
	f.t.Helper()
	for _, err := range f.DB.ScanJob().All(f.t.Context()) {
		if err != nil {
			f.t.Fatal(err)
		}
		n++
	}
	return n
}

// A pushService is the push service of a browser, and the browser that decrypts its messages.
type pushService struct {
	*httptest.Server
	browser browser
	mu      sync.Mutex
	status  int
	got     []pushed
}

// pushed is a message as the browser reads it.
type pushed struct {
	content
	topic, ttl string
}

func newPushService(t *testing.T) *pushService {
	t.Helper()
	s := &pushService{browser: newBrowser(t), status: http.StatusCreated}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		plain, err := s.browser.open(body)
		if err != nil {
			t.Errorf("the browser cannot open the message: %v", err)
		}
		m := pushed{topic: r.Header.Get("Topic"), ttl: r.Header.Get("TTL")}
		if err := json.Unmarshal(plain, &m.content); err != nil {
			t.Errorf("%v: %s", err, plain)
		}
		s.got = append(s.got, m)
		w.WriteHeader(s.status)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *pushService) target() Target { return s.browser.target(s.URL + "/push/1") }

func (s *pushService) answer(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
}

func (s *pushService) messages() []pushed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]pushed(nil), s.got...)
}
