package call

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/code"
)

const (
	maxActions = 100 // of one transaction
	maxToken   = 36  // characters of an idempotency token
)

// Transact does all writes or none. It is retried with one token while it conflicts with
// other transactions or DynamoDB is busy. If actions fail, the error is an *access.TxError
// that says which and why.
func Transact(ctx context.Context, c *access.Client, p *access.Pattern, writes []Action, options ...access.WriteOption) error {
	k := begin(ctx, c, p, "TransactWriteItems")
	err := transactInPhase(ctx, c, k, p, writes, options)
	k.end(err)
	return err
}

// transactInPhase does the writes as the phases of the designs that they are of say, and again if another phase begins before they
// are sent.
func transactInPhase(ctx context.Context, c *access.Client, k *recorder, p *access.Pattern, writes []Action, options []access.WriteOption) error {
	if !changes(writes) {
		return transact(ctx, c, k, p, writes, options)
	}
	for attempt := 1; ; attempt++ {
		all, err := writesInPhase(ctx, c, k, writes)
		if access.Overtaken(err) && ctx.Err() == nil { // while items were read
			continue
		}
		if err != nil {
			return named(p.Name, "", err)
		}
		err = transact(ctx, all.client, k, p, all.writes, options)
		// An item that was read may have changed and changed back: the condition is tried once more.
		again := access.Overtaken(err) || attempt < c.Options().Attempts && (all.changed(err) || attempt == 1 && all.read && isConditionFailure(err))
		if !again || ctx.Err() != nil {
			return err
		}
	}
}

func transact(ctx context.Context, c *access.Client, k *recorder, p *access.Pattern, writes []Action, options []access.WriteOption) error {
	token, err := tokenOf(options)
	if err == nil {
		err = checkActions(c, writes)
	}
	if err != nil {
		return named(p.Name, "", err)
	}
	for variant := 1; ; variant++ {
		sent, err := sendWrites(ctx, c, k, writes, token)
		if err == nil {
			return nil
		}
		changed, again := otherwise(writes, err)
		if !again || variant == mostVariants {
			return canceled(p, sent, token, err)
		}
		writes, token = changed, variantOf(token, variant)
	}
}

// sendWrites sends a transaction, with the same changes in other places where a migration moves items. It returns the writes that were
// sent last, those in the other places behind the given ones.
func sendWrites(ctx context.Context, c *access.Client, k *recorder, writes []Action, token string) ([]Action, error) {
	if slices.ContainsFunc(writes, func(w Action) bool { return w.elsewhere != nil }) {
		sent, err := newDouble(c, k, writes).send(ctx, token)
		if err != nil {
			err = withoutSecond(err, len(writes))
		}
		return sent, err
	}
	return writes, sendTransaction(ctx, c, k, writes, token)
}

// variantOf returns the token of a transaction that is sent with other writes: DynamoDB takes a token for one transaction only.
func variantOf(token string, variant int) string {
	if variant > 1 {
		token = strings.TrimSuffix(token, fmt.Sprintf("~%d", variant-1))
	}
	suffix := fmt.Sprintf("~%d", variant)
	if runes := []rune(token); len(runes) > maxToken-len(suffix) {
		token = string(runes[len(runes)-(maxToken-len(suffix)):])
	}
	return token + suffix
}

// sendTransaction sends a transaction, and again while others are in its way.
func sendTransaction(ctx context.Context, c *access.Client, k *recorder, writes []Action, token string) error {
	in := &dynamodb.TransactWriteItemsInput{
		ClientRequestToken:     &token,
		ReturnConsumedCapacity: capacity(c),
		TransactItems:          make([]types.TransactWriteItem, len(writes)),
	}
	for i := range writes {
		in.TransactItems[i] = transactItem(c, &writes[i])
	}
	out, err := sendWhile(ctx, c, k, transactionBusy, access.API.TransactWriteItems, in, othersOf(c, writes)...)
	if err == nil {
		k.addAll(out.ConsumedCapacity, len(writes))
	}
	return err
}

