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

// A movedClock is a clock that only a test advances.
type movedClock struct{ milliseconds atomic.Int64 }

func newMovedClock() *movedClock {
	c := &movedClock{}
	c.milliseconds.Store(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC).UnixMilli())
	return c
}

func (c *movedClock) now() time.Time          { return time.UnixMilli(c.milliseconds.Load()) }
func (c *movedClock) advance(d time.Duration) { c.milliseconds.Add(d.Milliseconds()) }

// second returns the current second. Items of earlier seconds may be expired.
func (c *movedClock) second() int { return int(c.now().Unix()) }

// TestExpiryUnderConcurrentWrites lets items expire while their writers extend their time
// to live. No item expires early, and in the end all items with a time to live have expired.
func TestExpiryUnderConcurrentWrites(t *testing.T) {
	clock := newMovedClock()
	onEachStore(t, engine.Options{Sync: engine.SyncRelaxed, Now: clock.now, ExpiryInterval: time.Millisecond}, func(s *testDB) {
		table := keyed("visits", "id/N")
		table.StreamSpecification = withImages
		s.createTable(table)
		c := s.newWorkers()
		var gone atomic.Int64
		c.start(1, func(int) work { return s.switchExpiry(clock, &gone) })
		var guests []*guestBook
		for i := range 4 {
			guests = append(guests, &guestBook{testDB: s, clock: clock, first: i * visitsOfGuest, gone: &gone})
			c.runMeanwhile(guests[i].step)
		}
		c.wait()
		clock.advance(time.Hour)
		for _, g := range guests {
			s.must(g.outlive(s.Context()))
		}
		s.must(s.agree(s.Context(), "visits"))
		s.must(s.agreeStreams(s.Context(), "visits"))
		s.must(s.checkExpirations("visits"))
	})
}

// switchExpiry enables and disables the expiry of the table, leaves it enabled, and ends when a writer has missed an item.
func (s *testDB) switchExpiry(clock *movedClock, gone *atomic.Int64) work {
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
		return eventually(ctx, func() (bool, error) { return gone.Load() > 0, nil })
	}
}

const (
	visitsOfGuest = 15
	forever       = 1 << 60
)

// A guestBook owns some items and knows the last second in which each of them must still
// exist.
type guestBook struct {
	*testDB
	clock *movedClock
	first int
	until [visitsOfGuest]int // 0: there is none
	gone  *atomic.Int64      // items that expired, of all guest books
}

// step changes or reads one item, and advances the clock.
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

// put writes an item, with a valid expiry time or without one.
func (g *guestBook) put(ctx context.Context, rnd *rand.Rand, i int) error {
	item, until := g.key(i), forever
	switch rnd.IntN(8) {
	case 0:
	case 1:
		item["until"] = text(strconv.Itoa(g.clock.second())) // a string is not a time
	case 2:
		item["until"] = number(1) // a time too long ago is ignored
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

// extend extends the time to live of an item, if it still exists.
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

// missed checks that an item that is missing may have expired.
func (g *guestBook) missed(i int) error {
	if now := g.clock.second(); g.until[i] >= now {
		return fmt.Errorf("item %d must exist until %d, and is missing at %d", g.first+i, g.until[i], now)
	}
	if g.until[i] != 0 {
		g.gone.Add(1)
	}
	g.until[i] = 0
	return nil
}

// outlive waits until only the items without an expiry time are left.
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

// checkExpirations checks in the stream that the service deleted no item early.
func (s *testDB) checkExpirations(table string) error {
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
