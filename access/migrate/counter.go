package migrate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/fanout"
	"sortkey.dev/access/marshal"
	parts "sortkey.dev/access/part"
)

// A countPass does something to the items of a part that is a counter: it gives them marks, or takes marks away, and the
// counter changes with them in one transaction.
type countPass struct {
	itemPass
	counts *parts.CountReader
}

// mostMarked limits the items that one transaction marks, beside the action on their counter.
const mostMarked = 99

// counters sets what a step does with the items of a part that is a counter.
func (r *run) counters(work *pass) {
	p := work.part
	is := &countPass{itemPass{r, p}, p.Counts}
	switch work.step {
	case stepFill:
		work.page, work.each = is.fillPage, is.fill
	case stepVerify:
		work.each = is.check
	case stepRepair:
		work.each = is.mend
	case stepRemove:
		work.each = is.unmark
	case stepClean:
		work.each = func(ctx context.Context, item access.Item) (outcome, error) {
			return is.remove(ctx, item, []string{is.counts.Mark()})
		}
	}
}

// fillPage marks the items of a page, up to 99 of one counter in one transaction with one addition.
func (p *countPass) fillPage(ctx context.Context, items []access.Item) ([]outcome, error) {
	type group struct {
		of  access.Item
		all []int
	}
	var groups []*group
	outcomes := make([]outcome, len(items))
	by := map[string]*group{}
	for i, item := range items {
		share, err := p.counts.Share(item)
		switch {
		case err != nil:
			outcomes[i] = conflict
			if err := p.conflict(ctx, p.part, item, err.Error()); err != nil {
				return nil, err
			}
		case share != nil && item[p.counts.Mark()] == nil:
			text := keyText(share.Of)
			if by[text] == nil || len(by[text].all) == mostMarked {
				by[text] = &group{of: share.Of}
				groups = append(groups, by[text])
			}
			by[text].all = append(by[text].all, i)
		}
	}
	var mu sync.Mutex
	err := fanout.Do(ctx, inFlight, len(groups), func(ctx context.Context, n int) error {
		g := groups[n]
		all := make([]access.Item, len(g.all))
		for i, at := range g.all {
			all[i] = items[at]
		}
		done, err := p.mark(ctx, g.of, all)
		if err != nil {
			return err
		}
		for _, at := range g.all {
			o := changed
			if !done { // another writer was faster with one of them: one by one
				if o, err = p.fill(ctx, items[at]); err != nil {
					return err
				}
			}
			mu.Lock()
			outcomes[at] = o
			mu.Unlock()
		}
		return nil
	})
	return outcomes, err
}

// mark marks items of one counter, all or none, and adds what they count.
func (p *countPass) mark(ctx context.Context, of access.Item, items []access.Item) (bool, error) {
	var actions []types.TransactWriteItem
	total := access.Decimal("0")
	for _, item := range items {
		share, err := p.counts.Share(item)
		if err == nil {
			total, err = sum(total, share.By)
		}
		if err != nil {
			return false, err
		}
		actions = append(actions, p.marking(item, share))
	}
	failed, err := p.transact(ctx, append(actions, p.add(of, total))...)
	return failed == nil && err == nil, err
}

// fill marks an item, unless it has a mark or is not counted.
func (p *countPass) fill(ctx context.Context, item access.Item) (outcome, error) {
	return p.change(ctx, item, func(item access.Item) (*access.Share, bool, error) {
		share, err := p.counts.Share(item)
		return share, share != nil && item[p.counts.Mark()] == nil, err
	})
}

// mend gives an item the mark that it must have, and corrects the counters.
func (p *countPass) mend(ctx context.Context, item access.Item) (outcome, error) {
	return p.change(ctx, item, func(item access.Item) (*access.Share, bool, error) {
		share, err := p.counts.Share(item)
		return share, !p.right(item, share), err
	})
}

// unmark takes the mark of an item away, with its share of the counter.
func (p *countPass) unmark(ctx context.Context, item access.Item) (outcome, error) {
	return p.change(ctx, item, func(item access.Item) (*access.Share, bool, error) { return nil, item[p.counts.Mark()] != nil, nil })
}

