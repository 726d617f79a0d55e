package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// streamOperations lists the operations of DynamoDB Streams, a service of its own that is
// called at the same place.
var streamOperations = []string{"DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"}

// targetOf returns the name of an operation in a request's header.
func targetOf(op string) string {
	if slices.Contains(streamOperations, op) {
		return "DynamoDBStreams_20120810." + op
	}
	return "DynamoDB_20120810." + op
}

// streamShards asks for the stream of a table and for all its shards.
func (d *dataset) streamShards(p poster, run dataRun) (arn string, shards []string, err error) {
	answer, err := call(p, "DescribeTable", []byte(`{"TableName":"`+d.tableName(run.prefix)+`"}`))
	if err != nil {
		return "", nil, err
	}
	var described struct {
		Table struct{ LatestStreamArn string }
	}
	if err := json.Unmarshal(answer, &described); err != nil {
		return "", nil, fmt.Errorf("DescribeTable: %w", err)
	}
	arn = described.Table.LatestStreamArn
	if arn == "" {
		return "", nil, fmt.Errorf("table %s has no stream", d.tableName(run.prefix))
	}
	for start := ""; ; {
		var page struct {
			StreamDescription struct {
				Shards               []struct{ ShardId string }
				LastEvaluatedShardId string
			}
		}
		answer, err := call(p, "DescribeStream", []byte(`{"StreamArn":"`+arn+`"`+start+`}`))
		if err != nil {
			return "", nil, err
		}
		if err := json.Unmarshal(answer, &page); err != nil {
			return "", nil, fmt.Errorf("DescribeStream: %w", err)
		}
		for _, shard := range page.StreamDescription.Shards {
			shards = append(shards, shard.ShardId)
		}
		last := page.StreamDescription.LastEvaluatedShardId
		if last == "" {
			return arn, shards, nil
		}
		start = `,"ExclusiveStartShardId":"` + last + `"`
	}
}

// shardIterator asks for the place where reading a shard begins: TRIM_HORIZON
// or LATEST.
func shardIterator(p poster, arn, shard, place string) (string, error) {
	answer, err := call(p, "GetShardIterator", []byte(`{"StreamArn":"`+arn+`","ShardId":"`+shard+`","ShardIteratorType":"`+place+`"}`))
	if err != nil {
		return "", err
	}
	var out struct{ ShardIterator string }
	if err := json.Unmarshal(answer, &out); err != nil {
		return "", fmt.Errorf("GetShardIterator: %w", err)
	}
	return out.ShardIterator, nil
}

// A streamCheck looks whether a write gets into the stream.
type streamCheck struct {
	p         poster
	iterators []string // at the end of each shard as it was before the write
}

// openStreamCheck is called before the write. A table without a stream has
// nothing to be checked.
func openStreamCheck(p poster, d *dataset, run dataRun) (streamCheck, error) {
	c := streamCheck{p: p}
	if !d.stream {
		return c, nil
	}
	arn, shards, err := d.streamShards(p, run)
	for _, shard := range shards {
		var iterator string
		if iterator, err = shardIterator(p, arn, shard, "LATEST"); err != nil {
			break
		}
		c.iterators = append(c.iterators, iterator)
	}
	return c, err
}

// verify expects a record with both images of the item, the one before and the one in the
// request. A stream may be a bit behind its table.
func (c streamCheck) verify(key int, before storedItem, request string) error {
	if len(c.iterators) == 0 {
		return nil
	}
	for begin := time.Now(); time.Since(begin) < requestTimeout; {
		if found, err := c.look(before, request); found || err != nil {
			return err
		}
	}
	return fmt.Errorf("the put of item %d is not in the stream", key)
}

// look reads on in all shards.
func (c streamCheck) look(before storedItem, request string) (found bool, err error) {
	for i, iterator := range c.iterators {
		if iterator == "" {
			continue // the shard has ended
		}
		page, err := readPage(c.p, iterator)
		if err != nil {
			return false, err
		}
		for _, record := range page.Records {
			old, now := record.Dynamodb.OldImage, record.Dynamodb.NewImage
			if old == before && now.PK == before.PK && len(now.Body.S) == bodyWidth && strings.Contains(request, now.Body.S) {
				return true, nil
			}
		}
		c.iterators[i] = page.NextShardIterator
	}
	return false, nil
}

// recordPage is an answer to GetRecords.
type recordPage struct {
	Records []struct {
		Dynamodb struct{ OldImage, NewImage storedItem }
	}
	NextShardIterator string
}

func readPage(p poster, iterator string) (page recordPage, err error) {
	answer, err := call(p, string(getRecords), []byte(`{"ShardIterator":"`+iterator+`"}`))
	if err != nil {
		return page, err
	}
	if err := json.Unmarshal(answer, &page); err != nil {
		return page, fmt.Errorf("GetRecords: %w", err)
	}
	return page, nil
}

