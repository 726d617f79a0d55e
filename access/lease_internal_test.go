package access

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var tasksRow = StateRow{Table: "tasks", Partition: KeyValue{"PK", "Tasks#state"}, Sort: KeyValue{"SK", "state"}}

// A rowAPI is a DynamoDB that has the state row and nothing else.
type rowAPI struct {
	API
	item   atomic.Pointer[Item]
	reads  atomic.Int64
	during func() // called while a read is served
	fail   atomic.Pointer[error]
}

func (a *rowAPI) GetItem(_ context.Context, in *dynamodb.GetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	a.reads.Add(1)
	if !*in.ConsistentRead || *in.TableName != "dev-tasks" || len(in.Key) != 2 {
		return nil, errors.New("not the state row, consistently")
	}
	if err := a.fail.Load(); err != nil {
		return nil, *err
	}
	out := &dynamodb.GetItemOutput{}
	if item := a.item.Load(); item != nil {
		out.Item = *item
	}
	if a.during != nil {
		a.during()
	}
	return out, nil
}

func (a *rowAPI) set(s State) { item := s.Item(nil); a.item.Store(&item) }

// A world is a client of version 6 and 7 under a lease, with clocks that the test moves.
type world struct {
	*testing.T
	api   *rowAPI
	c     *Client
	clock instant
	state State
}

func newWorld(t *testing.T) *world {
	w := &world{T: t, api: &rowAPI{}, state: State{Version: 6, Epoch: 3, Settled: 3, Least: 6, Lease: 30 * time.Second, Longest: 5 * time.Minute}}
	w.api.set(w.state)
	w.c = NewClient(w.api, Design{Name: "Tasks", Versions: []int{6, 7}, State: tasksRow}, WithTablePrefix("dev-"))
	w.c.lease.now = func() instant { return w.clock }
	return w
}

func (w *world) pass(d time.Duration) { w.clock.mono += int64(d); w.clock.wall += int64(d) }

func (w *world) enter(p Phase) {
	w.state.Migration, w.state.Phase = "0007-titles", p
	w.state.Epoch++
	w.api.set(w.state)
}

// expect checks how often the row was read, and whether a request may be sent.
func (w *world) expect(reads int64, refused string) {
	w.Helper()
	_, err := w.c.Admit(w.Context())
	w.c.lease.idle()
	switch {
	case refused == "" && err != nil:
		w.Errorf("refused: %v", err)
	case refused != "" && (err == nil || !strings.Contains(err.Error(), refused)):
		w.Errorf("%v, want an error about %q", err, refused)
	}
	if got := w.api.reads.Load(); got != reads {
		w.Errorf("%d reads, want %d", got, reads)
	}
}

// idle waits until no read is under way.
func (l *lease) idle() {
	l.mu.Lock()
	r := l.reading
	l.mu.Unlock()
	if r != nil {
		<-r.done
	}
}

func TestTheFirstCallReadsAndLaterOnesRenewOnTheSide(t *testing.T) {
	w := newWorld(t)
	w.expect(1, "")
	w.pass(10*time.Second - 1)
	w.expect(1, "")
	w.pass(1)
	w.expect(2, "") // on the side
	w.pass(29 * time.Second)
	w.expect(3, "")
	w.pass(30 * time.Second)
	w.expect(4, "") // first
}

func TestTheLeaseCountsFromBeforeTheReadWasSent(t *testing.T) {
	w := newWorld(t)
	w.api.during = func() { w.pass(29 * time.Second) }
	w.expect(2, "") // and one on the side, because it is due
	w.api.during = func() { w.pass(31 * time.Second) }
	w.pass(time.Minute)
	w.expect(12, "over as soon as it is renewed")
}

func TestEitherClockEndsTheLease(t *testing.T) {
	w := newWorld(t)
	w.expect(1, "")
	down := error(errors.New("the network is down"))
	w.api.fail.Store(&down)
	was := w.clock
	w.clock.wall += int64(30 * time.Second) // frozen: the monotonic clock stood still
	w.expect(2, "network is down")
	w.clock = was
	w.clock.mono += int64(30 * time.Second) // the wall clock was set back
	w.expect(3, "network is down")
}

func TestAFailedRenewalOnTheSideIsTriedAgainLater(t *testing.T) {
	w := newWorld(t)
	w.expect(1, "")
	down := error(errors.New("the network is down"))
	w.api.fail.Store(&down)
	w.pass(10 * time.Second)
	w.expect(2, "")
	w.expect(2, "")
	w.pass(time.Second)
	w.expect(3, "")
}

