package telegram

import (
	"sync"
	"time"
)

// Limits holds the rates that the client keeps. Telegram does not publish the real ones and
// changes them, so 429 answers are obeyed too.
type Limits struct {
	PerSecond      int           // messages to all chats
	ChatInterval   time.Duration // between two messages to a chat
	GroupPerMinute int           // messages to a group
}

// DefaultLimits holds the rates that Telegram's documentation recommends.
var DefaultLimits = Limits{PerSecond: 30, ChatInterval: time.Second, GroupPerMinute: 20}

// maxIdle is the number of chats from which idle ones are forgotten.
const maxIdle = 1000

// A limiter keeps the times of recent messages.
type limiter struct {
	limits Limits
	mutex  sync.Mutex
	all    []time.Time           // within a second
	chats  map[int64][]time.Time // within a minute
	closed map[int64]time.Time   // until when a chat answers 429; 0 is all chats
}

func newLimiter(l Limits) *limiter {
	return &limiter{limits: l, chats: map[int64][]time.Time{}, closed: map[int64]time.Time{}}
}

// reserve books a message to a chat at now and returns 0, or returns how long to wait before
// another attempt and books nothing. Groups have negative ids.
func (l *limiter) reserve(chat int64, now time.Time) time.Duration {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.all = after(l.all, now.Add(-time.Second))
	sent := after(l.chats[chat], now.Add(-time.Minute))
	wait := max(l.closed[chat].Sub(now), l.closed[0].Sub(now), 0)
	if len(l.all) >= l.limits.PerSecond {
		wait = max(wait, l.all[len(l.all)-l.limits.PerSecond].Add(time.Second).Sub(now))
	}
	if n := len(sent); n > 0 {
		wait = max(wait, sent[n-1].Add(l.limits.ChatInterval).Sub(now))
		if chat < 0 && n >= l.limits.GroupPerMinute {
			wait = max(wait, sent[n-l.limits.GroupPerMinute].Add(time.Minute).Sub(now))
		}
	}
	if wait > 0 {
		return wait
	}
	l.all = append(l.all, now)
	l.chats[chat] = append(sent, now)
	l.forget(now)
	return 0
}

// close stops messages to a chat until a moment.
func (l *limiter) close(chat int64, until time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.closed[chat] = until
}

// forget drops chats without recent messages when there are many.
func (l *limiter) forget(now time.Time) {
	if len(l.chats) <= maxIdle && len(l.closed) <= maxIdle {
		return
	}
	for chat, sent := range l.chats {
		if len(after(sent, now.Add(-time.Minute))) == 0 {
			delete(l.chats, chat)
		}
	}
	for chat, until := range l.closed {
		if !until.After(now) {
			delete(l.closed, chat)
		}
	}
}

// after returns the times after a moment, of an ascending list.
func after(times []time.Time, moment time.Time) []time.Time {
	for i, t := range times {
		if t.After(moment) {
			return times[i:]
		}
	}
	return nil
}
