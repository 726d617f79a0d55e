package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// TransactWriteItems is a checked TransactWriteItemsInput.
type TransactWriteItems struct {
	Actions []TransactAction
	// Token makes the request idempotent; empty: none was sent. Fingerprint distinguishes
	// requests with the same token and is set with it.
	Token       string
	Fingerprint Fingerprint
	Capacity    CapacityDetail
	Metrics     bool // ReturnItemCollectionMetrics is SIZE
}

// A TransactAction is the action on one item: exactly one member is set. The
// details of the response belong to the whole transaction, so its Write requests no
// values, capacity or metrics.
type TransactAction struct {
	Put    *PutItem
	Update *UpdateItem
	Delete *DeleteItem
	Check  *ConditionCheck
}

// A ConditionCheck is an action that changes nothing.
type ConditionCheck struct {
	Write
	Key dynamo.Item
}

// CheckTransactWriteItems checks the input of TransactWriteItems. It checks the members of
// all actions first, then the actions one after the other, and returns the first error
// without the envelope. Duplicate items can only be found with the key of their table.
func CheckTransactWriteItems(in *dynamo.TransactWriteItemsInput) (*TransactWriteItems, error) {
	if err := checkTransactWriteMembers(in); err != nil {
		return nil, err
	}
	transaction := &TransactWriteItems{
		Actions:  make([]TransactAction, len(in.TransactItems)),
		Token:    textOf(in.ClientRequestToken),
		Capacity: capacityDetails.value(in.ReturnConsumedCapacity),
		Metrics:  collectionMetrics.value(in.ReturnItemCollectionMetrics),
	}
	total := 0
	for i := range in.TransactItems {
		size, err := transaction.Actions[i].set(&in.TransactItems[i])
		if err != nil {
			return nil, err
		}
		total += size
	}
	if total > dynamo.MaxTransactSize {
		return nil, TransactionTooLarge()
	}
	if transaction.Token != "" {
		transaction.Fingerprint = fingerprintOf(in.TransactItems)
	}
	return transaction, nil
}

// TransactionTooLarge returns the error for a transaction that is too large: for a
// write the size of the request counts, for a read the size of the items.
func TransactionTooLarge() error {
	return invalid("The aggregate size of the items in the transaction exceeded 4 MBs")
}

// checkTransactWriteMembers checks single members.
func checkTransactWriteMembers(in *dynamo.TransactWriteItemsInput) error {
	var v violations
	if in.ClientRequestToken != nil {
		v.length(1, dynamo.MaxTokenLength, *in.ClientRequestToken, "clientRequestToken")
	}
	capacityDetails.check(in.ReturnConsumedCapacity, &v)
	collectionMetrics.check(in.ReturnItemCollectionMetrics, &v)
	checkTransactItems(in.TransactItems, javaTransactWrite, &v)
	for i := range in.TransactItems {
		if len(v) >= maxViolations {
			break
		}
		sent := sentActions(&in.TransactItems[i])
		for _, action := range sent.all() {
			action.check(i, &v)
		}
	}
	return v.err()
}

// checkTransactItems checks the number of actions or reads of a transaction.
func checkTransactItems[T any](items []T, echo func(*T) string, v *violations) {
	const path = "transactItems"
	switch {
	case items == nil:
		v.missing(path)
	case len(items) == 0:
		v.broken("[]", path, lengthAtLeast(1))
	case len(items) > dynamo.MaxTransactItems:
		v.broken(javaList(items, echo), path, lengthAtMost(dynamo.MaxTransactItems))
	}
}

// The members of a TransactWriteItem, as message paths name them.
const (
	actionCheck  = "conditionCheck"
	actionPut    = "put"
	actionDelete = "delete"
	actionUpdate = "update"
)

// A sentAction is an action with the member that holds it.
type sentAction struct {
	*dynamo.TransactAction
	member string
}

// actionList holds the actions of a TransactWriteItem. The array keeps them off the heap.
type actionList struct {
	actions [4]sentAction
	n       int
}

func (l *actionList) all() []sentAction { return l.actions[:l.n] }

