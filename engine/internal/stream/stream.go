// Package stream reads the streams of tables: it lists and describes them, issues
// iterators, reads records, lets a program follow the changes of a table, and
// maintains the shards: it splits, replaces and trims them.
//
// It writes no records: package table does, in the commit of the change itself.
// Package catalog keeps the list of streams and shards. Only the engine calls this
// package.
package stream

import (
	"sync"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
)

// Streams runs the stream operations on one store. It is safe for concurrent use.
type Streams struct {
	store   kv.Store
	catalog *catalog.Catalog

	maintaining sync.Mutex         // held by a round of maintenance
	readings    map[uint32]reading // of the open shards' logs in the last round
}

// New returns the Streams of a store and its catalog.
func New(store kv.Store, c *catalog.Catalog) *Streams { return &Streams{store: store, catalog: c} }

// find returns the stream with an ARN.
func (s *Streams) find(arn string) (*catalog.Stream, error) {
	if err := s.catalog.Err(); err != nil {
		return nil, err
	}
	if stream := s.catalog.StreamByARN(arn); stream != nil {
		return stream, nil
	}
	if parts, ok := request.ParseStreamARN(arn); !ok || parts.Table.Partition != "aws" || parts.Table.Region != s.catalog.Region() {
		return nil, dynamo.Invalid("Invalid StreamArn")
	}
	return nil, dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: Stream: %s not found", arn)
}

func shardNotFound() error {
	return dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: Shard does not exist")
}

func trimmed() error {
	return dynamo.Errorf(dynamo.TrimmedDataAccess, "The data you are trying to access has been trimmed")
}
