package stream_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/access/stream"
)

// A life is that of a process: when it is over, none of its requests arrives any more.
type life struct {
	left atomic.Int64 // requests until it ends; at most 0: it has ended
	// halves lets the last request arrive now and then, and only its answer get lost.
	halves bool
}

var errDead = errors.New("the process is dead")

func newLife() *life {
	l := &life{}
	l.left.Store(1 << 40)
	return l
}

func (l *life) end() { l.left.Store(0) }

// live does a request, if the process lives.
func live[In, Out, O any](l *life, ctx context.Context, in In, o []O, request func(context.Context, In, ...O) (Out, error)) (out Out, err error) {
	switch left := l.left.Add(-1); {
	case left > 0:
		return request(ctx, in, o...)
	case left == 0 && l.halves && rand.IntN(2) == 0:
		if _, err := request(ctx, in, o...); err != nil {
			return out, err
		}
	}
	return out, errDead
}

type mortalTables struct {
	stream.TableAPI
	life *life
}

func (l *life) tables(api stream.TableAPI) stream.TableAPI { return mortalTables{api, l} }

func (m mortalTables) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return live(m.life, ctx, in, o, m.TableAPI.GetItem)
}

func (m mortalTables) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return live(m.life, ctx, in, o, m.TableAPI.Query)
}

func (m mortalTables) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return live(m.life, ctx, in, o, m.TableAPI.PutItem)
}

func (m mortalTables) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return live(m.life, ctx, in, o, m.TableAPI.UpdateItem)
}

func (m mortalTables) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	return live(m.life, ctx, in, o, m.TableAPI.DeleteItem)
}

type mortalStreams struct {
	stream.StreamsAPI
	life *life
}

func (l *life) streams(api stream.StreamsAPI) stream.StreamsAPI { return mortalStreams{api, l} }

func (m mortalStreams) DescribeStream(ctx context.Context, in *dynamodbstreams.DescribeStreamInput, o ...func(*dynamodbstreams.Options)) (*dynamodbstreams.DescribeStreamOutput, error) {
	return live(m.life, ctx, in, o, m.StreamsAPI.DescribeStream)
}

func (m mortalStreams) GetShardIterator(ctx context.Context, in *dynamodbstreams.GetShardIteratorInput, o ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetShardIteratorOutput, error) {
	return live(m.life, ctx, in, o, m.StreamsAPI.GetShardIterator)
}

func (m mortalStreams) GetRecords(ctx context.Context, in *dynamodbstreams.GetRecordsInput, o ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetRecordsOutput, error) {
	return live(m.life, ctx, in, o, m.StreamsAPI.GetRecords)
}
