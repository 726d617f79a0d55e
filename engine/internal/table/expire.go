package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// maxOverdue is the maximum time after its expiry at which an item is deleted. An older time is
// taken for a mistake, and the item is kept.
const maxOverdue = 5 * 365 * 24 * time.Hour

// expireBatch is the number of items that are deleted in one commit.
const expireBatch = 100

// never is the expiry second of items that do not expire.
const never = math.MaxUint64

// expirySecond returns the second after which an item, which may be nil, expires.
func expirySecond(e *catalog.Expiry, item dynamo.Item) uint64 {
	v := item.Get(e.Attribute)
	if v == nil || v.Kind() != dynamo.KindNumber {
		return never
	}
	whole, _, _ := bytes.Cut(v.Bytes(), []byte{'.'})
	second, err := strconv.ParseInt(string(whole), 10, 64)
	if err != nil || second < 0 {
		return never
	}
	return uint64(second)
}

// Expire deletes the due items of all tables, and returns how many.
func (s *Tables) Expire(ctx context.Context) (deleted int, err error) {
	for _, t := range s.catalog.Tables() {
		for t.Expiry != nil {
			n, more, err := s.expire(ctx, t)
			deleted += n
			if err != nil {
				return deleted, fmt.Errorf("expire items of table %s: %w", t.Name(), err)
			}
			if !more {
				break
			}
		}
	}
	return deleted, nil
}

// expire deletes one batch of the due items of a table.
func (s *Tables) expire(ctx context.Context, t *catalog.Table) (deleted int, more bool, err error) {
	now := s.catalog.Now()
	due, err := s.due(ctx, t, now)
	if err != nil || len(due) == 0 {
		return 0, false, err
	}
	current, err := s.catalog.Enter(t.Name())
	if _, gone := errors.AsType[*dynamo.Error](err); gone {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	defer current.Leave()
	if current.Expiry == nil || current.Expiry.Path != t.Expiry.Path {
		return 0, false, nil
	}
	ms := make([]*mutation, len(due))
	for i, key := range due {
		ms[i] = expiration(current, key, now)
	}
	if err := s.writeAll(ctx, ms); err != nil {
		return 0, false, err
	}
	for _, m := range ms {
		if m.counted.n > 0 {
			deleted++
		}
	}
	return deleted, len(due) == expireBatch && deleted > 0, nil
}

// expiration deletes an item if it is still due: its expiry may have been extended.
func expiration(t *catalog.Table, key []byte, now time.Time) *mutation {
	return &mutation{table: t, key: key, byService: true, next: func(old dynamo.Item) (dynamo.Item, int, error) {
		if second := expirySecond(t.Expiry, old); isDue(second, now) {
			return nil, 0, nil
		}
		return old, old.Size(), nil
	}}
}

func isDue(second uint64, now time.Time) bool {
	from, to := dueSeconds(now)
	return second >= from && second < to
}

// dueSeconds returns the range [from, to) of expiry seconds that are due.
func dueSeconds(now time.Time) (from, to uint64) {
	return uint64(max(0, now.Add(-maxOverdue).Unix())), uint64(max(0, now.Unix()))
}

// due lists the rows of some due items of a table, the oldest first.
func (s *Tables) due(ctx context.Context, t *catalog.Table, now time.Time) (keys [][]byte, err error) {
	from, to := dueSeconds(now)
	lo, hi := rowformat.ExpirySpan(t.Expiry.Path, from, to)
	err = s.store.View(ctx, kv.Latest, func(r kv.Reader) error {
		return r.Scan(lo, hi, kv.ScanOptions{}, func(key, _ []byte) bool {
			keys = append(keys, rowformat.ExpiringItem(t.ID, key))
			return len(keys) < expireBatch
		})
	})
	return keys, err
}
