package oracle

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A stream is the expected content of the stream of a table.
type stream struct {
	table   string
	arn     string // set by the database
	view    types.StreamViewType
	before  map[string]Item // the items when it was enabled
	changes []streamChange
}

// A streamChange is one change of an item.
type streamChange struct {
	at        time.Time
	key       Item
	old, next Item
	byService bool
}

func (m *Model) openStream(t *table, view types.StreamViewType) {
	t.stream = &stream{table: t.name, view: view, before: maps.Clone(t.items)}
	t.latest = t.stream
	m.streams = append(m.streams, t.stream)
}

// isOn reports whether a stream is the current stream of its table.
func (m *Model) isOn(s *stream) bool {
	t := m.tables[s.table]
	return t != nil && t.stream == s
}

// nameStreams reads the ARN of a new stream from the database.
func (p *player) nameStreams(ctx context.Context) error {
	for _, name := range p.model.names() {
		t := p.model.tables[name]
		if t.stream == nil || t.stream.arn != "" {
			continue
		}
		out, err := p.db.Tables().DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
		if err != nil {
			return err
		}
		t.stream.arn = aws.ToString(out.Table.LatestStreamArn)
	}
	return nil
}

// A record is a record of a stream.
type record struct {
	Event         string
	At            int64 // in milliseconds
	Keys          Item
	New, Old      Item
	Size          int64
	View          types.StreamViewType
	User          string // empty: the change was made by a request
	Version, From string
}

// record returns a change as the stream shows it.
func (s *stream) record(c streamChange) record {
	r := record{Event: "MODIFY", At: c.at.UnixMilli(), Keys: c.key, View: s.view, Version: "1.1", From: "aws:dynamodb"}
	switch {
	case c.old == nil:
		r.Event = "INSERT"
	case c.next == nil:
		r.Event = "REMOVE"
	}
	if s.view == types.StreamViewTypeNewImage || s.view == types.StreamViewTypeNewAndOldImages {
		r.New = c.next
	}
	if s.view == types.StreamViewTypeOldImage || s.view == types.StreamViewTypeNewAndOldImages {
		r.Old = c.old
	}
	r.Size = int64(itemSize(r.Keys) + itemSize(r.New) + itemSize(r.Old))
	if c.byService {
		r.User = "Service dynamodb.amazonaws.com"
	}
	return r
}

// byItem groups records by the keys of their items.
func byItem(records []record) map[string][]record {
	groups := map[string][]record{}
	for _, r := range records {
		groups[Literal(r.Keys)] = append(groups[Literal(r.Keys)], r)
	}
	return groups
}

// check compares the records of a stream with the changes of the model: one record
// for each change, those of an item in their order.
func (s *stream) check(got []record) *Problem {
	var want []record
	for _, c := range s.changes {
		want = append(want, s.record(c))
	}
	wanted, came := byItem(want), byItem(got)
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		if difference := difference(came[key], wanted[key]); difference != "" {
			return problem("records", "stream %s, item %s:\n%s", s.arn, key, difference)
		}
		delete(came, key)
	}
	for key := range came {
		return problem("records", "stream %s has records of %s, which never changed", s.arn, key)
	}
	return nil
}

// replay applies the records of a stream to the items that existed when it was
// enabled. It returns the resulting items, nil if the view does not include them.
func (s *stream) replay(t *table, records []record) []Item {
	if s.view != types.StreamViewTypeNewImage && s.view != types.StreamViewTypeNewAndOldImages {
		return nil
	}
	items := maps.Clone(s.before)
	for _, r := range records {
		if r.Event == "REMOVE" {
			delete(items, t.id(r.Keys))
		} else {
			items[t.id(r.Keys)] = r.New
		}
	}
	return append([]Item{}, slices.Collect(maps.Values(items))...)
}
