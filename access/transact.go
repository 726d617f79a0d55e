package access

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const (
	maxActions = 100 // of one transaction
	maxToken   = 36  // characters of an idempotency token

	conditionFailed = "ConditionalCheckFailed" // as a transaction says it
	conflicted      = "TransactionConflict"
)

// A WriteOption changes how one write is done.
type WriteOption func(*writeOptions)

type writeOptions struct {
	token    string
	hasToken bool
}

// Token makes a transaction happen once: repeated within ten minutes with the same token
// and the same contents, it succeeds and does nothing. A token has 1 to 36 characters.
// Without this option a call makes a token of its own, which covers its own retries.
func Token(token string) WriteOption {
	return func(o *writeOptions) { o.token, o.hasToken = token, true }
}

// Transact does all writes or none. It is repeated while it collides with other
// transactions or DynamoDB is busy, with one token. If an action stands in the way, the
// error is a TxError that says which and why.
func Transact(ctx context.Context, c *Client, p *Pattern, writes []Write, options ...WriteOption) error {
	k := c.begin(ctx, p, "TransactWriteItems")
	err := transact(ctx, c, k, p, writes, options)
	k.end(err)
	return err
}

func transact(ctx context.Context, c *Client, k *call, p *Pattern, writes []Write, options []WriteOption) error {
	token, err := tokenOf(options)
	if err == nil {
		err = checkActions(c, writes)
	}
	if err != nil {
		return named(p.Name, "", err)
	}
	in := &dynamodb.TransactWriteItemsInput{
		ClientRequestToken:     &token,
		ReturnConsumedCapacity: c.capacity(),
		TransactItems:          make([]types.TransactWriteItem, len(writes)),
	}
	for i := range writes {
		in.TransactItems[i] = transactItem(c, &writes[i])
	}
	out, err := sendWhile(ctx, c, k, transactionBusy, API.TransactWriteItems, in)
	if err != nil {
		return canceled(p, writes, token, err)
	}
	k.addAll(out.ConsumedCapacity, len(writes))
	return nil
}

func tokenOf(options []WriteOption) (string, error) {
	var o writeOptions
	for _, option := range options {
		option(&o)
	}
	if !o.hasToken {
		return rand.Text(), nil
	}
	if n := utf8.RuneCountInString(o.token); n == 0 || n > maxToken {
		return "", fmt.Errorf("access: the token %q has %d characters, not 1 to %d", o.token, n, maxToken)
	}
	return o.token, nil
}

// checkActions finds what DynamoDB would refuse without saying which action it means.
func checkActions(c *Client, writes []Write) error {
	for i := range writes {
		if w := &writes[i]; w.Err != nil {
			return named(w.Name, "", w.Err)
		}
	}
	switch n := len(writes); {
	case n == 0:
		return errors.New("access: a transaction without an action")
	case n > maxActions:
		return fmt.Errorf("access: a transaction of %d actions, and DynamoDB takes %d", n, maxActions)
	}
	_, err := distinct(c, writes)
	return err
}

func transactItem(c *Client, w *Write) types.TransactWriteItem {
	table := c.tableName(w.Table)
	condition, names, values := optional(&w.Condition), filled(w.Names), filled(w.Values)
	switch w.Action {
	case Put:
		return types.TransactWriteItem{Put: &types.Put{
			TableName: &table, Item: w.Item, ConditionExpression: condition,
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ReturnValuesOnConditionCheckFailure: w.onFailure(),
		}}
	case Update:
		return types.TransactWriteItem{Update: &types.Update{
			TableName: &table, Key: w.Key, UpdateExpression: optional(&w.Update), ConditionExpression: condition,
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ReturnValuesOnConditionCheckFailure: w.onFailure(),
		}}
	case Delete:
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: &table, Key: w.Key, ConditionExpression: condition,
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ReturnValuesOnConditionCheckFailure: w.onFailure(),
		}}
	default:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: &table, Key: w.Key, ConditionExpression: condition,
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ReturnValuesOnConditionCheckFailure: w.onFailure(),
		}}
	}
}

// transactionBusy reports whether a transaction would pass another time: nothing stood in
// its way but other requests.
func transactionBusy(err error) bool {
	var all *types.TransactionCanceledException
	if !errors.As(err, &all) {
		return codeOf(err) == "TransactionInProgressException" || busy(err)
	}
	collided := false
	for _, reason := range all.CancellationReasons {
		switch textOf(reason.Code) {
		case "", "None":
		case conflicted, "ThrottlingError", "ProvisionedThroughputExceeded":
			collided = true
		default:
			return false
		}
	}
	return collided
}

// canceled is the error of a transaction that was not done.
func canceled(p *Pattern, writes []Write, token string, err error) error {
	var mismatch *types.IdempotentParameterMismatchException
	if errors.As(err, &mismatch) {
		return named(p.Name, "", fmt.Errorf("access: the token %q stands for another transaction of the last ten minutes: %w", token, err))
	}
	var all *types.TransactionCanceledException
	if !errors.As(err, &all) {
		return named(p.Name, "", err)
	}
	tx := &TxError{Pattern: p.Name, cause: err}
	for i, reason := range all.CancellationReasons {
		code := textOf(reason.Code)
		if code == "" || code == "None" || i >= len(writes) {
			continue
		}
		w := &writes[i]
		r := Reason{Action: w.Name, Code: code}
		if code == conditionFailed {
			r.Err = fault(p.Name, w, reason.Item, err)
		} else {
			r.Err = fmt.Errorf("%s: %s: %s: %s", p.Name, w.Name, code, textOf(reason.Message))
		}
		tx.Reasons = append(tx.Reasons, r)
	}
	if len(tx.Reasons) == 0 { // not every service that speaks the protocol tells them
		tx.Reasons = []Reason{{Code: codeOf(err), Err: err}}
	}
	return tx
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
