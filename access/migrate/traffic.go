package migrate

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	parts "sortkey.dev/access/part"
	"sortkey.dev/access/shape"
)

// Traffic says what the writers of a rehearsal did, and whether the migration has kept it.
type Traffic struct {
	Writes int64 `json:"writes"`
	Failed int64 `json:"failed"` // calls that returned an error
	Wrong  int64 `json:"wrong"`  // items that are not as they were written last
}

// writers change items of a rehearsal as generated code does: each call is sent in the phase in which it began.
type writers struct {
	*execution
	Traffic
	client *access.Client
	over   atomic.Bool
	group  sync.WaitGroup
	mu     sync.Mutex
	items  []*written
	error  error
}

// A written is an item that one writer changes.
type written struct {
	part   *part
	key    access.Item
	image  access.Item // as the old version stores it, nil: it is removed
	sample access.Item // as it was in the beginning
}

// sampled is the number of items of a part that are changed.
const sampled = 200

// newTraffic begins to change items.
func newTraffic(ctx context.Context, e *execution, n int) (*writers, error) {
	w := &writers{execution: e, client: e.newClient()}
	if n == 0 {
		return w, nil
	}
	for _, p := range e.parts {
		if err := w.choose(ctx, p); err != nil {
			return nil, err
		}
	}
	for i := range n {
		var mine []*written
		for k, item := range w.items {
			if k%n == i {
				mine = append(mine, item)
			}
		}
		if len(mine) > 0 {
			w.group.Go(func() { w.write(ctx, mine) })
		}
	}
	return w, nil
}

// choose takes up to a quarter of the items of a part, of those that can be computed. An item that has several parts is changed for the first.
func (w *writers) choose(ctx context.Context, p *part) error {
	if slices.ContainsFunc(w.items, func(item *written) bool { return item.part.Table == p.Table && item.part.Entity == p.Entity }) {
		return nil
	}
	copied := func(other *part) bool { return other.elsewhere() && other.Table == p.Table && other.Entity == p.Entity }
	if slices.ContainsFunc(w.parts, copied) || !p.within() && len(p.Remove) == 0 { // its writers write in two places
		return nil
	}
	out, err := w.api.Scan(ctx, &dynamodb.ScanInput{TableName: new(w.table(p.Table)), Limit: new(int32(20 * sampled))})
	if err != nil {
		return fmt.Errorf("choose items to change: %w", err)
	}
	found := 0
	for i, item := range out.Items {
		if i%4 > 0 { // the fill has to have work
			continue
		}
		is, err := p.of(item)
		if err != nil || !is || (itemPass{w.run, p}).expired(item) {
			continue
		}
		if _, err := p.New(item); err != nil {
			continue
		}
		key := access.Item{}
		for _, name := range p.Primary() {
			key[name] = item[name]
		}
		w.items = append(w.items, &written{part: p, key: key, image: item, sample: item})
		if found++; found == sampled {
			break
		}
	}
	return nil
}

// write changes items until the end.
func (w *writers) write(ctx context.Context, mine []*written) {
	for !w.over.Load() && ctx.Err() == nil {
		item := mine[rand.IntN(len(mine))]
		next := w.next(item, mine[rand.IntN(len(mine))])
		err := w.put(ctx, item, next)
		w.mu.Lock()
		if err != nil && ctx.Err() == nil {
			w.Failed++
			w.error = err
		}
		w.Writes++
		w.mu.Unlock()
		if w.sleep(ctx, time.Millisecond) != nil {
			return
		}
	}
}

// next returns an item with values of another one in what parts are made of, or nil to remove it.
func (w *writers) next(item, other *written) access.Item {
	if item.image != nil && rand.IntN(8) == 0 {
		return nil
	}
	next := maps.Clone(item.sample)
	if other.part != item.part {
		return next
	}
	for _, name := range item.part.Sources {
		if _, key := item.key[name]; key || keyed(item.part, name) {
			continue
		}
		if value := other.sample[name]; value != nil {
			next[name] = value
		} else {
			delete(next, name)
		}
	}
	if _, err := item.part.New(next); err != nil {
		return maps.Clone(item.sample)
	}
	return next
}

// keyed reports whether an attribute decides a key of the last version: the copy of the item would be another one.
func keyed(p *part, attribute string) bool {
	reader := shape.NewReader(p.In.Old)
	for _, entity := range p.In.Old.Entities {
		for _, key := range entity.Keys {
			if entity.Name == p.Entity && slices.Contains(reader.KeySources(p.Entity, key.Name), attribute) {
				return true
			}
		}
	}
	return false
}

// put writes an item as the phase wants it, or removes it if next is nil.
func (w *writers) put(ctx context.Context, item *written, next access.Item) error {
	for {
		c, err := w.client.Begin(ctx)
		if err != nil {
			return err
		}
		var image access.Item
		if next != nil {
			image = w.in(item.part, next, c.Phase())
		}
		options, err := c.Admit(ctx)
		if err == nil && image == nil {
			_, err = w.api.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: new(w.table(item.part.Table)), Key: item.key}, options...)
		} else if err == nil {
			_, err = w.api.PutItem(ctx, &dynamodb.PutItemInput{TableName: new(w.table(item.part.Table)), Item: image}, options...)
		}
		if access.Overtaken(err) || access.Late(err) {
			continue
		}
		if err == nil {
			item.image = next
		}
		return err
	}
}

// in returns an item as it is stored in a phase, with all parts of its entity.
func (w *writers) in(of *part, item access.Item, phase access.Phase) access.Item {
	image := maps.Clone(item)
	for _, p := range w.parts {
		if p.Table != of.Table || p.Entity != of.Entity {
			continue
		}
		want, err := p.New(item)
		for _, name := range p.Added() {
			delete(image, name)
		}
		if phase >= access.PhaseWrite && err == nil {
			maps.Copy(image, want)
		}
		if phase == access.PhaseAfter {
			for _, name := range p.Remove {
				delete(image, name)
			}
		}
	}
	return image
}

// end stops the writers and compares their items with what they wrote.
func (w *writers) end(ctx context.Context) error {
	w.over.Store(true)
	w.group.Wait()
	if w.error != nil {
		return fmt.Errorf("a call of the rehearsed programs failed: %w", w.error)
	}
	for _, item := range w.items {
		out, err := w.api.GetItem(ctx, &dynamodb.GetItemInput{TableName: new(w.table(item.part.Table)), Key: item.key, ConsistentRead: new(true)})
		if err != nil {
			return fmt.Errorf("read what was written: %w", err)
		}
		var want access.Item
		if item.image != nil {
			want = w.in(item.part, item.image, access.PhaseAfter)
		}
		if len(out.Item) != len(want) || !maps.EqualFunc(out.Item, want, parts.Equal) {
			w.Wrong++
		}
	}
	return nil
}
