package migrate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/lease"
	"sortkey.dev/access/marshal"
)

// errLostSegment says that another worker has a segment now.
var errLostSegment = errors.New("migrate: another worker has taken the segment")

// leaseTime is how long a segment may be without a heartbeat before another worker takes it.
const leaseTime = 30 * time.Second

// segments are the rows of a pass in the control table, one for each segment.
type segments struct {
	run   *run
	table lease.Table
	pk    string // D#M#fill
	step  string // epoch#fill#Task.GSI2
	total int
	watch *lease.Watch
	poll  time.Duration

	mu   sync.Mutex
	rows map[int]row
}

// A row is a segment as its row says.
type row struct {
	lease.Row
	segment segment
}

// A segment is a part of a table, and how far it is.
type segment struct {
	number   int
	position access.Item // the last key that was looked at; nil: none
	done     bool
	counts   counts
	held     lease.Row
}

// newSegments returns the rows of a pass over a table.
func newSegments(r *run, control, owner, pk, step string, total int) *segments {
	return &segments{
		run: r, pk: pk, step: step, total: total, poll: time.Second, rows: map[int]row{},
		watch: lease.NewWatch(r.now, leaseTime),
		table: lease.Table{DB: r.api, Name: control, Owner: owner, Now: r.now, Try: func(ctx context.Context, what string, request func(context.Context) error) error {
			_, err := r.try(ctx, r.free, func(ctx context.Context) (*types.ConsumedCapacity, error) { return nil, request(ctx) })
			if err != nil && !errors.Is(err, lease.ErrLost) {
				return fmt.Errorf("%s: %w", what, err)
			}
			return err
		}},
	}
}

func (s *segments) key(n int) access.Item {
	return access.Item{"pk": marshal.S(s.pk), "sk": marshal.S(fmt.Sprintf("%s#%04d", s.step, n))}
}

// read reads all rows.
func (s *segments) read(ctx context.Context) error {
	at := s.run.now()
	in := &dynamodb.QueryInput{
		TableName: &s.table.Name, ConsistentRead: new(true), KeyConditionExpression: new("pk = :pk AND begins_with(sk, :step)"),
		ExpressionAttributeValues: access.Item{":pk": marshal.S(s.pk), ":step": marshal.S(s.step + "#")},
	}
	for {
		var out *dynamodb.QueryOutput
		_, err := s.run.try(ctx, s.run.free, func(ctx context.Context) (_ *types.ConsumedCapacity, err error) {
			out, err = s.run.api.Query(ctx, in)
			return nil, err
		})
		if err != nil {
			return fmt.Errorf("read the segments of %s: %w", s.step, err)
		}
		s.mu.Lock()
		for _, item := range out.Items {
			r := parseSegment(item)
			s.rows[r.segment.number] = r
			s.watch.See(strconv.Itoa(r.segment.number), r.Row, at)
		}
		s.mu.Unlock()
		if len(out.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

// take leases a segment that nobody works on, chosen at random; nil if there is none.
func (s *segments) take(ctx context.Context) (*segment, error) {
	if err := s.read(ctx); err != nil {
		return nil, err
	}
	for _, n := range rand.Perm(s.total) {
		s.mu.Lock()
		r := s.rows[n]
		free := !r.segment.done && (r.Owner == "" || r.Owner != s.table.Owner && (s.run.alone || !s.watch.Live(strconv.Itoa(n), r.Row)))
		s.mu.Unlock()
		if !free {
			continue
		}
		item, err := s.table.Take(ctx, "take a segment", s.key(n), r.Row)
		if errors.Is(err, lease.ErrLost) {
			continue
		}
		if err != nil {
			return nil, err
		}
		r = s.note(n, item)
		taken := r.segment
		taken.held = r.Row
		return &taken, nil
	}
	return nil, nil
}

// save writes the position of a segment after a page. It gives the lease back when the segment is done.
func (s *segments) save(ctx context.Context, of *segment) error {
	columns := lease.Columns{Set: access.Item{
		"seen": marshal.N(of.counts.seen), "changed": marshal.N(of.counts.changed),
		"differing": marshal.N(of.counts.differing), "conflicts": marshal.N(of.counts.conflicts),
	}}
	if of.done {
		columns.Set["done"] = &types.AttributeValueMemberBOOL{Value: true}
		columns.Remove = []string{"position"}
	} else {
		columns.Set["position"] = &types.AttributeValueMemberM{Value: of.position}
	}
	item, err := s.table.Put(ctx, "write the position of a segment", s.key(of.number), of.held, columns, of.done)
	if errors.Is(err, lease.ErrLost) {
		return errLostSegment
	}
	if err != nil {
		return err
	}
	s.note(of.number, item)
	return nil
}

// release gives a segment back whose work has ended early, so that others need not wait until its lease is over.
func (s *segments) release(ctx context.Context, of *segment) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	_, _ = s.table.Put(ctx, "give a segment back", s.key(of.number), of.held, lease.Columns{}, true)
}

// note remembers a row as it was written.
func (s *segments) note(n int, item access.Item) row {
	r := parseSegment(item)
	r.segment.number = n
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows[n] = r
	s.watch.See(strconv.Itoa(n), r.Row, s.run.now())
	return r
}

// doneSoFar returns how many segments are done.
func (s *segments) doneSoFar() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, r := range s.rows {
		if r.segment.done {
			n++
		}
	}
	return n
}

func (s *segments) finished() bool { return s.doneSoFar() == s.total }

// sum returns the counts of all segments.
func (s *segments) sum(ctx context.Context) (counts, error) {
	if err := s.read(ctx); err != nil {
		return counts{}, err
	}
	return s.sumSoFar(), nil
}

// sumSoFar returns the counts of the segments as this process knows them.
func (s *segments) sumSoFar() counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	var total counts
	for _, r := range s.rows {
		total.add(r.segment.counts)
	}
	return total
}

// parseSegment reads the row of a segment.
func parseSegment(item access.Item) row {
	number := func(name string) int64 {
		n, _ := marshal.ParseInt(textOf(item[name]))
		return n
	}
	sk := textOf(item["sk"])
	r := row{Row: lease.Parse(item), segment: segment{
		counts: counts{number("seen"), number("changed"), number("differing"), number("conflicts")},
	}}
	if at := len(sk) - 4; at >= 0 {
		r.segment.number, _ = strconv.Atoi(sk[at:])
	}
	if position, is := item["position"].(*types.AttributeValueMemberM); is {
		r.segment.position = position.Value
	}
	if done, is := item["done"].(*types.AttributeValueMemberBOOL); is {
		r.segment.done = done.Value
	}
	return r
}

func textOf(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return ""
}
