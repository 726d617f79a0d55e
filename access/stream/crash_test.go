package stream_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"sortkey.dev/access/stream"
	"sortkey.dev/internal/effort"
)

// TestNothingIsLostWhenProcessesDie lets one or two processes die at random requests again
// and again, some of them by being cancelled, while birds change and shards are replaced.
// Every change is handled, in order but for repetitions.
func TestNothingIsLostWhenProcessesDie(t *testing.T) {
	seeds := 8
	if testing.Short() || effort.UnderRace {
		seeds = 3
	}
	repeated := 0
	for seed := range seeds {
		for processes := 1; processes <= 2; processes++ {
			t.Run(fmt.Sprintf("%d processes, seed %d", processes, seed), func(t *testing.T) {
				inWorld(t, func(w *world) { repeated += newWreck(w, uint64(seed)).run(processes) })
			})
		}
	}
	if repeated == 0 {
		t.Error("no record came again: nobody died between a record and its checkpoint")
	}
}

// A wreck is a world whose processes die.
type wreck struct {
	*world
	seen   *diary
	rnd    *rand.Rand
	deaths int
}

func newWreck(w *world, seed uint64) *wreck {
	return &wreck{world: w, seen: newDiary(w.T), rnd: rand.New(rand.NewPCG(seed, 1))}
}

const (
	birdsOfWreck    = 15
	versionsOfWreck = 24
)

// run returns how many records came again.
func (w *wreck) run(processes int) (repeated int) {
	slots := make([]*running, processes)
	for v := 1; v <= versionsOfWreck; v++ {
		w.write(birdsOfWreck, v, v)
		for i := range slots {
			if slots[i] == nil || w.ended(slots[i]) {
				slots[i] = w.launch()
			}
		}
		pause := time.Duration(w.rnd.Int64N(int64(3 * time.Minute)))
		if w.rnd.IntN(8) == 0 {
			pause = 4*time.Hour + 10*time.Minute // the shards become old
		}
		time.Sleep(pause)
		if w.rnd.IntN(4) == 0 {
			w.must(slots[w.rnd.IntN(processes)].endAnyhow())
			w.deaths++
		}
	}
	w.endStream()
	last := w.consumer(w.handle)
	last.Attempts = 100
	w.must(last.Run(w.Context()))
	w.seen.expect(birdsOfWreck, versionsOfWreck)
	if w.deaths < 3 {
		w.Errorf("only %d deaths: the test shows nothing", w.deaths)
	}
	return w.seen.records - birdsOfWreck*versionsOfWreck
}

// launch starts a process that dies at one of its next requests.
func (w *wreck) launch() *running {
	c := w.consumer(w.handle)
	l := newLife()
	l.halves = true
	l.left.Store(1 + w.rnd.Int64N(200))
	c.DB, c.Streams = l.tables(w.client), l.streams(w.db.Streams())
	c.Every = 1 + w.rnd.IntN(20)
	c.Attempts = 100 // failures pass, nothing is to be parked
	c.Poll = time.Duration(1+w.rnd.IntN(60)) * time.Second
	return w.start(c)
}

// handle fails now and then.
func (w *wreck) handle(ctx context.Context, r stream.Record) error {
	switch rand.IntN(20) {
	case 0:
		return errTest
	case 1:
		time.Sleep(time.Duration(rand.IntN(40)) * time.Second)
	}
	return w.seen.handle(ctx, r)
}

func (w *wreck) ended(r *running) bool {
	select {
	case <-r.done:
		w.deaths++
		return true
	default:
		return false
	}
}

// endAnyhow cancels a process. If it is dead already, that is no error of the test.
func (r *running) endAnyhow() error {
	if err := r.end(); err != nil && !errors.Is(err, errDead) {
		return err
	}
	return nil
}
