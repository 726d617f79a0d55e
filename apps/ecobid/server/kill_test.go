package server_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/ecobid/client"
	"sortkey.dev/apps/ecobid/server"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/engine"
)

// killDirectory is the variable with the directory that the child process of the kill test serves.
const killDirectory = "SORTKEY_TEST_ECOBID_DATA"

// openDirectory opens the system on the database of a directory, whose files it keeps there too.
func openDirectory(ctx context.Context, directory, base string, log *slog.Logger) (*engine.DB, apps.System, error) {
	database, err := engine.Open(filepath.Join(directory, "data"), nil)
	if err != nil {
		return nil, nil, err
	}
	system, err := server.Open(ctx, apps.Config{
		CheapPasswords: true,
		DynamoDB:       database.API(), Streams: database.Streams(), Secret: []byte("a secret of tests"), PublicURL: base, LocalURL: base, Log: log,
		Demo: true, // addresses need no verification
		Setting: func(name string) string {
			if name == "ECOBID_FILES" {
				return filepath.Join(directory, "files")
			}
			return ""
		},
	})
	return database, system, errors.Join(err, ctx.Err())
}

// serveUntilKilled serves a directory. It is the child process of TestKillUnderLoad.
func serveUntilKilled(directory string) {
	apptest.ServeChild(func(ctx context.Context, base string) (apps.System, error) {
		_, system, err := openDirectory(ctx, directory, base, slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
		return system, err
	})
}

const (
	kills        = 3
	killGivers   = 3
	killTakers   = 8
	killItems    = 18
	killAuctions = 2
)

// An action is a reservation or a bid of a taker. The key makes it safe to repeat after a lost answer.
type action struct {
	target  string // an item or an auction
	maximum int64  // of a bid; 0 for a reservation
	collect bool   // the reservation is confirmed and picked up at once
	key     string
	id      string // of the acknowledged reservation or bid; "" if it was refused
}

// A taker works through a list of actions; those before next were answered.
type taker struct {
	tokens  client.Tokens
	actions []action
	next    int
}

// A street is the load of the kill test: givers with their items and auctions, and takers.
type street struct {
	t        *testing.T
	chance   *rand.Rand
	givers   []client.Tokens
	items    map[string]int // the number of the giver, by item
	auctions []string
	takers   []*taker
}

// TestKillUnderLoad kills the server several times while neighbours reserve, bid and pick up, and finishes
// in another process. No acknowledged reservation or bid is lost, none exists twice, and every event has
// reached the handlers exactly once.
func TestKillUnderLoad(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	s := &street{t: t, chance: rand.New(rand.NewPCG(seed, 0)), items: map[string]int{}}
	directory := t.TempDir()
	startChild := func() *apptest.Child { return apptest.StartChild(t, killDirectory+"="+directory) }
	child := startChild()
	s.moveIn(child.URL)
	all := int64(0)
	for _, n := range s.takers {
		all += int64(len(n.actions))
	}
	for i := range kills {
		if i > 0 {
			child = startChild()
		}
		s.killAfter(child, 1+s.chance.Int64N(all/kills))
	}

	var database *engine.DB
	site, _ := apptest.Serve(t, httptest.NewServer, func(ctx context.Context, base string) (system apps.System, err error) {
		database, system, err = openDirectory(ctx, directory, base, nil)
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { // after the system has ended
			if err := database.Close(); err != nil {
				t.Error(err)
			}
		})
		return system, nil
	})
	s.work(t.Context(), site.URL, new(atomic.Int64))
	for i, n := range s.takers {
		if n.next < len(n.actions) {
			t.Fatalf("taker %d could not finish", i)
		}
	}
	newLedger(t, database).compare(s, site.URL)
}

// killAfter kills the server after a number of answers.
func (s *street) killAfter(child *apptest.Child, answers int64) {
	s.t.Helper()
	ctx, stop := context.WithTimeout(s.t.Context(), time.Minute)
	defer stop()
	var answered atomic.Int64
	dead := make(chan struct{})
	go func() {
		defer close(dead)
		poll := time.NewTicker(time.Millisecond)
		defer poll.Stop()
		for answered.Load() < answers && ctx.Err() == nil {
			<-poll.C
		}
		child.Kill()
	}()
	s.work(ctx, child.URL, &answered)
	<-dead
}

// work lets all takers act until they have finished or the server is dead.
func (s *street) work(ctx context.Context, base string, answered *atomic.Int64) {
	var group sync.WaitGroup
	for _, n := range s.takers {
		group.Go(func() {
			for n.next < len(n.actions) {
				if err := s.act(ctx, base, n, &n.actions[n.next]); err != nil {
					if refused, ok := errors.AsType[*client.Error](err); ok {
						s.t.Errorf("%+v: %v, status %d", n.actions[n.next], err, refused.Status)
					}
					return // the server is dead
				}
				n.next++
				answered.Add(1)
			}
		})
	}
	group.Wait()
}

