package stream_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access/stream"
)

// renewStream switches the stream off and on again, as a change of its view does. It has another ARN then.
func (w *world) renewStream() {
	w.Helper()
	w.endStream()
	time.Sleep(time.Second) // ARNs of streams have their time
	_, err := w.client.UpdateTable(w.Context(), &dynamodb.UpdateTableInput{
		TableName:           new(tableName),
		StreamSpecification: &types.StreamSpecification{StreamEnabled: new(true), StreamViewType: types.StreamViewTypeNewAndOldImages},
	})
	w.must(err)
}

// TestRecordsOfAnEarlierStreamAreHandled: the stream was switched off and on while no consumer ran.
func TestRecordsOfAnEarlierStreamAreHandled(t *testing.T) {
	inWorld(t, func(w *world) {
		d := newDiary(t)
		first := w.start(w.consumer(d.handle))
		w.write(3, 1, 2)
		settle()
		w.must(first.end())
		w.write(3, 3, 4)
		w.renewStream()
		w.write(3, 5, 7)
		w.start(w.consumer(d.handle))
		w.start(w.consumer(d.handle)) // another process
		settle()
		d.expect(3, 7)
	})
}

// TestAnEarlierStreamThatIsGoneIsReported: DynamoDB keeps a stream that was switched off for 24 hours.
func TestAnEarlierStreamThatIsGoneIsReported(t *testing.T) {
	inWorld(t, func(w *world) {
		d := newDiary(t)
		first := w.start(w.consumer(d.handle))
		w.write(1, 1, 1)
		settle()
		w.must(first.end())
		w.write(1, 2, 2)
		out, err := w.client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: new(tableName)})
		w.must(err)
		earlier := *out.Table.LatestStreamArn
		w.renewStream()
		time.Sleep(49 * time.Hour)
		w.write(1, 3, 3)
		lost := map[string]string{} // of each shard that had a reader: where it stopped
		for range 2 {
			c := w.consumer(d.handle)
			c.OnTrimmed = func(gap stream.Trimmed) {
				if _, again := lost[gap.Shard]; again {
					t.Errorf("%+v is reported again", gap)
				}
				lost[gap.Shard] = gap.After
			}
			r := w.start(c)
			settle()
			w.must(r.end())
		}
		if !slices.ContainsFunc(slices.Collect(maps.Values(lost)), func(after string) bool { return after != "" }) {
			t.Errorf("the shard with a record is not reported: %v", lost)
		}
		for _, row := range w.rows("test#shards") {
			if strings.HasPrefix(textOf(row["sk"]), earlier) {
				t.Errorf("the row of %s is left", textOf(row["sk"]))
			}
		}
		if n := d.count(); n != 2 {
			t.Errorf("%d records were handled", n)
		}
	})
}
