package part

import (
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/shape"
)

// Count says that a part is no attributes, but a counter or a sum of the items that another item keeps. While the design changes, each
// item that is counted carries a mark that says with what it was counted; the counter is the sum of the marks.
type Count struct {
	Table     string // of the items that keep the counter, as the design names it
	Entity    string // that has the counter, in the next version
	Attribute string // the counter, as the design names it
	Stored    string // the counter, as it is stored
}

// A CountReader computes with what an item is counted. It is safe for use by many goroutines at once.
type CountReader struct {
	*Count
	mark    string
	sources []string // sorted
	tally   shape.Tally
	counted *shape.Reader // of the items that are counted
	as      string        // their entity
	keeper  *shape.Reader // of the items that keep the counter
	keys    []string      // the primary key attributes of the items that keep the counter
}

// readCount reads the description of a counter.
func (r *Reader) readCount(c *Change) error {
	i := slices.IndexFunc(c.Tables, func(t Table) bool { return t.Name == r.Count.Table })
	if i < 0 || c.Tables[i].New == nil {
		return fmt.Errorf("the migration has no table %s", r.Count.Table)
	}
	in := c.Tables[i].New
	made := &CountReader{Count: r.Count, mark: marshal.MarkName(r.Name), counted: r.new, as: r.As, keeper: shape.NewReader(in), keys: []string{in.PK}}
	if in.SK != "" {
		made.keys = append(made.keys, in.SK)
	}
	for _, e := range in.Entities {
		for _, counter := range e.Counters {
			if e.Name != r.Count.Entity || counter.Attribute != r.Count.Attribute {
				continue
			}
			tally, ok := counter.Tally()
			if !ok || counter.Shards > 1 || !r.new.Decides(r.As, tally.Where) {
				return fmt.Errorf("what %s.%s counts cannot be computed from items", e.Name, counter.Attribute)
			}
			made.tally = tally
		}
	}
	if made.tally.Of != r.As {
		return fmt.Errorf("%s.%s does not count %s", r.Count.Entity, r.Count.Attribute, r.As)
	}
	made.sources = slices.Clone(made.tally.Theirs)
	if made.tally.Sum != "" {
		made.sources = append(made.sources, made.tally.Sum)
	}
	made.sources = append(made.sources, shape.Compared(made.tally.Where)...)
	slices.Sort(made.sources)
	made.sources = slices.Compact(made.sources)
	r.Counts = made
	return nil
}

// Share implements access.Counter. The error says why the item does not tell.
func (r *CountReader) Share(item access.Item) (*access.Share, error) {
	if !r.counted.Holds(r.as, r.tally.Where, item) {
		return nil, nil
	}
	keeper := access.Item{}
	for i, theirs := range r.tally.Theirs {
		v := item[theirs]
		if v == nil {
			return nil, nil
		}
		keeper[r.tally.Mine[i]] = v
	}
	share := &access.Share{Of: access.Item{}, By: "1"}
	if r.tally.Sum != "" {
		n, is := item[r.tally.Sum].(*types.AttributeValueMemberN)
		if !is {
			return nil, nil
		}
		share.By = n.Value
	}
	for _, name := range r.keys {
		if !r.keeper.HasKey(r.Entity, name) {
			share.Of[name] = keeper[name]
		} else {
			text, has, err := r.keeper.KeyText(r.Entity, name, keeper)
			if err != nil {
				return nil, err
			}
			if has {
				share.Of[name] = marshal.S(text)
			}
		}
		if share.Of[name] == nil {
			return nil, fmt.Errorf("the item does not tell %s of the %s that counts it", name, r.Entity)
		}
	}
	return share, nil
}

// Keeper implements access.Counter.
func (r *CountReader) Keeper() (table, attribute string) { return r.Table, r.Stored }

// Mark implements access.Counter.
func (r *CountReader) Mark() string { return r.mark }

// Sources implements access.Counter.
func (r *CountReader) Sources() []string { return r.sources }