func TestNoRequestWithoutARowOrWithAnotherVersion(t *testing.T) {
	for name, test := range map[string]struct {
		change  func(*State)
		refused string
	}{
		"newer code needed":  {func(s *State) { s.Least = 8 }, "version 8 is needed now"},
		"older tables":       {func(s *State) { s.Version = 5 }, "sortkey migrate apply"},
		"newer tables":       {func(s *State) { s.Version, s.Least = 8, 7 }, "deploy newer code"},
		"damaged":            {func(s *State) { s.Lease = 0 }, "damaged"},
		"an epoch back":      {func(s *State) { s.Epoch, s.Settled = 2, 2 }, "went back from epoch 3 to 2"},
		"the next migration": {func(s *State) { s.Version, s.Migration = 7, "0008" }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.expect(1, "")
			test.change(&w.state)
			w.api.set(w.state)
			w.pass(time.Minute)
			w.expect(2, test.refused)
		})
	}
	w := newWorld(t)
	w.expect(1, "")
	w.api.item.Store(nil)
	w.pass(10 * time.Second)
	w.expect(2, "")
	w.expect(3, "no state row; run: sortkey apply") // though the lease was not over
}

func TestACallIsSentInItsEpochOnly(t *testing.T) {
	w := newWorld(t)
	begun, err := w.c.Begin(t.Context())
	if err != nil || begun.Phase() != PhaseBefore {
		t.Fatal(begun, err)
	}
	w.enter(PhasePrepare)
	w.pass(29 * time.Second)
	if _, err := begun.Admit(t.Context()); err != nil {
		t.Errorf("the lease of its epoch lasts: %v", err)
	}
	w.c.lease.idle()
	_, err = begun.Admit(t.Context())
	if !Overtaken(err) {
		t.Errorf("in another epoch: %v", err)
	}
	if _, err := w.c.Admit(t.Context()); err != nil {
		t.Errorf("a call of any epoch: %v", err)
	}
	again, err := w.c.Begin(t.Context())
	if err != nil || again.Phase() != PhasePrepare {
		t.Fatal(again, err)
	}
	w.pass(30 * time.Second)
	if _, err := again.Admit(t.Context()); err != nil {
		t.Errorf("the renewed lease of its epoch: %v", err)
	}
	same, err := w.c.Begin(t.Context())
	if err != nil || same != again {
		t.Errorf("an epoch has two clients: %v", err)
	}
}

func TestPhaseOfTheVersionsHeld(t *testing.T) {
	for _, test := range []struct {
		versions []int
		state    State
		want     Phase
	}{
		{[]int{6, 7}, State{Version: 6}, PhaseBefore},
		{[]int{6, 7}, State{Version: 6, Migration: "0007", Phase: PhaseRead}, PhaseRead},
		{[]int{6, 7}, State{Version: 7}, PhaseAfter},
		{[]int{6, 7}, State{Version: 7, Migration: "0008", Phase: PhaseBefore}, PhaseAfter},
		{[]int{7, 8}, State{Version: 7, Migration: "0008", Phase: PhasePrepare}, PhasePrepare},
		{[]int{7}, State{Version: 7}, PhaseAfter},
	} {
		d := Design{Versions: test.versions}
		if got, refused := d.phaseOf(&test.state); got != test.want || refused != "" {
			t.Errorf("%v in %+v: %v %s, want %v", test.versions, test.state, got, refused, test.want)
		}
	}
}

func TestAStateRowIsReadAsItWasWritten(t *testing.T) {
	want := State{Version: 6, Migration: "0007-titles", Phase: PhaseRead, Epoch: 9, Settled: 8, Least: 7, Paths: map[string]int64{"tasks.GSI2": 5},
		Lease: 30 * time.Second, Longest: 5 * time.Minute, Paused: "conflicts"}
	item := want.Item(tasksRow.Key())
	got, err := ParseState(item)
	if err != nil || got.Paths["tasks.GSI2"] != 5 {
		t.Fatal(got, err)
	}
	got.Paths, want.Paths = nil, nil
	if got.Migration != want.Migration || got.Phase != want.Phase || got.Epoch != want.Epoch || got.Lease != want.Lease || got.Paused != want.Paused || got.Least != want.Least {
		t.Errorf("%+v, want %+v", got, want)
	}
	for name := range item {
		if name == "PK" || name == "SK" || name == "migration" || name == "paused" || name == "paths" {
			continue
		}
		damaged := want.Item(nil)
		damaged[name] = &types.AttributeValueMemberS{Value: "x"}
		if _, err := ParseState(damaged); err == nil {
			t.Errorf("%s is x, and nobody minds", name)
		}
	}
}
