package table

import (
	"bytes"
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// tokenLife is the time for which a client request token makes a transaction idempotent. It
// is also the length of a generation: valid tokens are in the current or the previous
// generation, and older ones are removed a generation at a time. If the clock was set back,
// they are in the latest generations that it has reached, until ForgetTokens dates them anew.
const tokenLife = 10 * time.Minute

// tokens holds the client request tokens of the transactions that are under way.
type tokens struct {
	mu    sync.Mutex
	under map[string]struct{}

	ended atomic.Int64 // counts the transactions that have ended
	empty atomic.Int64 // what it was, and one more, when the store held no token; 0: the store may hold some
}

// begin reports whether no other transaction with the token is under way. If so, end must follow.
func (t *tokens) begin(token string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, taken := t.under[token]; taken {
		return false
	}
	if t.under == nil {
		t.under = map[string]struct{}{}
	}
	t.under[token] = struct{}{}
	return true
}

func (t *tokens) end(token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.under, token)
	t.ended.Add(1)
}

// generation returns the number of the generation at a time.
func generation(now time.Time) uint32 {
	return uint32(max(1, now.Unix()/int64(tokenLife/time.Second)))
}

// tokenKeys returns the key to store the token under at a time, and those under which it may
// already be stored. A new token has none of them.
func (s *Tables) tokenKeys(ctx context.Context, token string, now time.Time) (key []byte, held [][]byte) {
	current := generation(now)
	for _, holder := range s.used.use(ctx, s.store, current, token) {
		held = append(held, rowformat.TokenKey(holder, token))
	}
	return rowformat.TokenKey(current, token), held
}

// replayed returns the record of the transaction with the same token, nil if
// there is none or it has expired.
func replayed(tx kv.Txn, req *request.TransactWriteItems, keys [][]byte, now time.Time) (*rowformat.Token, error) {
	for _, key := range keys {
		var kept rowformat.Token
		found, err := tx.Get(key, func(row []byte) (err error) {
			kept, err = rowformat.ParseToken(row)
			return err
		})
		if err != nil {
			return nil, err
		}
		if !found || now.Sub(kept.Done) >= tokenLife {
			continue
		}
		if kept.Fingerprint != req.Fingerprint || len(kept.Sizes) != len(req.Actions) {
			return nil, dynamo.Errorf(dynamo.IdempotentParameterMismatch,
				"DynamoDB rejected the request because you retried a request with a different payload but with an idempotent token that was already used.")
		}
		return &kept, nil
	}
	return nil, nil
}

// ForgetTokens removes expired tokens, and dates those anew that were written while the clock
// was ahead. It is called about once a minute.
func (s *Tables) ForgetTokens(ctx context.Context) error {
	now, ended := s.catalog.Now(), s.tokens.ended.Load()
	if s.tokens.empty.Load() == ended+1 {
		return nil
	}
	lo, hi := rowformat.TokenSpan(math.MaxUint32)
	oldest, err := s.keys(ctx, lo, hi, 1)
	if err != nil {
		return err
	}
	if err := s.redateTokens(ctx, now); err != nil {
		return err
	}
	if len(oldest) == 0 {
		s.tokens.empty.Store(ended + 1)
		return nil
	}
	if lo, hi = rowformat.TokenSpan(generation(now) - 1); bytes.Compare(oldest[0], hi) < 0 {
		return s.store.DeleteSpan(ctx, lo, hi)
	}
	return nil
}

// redateTokens moves the tokens of later generations to the current one, as if they had been
// written now: otherwise they would be valid until the clock has caught up, and every
// transaction would look them up. When none is left, transactions stop to do so.
func (s *Tables) redateTokens(ctx context.Context, now time.Time) error {
	const batch = 100
	current := generation(now)
	_, lo := rowformat.TokenSpan(current + 2) // a clock may differ by a moment
	_, hi := rowformat.TokenSpan(math.MaxUint32)
	for first := true; ; first = false {
		later, err := s.keys(ctx, lo, hi, batch)
		if err != nil {
			return err
		}
		if len(later) == 0 {
			if first { // a transaction that began earlier may still write one in this round
				s.used.rewind(current)
			}
			return nil
		}
		latched := slices.Clone(later)
		for _, key := range later {
			latched = append(latched, rowformat.MoveToken(key, current))
		}
		err = s.store.Update(ctx, latched, func(tx kv.Txn) error {
			for i, key := range later {
				if err := redate(tx, key, latched[len(later)+i], now); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// redate moves a token to another key and dates it. A token that is already there is newer.
func redate(tx kv.Txn, from, to []byte, now time.Time) error {
	var kept rowformat.Token
	found, err := tx.Get(from, func(row []byte) (err error) {
		kept, err = rowformat.ParseToken(row)
		return err
	})
	if err != nil || !found {
		return err
	}
	taken, err := tx.Get(to, func([]byte) error { return nil })
	if err != nil {
		return err
	}
	if kept.Done = now; !taken {
		tx.Set(to, rowformat.AppendToken(nil, &kept))
	}
	tx.Delete(from)
	return nil
}
