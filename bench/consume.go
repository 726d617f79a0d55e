package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/engine"
)

// streamItems is a table whose stream holds one record for each item.
var streamItems = &dataset{name: "stream", stream: true}

var streamWorkloads = []workload{
	{id: "consume", title: "GetRecords, records of 1 KB", op: getRecords, dataset: streamItems},
}

// streamSection has one consumer read a stream that is there, in process and
// over HTTP. Rates are of records.
func (b *bench) streamSection(ctx context.Context) (err error) {
	rows := plannedRows(sectionStream, streamWorkloads, []int{1}, b.only)
	if len(rows) == 0 {
		return nil
	}
	s, err := b.openStreams(datasetsOf(rows))
	defer func() { err = errors.Join(err, s.close()) }()
	if err != nil {
		return err
	}
	// Peers take long to load; their streams are as long as other tables of theirs.
	others, clean, err := b.preparePeers(rows, b.data())
	defer func() { err = errors.Join(err, clean()) }()
	if err != nil {
		return err
	}
	if err := s.own.verifyAll(workloadsOf(rows)); err != nil {
		return err
	}
	for _, server := range append([]*serverSystem{s.server}, others...) {
		if err := server.verifyAll(workloadsOf(rows)); err != nil {
			return err
		}
	}
	for i := range rows {
		rows[i].systems = []system{s.floor, jsonDoor{s.own}, streamsDoor{s.own}, s.server}
		rows[i].bases = []base{{name: s.floor.name()}}
		rows[i].addPeers(others)
	}
	return b.measureRows(ctx, rows)
}

// streamSystems lists the systems that are started for this section.
type streamSystems struct {
	dir    string
	floor  *pebbleFloor
	own    *engines
	server *serverSystem
}

// openStreams loads and starts them. Whatever it returns has to be closed.
func (b *bench) openStreams(datasets []*dataset) (s streamSystems, err error) {
	run := b.data()
	run.items = b.records
	b.progress("Stream: loading tables of %d items.", run.items)
	s = streamSystems{
		dir:   filepath.Join(b.dir, sectionStream),
		floor: &pebbleFloor{run: run}, own: &engines{run: run}, server: &serverSystem{title: ownServer, run: run},
	}
	if s.floor.synced, err = openRaw(filepath.Join(s.dir, "pebble"), cacheBytes, datasets, run); err != nil {
		return s, fmt.Errorf("raw Pebble: %w", err)
	}
	if s.own.synced, err = openEngine(filepath.Join(s.dir, "engine"), engine.SyncEveryCommit, cacheBytes, datasets, run); err != nil {
		return s, err
	}
	program, err := b.serverProgram()
	if err != nil {
		return s, err
	}
	return s, s.server.startSynced(*program, s.dir, datasets)
}

func (s streamSystems) close() error {
	return errors.Join(s.floor.close(), s.own.close(), s.server.close(), os.RemoveAll(s.dir))
}

// streamsDoor is DB.Streams: the client of DynamoDB Streams, in process.
type streamsDoor struct{ *engines }

var _ system = streamsDoor{}

func (streamsDoor) name() string { return "Streams" }

func (d streamsDoor) caller(w workload, _ uint64) (caller, error) {
	arn, shards, err := w.dataset.streamShards(&handlerPoster{handler: d.db(w)}, d.run)
	return &typedConsumer{
		streamPass: streamPass{shards: shards, want: d.run.itemsOf(w.dataset)}, client: d.db(w).Streams(), arn: aws.String(arn),
	}, err
}

// A typedConsumer reads a stream with the SDK's types.
type typedConsumer struct {
	streamPass
	client *dynamodbstreams.Client
	arn    *string
}

var _ bulkCaller = (*typedConsumer)(nil)

func (c *typedConsumer) close() error { return nil }

// do reads until there are records.
func (c *typedConsumer) do(check bool) error {
	ctx := context.Background()
	for {
		shard, ok, err := c.begin()
		if err != nil {
			return err
		}
		if ok {
			out, err := c.client.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
				StreamArn: c.arn, ShardId: aws.String(shard), ShardIteratorType: types.ShardIteratorTypeTrimHorizon,
			})
			if err != nil {
				return err
			}
			c.iterator = aws.ToString(out.ShardIterator)
		}
		out, err := c.client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: aws.String(c.iterator)})
		if err != nil {
			return err
		}
		if c.read(len(out.Records), aws.ToString(out.NextShardIterator)); len(out.Records) == 0 {
			continue
		}
		if last := out.Records[len(out.Records)-1]; check && (last.Dynamodb == nil || last.Dynamodb.NewImage["body"] == nil) {
			return fmt.Errorf("GetRecords: a record with %+v", last.Dynamodb)
		}
		return nil
	}
}
