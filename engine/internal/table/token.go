package table

import (
	"context"
	"sync"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// tokenLife is the time for which a client request token makes a transaction idempotent. It
// is also the length of a generation: valid tokens are in the current or the previous
// generation, and older ones are removed a generation at a time. If the clock was set back,
// they are in the latest generations that it has reached.
const tokenLife = 10 * time.Minute

// tokens holds the client request tokens of the transactions that are under way.
type tokens struct {
	mu    sync.Mutex
	under map[string]struct{}
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

// ForgetTokens removes expired tokens.
func (s *Tables) ForgetTokens(ctx context.Context) error {
	lo, hi := rowformat.TokenSpan(generation(s.catalog.Now()) - 1)
	any, err := s.keys(ctx, lo, hi, 1)
	if err != nil || len(any) == 0 {
		return err
	}
	return s.store.DeleteSpan(ctx, lo, hi)
}
