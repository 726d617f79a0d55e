// Package demo fills an EcoBid with simulated neighbours: they give things away, ask for those of
// others, hand them over, rate each other and bid, at a pace a visitor can follow. It uses the
// public HTTP API and respects its rate limits. The server starts it for demonstrations; it is not
// for production.
package demo

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"sortkey.dev/apps/ecobid/client"
	"sortkey.dev/apps/internal/demo"
)

// Options configures the demo.
type Options struct {
	BaseURL string
	HTTP    *http.Client
	Log     *slog.Logger
	Seed    uint64
	// Pace is the average pause between two actions; that of package demo by default.
	Pace time.Duration
	// Sleep replaces the sleep function, for tests.
	Sleep func(context.Context, time.Duration) error
}

// Visitors sign in as one of the neighbours with this password.
const Password = "neighbours share"

// Play simulates the neighbours until ctx is done. Failures are logged: a demo must not take the
// system down.
func Play(ctx context.Context, o Options) error {
	if o.HTTP == nil {
		o.HTTP = &http.Client{Timeout: 20 * time.Second}
	}
	t := &town{base: o.BaseURL, http: o.HTTP, chance: rand.New(rand.NewPCG(o.Seed, 2)), clients: make([]*client.Client, len(neighbours))}
	script := demo.Script{
		Actions: []demo.Action{
			{Name: "ask", Weight: 4, Do: func(ctx context.Context, _ *demo.Play) error { return t.ask(ctx) }},
			{Name: "answer", Weight: 4, Do: func(ctx context.Context, _ *demo.Play) error { return t.answer(ctx) }},
			{Name: "hand over", Weight: 3, Do: func(ctx context.Context, _ *demo.Play) error { return t.handOver(ctx) }},
			{Name: "bid", Weight: 5, Do: func(ctx context.Context, _ *demo.Play) error { return t.bid(ctx) }},
			{Name: "post", Weight: 1, Do: func(ctx context.Context, _ *demo.Play) error { return t.post(ctx) }},
		},
	}
	for i := range things[:opening] {
		script.Opening = append(script.Opening, demo.Action{Name: fmt.Sprint("post ", i), Do: func(ctx context.Context, _ *demo.Play) error { return t.give(ctx, i) }})
	}
	for _, story := range t.stories() {
		script.Opening = append(script.Opening, demo.Action{Name: story.name, Do: func(ctx context.Context, _ *demo.Play) error { return story.tell(ctx) }})
	}
	return demo.Run(ctx, demo.Options{BaseURL: o.BaseURL, HTTP: o.HTTP, Log: o.Log, Seed: o.Seed, Pace: o.Pace, Sleep: o.Sleep}, script)
}

// opening is the number of things that are posted at the start, so that there is something to
// see.
const opening = 24

// A town is one run of the demo.
type town struct {
	base    string
	http    *http.Client
	chance  *rand.Rand
	clients []*client.Client // by neighbour; nil before the first use
	posted  int
}

// neighbour returns the client of a neighbour, who signs up on first use. On a kept database the
// neighbours of the last run come back.
func (t *town) neighbour(ctx context.Context, number int) (*client.Client, error) {
	number %= len(neighbours)
	if t.clients[number] != nil {
		return t.clients[number], nil
	}
	name := neighbours[number]
	c := client.New(t.base, client.WithHTTPClient(t.http))
	email := name + "@demo.invalid"
	if err := c.Login(ctx, email, Password); err != nil {
		if err := c.Register(ctx, client.Registration{Email: email, Password: Password, Username: name, City: city, Country: country, Currency: currency}); err != nil {
			return nil, fmt.Errorf("sign %s up: %w", name, err)
		}
		if err := c.Login(ctx, email, Password); err != nil {
			return nil, fmt.Errorf("sign %s in: %w", name, err)
		}
	}
	t.clients[number] = c
	return c, nil
}

// give posts a thing, unless its giver has posted it in an earlier run.
func (t *town) give(ctx context.Context, number int) error {
	c, err := t.neighbour(ctx, number)
	if err != nil {
		return err
	}
	t.posted = max(t.posted, number+1)
	_, err = t.own(ctx, c, things[number], uint64(number))
	return err
}

// own returns a thing of a neighbour, who posts it unless that was done in an earlier run.
func (t *town) own(ctx context.Context, c *client.Client, what thing, number uint64) (client.Item, error) {
	own, err := c.OwnItems(ctx, "")
	if err != nil {
		return client.Item{}, err
	}
	for _, item := range own.Items {
		if item.Title == what.title {
			return item, nil
		}
	}
	picture, err := draw(what, number)
	if err != nil {
		return client.Item{}, err
	}
	photo, err := c.Upload(ctx, picture)
	if err != nil {
		return client.Item{}, err
	}
	in := client.NewItem{
		Title: what.title, Description: what.words, Category: what.category, Condition: "good", Photos: []string{photo.ID}, WeightGrams: what.grams,
		Allocation: what.allocation,
		Location: client.ExactLocation{
			Lat: center.lat + (t.chance.Float64()-0.5)*0.06, Lon: center.lon + (t.chance.Float64()-0.5)*0.1,
			Address: new(fmt.Sprintf("%s %d", streets[t.chance.IntN(len(streets))], 1+t.chance.IntN(90))), City: city, Country: country,
		},
	}
	if what.minBid > 0 {
		in.Allocation, in.Auction = "", &client.AuctionSettings{MinBid: what.minBid, Hours: 24}
	}
	return c.Post(ctx, in)
}

