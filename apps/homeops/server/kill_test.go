package server_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/server"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/telegram/telegramtest"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/engine"
)

// Variables of the child process of the kill test.
const (
	killDirectory = "SORTKEY_TEST_HOMEOPS_DATA"
	killTelegram  = "SORTKEY_TEST_HOMEOPS_TELEGRAM" // URL of the Bot API
	killAhead     = "SORTKEY_TEST_HOMEOPS_AHEAD"    // how far the clock of the process is ahead
)

// pastLeases is longer than the lease of any job.
const pastLeases = 10 * time.Minute

const killSecret = "a secret of tests"

// A kept system runs on a directory.
type kept struct {
	apps.System
	database *engine.DB
}

// openKept opens the system on a directory, with a webhook of the Bot API at a URL.
func openKept(ctx context.Context, directory, telegramURL string, ahead time.Duration) (kept, error) {
	database, err := engine.Open(directory, nil)
	if err != nil {
		return kept{}, err
	}
	settings := map[string]string{"HOMEOPS_TELEGRAM_URL": telegramURL, "HOMEOPS_TELEGRAM_TOKEN": "1:token", "HOMEOPS_WEBHOOK_SECRET": "a_secret"}
	system, err := server.Open(ctx, apps.Config{
		DynamoDB: database.API(), Streams: database.Streams(), Secret: []byte(killSecret), PublicURL: "https://homeops.example",
		Log:     slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		Now:     func() time.Time { return time.Now().Add(ahead) },
		Setting: func(name string) string { return settings[name] },
	})
	return kept{system, database}, err
}

// serveUntilKilled serves a directory. It is the child process of TestKillInAFloodLogsOnce.
func serveUntilKilled() {
	apptest.ServeChild(func(ctx context.Context, _ string) (apps.System, error) {
		ahead, err := time.ParseDuration(os.Getenv(killAhead))
		if err != nil {
			return nil, err
		}
		return openKept(ctx, os.Getenv(killDirectory), os.Getenv(killTelegram), ahead)
	})
}

// A victim is the child process. Its RoundTrip delivers what Telegram sends to the webhook.
type victim struct {
	t         *testing.T
	directory string
	telegram  string // URL of the Bot API
	*apptest.Child
	handler atomic.Value // the function that serves the webhook now
}

// A delivery hands a request to the system that runs now.
type delivery func(*http.Request) (*http.Response, error)

func (v *victim) RoundTrip(r *http.Request) (*http.Response, error) {
	return v.handler.Load().(delivery)(r)
}

// start starts the process with a clock that is ahead of that of the test.
func (v *victim) start(ahead time.Duration) {
	v.t.Helper()
	v.Child = apptest.StartChild(v.t, killDirectory+"="+v.directory, killTelegram+"="+v.telegram, killAhead+"="+ahead.String())
	at, err := url.Parse(v.URL)
	if err != nil {
		v.t.Fatal(err)
	}
	v.handler.Store(delivery(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.URL.Scheme, r.URL.Host = at.Scheme, at.Host
		return http.DefaultTransport.RoundTrip(r)
	}))
}

// kill ends the process without a chance to finish anything.
func (v *victim) kill() {
	v.handler.Store(delivery(func(*http.Request) (*http.Response, error) { return nil, errors.New("the process was killed") }))
	v.Kill()
}

// flood lets members write at the same time while Telegram delivers refused updates again. It kills
// the process after a number of accepted messages, and returns when nothing is under way.
func (v *victim) flood(p *telegramtest.Server, messages, killAfter int) {
	v.t.Helper()
	var accepted atomic.Int64
	var group sync.WaitGroup
	enough := make(chan struct{})
	group.Go(func() { _, _ = p.Redeliver(v.t.Context()) }) // fails when the process is killed
	for _, from := range []telegram.User{annaUser, erikUser, annaUser, erikUser} {
		group.Go(func() {
			for range messages / 4 {
				_, status, err := p.Write(v.t.Context(), family, from, "Jag har diskat", nil)
				if err == nil && status == http.StatusOK && accepted.Add(1) == int64(killAfter) {
					close(enough)
				}
			}
		})
	}
	<-enough
	v.kill()
	group.Wait()
}

