// Package receipt makes a request that a client sends twice count once: a form that is sent by a double click, or
// again after a lost connection. The transaction of the request stores a receipt under the idempotency key of the
// client, with the answer, so that of several transactions one succeeds; every later request with the key gets its
// answer. A receipt is kept for a day. It is not for calls whose writes are idempotent by themselves. Packages such
// as accounts and the systems' domains call it.
package receipt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// Keep holds the time for which an answer is kept.
const Keep = 24 * time.Hour

// Receipts stores and finds receipts.
type Receipts struct{ p *platform.Platform }

// New returns the receipts of a platform.
func New(p *platform.Platform) *Receipts { return &Receipts{p: p} }

// A Request identifies a request that a client may send twice.
type Request struct {
	Action string // what is requested, such as "create project"
	By     string // the id of the caller: keys of different callers are different requests
	Key    string // the idempotency key, such as webkit.Form.Key; the request is not remembered if it is ""
}

// Once calls do, unless the request was answered before: then it returns that answer. The transaction of do stores
// the answer with Add. Once calls do again if its transaction conflicts with concurrent writes.
func (r *Receipts) Once(ctx context.Context, q Request, do func() (answer string, err error)) (answer string, err error) {
	if q.Key == "" {
		return do()
	}
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		var found bool
		var failed error
		if answer, found, failed = r.find(ctx, q); found || failed != nil {
			return false, failed
		}
		if answer, failed = do(); failed == nil {
			return false, nil
		}
		// A concurrent request with the key can make this one fail in many ways.
		if earlier, found, _ := r.find(ctx, q); found {
			answer = earlier
			return false, nil
		}
		return false, failed
	})
	return answer, err
}

// Add adds the answer to a request to a transaction, which fails if the request was answered before. The answer is
// stored encrypted.
func (r *Receipts) Add(tx access.Tx, q Request, answer string) error {
	if q.Key == "" {
		return nil
	}
	encoded, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("encode a receipt: %w", err)
	}
	// A receipt is a token that nobody is given. It names no subject, so that nothing is left to erase with a person.
	until := r.p.Now().Add(Keep)
	r.p.DB.Join(tx).IssueToken(platformdb.OneTimeToken{TokenHash: r.hash(q), Purpose: purpose, Data: encoded, ValidUntil: until, TTL: until})
	return nil
}

const purpose = "receipt"

// find returns the stored answer to a request. An expired receipt counts until it is deleted, as it does for Add.
func (r *Receipts) find(ctx context.Context, q Request) (answer string, found bool, err error) {
	row, err := r.p.DB.GetToken(ctx, r.hash(q))
	if errors.Is(err, access.ErrNotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read a receipt: %w", err)
	}
	if err := json.Unmarshal(row.Data, &answer); err != nil {
		return "", false, fmt.Errorf("decode a receipt: %w", err)
	}
	return answer, true, nil
}

func (r *Receipts) hash(q Request) string { return r.p.Box.Hash(purpose, q.Action, q.By, q.Key) }
