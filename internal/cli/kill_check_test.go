//go:build unix

package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// check checks a program that was started after a crash.
func (k *killer) check() {
	ctx := k.t.Context()
	k.checkWriters(k.scanAll(ctx))
	for _, w := range k.writers {
		k.repeatTransactions(ctx, w)
	}
	items := k.scanAll(ctx)
	k.checkWriters(items)
	k.checkIndexes(ctx, items)
	if k.round%10 == 0 { // earlier records must still exist
		arn := k.reader.arn
		k.reader = newStreamReader()
		k.reader.arn = arn
	}
	for more := true; more; {
		before := k.reader.changes
		if err := k.reader.read(k); err != nil {
			k.fail("read the stream: %v", err)
			return
		}
		more = k.reader.changes > before
	}
	accounts := map[string]string{}
	for id, item := range items {
		if strings.HasPrefix(id, "accounts/") {
			accounts[id] = item
		}
	}
	k.checkEqual("the stream", k.reader.items, accounts)
}

// checkEqual compares two sets of items.
func (k *killer) checkEqual(what string, got, want map[string]string) {
	for id, item := range want {
		if got[id] != item {
			k.fail("%s: %s is %q, want %q", what, id, got[id], item)
		}
	}
	for id, item := range got {
		if _, wanted := want[id]; !wanted {
			k.fail("%s: %s is %q, want nothing", what, id, item)
		}
	}
}

// scanAll reads both tables.
func (k *killer) scanAll(ctx context.Context) map[string]string {
	items := k.scan(ctx, "accounts", "")
	maps.Copy(items, k.scan(ctx, "entries", ""))
	return items
}

// scan reads a table or an index.
func (k *killer) scan(ctx context.Context, table, index string) map[string]string {
	in := &dynamodb.ScanInput{TableName: &table, ConsistentRead: new(index == "")}
	if index != "" {
		in.IndexName = &index
	}
	items := map[string]string{}
	pages := dynamodb.NewScanPaginator(k.patient, in)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			k.t.Fatalf("%s: scan %s %s: %v", k.label(), table, index, err)
		}
		for _, item := range page.Items {
			id := table + "/" + fmt.Sprint(scalar(item["pk"]))
			if _, twice := items[id]; twice {
				k.fail("%s is twice in index %q", id, index)
			}
			items[id] = showAttributes(item)
		}
	}
	return items
}

// checkWriters checks that the items of each writer are in the state after the last response, or
// after the pending write.
func (k *killer) checkWriters(items map[string]string) {
	for _, w := range k.writers {
		got := map[string]string{}
		for id, item := range items {
			if strings.Contains(id, "/"+w.name+"-") {
				got[id] = item
			}
		}
		if maps.Equal(got, w.state.show()) {
			continue
		}
		if w.open == nil || !maps.Equal(got, w.open.next.show()) {
			k.checkEqual(fmt.Sprintf("%s after %d answers", w.name, w.answers), got, w.state.show())
			k.t.FailNow()
		}
		w.done(w.open.next)
	}
}

func (s killState) show() map[string]string {
	shown := map[string]string{}
	for id, item := range s {
		shown[id] = showAttributes(item.attributes())
	}
	return shown
}

// repeatTransactions sends the last committed transaction and the pending one. Only the
// pending one is executed, if it was not.
func (k *killer) repeatTransactions(ctx context.Context, w *killWriter) {
	open := w.open
	w.open = nil
	if w.last != nil {
		k.mustReplay(ctx, w, w.last)
	}
	if open == nil || open.transaction == nil {
		return // a plain write that is lost now stays lost
	}
	if _, err := k.patient.TransactWriteItems(ctx, open.transaction); err != nil {
		k.fail("%s: the open transaction, sent again: %v", w.name, err)
		return
	}
	w.state, w.last = open.next, open.transaction
	k.mustReplay(ctx, w, w.last)
}

func (k *killer) mustReplay(ctx context.Context, w *killWriter, in *dynamodb.TransactWriteItemsInput) {
	out, err := k.patient.TransactWriteItems(ctx, in)
	if err != nil {
		k.fail("%s: a transaction that is there, sent again: %v", w.name, err)
		return
	}
	for _, c := range out.ConsumedCapacity {
		if c.WriteCapacityUnits != nil && *c.WriteCapacityUnits > 0 {
			k.fail("%s: transaction %s was done twice", w.name, *in.ClientRequestToken)
		}
	}
}

