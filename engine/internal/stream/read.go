package stream

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/rowformat"
)

// maxPage is the maximum sum of the sizes of a page's records. A page has at
// least one record, whatever its size.
const maxPage = dynamo.MaxPageSize

// A page is a run of records of one shard.
type page struct {
	records []dynamo.Record // not nil
	next    position        // of the page that follows
	ended   bool            // the shard is closed, and this is its last page
}

// A pageReader fills a page from a log.
type pageReader struct {
	page
	stream *catalog.Stream
	region string
	log    uint32
	limit  int

	size   int64 // of the records
	full   bool  // there are more records than fit
	marked bool  // the mark of the shard's end was read
	err    error
}

// read reads a page of a shard. When it returns the end of a shard, its children are in
// the catalog.
func (s *Streams) read(ctx context.Context, stream *catalog.Stream, shard catalog.Shard, from position, limit int) (page, error) {
	start := max(from, position(shard.Trimmed)+1)
	r := pageReader{stream: stream, region: s.catalog.Region(), log: shard.Log, limit: limit}
	r.records = []dynamo.Record{}
	r.next = start
	err := s.store.ReadLog(ctx, shard.Log, uint64(start), r.add)
	if err := readError(shard.Log, err, r.err); err != nil {
		return page{}, err
	}
	if r.marked && shard.Closed == nil {
		s.catalog.AwaitChange() // it is being closed
	}
	r.ended = r.marked || !r.full && shard.Closed != nil
	if s.lost(stream.ARN, shard.Log, from) {
		return page{}, trimmed()
	}
	return r.page, nil
}

// add adds a record of the log and reports whether there is room for more.
func (r *pageReader) add(sequence uint64, raw []byte) bool {
	c, err := rowformat.ParseChange(raw)
	if err != nil {
		r.err = err
		return false
	}
	if c.Kind == rowformat.ShardEnd {
		r.marked = true
		return false
	}
	size := sizeOf(&c)
	if len(r.records) == r.limit || len(r.records) > 0 && r.size+size > maxPage {
		r.full, r.next = true, position(sequence)
		return false
	}
	r.size += size
	if c, r.err = rowformat.ParseChange(bytes.Clone(raw)); r.err != nil {
		return false
	}
	r.records = append(r.records, r.record(sequence, size, &c))
	r.next = position(sequence) + 1
	return true
}

// lost reports whether records from a position on may have been trimmed. The catalog
// records a trim before it happens, so the result is correct for records that were read
// before the call.
func (s *Streams) lost(arn string, log uint32, from position) bool {
	if from == oldest {
		return false
	}
	stream := s.catalog.StreamByARN(arn)
	if stream == nil {
		return true
	}
	shard, listed := stream.Shard(log)
	return !listed || from <= position(shard.Trimmed)
}

// readError returns the error of reading a log: the store's, or that of an invalid record.
func readError(log uint32, err, bad error) error {
	if err = cmp.Or(err, bad); err != nil {
		return fmt.Errorf("read log %d: %w", log, err)
	}
	return nil
}
