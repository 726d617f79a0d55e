package provision

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/shape"
)

// How many items are read of a table that has no shape yet, and from how many places.
const (
	mostSampled  = 1000
	segments     = 10
	mostRequests = 50  // a page of large items holds few of them
	mostRows     = 100 // rows of unique values that are looked up
	mostListed   = 5
)

// A sample is some of the items of a table.
type sample struct {
	plan     *plan
	reader   *shape.Reader
	seen     int
	rows     int               // of unique values that were looked up
	kept     map[string]string // the key of the item that has a unique value, by the key of its row
	misfits  int
	expiring int // items of no entity that expire
	first    []string
}

// read reads the items: from every segment of the table a few, and more where there are some left.
func (s *sample) read(ctx context.Context, api API) error {
	type place struct {
		segment int32
		after   map[string]types.AttributeValue
	}
	var open []place
	for i := range int32(segments) {
		open = append(open, place{segment: i})
	}
	for requests := 0; len(open) > 0 && s.seen < mostSampled && requests < mostRequests; requests++ {
		at := open[0]
		open = open[1:]
		out, err := api.Scan(ctx, &dynamodb.ScanInput{
			TableName: &s.plan.want.Name, Segment: aws.Int32(at.segment), TotalSegments: aws.Int32(segments),
			Limit: aws.Int32(int32(min(mostSampled/segments, mostSampled-s.seen))), ExclusiveStartKey: at.after,
		})
		if err != nil {
			return err
		}
		for _, item := range out.Items {
			if err := s.look(ctx, api, item); err != nil {
				return err
			}
		}
		if len(out.LastEvaluatedKey) > 0 {
			open = append(open, place{at.segment, out.LastEvaluatedKey})
		}
	}
	return nil
}

func (s *sample) look(ctx context.Context, api API, item access.Item) error {
	if access.IsStateRow(item) {
		return nil
	}
	s.seen++
	wrong := s.reader.Check(item)
	if wrong == nil {
		unguarded, err := s.unguarded(ctx, api, item)
		if err != nil {
			return err
		}
		if unguarded != "" {
			s.misfit(item, unguarded)
		}
		return nil
	}
	if wrong.Entity == "" && s.expires(item) {
		s.expiring++
		return nil
	}
	s.misfit(item, wrong.Error())
	return nil
}

// unguarded returns why a unique value of an item is not kept unique: the row for it is missing, or another
// item of the sample has the value, too. Items that are older than a unique rule have no row, and one row may
// stand for several of them.
func (s *sample) unguarded(ctx context.Context, api API, item access.Item) (string, error) {
	for _, row := range s.reader.Rows(item) {
		at, of := s.key(row.Key), s.key(item)
		if other := s.kept[at]; other != "" && other != of {
			return "its " + row.Unique + " is not unique: the item with " + other + " has it, too", nil
		}
		s.kept[at] = of
		if s.rows++; s.rows > mostRows {
			continue
		}
		out, err := api.GetItem(ctx, &dynamodb.GetItemInput{TableName: &s.plan.want.Name, Key: row.Key, ConsistentRead: aws.Bool(true)})
		if err != nil {
			return "", err
		}
		if len(out.Item) == 0 {
			return "there is no row that keeps its " + row.Unique + " unique", nil
		}
	}
	return "", nil
}

func (s *sample) misfit(item access.Item, reason string) {
	if s.misfits++; s.misfits <= mostListed {
		s.first = append(s.first, "the item with "+s.key(item)+": "+reason)
	}
}

// expires reports whether an item has the attribute that items expire by.
func (s *sample) expires(item access.Item) bool {
	_, is := item[s.plan.want.TTL].(*types.AttributeValueMemberN)
	return is
}

// key returns the key of an item, so that it can be found. Nothing else of an item is shown.
func (s *sample) key(item access.Item) string {
	var texts []string
	for _, k := range s.plan.want.primary() {
		text := "nothing"
		switch v := item[k.Name].(type) {
		case *types.AttributeValueMemberS:
			text = strconv.Quote(v.Value)
		case *types.AttributeValueMemberN:
			text = v.Value
		case *types.AttributeValueMemberB:
			text = hex.EncodeToString(v.Value)
		}
		texts = append(texts, k.Name+" = "+text)
	}
	return strings.Join(texts, ", ")
}

// listed returns the first items that do not fit, a line each.
func (s *sample) listed() string {
	text := ""
	for _, one := range s.first {
		text += "\n    " + one
	}
	if more := s.misfits - len(s.first); more > 0 {
		text += fmt.Sprintf("\n    and %d more", more)
	}
	return text
}

// empty reports whether a table has no items.
func (a *applier) empty(ctx context.Context, p *plan) (bool, error) {
	out, err := a.api.Scan(ctx, &dynamodb.ScanInput{TableName: &p.want.Name, Limit: aws.Int32(1)})
	if err != nil {
		return false, fmt.Errorf("read items of table %s: %w", p.want.Name, err)
	}
	return len(out.Items) == 0 && len(out.LastEvaluatedKey) == 0, nil
}

// items returns a number of items in words.
func items(n int) string {
	switch {
	case n == 1:
		return "1 item"
	case n >= 1000:
		return fmt.Sprintf("%d,%03d items", n/1000, n%1000)
	}
	return fmt.Sprintf("%d items", n)
}

// does returns the verb of n items.
func does(n int) string {
	if n == 1 {
		return "does"
	}
	return "do"
}