// othersOf returns the clients besides c whose writes are among these.
func othersOf(c *access.Client, writes []Action) (others []*access.Client) {
	for i := range writes {
		if other := writes[i].client; other != nil && other != c && !slices.Contains(others, other) {
			others = append(others, other)
		}
	}
	return others
}

func tokenOf(options []access.WriteOption) (string, error) {
	var o access.WriteOptions
	for _, option := range options {
		option(&o)
	}
	if o.Token == nil {
		return rand.Text(), nil
	}
	if n := utf8.RuneCountInString(*o.Token); n == 0 || n > maxToken {
		return "", fmt.Errorf("access: the token %q has %d characters, not 1 to %d", *o.Token, n, maxToken)
	}
	return *o.Token, nil
}

// checkActions finds what DynamoDB would refuse without saying which action it means.
func checkActions(c *access.Client, writes []Action) error {
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

func transactItem(c *access.Client, w *Action) types.TransactWriteItem {
	table := w.tableName(c)
	condition, names, values := optional(&w.Condition), filled(w.Names), filled(w.Values)
	switch w.Kind {
	case Put:
		return types.TransactWriteItem{Put: &types.Put{
			TableName: &table, Item: w.Item, ConditionExpression: condition,
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ReturnValuesOnConditionCheckFailure: w.onFailure(),
		}}
	case Update:
		if w.Update == "" && w.Condition != "" { // a transaction accepts no update without a change
			return transactCheck(w, table)
		}
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
	}
	return transactCheck(w, table)
}

// transactCheck returns the check of the condition of an action.
func transactCheck(w *Action, table string) types.TransactWriteItem {
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: &table, Key: w.Key, ConditionExpression: optional(&w.Condition),
		ExpressionAttributeNames: filled(w.Names), ExpressionAttributeValues: filled(w.Values),
		ReturnValuesOnConditionCheckFailure: w.onFailure(),
	}}
}

// transactionBusy reports whether a transaction may succeed if it is sent again: it failed only
// because of other requests.
func transactionBusy(err error) bool {
	var all *types.TransactionCanceledException
	if !errors.As(err, &all) {
		return code.Of(err) == "TransactionInProgressException" || busy(err)
	}
	collided := false
	for _, reason := range all.CancellationReasons {
		switch textOf(reason.Code) {
		case "", code.None:
		case code.TransactionConflict, code.ThrottlingError, code.ProvisionedThroughputExceeded:
			collided = true
		default:
			return false
		}
	}
	return collided
}

// canceled returns the error of a transaction that was not done.
func canceled(p *access.Pattern, writes []Action, token string, err error) error {
	var mismatch *types.IdempotentParameterMismatchException
	if errors.As(err, &mismatch) {
		return named(p.Name, "", fmt.Errorf("access: the token %q stands for another transaction of the last ten minutes: %w", token, err))
	}
	var all *types.TransactionCanceledException
	if !errors.As(err, &all) {
		return named(p.Name, "", err)
	}
	tx := &access.TxError{Pattern: p.Name, Cause: err}
	for i, reason := range all.CancellationReasons {
		why := textOf(reason.Code)
		if why == "" || why == code.None || i >= len(writes) || writes[i].otherwise != nil {
			continue
		}
		w := &writes[i]
		r := access.Reason{Action: w.Name, Code: why}
		if why == code.ConditionalCheckFailed {
			r.Err = fault(p.Name, w, reason.Item, err)
		} else {
			r.Err = fmt.Errorf("%s: %s: %s: %s", p.Name, w.Name, why, textOf(reason.Message))
		}
		tx.Reasons = append(tx.Reasons, r)
	}
	if len(tx.Reasons) == 0 { // not every service that speaks the protocol tells them
		tx.Reasons = []access.Reason{{Code: code.Of(err), Err: err}}
	}
	return tx
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