// act does an action. The error is nil if the server has answered.
func (s *street) act(ctx context.Context, base string, n *taker, a *action) error {
	c := client.New(base, client.WithTokens(n.tokens))
	for {
		var err error
		if a.maximum > 0 {
			var receipt client.BidReceipt
			receipt, err = c.Bid(ctx, a.target, a.maximum, a.key)
			a.id = receipt.ID
		} else {
			var r client.Reservation
			r, err = c.Reserve(ctx, a.target, "", a.key)
			a.id = r.ID
		}
		refused, ok := errors.AsType[*client.Error](err)
		switch {
		case ok && refused.Code == "AUCTION_BUSY":
			continue
		case ok && (refused.Status == http.StatusConflict || errors.Is(refused, client.ErrTooLow)):
			return nil
		case err != nil || !a.collect:
			return err
		}
		return s.collect(ctx, base, c, a)
	}
}

// collect leads an acknowledged reservation to its end, from where it stands.
func (s *street) collect(ctx context.Context, base string, c *client.Client, a *action) error {
	giver := client.New(base, client.WithTokens(s.givers[s.items[a.target]]))
	r, err := c.Reservation(ctx, a.id)
	if err == nil && r.Status == "pending" {
		_, err = giver.Confirm(ctx, a.id, time.Now().Add(time.Hour), "")
	}
	if err != nil || r.Status == "completed" {
		return err
	}
	code, err := giver.Code(ctx, a.id)
	if err == nil {
		_, err = c.Complete(ctx, a.id, code)
	}
	return err
}

// moveIn signs the neighbours up, posts the items, and plans what the takers do.
func (s *street) moveIn(base string) {
	s.t.Helper()
	tokens := make([]client.Tokens, killGivers+killTakers)
	failures := make([]error, len(tokens))
	var group sync.WaitGroup
	var mu sync.Mutex
	for i := range tokens {
		group.Go(func() {
			c := client.New(base)
			name := fmt.Sprintf("neighbour%d", i)
			failures[i] = c.Register(s.t.Context(), client.Registration{Email: name + "@example.org", Password: "correct horse battery", Username: name, City: "Warsaw", Country: "PL", Currency: "PLN"})
			tokens[i] = c.Tokens()
			if i < killGivers && failures[i] == nil {
				failures[i] = s.give(c, i, &mu)
			}
		})
	}
	group.Wait()
	if err := errors.Join(failures...); err != nil {
		s.t.Fatal(err)
	}
	s.givers = tokens[:killGivers]
	items := make([]string, 0, len(s.items))
	for id := range s.items {
		items = append(items, id)
	}
	for i, t := range tokens[killGivers:] {
		n := &taker{tokens: t}
		s.chance.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		for j, item := range items[:12] {
			n.actions = append(n.actions,
				action{target: item, collect: s.chance.IntN(2) == 0, key: fmt.Sprintf("reserve-%d-%d", i, j)},
				action{target: s.auctions[s.chance.IntN(killAuctions)], maximum: 500 + 100*int64(j) + 10*s.chance.Int64N(200), key: fmt.Sprintf("bid-%d-%d", i, j)},
			)
		}
		s.takers = append(s.takers, n)
	}
}

// give posts the items and the auction of a giver.
func (s *street) give(c *client.Client, number int, mu *sync.Mutex) error {
	ctx := s.t.Context()
	for i := range killItems/killGivers + 1 {
		photo, err := c.Upload(ctx, picture(s.t))
		if err != nil {
			return err
		}
		in := client.NewItem{
			Title: fmt.Sprintf("Chair %d of %d", i, number), Category: "furniture", Condition: "good", Photos: []string{photo.ID}, WeightGrams: 4000,
			Location: client.ExactLocation{Lat: 52.2297, Lon: 21.0122, Address: new("Marszałkowska 1"), City: "Warsaw", Country: "PL"},
		}
		auction := i == 0
		if auction && number >= killAuctions {
			continue
		}
		if auction {
			in.Auction = &client.AuctionSettings{MinBid: 500, Hours: 24}
		}
		item, err := c.Post(ctx, in)
		if err != nil {
			return err
		}
		mu.Lock()
		if auction {
			s.auctions = append(s.auctions, *item.AuctionID)
		} else {
			s.items[item.ID] = number
		}
		mu.Unlock()
	}
	return nil
}
