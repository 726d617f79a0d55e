package ecobid

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid/ecobiddb"
)

// A Repeat identifies a request that a client may send twice: the user, the idempotency key that
// the client chose, and the request itself as text. Without a key the request is not remembered.
type Repeat struct{ UserID, Key, Request string }

// Answered decodes the answer to an earlier request with the same key, and reports whether there
// was one. The error is ErrKeyReused if it was another request.
func (e *Env) Answered(ctx context.Context, r Repeat, into any) (bool, error) {
	if r.Key == "" {
		return false, nil
	}
	receipt, err := e.DB.GetReceipt(ctx, r.UserID, e.receiptKey(r))
	switch {
	case errors.Is(err, access.ErrNotFound):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read a receipt: %w", err)
	case !receipt.ValidUntil.After(e.Now()):
		return false, nil
	case receipt.Request != e.Box.Hash("request", r.Request):
		return false, ErrKeyReused
	}
	if err := json.Unmarshal(receipt.Answer, into); err != nil {
		return false, fmt.Errorf("decode a receipt: %w", err)
	}
	return true, nil
}

// Once calls do, unless the same request was answered before: then it returns that answer, and that the request was
// repeated. Do adds its answer to its transaction with Remember.
func Once[T any](ctx context.Context, e *Env, r Repeat, do func() (T, error)) (answer T, repeated bool, err error) {
	if repeated, err = e.Answered(ctx, r, &answer); repeated || err != nil {
		return answer, repeated, err
	}
	answer, err = do()
	if err == nil || r.Key == "" {
		return answer, false, err
	}
	var earlier T // the same request may have been answered meanwhile, which fails this one in many ways
	if answered, _ := e.Answered(ctx, r, &earlier); answered {
		return earlier, true, nil
	}
	return answer, false, err
}

// Remember adds the answer to a request to a transaction. The transaction fails if the request
// was answered meanwhile; Answered then returns that answer.
func (e *Env) Remember(tx *ecobiddb.Tx, r Repeat, answer any) error {
	if r.Key == "" {
		return nil
	}
	encoded, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("encode a receipt: %w", err)
	}
	until := e.Now().Add(KeepReceipt)
	tx.SaveReceipt(ecobiddb.Receipt{
		UserID: r.UserID, KeyValue: e.receiptKey(r), Request: e.Box.Hash("request", r.Request),
		Answer: encoded, ValidUntil: until, ExpiresAt: until.Add(KeepReceipt),
	})
	return nil
}

// receiptKey returns the key as it is stored, which is of one length whatever the client sends.
func (e *Env) receiptKey(r Repeat) string { return e.Box.Hash("receipt", r.Key) }