// A streamPass is the position of a consumer: it reads shard after shard from the beginning
// to the end, and then begins again.
type streamPass struct {
	shards   []string
	shard    int    // the place of the next one
	iterator string // "": a new one is needed
	seen     int    // records of this pass
	want     int    // records of the whole stream
	page     int    // records of the last request
}

// units returns how many records the last request has read.
func (s *streamPass) units() int { return s.page }

// begin returns the shard to begin now, if one has to be begun. A whole pass must
// have seen all records.
func (s *streamPass) begin() (shard string, ok bool, err error) {
	if s.iterator != "" {
		return "", false, nil
	}
	if s.shard == len(s.shards) {
		if s.seen != s.want || s.want == 0 {
			return "", false, fmt.Errorf("read %d records, the stream has %d", s.seen, s.want)
		}
		s.shard, s.seen = 0, 0
	}
	s.shard++
	return s.shards[s.shard-1], true, nil
}

// read notes a page of records. A shard that is still open ends with an empty
// page, for nothing is written meanwhile.
func (s *streamPass) read(records int, next string) {
	s.page, s.iterator = records, next
	s.seen += records
	if records == 0 {
		s.iterator = ""
	}
}

// A streamCaller reads a stream as JSON. It counts records without parsing them:
// what a consumer does with them is its own affair.
type streamCaller struct {
	streamPass
	poster
	arn  string
	shut func() error
}

var _ bulkCaller = (*streamCaller)(nil)

// newStreamCaller makes a consumer of the stream of the workload's table. It
// owns the poster: shut closes it.
func newStreamCaller(p poster, w workload, run dataRun, shut func() error) (*streamCaller, error) {
	arn, shards, err := w.dataset.streamShards(p, run)
	if err == nil && len(shards) == 0 {
		err = fmt.Errorf("the stream of %s has no shards", w.dataset.name)
	}
	if err != nil {
		return nil, errors.Join(err, shut())
	}
	return &streamCaller{streamPass: streamPass{shards: shards, want: run.itemsOf(w.dataset)}, poster: p, arn: arn, shut: shut}, nil
}

func (c *streamCaller) close() error { return c.shut() }

// do reads until there are records.
func (c *streamCaller) do(check bool) error {
	for {
		shard, ok, err := c.begin()
		if err == nil && ok {
			c.iterator, err = shardIterator(c.poster, c.arn, shard, "TRIM_HORIZON")
		}
		if err != nil {
			return err
		}
		answer, err := call(c.poster, string(getRecords), []byte(`{"ShardIterator":"`+c.iterator+`"}`))
		if err != nil {
			return err
		}
		records := bytes.Count(answer, eventName)
		next, err := nextIterator(answer)
		if err == nil && check {
			err = checkRecords(answer, records)
		}
		if err != nil {
			return err
		}
		if c.read(records, next); records > 0 {
			return nil
		}
	}
}

// eventName, imageName and nextName are members of an answer. A text in an item cannot look
// like them, as its quotes are escaped.
var (
	eventName = []byte(`"eventID":`)
	imageName = []byte(`"NewImage":`)
	nextName  = []byte(`"NextShardIterator":`)
)

// nextIterator finds where reading goes on; "" after the last record of a shard
// that has ended.
func nextIterator(answer []byte) (string, error) {
	at := bytes.LastIndex(answer, nextName)
	if at < 0 {
		return "", nil
	}
	var next *string
	if err := json.NewDecoder(bytes.NewReader(answer[at+len(nextName):])).Decode(&next); err != nil {
		return "", fmt.Errorf("GetRecords: next iterator: %w", err)
	}
	if next == nil {
		return "", nil
	}
	return *next, nil
}

// checkRecords checks a page that was counted to hold an item of ours in each record.
func checkRecords(answer []byte, records int) error {
	if images := bytes.Count(answer, imageName); images != records || len(answer) < records*bodyWidth {
		return fmt.Errorf("GetRecords: %d new images in %d records, %d bytes", images, records, len(answer))
	}
	return nil
}

// verifyConsume reads the whole stream and checks that every item of the table is in it
// exactly once.
func (w workload) verifyConsume(p poster, run dataRun) error {
	arn, shards, err := w.dataset.streamShards(p, run)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, shard := range shards {
		iterator, err := shardIterator(p, arn, shard, "TRIM_HORIZON")
		for err == nil && iterator != "" {
			var page recordPage
			if page, err = readPage(p, iterator); len(page.Records) == 0 {
				break
			}
			for _, record := range page.Records {
				item := record.Dynamodb.NewImage
				if seen[item.PK.S] || len(item.Body.S) != bodyWidth || record.Dynamodb.OldImage != (storedItem{}) {
					return fmt.Errorf("the stream has a record with %+v", record)
				}
				seen[item.PK.S] = true
			}
			iterator = page.NextShardIterator
		}
		if err != nil {
			return err
		}
	}
	if len(seen) != run.itemsOf(w.dataset) {
		return fmt.Errorf("the stream has %d of %d items", len(seen), run.itemsOf(w.dataset))
	}
	return nil
}
