package access

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access/internal/code"
	"sortkey.dev/internal/wait"
)

// An instant is a time by both clocks of a process, in nanoseconds. The monotonic clock stands still while a machine or a
// Lambda is frozen, and the wall clock may be set.
type instant struct{ mono, wall int64 }

var started = time.Now()

func machineTime() instant {
	now := time.Now()
	return instant{int64(now.Sub(started)), now.UnixNano()}
}

// A grant is what a process learned from one read of the state row. It does not change.
type grant struct {
	state  State
	ends   instant  // whichever clock reaches it first ends the lease
	renew  int64    // when to renew it, by the monotonic clock
	until  []string // when the lease ends, as the header of a request has it
	client *Client  // whose calls are sent in this epoch only
}

func (g *grant) over(now instant) bool { return now.mono >= g.ends.mono || now.wall >= g.ends.wall }

// A lease is the permission of a process to send requests for a design: it has lately read the state row. No goroutine
// renews it. A call that finds it near its end renews it on the side, and a call that finds it over renews it first.
type lease struct {
	api     API
	client  *Client // whose epoch is any
	key     Item
	table   string
	id      string // of its middleware
	now     func() instant
	current atomic.Pointer[grant]

	mu      sync.Mutex
	reading *reading // under way
	highest int64    // epoch that was read
}

// A reading is a read of the state row.
type reading struct {
	done chan struct{}
	err  error
}

// leases counts the leases of a process, so that the middleware of each has a name of its own.
var leases atomic.Int64

func newLease(c *Client) *lease {
	return &lease{
		api: c.api, client: c, key: c.design.State.Key(), table: c.Table(c.design.State.Table), now: machineTime,
		id: "sortkey-lease-" + strconv.FormatInt(leases.Add(1), 10),
	}
}

// admit returns the grant under which a request may be sent now: of an epoch, or if that is 0, of any. It renews the lease if
// it is over.
func (l *lease) admit(ctx context.Context, epoch int64) (*grant, error) {
	g, now := l.current.Load(), l.now()
	for attempt := 0; g == nil || g.over(now); attempt++ {
		if attempt == 10 { // the process is frozen again and again, or its clocks run away
			return nil, l.fenced("the lease is over as soon as it is renewed", nil)
		}
		if err := l.await(ctx); err != nil {
			return nil, err
		}
		g, now = l.current.Load(), l.now()
	}
	if now.mono >= g.renew {
		l.read(ctx)
	}
	if epoch != 0 && g.state.Epoch != epoch {
		err := l.fenced(fmt.Sprintf("the call began in epoch %d, and now it is %d, phase %s", epoch, g.state.Epoch, g.state.Phase), nil)
		err.Overtaken = true
		return nil, err
	}
	return g, nil
}

func (l *lease) fenced(reason string, cause error) *FencedError {
	return &FencedError{Design: l.client.design.Name, Reason: reason, Cause: cause}
}

// await reads the state row, or waits for the read that is under way.
func (l *lease) await(ctx context.Context) error {
	r := l.read(ctx)
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return l.fenced("the state row was not read in time", ctx.Err())
	}
}

// read reads the state row in the background, unless that is under way.
func (l *lease) read(ctx context.Context) *reading {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reading != nil {
		return l.reading
	}
	r := &reading{done: make(chan struct{})}
	l.reading = r
	go func() {
		r.err = l.readRow(context.WithoutCancel(ctx))
		l.mu.Lock()
		l.reading = nil
		l.mu.Unlock()
		close(r.done)
	}()
	return r
}

// readRow reads the state row, and again while DynamoDB is busy.
func (l *lease) readRow(ctx context.Context) error {
	o := l.client.options
	for attempt := 0; ; attempt++ {
		sent := l.now() // the lease counts from here
		limited, done := context.WithTimeout(ctx, stateReadExpiry)
		out, err := l.api.GetItem(limited, &dynamodb.GetItemInput{TableName: &l.table, Key: l.key, ConsistentRead: new(true)})
		done()
		if err == nil {
			return l.learn(sent, out)
		}
		if attempt+1 >= o.Attempts || !code.Unavailable(code.Of(err)) {
			l.postpone()
			return l.fenced("the state row cannot be read", err)
		}
		_ = wait.For(ctx, min(o.FirstWait<<min(attempt, 10), o.LongestWait))
	}
}

// postpone lets some time pass before the next renewal on the side.
func (l *lease) postpone() {
	if g := l.current.Load(); g != nil {
		later := *g
		later.renew = l.now().mono + int64(g.state.Lease/30)
		l.current.Store(&later)
	}
}