// post posts the next thing, until all are posted.
func (t *town) post(ctx context.Context) error {
	if t.posted >= len(things) {
		return nil
	}
	return t.give(ctx, t.posted)
}

// some returns a random neighbour, but not the one whom the visitor plays.
func (t *town) some(ctx context.Context) (*client.Client, error) {
	return t.neighbour(ctx, 1+t.chance.IntN(len(neighbours)-1))
}

// near returns things around the centre.
func (t *town) near(ctx context.Context, c *client.Client, mode string) ([]client.Card, error) {
	found, err := c.Nearby(ctx, client.Query{Lat: center.lat, Lon: center.lon, Radius: 5, Mode: mode, Limit: 50})
	return found.Items, err
}

// leave is the number of free things that the neighbours leave for the visitor.
const leave = 8

// ask asks for a thing of another neighbour.
func (t *town) ask(ctx context.Context) error {
	c, err := t.some(ctx)
	if err != nil {
		return err
	}
	found, err := t.near(ctx, c, "free")
	if err != nil || len(found) <= leave {
		return err
	}
	item := found[t.chance.IntN(len(found))]
	if item.UserID == c.Tokens().UserID {
		return nil
	}
	if item.Allocation == "first_come" {
		_, err = c.Reserve(ctx, item.ID, pick(t.chance, questions), "")
	} else {
		_, err = c.Join(ctx, item.ID, pick(t.chance, questions))
	}
	return ordinary(err)
}

// answer confirms or declines a request.
func (t *town) answer(ctx context.Context) error {
	c, err := t.some(ctx)
	if err != nil {
		return err
	}
	requests, err := c.Requests(ctx, false, "")
	if err != nil {
		return err
	}
	for _, r := range requests.Items {
		if r.Status != "pending" || r.Awaits != "seller" {
			continue
		}
		if t.chance.IntN(8) == 0 {
			_, err = c.Decline(ctx, r.ID)
		} else {
			_, err = c.Confirm(ctx, r.ID, time.Now().Add(time.Duration(2+t.chance.IntN(30))*time.Hour), pick(t.chance, replies))
		}
		return ordinary(err)
	}
	return nil
}

// handOver completes a confirmed pickup, and rates it.
func (t *town) handOver(ctx context.Context) error {
	c, err := t.some(ctx)
	if err != nil {
		return err
	}
	taken, err := c.Reservations(ctx, false, "")
	if err != nil {
		return err
	}
	for _, r := range taken.Items {
		if r.Status != "confirmed" {
			continue
		}
		giver, err := t.byID(ctx, r.SellerID)
		if err != nil || giver == nil {
			return err
		}
		code, err := giver.Code(ctx, r.ID)
		if err != nil {
			return ordinary(err)
		}
		if _, err := c.Complete(ctx, r.ID, code); err != nil {
			return ordinary(err)
		}
		if err := c.Rate(ctx, r.ID, client.NewRating{Rating: 4 + t.chance.IntN(2), Comment: pick(t.chance, praise)}); err != nil {
			return ordinary(err)
		}
		return ordinary(giver.Rate(ctx, r.ID, client.NewRating{Rating: 4 + t.chance.IntN(2), Comment: pick(t.chance, praise)}))
	}
	return nil
}

// byID returns the client of a neighbour by the id of the account; nil for a visitor, and for the neighbour whom
// the visitor plays.
func (t *town) byID(ctx context.Context, id string) (*client.Client, error) {
	for i := 1; i < len(neighbours); i++ {
		c, err := t.neighbour(ctx, i)
		if err != nil {
			return nil, err
		}
		if c.Tokens().UserID == id {
			return c, nil
		}
	}
	return nil, nil
}

// bid bids in a running auction.
func (t *town) bid(ctx context.Context) error {
	c, err := t.some(ctx)
	if err != nil {
		return err
	}
	running, err := c.Auctions(ctx, "")
	if err != nil || len(running.Items) == 0 {
		return err
	}
	auction, err := c.Auction(ctx, running.Items[t.chance.IntN(len(running.Items))].ID)
	if err != nil || auction.SellerID == c.Tokens().UserID || auction.Leading || auction.CurrentBid > most {
		return ordinary(err)
	}
	_, err = c.Bid(ctx, auction.ID, auction.LeastBid+100*int64(t.chance.IntN(6)), "")
	return ordinary(err)
}

// most is the price above which the neighbours do not bid.
const most = 20_000
