package engine

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/engine/internal/sdk"
)

// Streams returns a real client of DynamoDB Streams whose calls run in this
// process, like those of [DB.Client]. Each call returns a new client; they all
// read the streams of the same tables.
func (db *DB) Streams() *dynamodbstreams.Client {
	return sdk.NewStreamsClient(db.api.ops, sdk.ClientOptions{Region: db.api.ops.region})
}