// learn takes over what the state row says. Only one read at a time calls it.
func (l *lease) learn(sent instant, out *dynamodb.GetItemOutput) error {
	if len(out.Item) == 0 {
		l.current.Store(nil)
		return l.fenced("table "+l.table+" has no state row; run: sortkey apply, or if there was one: sortkey migrate apply", nil)
	}
	if ahead := clockAhead(out); ahead > maxClockAhead {
		return l.fenced(fmt.Sprintf("the clock of this process is %s ahead of DynamoDB's; set it", ahead.Round(time.Second)), nil)
	}
	state, err := ParseState(out.Item)
	if err != nil {
		l.current.Store(nil)
		return l.fenced("the state row in table "+l.table+" is damaged", err)
	}
	if state.Epoch < l.highest {
		return l.fenced(fmt.Sprintf("the state row went back from epoch %d to %d; run: sortkey migrate apply", l.highest, state.Epoch), nil)
	}
	l.highest = state.Epoch
	phase, refused := l.client.design.phaseOf(&state)
	if refused != "" {
		l.current.Store(nil)
		return l.fenced(refused, nil)
	}
	l.current.Store(l.grant(sent, state, phase))
	return nil
}

func (l *lease) grant(sent instant, state State, phase Phase) *grant {
	ends := instant{sent.mono + int64(state.Lease), sent.wall + int64(state.Lease)}
	g := &grant{state: state, ends: ends, renew: sent.mono + int64(state.Lease/3), until: []string{strconv.FormatInt(ends.wall/1e6, 10)}}
	if last := l.current.Load(); last != nil && last.state.Epoch == state.Epoch && last.client.phase == phase && last.state.Verified == state.Verified {
		g.client = last.client
		return g
	}
	c := *l.client
	c.epoch, c.phase, c.paths, c.verified = state.Epoch, phase, state.Paths, state.Verified == state.Epoch
	c.guard = newFence(l, state.Epoch).options
	g.client = &c
	return g
}

// clockAhead returns by how much the clock of the process was ahead of the endpoint's when an answer was received.
func clockAhead(out *dynamodb.GetItemOutput) time.Duration {
	received, timed := awsmiddleware.GetResponseAt(out.ResultMetadata)
	if served, dated := awsmiddleware.GetServerTime(out.ResultMetadata); timed && dated {
		return received.Sub(served)
	}
	return 0
}

// Begin takes the phase for a call that a migration affects: the calls of the client that it returns are sent in the present epoch
// only, and Phase is its phase. It renews the lease if that is over. If the epoch changes before such a call has sent anything, the call
// fails with a *FencedError that is Overtaken, and can begin again. Clients of designs without a history return themselves.
func (c *Client) Begin(ctx context.Context) (*Client, error) {
	if c.lease == nil {
		return c, nil
	}
	g, err := c.lease.admit(ctx, c.epoch)
	if err != nil {
		return nil, err
	}
	return g.client, nil
}

// Phase returns the phase of the migration between the two versions that the generated package holds: of a client that Begin
// returned. It is PhaseAfter if the package holds one version.
func (c *Client) Phase() Phase { return c.phase }

// Path returns the epoch that opened a path, of a client that Begin returned; 0: the path is not served.
func (c *Client) Path(name string) (epoch int64) { return c.paths[name] }

// LayoutPath returns the name of the path of all lists that read the layout of a version.
func LayoutPath(version int) string { return strconv.Itoa(version) }

// Serves reports whether lists may read the layout of a version, and the epoch in which that began: of a client that Begin
// returned. The layouts that the state row names are served; if it names none, those that the phase keeps right.
func (c *Client) Serves(version int) (epoch int64, ok bool) {
	if len(c.paths) > 0 {
		epoch = c.Path(LayoutPath(version))
		return epoch, epoch != 0
	}
	versions := c.design.Versions
	switch {
	case len(versions) == 0:
		return 0, false
	case version == versions[len(versions)-1]:
		return 0, c.phase >= PhaseRead
	}
	return 0, version == versions[0] && c.phase < PhaseAfter
}

// Admit returns the options with which a request may be sent now, or a *FencedError. Package call calls it before every attempt.
func (c *Client) Admit(ctx context.Context) ([]func(*dynamodb.Options), error) {
	if c.lease == nil {
		return nil, nil
	}
	if _, err := c.lease.admit(ctx, c.epoch); err != nil {
		return nil, err
	}
	return c.guard, nil
}

// Late reports whether an endpoint refused a request because the lease under which it was sent was over. It did not carry the
// request out.
func Late(err error) bool {
	return code.Of(err) == code.LateRequest
}

// Overtaken reports whether a call was not sent because another epoch began first. It can begin again.
func Overtaken(err error) bool {
	fenced, ok := errors.AsType[*FencedError](err)
	return ok && fenced.Overtaken && !fenced.Sent
}
