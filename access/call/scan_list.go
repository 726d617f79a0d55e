package call

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
)

// operation returns the operation of DynamoDB that the query calls.
func (q *Query) operation() string {
	if q.scans() {
		return "Scan"
	}
	return "Query"
}

// segments returns one request for each segment of a scan, none if there is nothing to read.
func segments(q *Query) []Request {
	all := make([]Request, 0, len(q.Requests)*q.Segments)
	for _, r := range q.Requests {
		for r.segment = range q.Segments {
			all = append(all, r)
		}
	}
	return all
}

// scanAnswer sends the next request of a segment and returns its items and where they end.
func (w *walk) scanAnswer(ctx context.Context, r *reader) (items []access.Item, next access.Item, err error) {
	in := w.q.input(w.c, &w.table, r.request)
	in.ExclusiveStartKey, in.Limit = r.next, w.ask(r)
	out, err := sendOn(ctx, w.c, w.path, w.call, access.API.Scan, w.q.asScan(in, r.request))
	if err != nil {
		return nil, nil, err
	}
	w.call.add(out.ConsumedCapacity, len(out.Items))
	return out.Items, out.LastEvaluatedKey, nil
}

// asScan returns a request of the query as a scan of one segment.
func (q *Query) asScan(in *dynamodb.QueryInput, r *Request) *dynamodb.ScanInput {
	scan := &dynamodb.ScanInput{
		TableName: in.TableName, IndexName: in.IndexName,
		FilterExpression: in.FilterExpression, ProjectionExpression: in.ProjectionExpression,
		ExpressionAttributeNames: filled(in.ExpressionAttributeNames), ExpressionAttributeValues: filled(in.ExpressionAttributeValues),
		ConsistentRead: in.ConsistentRead, Select: in.Select, Limit: in.Limit, ExclusiveStartKey: in.ExclusiveStartKey,
		ReturnConsumedCapacity: in.ReturnConsumedCapacity,
	}
	if q.Segments > 1 {
		scan.Segment, scan.TotalSegments = aws.Int32(int32(r.segment)), aws.Int32(int32(q.Segments))
	}
	return scan
}
