package migrate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// Orders holds what people tell the runners of a migration while it runs, in a row of the control table. Runners
// look at it every second.
type Orders struct {
	Paused    string          // why the run is paused; "": it is not
	Back      bool            // the run goes back, to before the migration
	Resumed   map[string]bool // the holds that were passed
	WriteRate float64         // units a second; 0: that of the options
	ReadRate  float64
	Most      float64 // dollars after which the run pauses; 0: that of the options
}

// A ledger is the rows of a migration in the control table: the orders, what is done, conflicts and a log.
type ledger struct {
	run   *run
	table string
	pk    string // design#migration#
}

func (l ledger) key(partition, sort string) access.Item {
	return access.Item{"pk": marshal.S(l.pk + partition), "sk": marshal.S(sort)}
}

// item reads a row, nil if there is none.
func (l ledger) item(ctx context.Context, partition, sort string) (access.Item, error) {
	var out *dynamodb.GetItemOutput
	_, err := l.run.try(ctx, l.run.free, func(ctx context.Context) (_ *types.ConsumedCapacity, err error) {
		out, err = l.run.api.GetItem(ctx, &dynamodb.GetItemInput{TableName: &l.table, Key: l.key(partition, sort), ConsistentRead: new(true)})
		return nil, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the control table: %w", err)
	}
	return out.Item, nil
}

// put writes a row.
func (l ledger) put(ctx context.Context, partition, sort string, columns access.Item) error {
	item := l.key(partition, sort)
	maps.Copy(item, columns)
	_, err := l.run.try(ctx, l.run.free, func(ctx context.Context) (*types.ConsumedCapacity, error) {
		_, err := l.run.api.PutItem(ctx, &dynamodb.PutItemInput{TableName: &l.table, Item: item})
		return nil, err
	})
	if err != nil {
		return fmt.Errorf("write the control table: %w", err)
	}
	return nil
}

const (
	runRows      = "#run"
	conflictRows = "#conflicts"
	logRows      = "#log"
)

// orders reads what people told.
func (l ledger) orders(ctx context.Context) (Orders, error) {
	item, err := l.item(ctx, runRows, "orders")
	if err != nil {
		return Orders{}, err
	}
	o := Orders{Paused: textOf(item["paused"]), Resumed: map[string]bool{}}
	if back, is := item["back"].(*types.AttributeValueMemberBOOL); is {
		o.Back = back.Value
	}
	if resumed, is := item["resumed"].(*types.AttributeValueMemberSS); is {
		for _, step := range resumed.Value {
			o.Resumed[step] = true
		}
	}
	o.WriteRate, _ = marshal.ParseFloat(textOf(item["write_rate"]))
	o.ReadRate, _ = marshal.ParseFloat(textOf(item["read_rate"]))
	o.Most, _ = marshal.ParseFloat(textOf(item["most"]))
	return o, nil
}

// order changes what people tell.
func (l ledger) order(ctx context.Context, change func(*Orders)) error {
	o, err := l.orders(ctx)
	if err != nil {
		return err
	}
	change(&o)
	columns := access.Item{"back": &types.AttributeValueMemberBOOL{Value: o.Back}}
	if o.Paused != "" {
		columns["paused"] = marshal.S(o.Paused)
	}
	if len(o.Resumed) > 0 {
		columns["resumed"] = &types.AttributeValueMemberSS{Value: slices.Sorted(maps.Keys(o.Resumed))}
	}
	for name, rate := range map[string]float64{"write_rate": o.WriteRate, "read_rate": o.ReadRate, "most": o.Most} {
		if rate > 0 {
			columns[name] = marshal.Num(marshal.FormatFloat(rate))
		}
	}
	return l.put(ctx, runRows, "orders", columns)
}

// progress says which step of a phase is under way, and in which epoch it began.
type progress struct {
	Step    string
	Epoch   int64     // 0: the step has not begun
	Attempt int64     // rises when the step is repeated in its epoch
	At      time.Time // when the step ended, of stepVerified
}

func (l ledger) progress(ctx context.Context) (progress, error) {
	item, err := l.item(ctx, runRows, "progress")
	if err != nil {
		return progress{}, err
	}
	attempt, _ := marshal.ParseInt(textOf(item["attempt"]))
	epoch, _ := marshal.ParseInt(textOf(item["epoch"]))
	at, _ := time.Parse(time.RFC3339, textOf(item["at"])) // the zero time is long ago
	return progress{Step: textOf(item["step"]), Epoch: epoch, Attempt: attempt, At: at}, nil
}

func (l ledger) setProgress(ctx context.Context, p progress) error {
	columns := access.Item{"step": marshal.S(p.Step), "epoch": marshal.N(p.Epoch), "attempt": marshal.N(p.Attempt)}
	if !p.At.IsZero() {
		columns["at"] = marshal.S(p.At.UTC().Format(time.RFC3339))
	}
	return l.put(ctx, runRows, "progress", columns)
}

// log notes who did what.
func (l ledger) log(ctx context.Context, owner, what string) error {
	at := l.run.now().UTC().Format(time.RFC3339Nano)
	return l.put(ctx, logRows, at+"#"+owner, access.Item{"owner": marshal.S(owner), "what": marshal.S(what)})
}

// noteConflict writes a conflict, so that all runners and people see it.
func (l ledger) noteConflict(ctx context.Context, c Conflict) error {
	columns := access.Item{
		"part": marshal.S(c.Part), "table": marshal.S(c.Table), "key": &types.AttributeValueMemberM{Value: c.Key},
		"reason": marshal.S(c.Reason), "at": marshal.S(c.At.Format(time.RFC3339)),
	}
	if c.Other != nil {
		columns["other"] = &types.AttributeValueMemberM{Value: c.Other}
	}
	return l.put(ctx, conflictRows, c.sort(), columns)
}

// sort returns the sort key of the row of a conflict.
func (c *Conflict) sort() string {
	sort := c.Part
	for _, name := range slices.Sorted(maps.Keys(c.Key)) {
		sort += "#" + textOf(c.Key[name])
	}
	return sort[:min(len(sort), 1024)]
}

// conflicts reads the conflicts that are listed.
func (l ledger) conflicts(ctx context.Context) ([]Conflict, error) {
	var all []Conflict
	err := l.each(ctx, conflictRows, func(item access.Item) {
		c := Conflict{Part: textOf(item["part"]), Table: textOf(item["table"]), Reason: textOf(item["reason"])}
		c.At, _ = time.Parse(time.RFC3339, textOf(item["at"]))
		if key, is := item["key"].(*types.AttributeValueMemberM); is {
			c.Key = key.Value
		}
		if other, is := item["other"].(*types.AttributeValueMemberM); is {
			c.Other = other.Value
		}
		all = append(all, c)
	})
	return all, err
}

// forgetConflicts removes those of a part, before it is looked at again.
func (l ledger) forgetConflicts(ctx context.Context) error {
	var keys []access.Item
	if err := l.each(ctx, conflictRows, func(item access.Item) {
		keys = append(keys, access.Item{"pk": item["pk"], "sk": item["sk"]})
	}); err != nil {
		return err
	}
	for _, key := range keys {
		if err := l.delete(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// forgetConflict removes one that does not exist any more.
func (l ledger) forgetConflict(ctx context.Context, c Conflict) error {
	return l.delete(ctx, l.key(conflictRows, c.sort()))
}

func (l ledger) delete(ctx context.Context, key access.Item) error {
	_, err := l.run.try(ctx, l.run.free, func(ctx context.Context) (*types.ConsumedCapacity, error) {
		_, err := l.run.api.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &l.table, Key: key})
		return nil, err
	})
	if err != nil {
		return fmt.Errorf("write the control table: %w", err)
	}
	return nil
}

// each calls f for all rows of a partition.
func (l ledger) each(ctx context.Context, partition string, f func(access.Item)) error {
	return l.query(ctx, &dynamodb.QueryInput{
		TableName: &l.table, ConsistentRead: new(true), KeyConditionExpression: new("pk = :pk"),
		ExpressionAttributeValues: access.Item{":pk": marshal.S(l.pk + partition)},
	}, f)
}

// query calls f for all rows that a query finds.
func (l ledger) query(ctx context.Context, in *dynamodb.QueryInput, f func(access.Item)) error {
	for {
		var out *dynamodb.QueryOutput
		_, err := l.run.try(ctx, l.run.free, func(ctx context.Context) (_ *types.ConsumedCapacity, err error) {
			out, err = l.run.api.Query(ctx, in)
			return nil, err
		})
		if err != nil {
			return fmt.Errorf("read the control table: %w", err)
		}
		for _, item := range out.Items {
			f(item)
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return nil
		}
	}
}

// A HeldError says that the run waits before a step until an operator resumes it.
type HeldError struct{ Step, Why string }

func (e *HeldError) Error() string {
	return fmt.Sprintf("migrate: the run waits before step %s: %s", e.Step, e.Why)
}

// A PausedError says that the run is paused.
type PausedError struct{ Why string }

func (e *PausedError) Error() string { return "migrate: the run is paused: " + e.Why }
