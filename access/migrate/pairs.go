package migrate

import (
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	parts "sortkey.dev/access/part"
)

// A pair is the keys of an original and of its copy.
type pair struct{ original, copied access.Item }

// pairOfOriginal returns the pair of an original, with the copy that it must have.
func (p *part) pairOfOriginal(item access.Item) (pair, error) {
	copied, err := p.Move.Forth(item)
	if err != nil {
		return pair{}, err
	}
	return pair{p.In.Old.KeyOf(item), p.Into.New.KeyOf(copied)}, nil
}

// pairOfCopy returns the pair of a copy, with the original that it is from.
func (p *part) pairOfCopy(item access.Item) (pair, error) {
	back, err := p.Move.Back(item)
	if err != nil {
		return pair{}, err
	}
	return pair{p.In.Old.KeyOf(back), p.Into.New.KeyOf(item)}, nil
}

// wanted returns the copy that lies under the key of a pair if all is right; nil: none.
func (p *part) wanted(of pair, original access.Item) access.Item {
	if original == nil {
		return nil
	}
	copied, err := p.Move.Forth(original)
	if err != nil || !parts.EqualItems(p.Into.New.KeyOf(copied), of.copied) {
		return nil // it cannot have a copy, or has it elsewhere
	}
	return copied
}

// right reports whether a pair is as it must be. What may have expired counts as right.
func (p copyPass) right(of pair, original, copied access.Item) bool {
	want := p.part.wanted(of, original)
	switch {
	case want == nil && copied == nil:
		return true
	case expired(original, p.part.In.Old.TTL, p.now()) || expired(copied, p.part.Into.New.TTL, p.now()):
		return true
	case want == nil || copied == nil:
		return false
	}
	return slices.Equal(appendItem(nil, want), appendItem(nil, copied))
}

// check compares a pair. A difference counts when it is there three times.
func (p copyPass) check(ctx context.Context, of pair) (outcome, error) {
	for attempt := range 3 {
		if attempt > 0 {
			if err := p.sleep(ctx, p.options.recheck()); err != nil {
				return 0, err
			}
		}
		original, copied, err := p.both(ctx, p.part, of.original, of.copied)
		if err != nil {
			return 0, err
		}
		if p.right(of, original, copied) {
			return passed, nil
		}
	}
	return differs, nil
}

// repair makes a pair right. It is allowed while all writers write both places, and readers read the old one. Each request
// checks that the original is as it was read.
func (p copyPass) repair(ctx context.Context, of pair) (outcome, error) {
	for range mostAttempts {
		original, copied, err := p.both(ctx, p.part, of.original, of.copied)
		if err != nil {
			return 0, err
		}
		if p.right(of, original, copied) {
			return passed, nil
		}
		want := p.part.wanted(of, original)
		if want != nil && copied != nil && !p.part.Own(copied, original) {
			return conflict, p.conflict(ctx, p.part, original, keyTaken)
		}
		failed, err := p.transact(ctx, types.TransactWriteItem{ConditionCheck: p.asRead(of, original)}, p.mend(of, want, copied))
		if err != nil {
			return 0, err
		}
		if failed == nil {
			return changed, nil
		}
	}
	return differs, nil
}

// asRead returns the check that an original is as it was read, or is still gone.
func (p copyPass) asRead(of pair, original access.Item) *types.ConditionCheck {
	if original == nil {
		w := newUpdate(p.table(p.part.Table), of.original)
		w.where("attribute_not_exists(" + w.name(p.part.In.Old.PK) + ")")
		return w.check()
	}
	w := p.original(original)
	w.asRead(original, p.part.In.Old.Attributes(p.part.Entity, original))
	return w.check()
}

// mend returns the write that makes a copy what it must be.
func (p copyPass) mend(of pair, want, copied access.Item) types.TransactWriteItem {
	w := newUpdate(p.table(p.part.To), of.copied)
	if want == nil {
		return types.TransactWriteItem{Delete: &types.Delete{TableName: &w.table, Key: w.key}}
	}
	if copied == nil {
		w.where("attribute_not_exists(" + w.name(p.part.Into.New.PK) + ")")
	} else {
		w.asRead(copied, p.part.Into.New.Attributes(p.part.As, copied))
	}
	put := &types.Put{TableName: &w.table, Item: want, ConditionExpression: new(strings.Join(w.condition, " AND ")), ExpressionAttributeNames: w.names}
	if len(w.values) > 0 {
		put.ExpressionAttributeValues = w.values
	}
	return types.TransactWriteItem{Put: put}
}
