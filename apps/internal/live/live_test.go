package live

import (
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// heard returns the topics a listener has heard of, in order. Empty: nothing.
func heard(l *Listener) []Topic {
	select {
	case <-l.C():
	default:
		return nil
	}
	changed := l.Changed()
	slices.Sort(changed)
	return changed
}

func TestAListenerHearsItsTopicsOnly(t *testing.T) {
	var hub Hub
	feed, both := hub.Listen("feed"), hub.Listen("feed", "question 1")
	defer feed.Close()
	defer both.Close()
	hub.Tell("question 1", "question 2")
	if got := heard(feed); got != nil {
		t.Errorf("who listens to the feed heard %q", got)
	}
	if diff := cmp.Diff([]Topic{"question 1"}, heard(both)); diff != "" {
		t.Errorf("who listens to both (-want +got):\n%s", diff)
	}
	hub.Tell("feed")
	for name, l := range map[string]*Listener{"feed": feed, "both": both} {
		if diff := cmp.Diff([]Topic{"feed"}, heard(l)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestHintsThatAreNotReadBecomeOne(t *testing.T) {
	var hub Hub
	l := hub.Listen("feed", "question 1")
	defer l.Close()
	for range 100 {
		hub.Tell("feed")
		hub.Tell("question 1")
	}
	if diff := cmp.Diff([]Topic{"feed", "question 1"}, heard(l)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := heard(l); got != nil {
		t.Errorf("it heard twice: %q", got)
	}
}

func TestAClosedListenerHearsNothingAndLeavesNothing(t *testing.T) {
	var hub Hub
	l, other := hub.Listen("feed", "feed"), hub.Listen("feed")
	l.Close()
	l.Close()
	hub.Tell("feed")
	if got := heard(l); got != nil {
		t.Errorf("a closed listener heard %q", got)
	}
	if got := hub.Listeners("feed"); got != 1 {
		t.Errorf("%d listen, want 1", got)
	}
	other.Close()
	if got := hub.Topics(); len(got) != 0 {
		t.Errorf("topics without listeners are kept: %q", got)
	}
}

func TestTopicsListsTopicsWithListeners(t *testing.T) {
	var hub Hub
	defer hub.Listen("feed").Close()
	defer hub.Listen("feed", "question 1").Close()
	got := hub.Topics()
	slices.Sort(got)
	if diff := cmp.Diff([]Topic{"feed", "question 1"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The race detector judges this one; besides, the last hint must not be lost.
func TestTellAndListenConcurrently(t *testing.T) {
	var hub Hub
	var all sync.WaitGroup
	for n := range 20 {
		topic := Topic(strconv.Itoa(n % 4))
		all.Go(func() {
			l := hub.Listen(topic)
			defer l.Close()
			hub.Tell(topic)
			<-l.C()
			if got := l.Changed(); !slices.Equal(got, []Topic{topic}) {
				t.Errorf("heard %q, want %q", got, topic)
			}
		})
	}
	all.Wait()
}

func TestWaitingCallersPerPlaceAreLimited(t *testing.T) {
	var hub Hub
	var leave []func()
	for range MostFrom {
		out, ok := hub.Enter("here")
		if !ok {
			t.Fatalf("only %d are let in", len(leave))
		}
		leave = append(leave, out)
	}
	if _, ok := hub.Enter("here"); ok {
		t.Error("one too many is let in")
	}
	out, ok := hub.Enter("there")
	if !ok {
		t.Fatal("who comes from elsewhere is not let in")
	}
	out()
	leave[0]()
	out, ok = hub.Enter("here")
	if !ok {
		t.Error("a place that was left stays taken")
	}
	leave[0] = out
	for _, out := range leave {
		out()
	}
	if len(hub.places) != 0 {
		t.Errorf("empty places are kept: %v", hub.places)
	}
}

// TestWaitingCallersAreLimited: who has many addresses has many places, but not all of them.
func TestWaitingCallersAreLimited(t *testing.T) {
	var hub Hub
	var last func()
	for i := range most {
		out, ok := hub.Enter(strconv.Itoa(i))
		if !ok {
			t.Fatalf("only %d are let in", i)
		}
		last = out
	}
	if _, ok := hub.Enter("one more"); ok {
		t.Error("one too many is let in")
	}
	last()
	if _, ok := hub.Enter("one more"); !ok {
		t.Error("the place of one who left stays taken")
	}
}

func TestHubKnowsWhatChangedSince(t *testing.T) {
	var hub Hub
	before := time.Now()
	if hub.ChangedSince(before, "a", "b") {
		t.Error("a topic that was never told has changed")
	}
	hub.Tell("b")
	if !hub.ChangedSince(before, "a", "b") {
		t.Error("a topic that was told has not changed")
	}
	if hub.ChangedSince(time.Now().Add(time.Second), "b") {
		t.Error("a topic has changed in the future")
	}
}