func (p *countPass) right(item access.Item, share *access.Share) bool {
	mark := item[p.counts.Mark()]
	return marshal.SameShare(marshal.ShareOf(mark), share) && (mark == nil) == (share == nil)
}

// change gives an item the mark of a share, nil takes it away, and changes the counters in the same transaction. The item must be as it was
// read; if it is not, it is read again. decide says with which share it is counted, and whether there is something to do.
func (p *countPass) change(ctx context.Context, item access.Item, decide func(access.Item) (*access.Share, bool, error)) (outcome, error) {
	for range mostAttempts {
		share, due, err := decide(item)
		switch {
		case err != nil:
			return conflict, p.conflict(ctx, p.part, item, err.Error())
		case !due:
			return passed, nil
		}
		actions := []types.TransactWriteItem{p.marking(item, share)}
		shares, err := marshal.Shares(marshal.ShareOf(item[p.counts.Mark()]), share)
		if err != nil {
			return conflict, p.conflict(ctx, p.part, item, err.Error())
		}
		for _, s := range shares {
			actions = append(actions, p.add(s.Of, access.Decimal(s.By)))
		}
		failed, err := p.transact(ctx, actions...)
		if failed == nil {
			return changed, err
		}
		if failed[0] == nil { // a counter is missing
			if share != nil {
				return conflict, p.conflict(ctx, p.part, item, fmt.Sprintf("the %s that counts it is missing", p.counts.Entity))
			}
			if failed, err = p.transact(ctx, p.marking(item, nil), p.missing(shares[0].Of)); failed == nil {
				return changed, err
			}
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

func sum(total access.Decimal, by string) (access.Decimal, error) {
	d, err := access.ParseDecimal(by)
	if err != nil {
		return total, err
	}
	return total.Add(d)
}

// marking gives an item a mark, nil takes it away, if the item is there and is as it was read.
func (p *countPass) marking(item access.Item, share *access.Share) types.TransactWriteItem {
	w := p.write(item)
	w.asRead(item, p.counts.Sources())
	w.asRead(item, []string{p.counts.Mark()})
	if share == nil {
		w.assign(p.counts.Mark(), nil)
	} else {
		w.set(p.counts.Mark(), marshal.MarkOf(share))
	}
	return w.action()
}

// add adds to a counter, if the item that keeps it is there.
func (p *countPass) add(of access.Item, by access.Decimal) types.TransactWriteItem {
	w := p.onKeeper(of)
	w.where("attribute_exists(" + w.name(slices.Min(slices.Collect(maps.Keys(of)))) + ")")
	w.adds = append(w.adds, w.name(p.counts.Stored)+" "+w.value(&types.AttributeValueMemberN{Value: by.String()}))
	return w.action()
}

// missing checks that the item that keeps a counter is not there.
func (p *countPass) missing(of access.Item) types.TransactWriteItem {
	w := p.onKeeper(of)
	w.where("attribute_not_exists(" + w.name(slices.Min(slices.Collect(maps.Keys(of)))) + ")")
	return w.checking()
}

func (p *countPass) onKeeper(of access.Item) *update {
	return &update{table: p.table(p.counts.Table), key: of, names: map[string]string{}, values: access.Item{}}
}

// check compares the mark of an item with what it must be. A difference counts when it is there three times.
func (p *countPass) check(ctx context.Context, item access.Item) (outcome, error) {
	for attempt := range 3 {
		var err error
		if attempt > 0 {
			if err = p.sleep(ctx, p.options.recheck()); err != nil {
				return 0, err
			}
			if item, err = p.again(ctx, item); item == nil || err != nil {
				return passed, err
			}
			if is, _ := p.part.of(item); !is {
				return passed, nil
			}
		}
		share, err := p.counts.Share(item)
		if err != nil {
			return conflict, p.conflict(ctx, p.part, item, err.Error())
		}
		if p.right(item, share) || p.expired(item) {
			return passed, nil
		}
	}
	return differs, nil
}

// keyText returns a text that is the same for the same key only.
func keyText(key access.Item) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(key)) {
		text += fmt.Sprintf("%s %T %q ", name, key[name], textOf(key[name]))
		if b, is := key[name].(*types.AttributeValueMemberB); is {
			text += fmt.Sprintf("%x ", b.Value)
		}
	}
	return text
}
