package sdk

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go/middleware"

	"sortkey.dev/engine/internal/dynamo"
)

// NewStreamsClient returns a client for the operations on streams whose calls run
// on api, like those of [NewClient].
func NewStreamsClient(api dynamo.API, o ClientOptions) *dynamodbstreams.Client {
	d := &door{api: api, service: dynamoDBStreams}
	return dynamodbstreams.New(dynamodbstreams.Options{
		Region:     o.Region,
		APIOptions: []func(*middleware.Stack) error{d.install},
		Retryer:    aws.NopRetryer{}, // the default one reads the environment
		HTTPClient: noNetwork{},
	})
}
