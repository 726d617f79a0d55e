// Package receipt makes a request that a client sends twice count once: a form that is sent by a double click, or a
// request of a program that is sent again after a lost connection. The transaction of the request stores a receipt
// under the idempotency key of the client, with the answer, so that of several transactions one succeeds; every later
// request with the key gets its answer. Another request with the key is refused. A receipt is kept for a day. It is
// not for calls whose writes are idempotent by themselves. Packages such as accounts and the systems' domains call it.
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
	"sortkey.dev/apps/internal/refusal"
)

// Keep holds the time for which an answer is kept.
const Keep = 24 * time.Hour

// ErrKeyReused refuses a request whose idempotency key the caller used for another one.
var ErrKeyReused = refusal.New(refusal.Conflict, "IDEMPOTENCY_KEY_REUSED", "This idempotency key was used for another request within the last 24 hours. Use a new one, or send that request again as it was.")

// Receipts stores and finds receipts.
type Receipts struct{ p *platform.Platform }

// New returns the receipts of a platform.
func New(p *platform.Platform) *Receipts { return &Receipts{p: p} }

// A Request identifies a request that a client may send twice.
type Request struct {
	By      string // the id of the caller: keys of different callers are different requests
	Key     string // the idempotency key, such as webkit.Form.Key; the request is not remembered if it is ""
	Action  string // what is requested, such as "create project"
	Content string // the arguments of the action as text; "" if the key stands for them, as that of a form does
}

// stored is the data of a receipt.
type stored struct {
	Request string          `json:"request"` // a hash of the action and the content
	Answer  json.RawMessage `json:"answer"`
}

// Once calls do, unless the request was answered before: then it returns that answer, and that the request was
// repeated. The transaction of do stores the answer with Add; do retries it on conflicts with other writes. The error
// is ErrKeyReused if the caller used the key for another request.
func Once[T any](ctx context.Context, r *Receipts, q Request, do func() (T, error)) (answer T, repeated bool, err error) {
	if repeated, err = r.find(ctx, q, &answer); repeated || err != nil {
		return answer, repeated, err
	}
	answer, err = do()
	if err == nil {
		return answer, false, nil
	}
	// A concurrent request with the key can make this one fail in many ways.
	var earlier T
	if found, reused := r.find(ctx, q, &earlier); found {
		return earlier, true, nil
	} else if errors.Is(reused, ErrKeyReused) {
		return answer, false, reused
	}
	return answer, false, err
}

// Add adds the answer to a request to a transaction, which fails if the request was answered before: Taken tells that
// failure. The answer is stored encrypted.
func (r *Receipts) Add(tx access.Tx, q Request, answer any) error {
	if q.Key == "" {
		return nil
	}
	encoded, err := json.Marshal(answer)
	if err == nil {
		encoded, err = json.Marshal(stored{Request: r.request(q), Answer: encoded})
	}
	if err != nil {
		return fmt.Errorf("encode a receipt: %w", err)
	}
	// A receipt is a token that nobody is given. It names no subject, so that nothing is left to erase with a person.
	now := r.p.Now()
	until := now.Add(Keep)
	r.p.DB.Join(tx).SaveReceipt(platformdb.OneTimeTokenKey{TokenHash: r.hash(q)}, platformdb.SaveReceiptParams{
		Purpose: purpose, Data: encoded, ValidUntil: until, TTL: until, Now: now,
	})
	return nil
}

// Taken reports whether a transaction failed because the request was answered before.
func Taken(err error) bool {
	_, taken := errors.AsType[*access.ConditionError[platformdb.OneTimeToken]](err)
	return taken
}

const purpose = "receipt"

// find decodes the stored answer to a request, and reports whether there is one. An expired receipt is none, also
// while it is not deleted.
func (r *Receipts) find(ctx context.Context, q Request, into any) (found bool, err error) {
	if q.Key == "" {
		return false, nil
	}
	row, err := r.p.DB.GetToken(ctx, r.hash(q))
	switch {
	case errors.Is(err, access.ErrNotFound):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read a receipt: %w", err)
	case !row.ValidUntil.After(r.p.Now()):
		return false, nil
	}
	var earlier stored
	if err := json.Unmarshal(row.Data, &earlier); err != nil {
		return false, fmt.Errorf("decode a receipt: %w", err)
	}
	if earlier.Request != r.request(q) {
		return false, ErrKeyReused
	}
	if err := json.Unmarshal(earlier.Answer, into); err != nil {
		return false, fmt.Errorf("decode a receipt: %w", err)
	}
	return true, nil
}

func (r *Receipts) hash(q Request) string { return r.p.Box.Hash("request receipt", q.By, q.Key) }

func (r *Receipts) request(q Request) string { return r.p.Box.Hash("request", q.Action, q.Content) }
