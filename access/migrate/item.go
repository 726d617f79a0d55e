package migrate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	parts "sortkey.dev/access/part"
	"sortkey.dev/access/shape"
)

// An outcome says what became of an item in a pass.
type outcome int

const (
	passed   outcome = iota // nothing to do
	changed                 // it was written
	conflict                // it is listed: it cannot get its part
	differs                 // its part is not right
)

// An itemPass does something to each item of a part.
type itemPass struct {
	*run
	part *part
}

// fill gives an item its part, unless another writer has. Nothing newer is overwritten: the request
// asks that the item is there, that what the part is made of is as it was read, and that a part of the
// part is missing. What was deleted meanwhile does not come back.
func (p itemPass) fill(ctx context.Context, item access.Item) (outcome, error) {
	for range mostAttempts {
		want, err := p.part.New(item)
		if err != nil {
			return conflict, p.conflict(ctx, p.part, item, err.Error())
		}
		if !p.part.Absent(item, want) {
			return passed, nil
		}
		w := p.write(item)
		w.asRead(item, p.part.Sources)
		var missing []string
		for _, s := range p.part.Set {
			if want[s.Attribute] != nil {
				w.set(s.Attribute, want[s.Attribute])
				missing = append(missing, "attribute_not_exists("+w.name(s.Attribute)+")")
			}
		}
		w.where("(" + strings.Join(missing, " OR ") + ")")
		done, err := p.send(ctx, w)
		if done || err != nil {
			return changed, err
		}
		if item, err = p.again(ctx, item); item == nil || err != nil {
			return passed, err
		}
		if is, _ := p.part.of(item); !is {
			return passed, nil
		}
	}
	return conflict, p.conflict(ctx, p.part, item, "other writers changed the item at every attempt")
}

// check compares the part of an item with what it must be. A difference counts when it is there three
// times: the item may be changing. With strategy tail it counts if no program writes the item meanwhile: what is written is
// repaired later.
func (p itemPass) check(ctx context.Context, item access.Item) (outcome, error) {
	for attempt := range 3 {
		if attempt > 0 {
			if err := p.sleep(ctx, p.options.recheck()); err != nil {
				return 0, err
			}
			before := item
			var err error
			if item, err = p.again(ctx, item); item == nil || err != nil {
				return passed, err
			}
			if is, _ := p.part.of(item); !is || p.migration.Strategy == Tail && !maps.EqualFunc(item, before, parts.Equal) {
				return passed, nil
			}
		}
		want, err := p.part.New(item)
		if err != nil {
			return conflict, p.conflict(ctx, p.part, item, err.Error())
		}
		if len(p.part.Wrong(item, want)) == 0 || p.expired(item) {
			return passed, nil
		}
	}
	return differs, nil
}

// repair makes the part of an item right. It is allowed while all writers keep the part, and readers do
// not read it.
func (p itemPass) repair(ctx context.Context, item access.Item) (outcome, error) {
	for range mostAttempts {
		want, err := p.part.New(item)
		if err != nil {
			return conflict, p.conflict(ctx, p.part, item, err.Error())
		}
		wrong := p.part.Wrong(item, want)
		if len(wrong) == 0 {
			return passed, nil
		}
		w := p.write(item)
		w.asRead(item, p.part.Sources)
		w.asRead(item, wrong)
		for _, name := range wrong {
			w.assign(name, want[name])
		}
		done, err := p.send(ctx, w)
		if done || err != nil {
			return changed, err
		}
		if item, err = p.again(ctx, item); item == nil || err != nil {
			return passed, err
		}
		if is, _ := p.part.of(item); !is {
			return passed, nil
		}
	}
	return differs, nil
}

// remove takes attributes away from an item, if it is there.
func (p itemPass) remove(ctx context.Context, item access.Item, names []string) (outcome, error) {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return item[name] == nil })
	if len(names) == 0 {
		return passed, nil
	}
	w := p.write(item)
	for _, name := range names {
		w.assign(name, nil)
	}
	done, err := p.send(ctx, w)
	if !done {
		return passed, err
	}
	return changed, err
}

// expired reports whether the time after which DynamoDB may delete an item has passed.
func (p itemPass) expired(item access.Item) bool {
	return expired(item, p.part.In.Old.TTL, p.now()) || expired(item, p.part.In.New.TTL, p.now())
}

// expired reports whether the time that an attribute holds has passed.
func expired(item access.Item, ttl string, now time.Time) bool {
	n, is := item[ttl].(*types.AttributeValueMemberN)
	if !is {
		return false
	}
	seconds, err := strconv.ParseInt(n.Value, 10, 64)
	return err == nil && time.Unix(seconds, 0).Before(now)
}

// mostAttempts bounds how often an item is tried that other writers change at the same time.
const mostAttempts = 10

// write begins a request that changes the item if it is there.
func (p itemPass) write(item access.Item) *update {
	w := newUpdate(p.table(p.part.Table), p.part.In.Old.KeyOf(item))
	w.where("attribute_exists(" + w.name(p.part.In.Old.PK) + ")")
	return w
}

// send sends a write and reports whether its conditions held.
func (r *run) send(ctx context.Context, w *update) (bool, error) {
	err := r.paced(ctx, func(ctx context.Context) (*types.ConsumedCapacity, error) {
		options, err := r.permitted(ctx)
		if err != nil {
			return nil, err
		}
		out, err := r.api.UpdateItem(ctx, w.input(), options...)
		if err != nil {
			return nil, err
		}
		return out.ConsumedCapacity, nil
	})
	if _, failed := errors.AsType[*types.ConditionalCheckFailedException](err); failed {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("update an item of %s: %w", w.table, err)
	}
	return true, nil
}

// again reads an item as it is now; nil if it is gone.
func (p itemPass) again(ctx context.Context, item access.Item) (access.Item, error) {
	return p.read(ctx, p.part.In.Old, p.part.Table, item)
}

// read reads an item of a table by the key that another one has; nil if there is none.
func (r *run) read(ctx context.Context, of *shape.Table, table string, item access.Item) (access.Item, error) {
	return r.get(ctx, table, of.KeyOf(item))
}