// sentActions lists the members of a TransactWriteItem that were sent.
func sentActions(in *dynamo.TransactWriteItem) (sent actionList) {
	for _, a := range [...]sentAction{
		{in.ConditionCheck, actionCheck}, {in.Put, actionPut}, {in.Delete, actionDelete}, {in.Update, actionUpdate},
	} {
		if a.TransactAction != nil {
			sent.actions[sent.n] = a
			sent.n++
		}
	}
	return sent
}

// check makes the complaints about the members of the action at place i. Paths are
// built only for complaints.
func (a sentAction) check(i int, v *violations) {
	path := func(member string) string { return memberPath("transactItems", i) + "." + a.member + "." + member }
	if a.TableName == nil || !isTableName(*a.TableName) {
		v.tableNameAt(path("tableName"), a.TableName)
	}
	switch {
	case a.Subject.Item != nil:
	case a.member == actionPut:
		v.missing(path("item"))
	default:
		v.missing(path("key"))
	}
	if a.member == actionUpdate && a.UpdateExpression == nil {
		v.missing(path("updateExpression"))
	}
	if a.member == actionCheck && a.ConditionExpression == nil {
		v.missing(path("conditionExpression"))
	}
	if word := a.ReturnValuesOnConditionCheckFailure; !returnOnFailure.has(word) {
		returnOnFailure.checkAt(path(returnOnFailure.path), word, v)
	}
}

// set checks an action whose members are valid and stores it. It returns the size that
// counts towards the limit of the transaction: that of the request, not of the stored
// items.
func (action *TransactAction) set(in *dynamo.TransactWriteItem) (size int, err error) {
	list := sentActions(in)
	sent := list.all()
	switch len(sent) {
	case 0:
		return 0, invalid("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request")
	case 1:
	default:
		return 0, invalid("TransactItems can only contain one of Check, Put, Update or Delete")
	}
	write, update, err := sent[0].parse()
	if err != nil {
		return 0, err
	}
	subject := sent[0].Subject.Item
	size = subject.Size()
	switch sent[0].member {
	case actionCheck:
		action.Check = &ConditionCheck{Write: write, Key: subject}
	case actionPut:
		if size > dynamo.MaxItemSize {
			return 0, errItemTooLarge()
		}
		action.Put = &PutItem{Write: write, Item: subject, Size: size}
	case actionDelete:
		action.Delete = &DeleteItem{Write: write, Key: subject}
	case actionUpdate:
		action.Update = &UpdateItem{Write: write, Key: subject, Update: update}
	}
	return size + sent[0].valuesSize(), nil
}

// valuesSize returns the size of the values that the expressions of an action use.
func (a sentAction) valuesSize() (size int) {
	for _, v := range a.Values.ByName {
		size += v.Size()
	}
	return size
}

// parse checks how the parameters of an action are combined, parses its
// expressions and checks its item or key, in this order.
func (a sentAction) parse() (write Write, update *expression.Update, err error) {
	write = Write{
		Table:           *a.TableName,
		ReturnOnFailure: returnOnFailure.value(a.ReturnValuesOnConditionCheckFailure),
	}
	use := usage{
		expressions: expressions{
			{"UpdateExpression", a.UpdateExpression},
			{"ConditionExpression", a.ConditionExpression},
		},
		names: a.Names, values: &a.Values,
		valuesTail: ": ConditionExpression is null",
		layer:      olderValues,
	}
	if err := use.check(); err != nil {
		return write, nil, err
	}
	scope, err := use.scope()
	if err != nil {
		return write, nil, err
	}
	if a.ConditionExpression != nil {
		if write.Condition, err = scope.ParseCondition(*a.ConditionExpression); err != nil {
			return write, nil, err
		}
	}
	if a.UpdateExpression != nil {
		if update, err = scope.ParseUpdate(*a.UpdateExpression); err != nil {
			return write, nil, err
		}
	}
	if err := olderValues.checkItem(a.Subject); err != nil {
		return write, nil, err
	}
	return write, update, scope.CheckUnused()
}