// checkIndexes waits until the indexes are complete and the rows are counted, and compares them
// with the items.
func (k *killer) checkIndexes(ctx context.Context, items map[string]string) {
	var table *types.TableDescription
	want := map[string]map[string]string{"by-group": {}, "late": {}}
	for id, item := range items {
		if strings.HasPrefix(id, "accounts/") {
			want["late"][id] = item
			if strings.Contains(item, "group=") {
				want["by-group"][id] = item
			}
		}
	}
	problem := "not asked"
	for deadline := time.Now().Add(time.Minute); problem != "" && time.Now().Before(deadline); {
		out, err := k.patient.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: new("accounts")})
		if err != nil {
			k.t.Fatalf("%s: describe: %v", k.label(), err)
		}
		table = out.Table
		problem = incomplete(table, want)
	}
	if problem != "" {
		k.fail("%s", problem)
		return
	}
	there := false
	for _, x := range table.GlobalSecondaryIndexes {
		there = there || *x.IndexName == "late"
		k.checkEqual("index "+*x.IndexName, k.scan(ctx, "accounts", *x.IndexName), want[*x.IndexName])
	}
	if there != k.indexer.there && !k.indexer.open {
		k.fail("the index is there: %v, want %v", there, k.indexer.there)
	}
	k.indexer = killIndexer{there: there}
}

// incomplete says what is not yet complete in a table.
func incomplete(table *types.TableDescription, want map[string]map[string]string) string {
	if got := int(*table.ItemCount); got != len(want["late"]) {
		return fmt.Sprintf("%d items counted, there are %d", got, len(want["late"]))
	}
	for _, x := range table.GlobalSecondaryIndexes {
		if x.IndexStatus != types.IndexStatusActive {
			return fmt.Sprintf("index %s is %s", *x.IndexName, x.IndexStatus)
		}
		if got := int(*x.ItemCount); got != len(want[*x.IndexName]) {
			return fmt.Sprintf("%d items counted in index %s, there are %d", got, *x.IndexName, len(want[*x.IndexName]))
		}
	}
	return ""
}

// A streamReader follows the stream of the accounts over all crashes, and applies its
// records.
type streamReader struct {
	arn     string
	items   map[string]string
	after   map[string]string // last sequence number read, by shard
	ended   map[string]bool   // shards that were read to their end
	changes int
}

func newStreamReader() *streamReader {
	return &streamReader{items: map[string]string{}, after: map[string]string{}, ended: map[string]bool{}}
}

// read reads the new records of every shard whose parent has been read. It returns the error of
// a server that is down.
func (r *streamReader) read(k *killer) error {
	out, err := k.streams.DescribeStream(k.t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: &r.arn})
	if err != nil {
		return k.gone("reader", err)
	}
	shards := out.StreamDescription.Shards
	slices.SortFunc(shards, func(a, b streamtypes.Shard) int { return strings.Compare(*a.ShardId, *b.ShardId) })
	for _, shard := range shards {
		if r.ended[*shard.ShardId] || shard.ParentShardId != nil && !r.ended[*shard.ParentShardId] {
			continue
		}
		if err := r.readShard(k, *shard.ShardId); err != nil {
			return k.gone("reader", err)
		}
	}
	return nil
}

func (r *streamReader) readShard(k *killer, shard string) error {
	in := &dynamodbstreams.GetShardIteratorInput{StreamArn: &r.arn, ShardId: &shard, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon}
	if after, read := r.after[shard]; read {
		in.ShardIteratorType, in.SequenceNumber = streamtypes.ShardIteratorTypeAfterSequenceNumber, &after
	}
	iterator, err := k.streams.GetShardIterator(k.t.Context(), in)
	if err != nil {
		return err
	}
	for next := iterator.ShardIterator; next != nil; {
		page, err := k.streams.GetRecords(k.t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: next})
		if err != nil {
			return err
		}
		for _, record := range page.Records {
			r.apply(k, record)
			r.after[shard] = *record.Dynamodb.SequenceNumber
		}
		next = page.NextShardIterator
		r.ended[shard] = next == nil
		if len(page.Records) == 0 {
			return nil
		}
	}
	return nil
}

// apply applies one change, which must continue the previous one.
func (r *streamReader) apply(k *killer, record streamtypes.Record) {
	r.changes++
	id := "accounts/" + fmt.Sprint(scalar(record.Dynamodb.Keys["pk"]))
	was, is := showAttributes(record.Dynamodb.OldImage), showAttributes(record.Dynamodb.NewImage)
	if r.items[id] != was || was == is {
		k.fail("the stream: %s went from %q to %q, but was %q", id, was, is, r.items[id])
	}
	r.items[id] = is
	if is == "" {
		delete(r.items, id)
	}
}

// scalar returns the value of a string or a number, of either service.
func scalar(value any) string {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	case *streamtypes.AttributeValueMemberS:
		return v.Value
	case *streamtypes.AttributeValueMemberN:
		return v.Value
	}
	return fmt.Sprintf("%T", value)
}
