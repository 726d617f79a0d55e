// Package lease holds rows that processes lease: each has an owner, a number that counts how often it was taken, and a heartbeat. A
// process that takes a row, or writes into one it has, does so on condition of what it knows, so that two never have a row at once.
//
// Whether an owner is alive is judged by its heartbeat alone: a row that was seen unchanged for a whole lease on the judge's own clock has none.
// Clocks of different processes are never compared. What else is in a row, and what a lease is for, is up to the caller: package
// stream leases the shards of a stream, and package migrate what its runners do.
package lease

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// The attributes of a leased row.
const (
	attrOwner  = "owner"  // the process that has the lease; absent: none
	attrWanted = "wanted" // a process that asks for the row, or is to have it next
	attrLease  = "lease"  // how often the row was taken
	attrBeat   = "beat"   // counts the owner's heartbeats since then
	attrAt     = "at"     // of the last write
)

// ErrLost says that a row is not as it was seen, or that another process has its lease now.
var ErrLost = errors.New("lease: another process has taken it")

// A Row holds what a row says about its lease.
type Row struct {
	Owner, Wanted string
	Lease, Beat   int64
	At            time.Time
	Exists        bool // false: no process has ever written the row
}

// Parse reads the lease from the item of a row.
func Parse(item access.Item) Row {
	at, _ := time.Parse(time.RFC3339Nano, text(item[attrAt])) // the zero time is long ago
	return Row{
		Exists: true, Owner: text(item[attrOwner]), Wanted: text(item[attrWanted]), At: at,
		Lease: number(item[attrLease]), Beat: number(item[attrBeat]),
	}
}

// DB holds the operations of DynamoDB that a Table calls.
type DB interface {
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
}

// A Table writes the rows that a process leases. Every write returns ErrLost if its condition does not hold.
type Table struct {
	DB    DB
	Name  string
	Owner string // this process
	Now   func() time.Time
	// Try sends a request, and again while its errors are temporary; what says what it does. It returns ErrLost as it is.
	Try func(ctx context.Context, what string, request func(context.Context) error) error
}

// Columns holds the attributes of a row that a write changes besides those of the lease.
type Columns struct {
	Set    access.Item
	Remove []string
}

// Take gets the lease of a row that is still as it was seen.
func (t Table) Take(ctx context.Context, what string, key access.Item, seen Row) (access.Item, error) {
	return t.update(ctx, what, key, seen, Columns{
		Set:    access.Item{attrOwner: stringValue(t.Owner), attrLease: intValue(seen.Lease + 1), attrBeat: intValue(0)},
		Remove: []string{attrWanted},
	})
}

// Want asks the owner of a row for it, if the row is still as it was seen.
func (t Table) Want(ctx context.Context, what string, key access.Item, seen Row) error {
	_, err := t.update(ctx, what, key, seen, Columns{Set: access.Item{attrWanted: stringValue(t.Owner)}})
	return err
}

// Note makes a row that no process has taken, with other columns.
func (t Table) Note(ctx context.Context, what string, key access.Item, c Columns) error {
	set := access.Item{attrLease: intValue(0), attrBeat: intValue(0)}
	for name, value := range c.Set {
		set[name] = value
	}
	_, err := t.update(ctx, what, key, Row{}, Columns{Set: set, Remove: c.Remove})
	return err
}

// update changes a row that is still as it was seen.
func (t Table) update(ctx context.Context, what string, key access.Item, seen Row, c Columns) (access.Item, error) {
	w := newWrite(c)
	condition := "attribute_not_exists(pk)"
	if seen.Exists {
		condition = w.name(attrLease) + " = " + w.value("seenLease", intValue(seen.Lease)) + " AND " + w.name(attrBeat) + " = " + w.value("seenBeat", intValue(seen.Beat))
	}
	return t.write(ctx, what, key, w, condition)
}

// Put writes columns into a row whose lease this process has, which is a heartbeat, too. A release gives the lease back.
func (t Table) Put(ctx context.Context, what string, key access.Item, held Row, c Columns, release bool) (access.Item, error) {
	if release {
		c.Remove = append([]string{attrOwner}, c.Remove...)
	}
	w := newWrite(c)
	w.set = append(w.set, w.name(attrBeat)+" = "+w.name(attrBeat)+" + "+w.value("one", intValue(1)))
	condition := w.name(attrOwner) + " = " + w.value("me", stringValue(t.Owner)) + " AND " + w.name(attrLease) + " = " + w.value("held", intValue(held.Lease))
	return t.write(ctx, what, key, w, condition)
}

// Unwant returns columns that also forget who has asked for the row.
func (c Columns) Unwant() Columns {
	c.Remove = append(c.Remove, attrWanted)
	return c
}

// Remove deletes a row that is still as it was seen.
func (t Table) Remove(ctx context.Context, what string, key access.Item, seen Row) error {
	return t.Try(ctx, what, func(ctx context.Context) error {
		_, err := t.DB.DeleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName: &t.Name, Key: key,
			ConditionExpression:       new("#lease = :lease AND #beat = :beat"),
			ExpressionAttributeNames:  map[string]string{"#lease": attrLease, "#beat": attrBeat},
			ExpressionAttributeValues: access.Item{":lease": intValue(seen.Lease), ":beat": intValue(seen.Beat)},
		})
		return lost(err)
	})
}

func (t Table) write(ctx context.Context, what string, key access.Item, w *write, condition string) (item access.Item, err error) {
	w.set = append(w.set, w.name(attrAt)+" = "+w.value(attrAt, stringValue(t.Now().UTC().Format(time.RFC3339Nano))))
	update := "SET " + strings.Join(w.set, ", ")
	if len(w.remove) > 0 {
		update += " REMOVE " + strings.Join(w.remove, ", ")
	}
	err = t.Try(ctx, what, func(ctx context.Context) error {
		out, err := t.DB.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &t.Name, Key: key, UpdateExpression: &update, ConditionExpression: &condition,
			ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values, ReturnValues: types.ReturnValueAllNew,
		})
		if err == nil {
			item = out.Attributes
		}
		return lost(err)
	})
	return item, err
}

func lost(err error) error {
	if _, failed := errors.AsType[*types.ConditionalCheckFailedException](err); failed {
		return ErrLost
	}
	return err
}

// A write collects an update expression.
type write struct {
	set, remove []string
	names       map[string]string
	values      access.Item
}

func newWrite(c Columns) *write {
	w := &write{names: map[string]string{}, values: access.Item{}}
	for name, value := range c.Set {
		w.set = append(w.set, w.name(name)+" = "+w.value(name, value))
	}
	for _, name := range c.Remove {
		w.remove = append(w.remove, w.name(name))
	}
	return w
}

func (w *write) name(attribute string) string {
	w.names["#"+attribute] = attribute
	return "#" + attribute
}

func (w *write) value(name string, value types.AttributeValue) string {
	w.values[":"+name] = value
	return ":" + name
}

func text(v types.AttributeValue) string {
	if s, is := v.(*types.AttributeValueMemberS); is {
		return s.Value
	}
	return ""
}

func number(v types.AttributeValue) int64 {
	if n, is := v.(*types.AttributeValueMemberN); is {
		i, _ := strconv.ParseInt(n.Value, 10, 64)
		return i
	}
	return 0
}

func stringValue(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func intValue(i int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(i, 10)}
}
