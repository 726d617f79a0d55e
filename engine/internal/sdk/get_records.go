package sdk

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/engine/internal/dynamo"
)

func getRecordsInput(_ *encoder, in *dynamodbstreams.GetRecordsInput) *dynamo.GetRecordsInput {
	return &dynamo.GetRecordsInput{
		Limit:         in.Limit,
		ShardIterator: validTextPointer(in.ShardIterator),
	}
}

func getRecordsOutput(out *dynamo.GetRecordsOutput) *dynamodbstreams.GetRecordsOutput {
	records := make([]types.Record, len(out.Records))
	for i := range out.Records {
		records[i] = StreamRecord(&out.Records[i])
	}
	return &dynamodbstreams.GetRecordsOutput{
		NextShardIterator: out.NextShardIterator,
		Records:           records,
	}
}

// StreamRecord converts a record to the SDK's types.
func StreamRecord(r *dynamo.Record) types.Record {
	// The caller gets copies: a pointer into r would keep the whole page alive.
	region, id, number, size := r.AwsRegion, r.EventID, r.SequenceNumber, r.SizeBytes
	source, version := dynamo.EventSource, dynamo.EventVersion
	created := r.Created.UTC().Truncate(time.Millisecond) // the precision of the wire
	out := types.Record{
		AwsRegion: &region,
		Dynamodb: &types.StreamRecord{
			ApproximateCreationDateTime: &created,
			Keys:                        streamAttributes(r.Keys),
			NewImage:                    streamAttributes(r.NewImage),
			OldImage:                    streamAttributes(r.OldImage),
			SequenceNumber:              &number,
			SizeBytes:                   &size,
			StreamViewType:              types.StreamViewType(r.StreamViewType),
		},
		EventID:      &id,
		EventName:    types.OperationType(r.EventName),
		EventSource:  &source,
		EventVersion: &version,
	}
	if r.ByService {
		principal, kind := dynamo.ServicePrincipalID, dynamo.ServiceType
		out.UserIdentity = &types.Identity{PrincipalId: &principal, Type: &kind}
	}
	return out
}
