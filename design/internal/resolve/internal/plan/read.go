package plan

import (
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/layout"
)

// A Read is the request that answers a read pattern.
type Read struct {
	Pattern    *model.Pattern
	Entry      *layout.Entry // of the entity, or of the first one of a collect
	Operation  Operation
	Entities   []*model.Entity     // the entities it returns: one, or those of a collect
	Partition  []keytext.Condition // one for each partition key attribute, all equalities
	Sort       []keytext.Condition // in key order; all but the last are equalities
	Descending bool
	Ordered    *model.Part        // the part of the sort key that gives the asked-for order, or nil
	Checks     []*model.Condition // equalities the key does not need; compared after the read
	Filter     []*model.Condition // applied after the items are read
	Queries    int64              // requests that one call needs, at most: shards, values of in, fanout; 1 if none
	Unique     bool               // at most one item can match one of these requests
	Eventual   bool               // the read is eventually consistent
	Mixed      []*model.Entity    // other entities the same request would return
	Marks      []Mark             // of a scan: how it leaves them out
	// Missing are the attributes needed (selected, filtered, checked; all if nothing is
	// selected) that the index does not hold. Through a local index DynamoDB fetches them
	// from the table, one more read for each item; through a global one they are lost.
	Missing []*model.Attribute
	// Keys are the attributes that place an item on the path: those of the index, then those
	// of the table, each once.
	Keys []string
	// Lead is the beginning that all values of the last sort key asked for share.
	Lead keytext.Text
	// Rows are the selected attributes of each entity and where they are found; nil: whole
	// items.
	Rows map[*model.Entity][]Held
	// Statement is the request. A read of several requests has one: its values differ.
	Statement *Statement
}

// A Mark is a filter on a stored text by which a scan tells the items it is about from others
// in the same table or index.
type Mark struct {
	Name   string // of the attribute in DynamoDB
	Text   string
	Prefix bool // the attribute begins with the text; else it is the text
}

// A Held is a selected attribute and where the item has it.
type Held struct {
	Attribute *model.Attribute
	Name      string     // of the attribute in DynamoDB that holds it
	Key       *model.Key // if that is a composed key, out of which it is read back; else nil
}

// NewHeld finds where an item seen through a path has an attribute.
func NewHeld(path layout.Path, item *model.Item, a *model.Attribute) Held {
	held := Held{Attribute: a, Name: layout.HeldBy(path, item, a)}
	if key := item.Key(held.Name); held.Name != a.Stored && key != nil {
		held.Key = key
	}
	return held
}

// keyless reports whether a key attribute on the path has a type that no key can have.
func (r *Read) keyless() bool {
	return slices.ContainsFunc(r.Entry.Keys(), func(k *model.Key) bool { return k.Kind() == "" })
}

// ByKey reports whether each item is read by its primary key.
func (r *Read) ByKey() bool { return r.Operation == GetItem || r.Operation == BatchGetItem }

// Conditions returns all conditions on keys, those on sort keys last.
func (r *Read) Conditions() []keytext.Condition { return slices.Concat(r.Partition, r.Sort) }

// Request returns the request of the read as DynamoDB takes it, as a value for JSON.
// Values of the caller stand in braces. A read of several requests shows one of them.
// Where the caller gives a list, :name… stands for one placeholder per value.
func (r *Read) Request() any { return r.Statement.request() }

// String returns the request as people read it, on one line.
func (r *Read) String() string {
	conditions := make([]string, 0, len(r.Partition)+len(r.Sort))
	for _, c := range r.Conditions() {
		conditions = append(conditions, c.String())
	}
	s := string(r.Operation) + " " + r.Entry.Path.String()
	if len(conditions) > 0 {
		s += ": " + strings.Join(conditions, ", ")
	}
	if n := r.Pattern.Segments; n > 1 {
		s += ", in " + strconv.FormatInt(n, 10) + " segments"
	}
	if r.Descending {
		s += ", backwards"
	}
	for _, c := range r.Checks {
		s += ", then check " + c.String()
	}
	for _, c := range r.Filter {
		s += ", filter " + c.String()
	}
	if r.Queries > 1 {
		s += ", " + r.times() + " times"
	}
	return s
}

// times returns the number of requests of a call in words.
func (r *Read) times() string {
	n := strconv.FormatInt(r.Queries, 10)
	if len(r.Spans()) > 0 {
		return "up to " + n
	}
	return n
}

// Spans returns the ranges of time whose periods are partitions of their own, each once.
func (r *Read) Spans() []*keytext.Span {
	var all []*keytext.Span
	for _, c := range r.Partition {
		for _, part := range c.Low {
			if part.Span != nil && !slices.Contains(all, part.Span) {
				all = append(all, part.Span)
			}
		}
	}
	return all
}

// Periods returns the maximum number of requests of a call that are due to periods of time.
func (r *Read) Periods() int64 {
	n := int64(1)
	for _, s := range r.Spans() {
		n *= s.Most
	}
	return n
}

// SortsLoosely returns the free text of a sort key that a read orders by or asks a range
// of and that # follows, as the key and the number of the part; nil if there is none.
// Such texts sort as if they ended with #, so that Ann Lee comes before Ann.
func (r *Read) SortsLoosely() (*model.Key, int) {
	for _, key := range r.Entry.SK {
		parts := key.Parts()
		for i, part := range parts {
			loose := part.IsHole() && keytext.KeepsValue(part) && keytext.FollowedByDelimiter(parts, i) && keytext.SortsBeforeDelimiter(part)
			if loose && (r.Ordered != nil && r.Ordered.Attribute == part.Attribute || r.ranges(part.Attribute)) {
				return key, i
			}
		}
	}
	return nil, 0
}

// ranges reports whether the key answers a range of an attribute.
func (r *Read) ranges(a *model.Attribute) bool {
	return slices.ContainsFunc(slices.Concat(r.Pattern.Where, r.Pattern.Filter), func(c *model.Condition) bool {
		return c.Attribute == a && c.Op.IsRange() && c.Op != model.BeginsWith && !slices.Contains(r.Filter, c)
	})
}
