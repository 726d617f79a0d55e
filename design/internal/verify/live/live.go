// Package live counts the items of live tables that a dangerous change is about: those that would be deleted,
// or that could not be written any more. It reads tables whole, where a change asks for it, and writes nothing.
//
// Package design calls it for sortkey diff --endpoint.
package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/model"
)

// API holds the operations of DynamoDB that counting takes.
type API interface {
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
}

// A Counter counts items.
type Counter struct {
	API       API
	TableName func(string) string // from the name in the design to the real one
	Now       time.Time
}

// Count counts the items of each change whose danger depends on them, and adds the number to its message. A table
// that does not exist has no items.
func (c Counter) Count(ctx context.Context, all []*change.Change) error {
	counted := map[string]int64{}
	for _, one := range all {
		for _, q := range c.questions(one) {
			key := fmt.Sprint(q.table, q.filter, q.values)
			n, known := counted[key]
			if !known {
				var err error
				if n, err = c.items(ctx, q); err != nil {
					return fmt.Errorf("counting items of table %s: %w", c.TableName(q.table), err)
				}
				counted[key] = n
			}
			if q.is(n) != "" {
				one.Message += "; " + q.is(n)
			}
			if one.Items == nil {
				one.Items = &n
			}
		}
	}
	return nil
}

// A question asks for the number of items of a table that a filter lets through.
type question struct {
	table  string
	filter string // "": all items
	names  map[string]string
	values map[string]types.AttributeValue
	is     func(n int64) string // says the number; "": not worth saying
}

// questions returns what to count for a change: first the number that is the danger.
func (c Counter) questions(one *change.Change) []question {
	switch one.Code {
	case "E045":
		return []question{{table: one.Table.Old.Name, is: func(n int64) string { return "it has " + items(n) + " now" }}}
	case "E052":
		return c.expiring(one.Table.New)
	case "E025":
		return []question{refused(one.Table, one.Index.New)}
	}
	return nil
}

// DynamoDB deletes an item whose time is past by less than mostOverdue. A time of mostSeconds and more is not one in
// seconds: it is one in milliseconds, most often.
const (
	mostOverdue = 5 * 365 * 24 * time.Hour
	mostSeconds = 100_000_000_000
)

// expiring asks for the items that expire at once, and for those that never do because their time is none.
func (c Counter) expiring(t *model.Table) []question {
	names := map[string]string{"#time": t.TTL}
	number := func(n int64) types.AttributeValue {
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
	}
	return []question{
		{
			table: t.Name, names: names, filter: "attribute_type(#time, :n) AND #time BETWEEN :old AND :now",
			values: map[string]types.AttributeValue{":n": text("N"), ":old": number(c.Now.Add(-mostOverdue).Unix()), ":now": number(c.Now.Unix())},
			is:     func(n int64) string { return items(n) + " would be deleted now" },
		},
		{
			table: t.Name, names: names, filter: "attribute_exists(#time) AND (NOT attribute_type(#time, :n) OR #time >= :far)",
			values: map[string]types.AttributeValue{":n": text("N"), ":far": number(mostSeconds)},
			is: func(n int64) string {
				if n == 0 {
					return ""
				}
				return items(n) + " never would, because the time is not in seconds"
			},
		},
	}
}

// refused asks for the items whose values an index refuses.
func refused(t *change.TablePair, x *model.Index) question {
	q := question{table: t.New.Name, names: map[string]string{}, values: map[string]types.AttributeValue{}}
	var filters []string
	for i, k := range slices.Concat(x.PK, x.SK) {
		kind := kindOf(t.New, k.Name)
		if k.Name == t.New.PK.Name || k.Name == t.New.SK.Name || kind == "" {
			continue
		}
		name, holds := fmt.Sprintf("#k%d", i), fmt.Sprintf(":k%d", i)
		q.names[name], q.values[holds] = k.Name, text(kind)
		wrong := fmt.Sprintf("NOT attribute_type(%s, %s)", name, holds)
		if kind != "N" {
			most := fmt.Sprintf(":most%d", i)
			q.values[":none"], q.values[most] = &types.AttributeValueMemberN{Value: "0"}, &types.AttributeValueMemberN{Value: longest(i < len(x.PK))}
			wrong += fmt.Sprintf(" OR size(%s) = :none OR size(%s) > %s", name, name, most)
		}
		filters = append(filters, fmt.Sprintf("(attribute_exists(%s) AND (%s))", name, wrong))
	}
	q.filter = strings.Join(filters, " OR ")
	q.is = func(n int64) string { return items(n) + " of the table have such a value now" }
	return q
}

// longest returns the most bytes of a value of a key.
func longest(isPartition bool) string {
	if isPartition {
		return "2048"
	}
	return "1024"
}

// kindOf returns the kind of the values of an index key; "": that of no item.
func kindOf(t *model.Table, name string) string {
	for _, item := range t.Items {
		if key := item.Key(name); key != nil && slices.Contains([]string{"S", "N", "B"}, key.Kind()) {
			return key.Kind()
		}
	}
	return ""
}

// items counts the items of a question.
func (c Counter) items(ctx context.Context, q question) (int64, error) {
	name := c.TableName(q.table)
	in := &dynamodb.ScanInput{TableName: &name, Select: types.SelectCount}
	if q.filter != "" {
		in.FilterExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues = &q.filter, q.names, q.values
	}
	total := int64(0)
	for {
		out, err := c.API.Scan(ctx, in)
		if _, missing := errors.AsType[*types.ResourceNotFoundException](err); missing {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		total += int64(out.Count)
		if len(out.LastEvaluatedKey) == 0 {
			return total, nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func items(n int64) string {
	if n == 1 {
		return "1 item"
	}
	return fmt.Sprintf("%d items", n)
}