// TestKillInAFloodLogsOnce kills the process several times while many messages arrive. In the end
// each message is logged once, counted once and learned from once, and the bot did not repeat
// itself.
func TestKillInAFloodLogsOnce(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	v := &victim{t: t, directory: t.TempDir()}
	p := telegramtest.New(telegramtest.Options{Token: "1:token", HTTP: &http.Client{Transport: v}})
	p.AddGroup(family, "Hemma", telegram.StatusLeft, annaUser, erikUser)
	api := httptest.NewServer(p)
	defer api.Close()
	v.telegram = api.URL
	const rounds, messages = 4, 48
	for round := range rounds {
		// A job is tried three times: by one of the first two processes, by one of the next two, whose
		// clock is past the leases of the first two, and in the end.
		v.start(time.Duration(round/2) * pastLeases)
		if round == 0 {
			if err := p.SetMember(t.Context(), family, annaUser, p.Bot(), telegram.StatusAdministrator); err != nil {
				t.Fatal(err)
			}
		}
		v.flood(p, messages, 1+chance.IntN(messages-8))
	}
	finish(t, v, p, rounds*messages)
}

// finish runs the system in this process until no job is left, and compares what is stored with
// what was written.
func finish(t *testing.T, v *victim, p *telegramtest.Server, want int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	system, err := openKept(ctx, v.directory, v.telegram, 2*pastLeases)
	if err != nil {
		t.Fatal(err)
	}
	v.handler.Store(delivery(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		system.ServeHTTP(w, r)
		return w.Result(), nil
	}))
	done := make(chan error, 1)
	go func() { done <- system.Run(ctx) }()
	if left, err := p.Redeliver(ctx); err != nil || left != 0 {
		t.Fatalf("%d updates are left: %v", left, err)
	}
	jobs, db := system.tables(t)
	idle(t, jobs)
	home, err := db.GetHouseholdByChat(ctx, strconv.Itoa(family))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	events, err := db.ListEventsInRange([]string{strconv.Itoa(family)}, now.Add(-24*time.Hour), now.Add(time.Hour)).Limit(0).Slice(ctx)
	if err != nil {
		t.Fatal(err)
	}
	sources := make(map[int64]bool)
	for _, e := range events {
		sources[*e.SourceMessageID] = true
	}
	if len(events) != want || len(sources) != want {
		t.Errorf("%d entries of %d messages, want %d of each", len(events), len(sources), want)
	}
	for _, user := range []telegram.User{annaUser, erikUser} {
		counted := int64(0)
		for d, err := range db.ListUserDays(home.HouseholdID, user.ID, homeops.Day(now.Add(-24*time.Hour), time.UTC), homeops.Day(now.Add(24*time.Hour), time.UTC)).All(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			counted += d.Messages
		}
		effort, err := db.GetEffort(ctx, home.HouseholdID, user.ID, "dishes")
		if err != nil || effort.SampleCount != int64(want/2) || counted != int64(want/2) {
			t.Errorf("%s: %d samples of effort, %d messages counted, want %d: %v", user.FirstName, effort.SampleCount, counted, want/2, err)
		}
	}
	once(t, p)
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := system.database.Close(); err != nil {
		t.Error(err)
	}
}

// tables returns the tables of a system, opened as the system opens them.
func (k kept) tables(t *testing.T) (*platformdb.DB, *homeopsdb.DB) {
	t.Helper()
	box, err := secret.NewBox([]byte(killSecret))
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := access.NewSealer(box.Key("seal", 32))
	if err != nil {
		t.Fatal(err)
	}
	own := access.WithTableNames(platform.TableNames("", "homeops"))
	return platformdb.New(k.database.API(), access.WithSealer(sealer), own, access.WithoutState()), homeopsdb.New(k.database.API(), access.WithSealer(sealer), access.WithoutState())
}

// idle waits until no message waits to be understood or sent. No job may be dead.
func idle(t *testing.T, db *platformdb.DB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for ; ; <-poll.C {
		waiting := 0
		for job, err := range db.ScanJob().All(ctx) {
			if err != nil {
				t.Fatalf("%d jobs wait: %v", waiting, err)
			}
			if job.Status == platformdb.JobStatusDead {
				t.Fatalf("job %s is dead: %s", job.JobID, *job.LastError)
			}
			if job.Kind == homeops.JobMessage || job.Kind == homeops.JobUpdate || job.Kind == homeops.JobSend {
				waiting++
			}
		}
		if waiting == 0 {
			return
		}
	}
}

// once checks that the bot sent nothing twice. It may have sent nothing at all, because a message
// that a killed process began to send is not sent again.
func once(t *testing.T, p *telegramtest.Server) {
	t.Helper()
	calls := make(map[telegramtest.Call]int)
	for _, method := range []string{"sendMessage", "setMessageReaction"} {
		for _, c := range p.Calls(method) {
			if calls[c]++; calls[c] > 1 {
				t.Errorf("the bot called %s twice with %s", c.Method, c.Body)
			}
		}
	}
}
