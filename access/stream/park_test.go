package stream_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/stream"
	"sortkey.dev/internal/effort"
)

// A picky handler cannot stand some versions.
type picky struct {
	*diary
	poison map[int]bool
	calls  map[int]int
}

func newPicky(w *world, versions ...int) *picky {
	p := &picky{newDiary(w.T), map[int]bool{}, map[int]int{}}
	for _, v := range versions {
		p.poison[v] = true
	}
	return p
}

func (p *picky) handle(ctx context.Context, r stream.Record) error {
	_, v := birdOf(r.New)
	p.calls[v]++
	if p.poison[v] {
		return errTest
	}
	return p.diary.handle(ctx, r)
}

func (w *world) parked(c *stream.Consumer) (all []stream.Parked) {
	w.Helper()
	for p, err := range c.Parked(w.Context()) {
		w.must(err)
		all = append(all, p)
	}
	return all
}

// A handler that panics must not take the process with it: the next one would get the same
// record, and so on for ever.
func TestPanicsAreParked(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		bad := true
		h := func(ctx context.Context, r stream.Record) error {
			if _, v := birdOf(r.New); v == 2 && bad {
				panic("no owl")
			}
			return seen.handle(ctx, r)
		}
		w.write(1, 1, 3)
		w.endStream()
		c := w.consumer(h)
		c.OnParked = func(stream.Record, error) {}
		w.must(c.Run(w.Context()))
		parked := w.parked(c)
		if len(parked) != 1 || !strings.Contains(parked[0].Error, "the handler panicked: no owl") || !strings.Contains(parked[0].Error, "park_test.go") {
			w.Fatalf("parked: %+v", parked)
		}
		again, err := c.Replay(w.Context(), h)
		if err != nil || again != (stream.Replayed{Left: 1}) {
			w.Errorf("replayed while it panics: %+v, %v", again, err)
		}
		bad = false
		if again, err := c.Replay(w.Context(), h); err != nil || again != (stream.Replayed{Handled: 1}) {
			w.Errorf("replayed: %+v, %v", again, err)
		}
	})
}

