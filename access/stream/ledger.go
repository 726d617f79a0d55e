package stream

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/lease"
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

// leases returns the table of checkpoints as rows that processes lease.
func (l ledger) leases() lease.Table {
	return lease.Table{DB: l.DB, Name: l.Checkpoints, Owner: l.Owner, Now: l.Now, Try: l.try}
}

// take gets the lease of a shard if its row is still as it was seen, else errLost.
func (l ledger) take(ctx context.Context, seen row) (taken row, err error) {
	out, err := l.leases().Take(ctx, "take shard "+seen.shard, l.key(seen.shard), seen.Row)
	return parseRow(seen.shard, out), err
}

// want asks the owner of a shard for it.
func (l ledger) want(ctx context.Context, seen row) error {
	return l.leases().Want(ctx, "ask for shard "+seen.shard, l.key(seen.shard), seen.Row)
}

// skip notes that a shard was read to its end though it was not: a new consumer does not
// want what is in it.
func (l ledger) skip(ctx context.Context, shard string) error {
	done := lease.Columns{Set: access.Item{attrDone: &types.AttributeValueMemberBOOL{Value: true}}}
	return l.leases().Note(ctx, "skip shard "+shard, l.key(shard), done)
}

// A change holds the columns that the owner of a lease writes into its row.
type change struct {
	checkpoint string // "": as it is
	done       bool
	release    bool
}

// put writes a change, which is a heartbeat too, if the lease is still ours; else the
// error is errLost. Only a shard that is done forgets who has asked for it.
func (l ledger) put(ctx context.Context, what string, held row, c change) (row, error) {
	columns := lease.Columns{Set: access.Item{}}
	if c.checkpoint != "" {
		columns.Set[attrCheckpoint] = stringValue(c.checkpoint)
	}
	if c.done {
		columns.Set[attrDone] = &types.AttributeValueMemberBOOL{Value: true}
		columns = columns.Unwant()
	}
	item, err := l.leases().Put(ctx, what+" of shard "+held.shard, l.key(held.shard), held.Row, columns, c.release || c.done)
	return parseRow(held.shard, item), err
}

// remove forgets a shard if its row is still as it was seen.
func (l ledger) remove(ctx context.Context, seen row) error {
	return l.leases().Remove(ctx, "forget shard "+seen.shard, l.key(seen.shard), seen.Row)
}
