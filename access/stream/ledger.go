package stream

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// A ledger is the rows of one consumer's shards in the table of checkpoints. Each write is
// bound to what the writer knows: who takes a shard, to the row being as it was seen; who
// has one, to still having it.
type ledger struct{ *Consumer }

// key returns the key of a shard's row. The ARN is part of it because a table that gets a new
// stream gets new shards.
func (l ledger) key(shard string) access.Item {
	return access.Item{partitionKey: stringValue(l.Name + shardRows), sortKey: stringValue(l.StreamARN + "#" + shard)}
}

// rows reads the rows of all shards of the stream, by shard.
func (l ledger) rows(ctx context.Context) (map[string]row, error) {
	return l.under(ctx, l.StreamARN+"#")
}

// under reads the rows whose sort keys begin with a prefix, by the rest of the key.
func (l ledger) under(ctx context.Context, prefix string) (map[string]row, error) {
	rows := map[string]row{}
	input := &dynamodb.QueryInput{
		TableName:              &l.Checkpoints,
		ConsistentRead:         new(true),
		KeyConditionExpression: new("pk = :pk AND begins_with(sk, :prefix)"),
		ExpressionAttributeValues: access.Item{
			":pk": stringValue(l.Name + shardRows), ":prefix": stringValue(prefix),
		},
	}
	for {
		var out *dynamodb.QueryOutput
		err := l.try(ctx, "read the checkpoints", func(ctx context.Context) (err error) {
			out, err = l.DB.Query(ctx, input)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, item := range out.Items {
			shard := strings.TrimPrefix(stringOf(item[sortKey]), prefix)
			rows[shard] = parseRow(shard, item)
		}
		if len(out.LastEvaluatedKey) == 0 {
			return rows, nil
		}
		input.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

// begin notes when the consumer has begun, if it has never run on this table before, and
// reports from when on records are to be handled, and whether it is a new consumer. The
// time of the first start is kept because nothing that comes after it may be missed, even
// if the first process dies before its first checkpoint.
func (l ledger) begin(ctx context.Context) (since time.Time, fresh bool, err error) {
	if l.From == Newest {
		since = l.Now().UTC().Truncate(time.Second) // as exact as the times of records are
	}
	key := access.Item{partitionKey: stringValue(l.Name + shardRows), sortKey: stringValue(l.Table)}
	start := access.Item{partitionKey: key[partitionKey], sortKey: key[sortKey], "since": timeValue(since)}
	err = l.try(ctx, "note the start", func(ctx context.Context) error {
		_, err := l.DB.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: &l.Checkpoints, Item: start, ConditionExpression: new("attribute_not_exists(pk)"),
		})
		return err
	})
	if err == nil || !conditionFailed(err) {
		return since, true, err
	}
	var out *dynamodb.GetItemOutput
	err = l.try(ctx, "read the start", func(ctx context.Context) (err error) {
		out, err = l.DB.GetItem(ctx, &dynamodb.GetItemInput{TableName: &l.Checkpoints, Key: key, ConsistentRead: new(true)})
		return err
	})
	if err != nil {
		return since, false, err
	}
	if since, err = time.Parse(time.RFC3339Nano, stringOf(out.Item["since"])); err != nil {
		err = fmt.Errorf("stream: %s: when it began on table %s cannot be read: %w", l.title(), l.Table, err)
	}
	return since, false, err
}

// take gets the lease of a shard if its row is still as it was seen, else errLost.
func (l ledger) take(ctx context.Context, seen row) (taken row, err error) {
	out, err := l.update(ctx, "take shard "+seen.shard, seen,
		"SET #owner = :owner, #lease = :next, #beat = :zero, #at = :now REMOVE #wanted",
		access.Item{":owner": stringValue(l.Owner), ":next": intValue(seen.lease + 1), ":zero": intValue(0)})
	return parseRow(seen.shard, out), err
}

// want asks the owner of a shard for it.
func (l ledger) want(ctx context.Context, seen row) error {
	_, err := l.update(ctx, "ask for shard "+seen.shard, seen, "SET #wanted = :owner, #at = :now", access.Item{":owner": stringValue(l.Owner)})
	return err
}

// skip notes that a shard was read to its end though it was not: a new consumer does not
// want what is in it.
func (l ledger) skip(ctx context.Context, seen row) error {
	_, err := l.update(ctx, "skip shard "+seen.shard, seen,
		"SET #done = :true, #lease = :zero, #beat = :zero, #at = :now",
		access.Item{":true": &types.AttributeValueMemberBOOL{Value: true}, ":zero": intValue(0)})
	return err
}

// update changes a row if it is still as it was seen, else the error is errLost.
func (l ledger) update(ctx context.Context, what string, seen row, expression string, values access.Item) (item access.Item, err error) {
	condition := "attribute_not_exists(pk)"
	if seen.exists {
		condition = "#lease = :seenLease AND #beat = :seenBeat"
		values[":seenLease"], values[":seenBeat"] = intValue(seen.lease), intValue(seen.beat)
	}
	return l.write(ctx, what, seen.shard, expression, condition, values)
}

// A change holds the columns that the owner of a lease writes into its row.
type change struct {
	checkpoint string // "": as it is
	done       bool
	release    bool
}

// put writes a change, which is a sign of life too, if the lease is still ours; else the
// error is errLost. Only a shard that is done forgets who has asked for it.
func (l ledger) put(ctx context.Context, what string, lease row, c change) (row, error) {
	values := access.Item{":owner": stringValue(l.Owner), ":lease": intValue(lease.lease), ":one": intValue(1)}
	set, remove := "SET #at = :now, #beat = #beat + :one", ""
	if c.checkpoint != "" {
		set += ", #checkpoint = :checkpoint"
		values[":checkpoint"] = stringValue(c.checkpoint)
	}
	switch {
	case c.done:
		set += ", #done = :true"
		values[":true"] = &types.AttributeValueMemberBOOL{Value: true}
		remove = " REMOVE #owner, #wanted"
	case c.release:
		remove = " REMOVE #owner"
	}
	item, err := l.write(ctx, what+" of shard "+lease.shard, lease.shard, set+remove, "#owner = :owner AND #lease = :lease", values)
	return parseRow(lease.shard, item), err
}

func (l ledger) write(ctx context.Context, what, shard, update, condition string, values access.Item) (item access.Item, err error) {
	values[":now"] = timeValue(l.Now())
	names := map[string]string{}
	for _, name := range []string{attrOwner, attrWanted, attrLease, attrBeat, attrCheckpoint, attrDone, attrAt} {
		if strings.Contains(update+condition, "#"+name) {
			names["#"+name] = name
		}
	}
	err = l.try(ctx, what, func(ctx context.Context) error {
		out, err := l.DB.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &l.Checkpoints, Key: l.key(shard), UpdateExpression: &update, ConditionExpression: &condition,
			ExpressionAttributeNames: names, ExpressionAttributeValues: values, ReturnValues: types.ReturnValueAllNew,
		})
		switch {
		case conditionFailed(err):
			return errLost
		case err == nil:
			item = out.Attributes
		}
		return err
	})
	return item, err
}

// remove forgets a shard if its row is still as it was seen.
func (l ledger) remove(ctx context.Context, seen row) error {
	return l.try(ctx, "forget shard "+seen.shard, func(ctx context.Context) error {
		_, err := l.DB.DeleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName: &l.Checkpoints, Key: l.key(seen.shard),
			ConditionExpression:       new("#lease = :lease AND #beat = :beat"),
			ExpressionAttributeNames:  map[string]string{"#lease": attrLease, "#beat": attrBeat},
			ExpressionAttributeValues: access.Item{":lease": intValue(seen.lease), ":beat": intValue(seen.beat)},
		})
		if conditionFailed(err) {
			return errLost
		}
		return err
	})
}