func TestFailingRecordIsParkedAndTheShardContinues(t *testing.T) {
	inWorld(t, func(w *world) {
		h := newPicky(w, 2, 3, 5)
		w.write(1, 1, 6)
		w.endStream()
		var heard []string
		c := w.consumer(h.handle)
		c.OnParked = func(r stream.Record, err error) {
			_, v := birdOf(r.New)
			heard = append(heard, string(rune('0'+v))+" "+err.Error())
		}
		w.must(c.Run(w.Context()))
		if diff := cmp.Diff([]string{"2 not today", "3 not today", "5 not today"}, heard); diff != "" {
			w.Errorf("parked (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(map[int]int{1: 1, 2: 8, 3: 8, 4: 1, 5: 8, 6: 1}, h.calls); diff != "" {
			w.Errorf("calls of the handler (-want +got):\n%s", diff)
		}
		parked := w.parked(c)
		if len(parked) != 3 {
			w.Fatalf("parked: %+v", parked)
		}
		p := parked[1]
		_, old := birdOf(p.Old)
		_, changed := birdOf(p.New)
		if p.Kind != stream.Modify || old != 2 || changed != 3 || textOf(p.Keys["id"]) != birdName(0) || p.Table != tableName ||
			p.Error != "not today" || p.Attempts != 8 || p.ParkedAt.IsZero() || p.At.IsZero() || p.EventID == "" || p.Expired {
			w.Errorf("parked as %+v", p)
		}

		// 3 stays behind 2 while that fails, 5 is of the same bird.
		h.poison = map[int]bool{2: true}
		got, err := c.Replay(w.Context(), nil)
		w.must(err)
		if want := (stream.Replayed{Left: 3}); got != want {
			w.Errorf("first replay: %+v, want %+v", got, want)
		}
		if p := w.parked(c); len(p) != 3 || p[0].Attempts != 9 || p[1].Attempts != 8 {
			w.Errorf("after it: %+v", p)
		}
		h.poison = nil
		got, err = c.Replay(w.Context(), nil)
		w.must(err)
		if want := (stream.Replayed{Handled: 3}); got != want || len(w.parked(c)) != 0 {
			w.Errorf("second replay: %+v, want %+v; parked %v", got, want, w.parked(c))
		}
		if diff := cmp.Diff([]int{1, 4, 6, 2, 3, 5}, h.versions[birdName(0)]); diff != "" {
			w.Errorf("handled (-want +got):\n%s", diff)
		}
	})
}

// TestAReplayThatIsCancelled has a context that ends while a record is handled: that one
// counts, and is not handled again, and the next one is not begun.
func TestAReplayThatIsCancelled(t *testing.T) {
	inWorld(t, func(w *world) {
		h := newPicky(w, 1, 2, 3)
		w.write(1, 1, 3)
		w.endStream()
		c := w.consumer(h.handle)
		c.OnParked = func(stream.Record, error) {}
		w.must(c.Run(w.Context()))

		ctx, cancel := context.WithCancel(w.Context())
		again := newDiary(w.T)
		got, err := c.Replay(ctx, func(ctx context.Context, r stream.Record) error {
			cancel()
			return again.handle(ctx, r)
		})
		if want := (stream.Replayed{Handled: 1}); got != want || !errors.Is(err, context.Canceled) {
			w.Errorf("cancelled: %+v, %v, want %+v", got, err, want)
		}
		got, err = c.Replay(w.Context(), again.handle)
		w.must(err)
		if want := (stream.Replayed{Handled: 2}); got != want {
			w.Errorf("the rest: %+v, want %+v", got, want)
		}
		again.expectOnce(1, 3)
	})
}

func TestAttemptsIsHowOftenARecordIsHandled(t *testing.T) {
	inWorld(t, func(w *world) {
		h := newPicky(w, 1)
		w.write(1, 1, 1)
		w.endStream()
		c := w.consumer(h.handle)
		c.Attempts, c.OnParked = 3, func(stream.Record, error) {}
		w.must(c.Run(w.Context()))
		if h.calls[1] != 3 {
			w.Errorf("%d calls, want 3", h.calls[1])
		}
		other := w.consumer(nil)
		got, err := other.Replay(w.Context(), func(context.Context, stream.Record) error { return nil })
		if err != nil || got.Handled != 1 {
			w.Errorf("replay with another handler: %+v, %v", got, err)
		}
		if _, err := other.Replay(w.Context(), nil); err == nil {
			w.Error("a replay without a handler does something")
		}
	})
}

// TestImagesTooLargeForARowAreParkedWhole has an item of nearly 400 KB, twice in its record.
func TestImagesTooLargeForARowAreParkedWhole(t *testing.T) {
	effort.SkipUnderRace(t)
	inWorld(t, func(w *world) {
		noise := make([]byte, 380_000)
		for i, x := 0, uint32(1); i < len(noise); i++ {
			x = x*1664525 + 1013904223
			noise[i] = byte(x >> 24)
		}
		old := access.Item{"id": str("ostrich"), "v": num(1), "b": &types.AttributeValueMemberB{Value: noise}}
		changed := access.Item{
			"id": str("ostrich"), "v": num(2), "s": str(strings.Repeat("é<", 100_000)), "set": &types.AttributeValueMemberNS{Value: []string{"1", "2.5"}},
			"list": &types.AttributeValueMemberL{Value: []types.AttributeValue{
				&types.AttributeValueMemberNULL{Value: true}, &types.AttributeValueMemberBOOL{}, &types.AttributeValueMemberSS{Value: []string{"a"}},
				&types.AttributeValueMemberBS{Value: [][]byte{{1}}}, &types.AttributeValueMemberM{Value: access.Item{"k": num(-7)}},
			}},
		}
		w.put(old)
		w.put(changed)
		w.endStream()
		h := newPicky(w, 2)
		c := w.consumer(h.handle)
		c.OnParked = func(stream.Record, error) {}
		w.must(c.Run(w.Context()))
		parked := w.parked(c)
		if len(parked) != 1 {
			w.Fatalf("%d records are parked, want 1", len(parked))
		}
		if !cmp.Equal(old, parked[0].Old, sameValues) || !cmp.Equal(changed, parked[0].New, sameValues) {
			w.Error("the images are not what they were")
		}
		// Somebody discards it between the look at its row and that at its images.
		late := *c
		late.DB = discarding{c.DB, func() { w.must(c.Discard(w.Context(), parked[0])) }}
		if left := w.parked(&late); len(left) != 0 {
			w.Errorf("discarded meanwhile, and there all the same: %+v", left)
		}
		if rows := w.rows("test#parked"); len(rows) != 0 {
			w.Errorf("%d rows are left", len(rows))
		}
	})
}

// discarding does something after each query.
type discarding struct {
	stream.TableAPI
	then func()
}

func (d discarding) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := d.TableAPI.Query(ctx, in, o...)
	d.then()
	return out, err
}
