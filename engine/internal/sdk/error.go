package sdk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"sortkey.dev/engine/internal/dynamo"
)

// requestID stands in the errors where the service puts the id of the request.
// There is no request; it tells a reader of a log where the error comes from.
const requestID = "IN-PROCESS"

// Unsupported is the error of an operation of the SDK's client that the engine
// does not have yet.
func Unsupported(operation string) error {
	return operationError(operation, unsupported(operation))
}

func unsupported(operation string) error {
	return sdkError(dynamo.Errorf(dynamo.UnknownOperation, "sortkey does not support %s yet", operation))
}

// sdkError turns an error of the engine into what the SDK's client returns
// inside its OperationError.
func sdkError(err error) error {
	var e *dynamo.Error
	switch {
	case errors.As(err, &e):
		return responseError(statusOf(e.Code), apiError(e))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &smithy.CanceledError{Err: err}
	default:
		return responseError(http.StatusInternalServerError, newEngineFailure(err))
	}
}

// apiError makes the SDK's type for the code, or its generic error for the codes
// that have none, of which ValidationException is the usual one.
func apiError(e *dynamo.Error) error {
	message := e.Message
	if e.Code == dynamo.ConditionalCheckFailed {
		return &types.ConditionalCheckFailedException{Message: &message, Item: attributes(e.Item)}
	}
	if known, ok := dynamodb.TypeRegistry.DeserializableError("com.amazonaws.dynamodb#" + string(e.Code)); ok {
		if field := reflect.ValueOf(known).Elem().FieldByName("Message"); field.IsValid() {
			field.Set(reflect.ValueOf(&message))
		}
		return known
	}
	// The client leaves the fault of the generic error unknown, and calls an
	// empty message so.
	return &smithy.GenericAPIError{Code: string(e.Code), Message: cmp.Or(message, "UnknownError")}
}

func statusOf(code dynamo.Code) int {
	switch code {
	case dynamo.InternalServerError:
		return http.StatusInternalServerError
	case dynamo.InvalidEndpoint:
		return http.StatusMisdirectedRequest
	default:
		return http.StatusBadRequest
	}
}

// responseError wraps err as an answer over HTTP would be, for callers that look
// at the status code.
func responseError(status int, err error) error {
	e := &struct { // one allocation for the four
		outer    awshttp.ResponseError
		inner    smithyhttp.ResponseError
		response smithyhttp.Response
		http     http.Response
	}{}
	e.http = http.Response{
		Status:     fmt.Sprint(status, " ", http.StatusText(status)),
		StatusCode: status,
		Header:     http.Header{},
		Body:       http.NoBody,
	}
	e.response.Response = &e.http
	e.inner = smithyhttp.ResponseError{Response: &e.response, Err: err}
	e.outer = awshttp.ResponseError{ResponseError: &e.inner, RequestID: requestID}
	return &e.outer
}

// An engineFailure is an error the engine did not mean to answer with. To callers
// it is an InternalServerError; as they share the process with the engine, they
// may also see the cause.
type engineFailure struct {
	shown *types.InternalServerError
	cause error
}

func newEngineFailure(cause error) *engineFailure {
	message := cause.Error()
	return &engineFailure{shown: &types.InternalServerError{Message: &message}, cause: cause}
}

func (e *engineFailure) Error() string { return e.shown.Error() }

// Unwrap offers both faces of the failure to errors.Is and errors.As.
func (e *engineFailure) Unwrap() []error { return []error{e.shown, e.cause} }
