package limits

import (
	"fmt"
	"slices"
	"time"

	"sortkey.dev/apps/internal/platform/platformdb"
)

// slots is the number of slots of a window.
const slots = 12

// A window holds the uses that count at a time. Slots are numbered from the Unix epoch.
type window struct {
	limit Limit
	now   time.Time
	slot  int64   // the newest
	hits  int64   // uses in the newest slot
	slots []int64 // uses in the slots before it that count, newest first
}

// slotLength returns the length of a slot, in milliseconds. Twelve slots are at least as long as
// the window.
func (l Limit) slotLength() int64 { return (l.Window.Milliseconds() + slots - 1) / slots }

// slotAt returns the number of the slot of a time.
func (l Limit) slotAt(now time.Time) int64 { return now.UnixMilli() / l.slotLength() }

// block returns the number of uses that are counted at once.
func (l Limit) block() int64 { return max(int64(l.Most)/100, 1) }

// current returns the window at a time, by the stored uses, and whether one more use is allowed.
func current(limit Limit, now time.Time, stored *platformdb.RateWindow) (w window, allowed bool) {
	w = window{limit: limit, now: now, slot: limit.slotAt(now), slots: make([]int64, slots)}
	if stored == nil {
		return w, true
	}
	// The clock of another process may be ahead. Its slot counts as the newest then.
	w.slot = max(w.slot, stored.Slot)
	for i, uses := range append([]int64{stored.Hits}, stored.Slots...) {
		switch age := w.slot - stored.Slot + int64(i); {
		case age == 0:
			w.hits = uses
		case age <= slots:
			w.slots[age-1] = uses
		}
	}
	return w, w.total() < int64(limit.Most)
}

// earlier returns the number of uses in the slots before the newest.
func (w *window) earlier() int64 {
	sum := int64(0)
	for _, uses := range w.slots {
		sum += uses
	}
	return sum
}

// used returns the uses in the slots before the newest, up to the last slot that has some: most
// windows are new and have none, and every use reads and writes the stored window.
func (w *window) used() []int64 {
	last := slots
	for last > 0 && w.slots[last-1] == 0 {
		last--
	}
	return w.slots[:last]
}

func (w *window) total() int64 { return w.hits + w.earlier() }

// reset returns when uses stop counting, so that more is allowed than now: one more if that is
// enough, and as many as exceed the limit if a limit was lowered.
func (w *window) reset() time.Time {
	total := w.total()
	enough := min(total, int64(w.limit.Most))
	for i, uses := range slices.Backward(w.slots) {
		if total -= uses; total < enough {
			return w.outOf(w.slot - int64(i) - 1)
		}
	}
	if total -= w.hits; total < enough {
		return w.outOf(w.slot)
	}
	return w.now // there are no uses
}

// outOf returns when the uses of a slot stop counting: when the slot that follows twelve others
// begins.
func (w *window) outOf(slot int64) time.Time {
	return time.UnixMilli((slot + slots + 1) * w.limit.slotLength()).UTC()
}

// ttl returns when the database may delete the window.
func (w *window) ttl() time.Time { return w.outOf(w.slot).Add(time.Hour) }

// times formats a number of uses for people.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

var units = []struct {
	length time.Duration
	name   string
}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}}

// windowText formats the length of a window for people, in the longest unit that is exact.
func windowText(d time.Duration) string {
	for _, unit := range units {
		if d%unit.length == 0 {
			return counted(d/unit.length, unit.name)
		}
	}
	return d.String()
}

// waitText formats a wait for people, rounded up, in the longest unit of which there are two or
// more.
func waitText(d time.Duration) string {
	for _, unit := range units {
		if d >= 2*unit.length {
			return counted((d+unit.length-1)/unit.length, unit.name)
		}
	}
	return counted(max((d+time.Second-1)/time.Second, 1), "second")
}

func counted(n time.Duration, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
