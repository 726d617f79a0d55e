package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/engine"
)

// A movedClock is a time that goes on when a test says so.
type movedClock struct{ milliseconds atomic.Int64 }

func newMovedClock() *movedClock {
	c := &movedClock{}
	c.milliseconds.Store(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC).UnixMilli())
	return c
}

func (c *movedClock) now() time.Time          { return time.UnixMilli(c.milliseconds.Load()) }
func (c *movedClock) advance(d time.Duration) { c.milliseconds.Add(d.Milliseconds()) }

// second is the present one. Items of earlier seconds may be gone.
func (c *movedClock) second() int { return int(c.now().Unix()) }

// TestExpiryUnderFire lets items expire while their writers give them more time.
// No item goes before its time, and in the end all go that have one.
func TestExpiryUnderFire(t *testing.T) {
	clock := newMovedClock()
	onEachStore(t, engine.Options{Sync: engine.SyncRelaxed, Now: clock.now, ExpiryInterval: time.Millisecond}, func(s *stage) {
		table := keyed("visits", "id/N")
		table.StreamSpecification = withImages
		s.createTable(table)
		c := s.crew()
		c.start(1, func(int) work { return s.switchExpiry(clock) })
		var guests []*guestBook
		for i := range 4 {
			guests = append(guests, &guestBook{stage: s, clock: clock, first: i * visitsOfGuest})
			c.accompany(guests[i].step)
		}
		c.wait()
		clock.advance(time.Hour)
		gone := 0
		for _, g := range guests {
			gone += g.gone
			s.must(g.outlive(s.Context()))
		}
		s.must(s.agree(s.Context(), "visits"))
		s.must(s.agreeStreams(s.Context(), "visits"))
		s.must(s.checkExpirations("visits"))
		if gone == 0 {
			s.Error("no item expired under its writer: the test shows too little")
		}
	})
}

// switchExpiry switches the expiry of the table on and off, and leaves it on.
func (s *stage) switchExpiry(clock *movedClock) work {
	return func(ctx context.Context, _ *rand.Rand) error {
		for n := range 9 {
			on := n%2 == 0
			_, err := s.db.API().UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
				TableName: new("visits"), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: new("until"), Enabled: &on},
			})
			if err != nil {
				return err
			}
			goal := clock.second() + 3
			if on {
				goal += 6
			}
			if err := eventually(ctx, func() (bool, error) { return clock.second() >= goal, nil }); err != nil {
				return err
			}
		}
		return nil
	}
}

const (
	visitsOfGuest = 15
	forever       = 1 << 60
)

// A guestBook has items of its own and knows until when each of them has to stay:
// up to and with that second.
type guestBook struct {
	*stage
	clock *movedClock
	first int
	until [visitsOfGuest]int // 0: there is none
	gone  int                // items that expired
}

// step works on one item, and moves the clock.
func (g *guestBook) step(ctx context.Context, rnd *rand.Rand) error {
	g.clock.advance(time.Duration(rnd.IntN(60)) * time.Millisecond)
	i := rnd.IntN(visitsOfGuest)
	switch rnd.IntN(6) {
	case 0:
		return g.put(ctx, rnd, i)
	case 1, 2:
		return g.look(ctx, i)
	default:
		return g.extend(ctx, rnd, i)
	}
}

func (g *guestBook) key(i int) attributes { return attributes{"id": number(g.first + i)} }

// put writes an item, with a time or without a good one.
func (g *guestBook) put(ctx context.Context, rnd *rand.Rand, i int) error {
	item, until := g.key(i), forever
	switch rnd.IntN(8) {
	case 0:
	case 1:
		item["until"] = text(strconv.Itoa(g.clock.second())) // a text is no time
	case 2:
		item["until"] = number(1) // a time too long ago is taken for a mistake
	default:
		until = g.clock.second() + rnd.IntN(3)
		item["until"] = number(until)
	}
	_, err := g.db.API().PutItem(ctx, &dynamodb.PutItemInput{TableName: new("visits"), Item: item})
	if err == nil {
		g.until[i] = until
	}
	return err
}

// extend gives an item more time, if it is still there.
func (g *guestBook) extend(ctx context.Context, rnd *rand.Rand, i int) error {
	until := g.clock.second() + 1 + rnd.IntN(3)
	_, err := g.db.API().UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: new("visits"), Key: g.key(i), UpdateExpression: new("SET #u = :u ADD n :one"), ConditionExpression: new("attribute_exists(id)"),
		ExpressionAttributeNames: map[string]string{"#u": "until"}, ExpressionAttributeValues: attributes{":u": number(until), ":one": number(1)},
	})
	if _, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		return g.missed(i)
	}
	if err == nil {
		g.until[i] = until
	}
	return err
}

func (g *guestBook) look(ctx context.Context, i int) error {
	out, err := g.db.API().GetItem(ctx, &dynamodb.GetItemInput{TableName: new("visits"), Key: g.key(i), ConsistentRead: new(true)})
	if err == nil && out.Item == nil {
		return g.missed(i)
	}
	return err
}

// missed checks that an item that is not there may be gone.
func (g *guestBook) missed(i int) error {
	if now := g.clock.second(); g.until[i] >= now {
		return fmt.Errorf("item %d has to stay until %d, and is gone at %d", g.first+i, g.until[i], now)
	}
	if g.until[i] != 0 {
		g.gone++
	}
	g.until[i] = 0
	return nil
}

// outlive waits until of all items only those are left that have no time.
func (g *guestBook) outlive(ctx context.Context) error {
	for i := range visitsOfGuest {
		err := eventually(ctx, func() (bool, error) {
			return g.until[i] == 0 || g.until[i] == forever, g.look(ctx, i)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkExpirations checks in the stream that the service deleted nothing before its time.
func (s *stage) checkExpirations(table string) error {
	out, err := s.db.API().DescribeTable(s.Context(), &dynamodb.DescribeTableInput{TableName: &table})
	if err != nil {
		return err
	}
	expired := 0
	err = newShardReader(s.db, *out.Table.LatestStreamArn, 1000).catchUp(s.Context(), func(record streamtypes.Record) error {
		if record.UserIdentity == nil {
			return nil
		}
		expired++
		until, ok := record.Dynamodb.OldImage["until"].(*streamtypes.AttributeValueMemberN)
		if !ok {
			return fmt.Errorf("an item without a time expired: %s", show(record.Dynamodb.OldImage))
		}
		if n, _ := strconv.ParseInt(until.Value, 10, 64); n >= record.Dynamodb.ApproximateCreationDateTime.Unix() {
			return fmt.Errorf("expired at %v: %s", record.Dynamodb.ApproximateCreationDateTime, show(record.Dynamodb.OldImage))
		}
		return nil
	})
	if err == nil && expired == 0 {
		return errors.New("the stream tells of no item that expired")
	}
	return err
}
