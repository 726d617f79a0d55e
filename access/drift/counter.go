package drift

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/shape"
)

// A tally computes what a counter should hold from the items that are read.
type tally struct {
	shape.Tally
	table, counted *table
	entity         string
	attribute      string
	holders        []holder
	total          map[string]access.Decimal // by the values that match
	unsure         bool                      // an item of the counted entity could not be read
}

// A holder is an item with the counter.
type holder struct {
	key   access.Item
	match string
	value access.Decimal
}

// counters prepares the counters that can be computed.
func (c *checker) counters() {
	for _, t := range c.tables {
		for _, e := range t.of.Entities {
			for _, counter := range e.Counters {
				made, why := c.prepare(t, e.Name, counter)
				if why != "" {
					c.leaveOut("counter %s.%s: %s", e.Name, counter.Attribute, why)
					continue
				}
				c.tally = append(c.tally, made)
			}
		}
	}
}

// prepare returns the tally of a counter, or why there is none.
func (c *checker) prepare(t *table, entity string, counter shape.Counter) (*tally, string) {
	if counter.Shards > 1 {
		return nil, "it is spread over rows"
	}
	of, ok := counter.Tally()
	if !ok {
		return nil, "its conditions are not evaluated here"
	}
	made := &tally{Tally: of, table: t, entity: entity, attribute: counter.Attribute, total: map[string]access.Decimal{}}
	for _, other := range c.tables {
		for _, e := range other.of.Entities {
			switch {
			case e.Name != of.Of:
			case made.counted != nil:
				return nil, "several entities are called " + of.Of
			default:
				made.counted = other
			}
		}
	}
	if made.counted == nil {
		return nil, "items of " + of.Of + " are not read"
	}
	counts := made.counted
	for _, a := range counts.entity(of.Of).Attributes {
		if counts.of.TTL != "" && a.Name == counts.of.TTL {
			return nil, of.Of + " expires, which changes no counter"
		}
	}
	readable := counts.reader.Decides(of.Of, of.Where) && t.reader.Tells(entity, counter.Attribute)
	readable = readable && (of.Sum == "" || counts.reader.Tells(of.Of, of.Sum))
	for i := range of.Mine {
		readable = readable && t.reader.Tells(entity, of.Mine[i]) && counts.reader.Tells(of.Of, of.Theirs[i])
	}
	if !readable {
		return nil, "what it counts cannot be computed from the stored items"
	}
	return made, ""
}

// count adds an item to the tallies that it is part of.
func (c *checker) count(t *table, entity string, item, key access.Item) {
	for _, a := range c.tally {
		if a.table == t && a.entity == entity {
			if match, ok := matching(t, entity, a.Mine, item); ok {
				a.holders = append(a.holders, holder{key, match, number(item[a.attribute])})
			}
		}
		if a.counted != t || a.Of != entity || !t.reader.Holds(entity, a.Where, item) {
			continue
		}
		match, ok := matching(t, entity, a.Theirs, item)
		if !ok {
			continue
		}
		one := access.DecimalOf(1, 0)
		if a.Sum != "" {
			one = number(item[a.Sum])
		}
		sum, err := a.sum(match).Add(one)
		if err != nil { // more digits than a number of DynamoDB has
			a.unsure = true
		}
		a.total[match] = sum
	}
}

// skipped notes that an item of an entity cannot be counted.
func (c *checker) skipped(entity string) {
	for _, a := range c.tally {
		if a.Of == entity {
			a.unsure = true
		}
	}
}

func (a *tally) sum(match string) access.Decimal {
	if total, ok := a.total[match]; ok {
		return total
	}
	return access.DecimalOf(0, 0)
}

// compareCounters compares the counters with what was counted, if all items were read.
func (c *checker) compareCounters() {
	for _, a := range c.tally {
		name := a.entity + "." + a.attribute
		switch {
		case !a.table.read.All || !a.counted.read.All:
			c.leaveOut("counter %s: not all items were read", name)
			continue
		case a.unsure:
			c.leaveOut("counter %s: an item of %s cannot be read", name, a.Of)
			continue
		}
		for _, h := range a.holders {
			if h.value.Cmp(a.sum(h.match)) != 0 {
				c.add(CounterOff, a.table.name, a.entity+": "+a.attribute+" is not what it counts", h.key)
			}
		}
	}
}

// matching returns the values of attributes as one text; false if one is missing.
func matching(t *table, entity string, attributes []string, item access.Item) (string, bool) {
	var b strings.Builder
	for _, name := range attributes {
		text, ok := t.reader.Text(entity, name, item)
		if !ok {
			return "", false
		}
		b.WriteString(strconv.Quote(text))
	}
	return b.String(), true
}

// number returns the number in a value; 0 without one.
func number(v types.AttributeValue) access.Decimal {
	if n, ok := v.(*types.AttributeValueMemberN); ok {
		if d, err := access.ParseDecimal(n.Value); err == nil {
			return d
		}
	}
	return access.DecimalOf(0, 0)
}
