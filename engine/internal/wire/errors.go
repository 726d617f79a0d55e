package wire

import (
	"net/http"

	"sortkey.dev/engine/internal/dynamo"
)

// namespace returns the namespace of the service's error types with this code.
func namespace(code dynamo.Code) string {
	switch code {
	case dynamo.Validation:
		return "com.amazon.coral.validate#"
	case dynamo.AccessDenied, dynamo.InternalFailure, dynamo.Serialization, dynamo.UnknownOperation:
		return "com.amazon.coral.service#"
	case dynamo.ExpiredIterator, dynamo.TrimmedDataAccess: // the other errors of streams belong to tables
		return "com.amazonaws.dynamodb.streams.v20120810#"
	default:
		return "com.amazonaws.dynamodb.v20120810#"
	}
}

// appendError appends the body of an error response and returns its status.
func appendError(dst []byte, err *dynamo.Error) (answer []byte, status int) {
	dst = append(dst, `{"__type":"`...)
	dst = append(dst, namespace(err.Code)...)
	dst = append(dst, err.Code...)
	dst = append(dst, '"')
	if err.Reasons != nil {
		dst = appendReasons(dst, err.Reasons)
	}
	if err.Item != nil {
		dst = append(dst, `,"Item":`...)
		dst = appendItem(dst, err.Item)
	}
	if err.Message != "" {
		dst = append(dst, ',')
		dst = appendString(dst, messageMember(err.Code))
		dst = append(dst, ':')
		dst = appendMessage(dst, err.Message)
	}
	dst = append(dst, '}')
	switch err.Code {
	case dynamo.InternalFailure, dynamo.InternalServerError:
		return dst, http.StatusInternalServerError
	default:
		return dst, http.StatusBadRequest
	}
}

// appendReasons appends the cancellation reason of each action of a transaction.
func appendReasons(dst []byte, reasons []dynamo.CancellationReason) []byte {
	dst = append(dst, `,"CancellationReasons":[`...)
	for i := range reasons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"Code":`...)
		dst = appendString(dst, reasons[i].Code)
		o := object{}
		dst = o.item(dst, "Item", reasons[i].Item)
		if reasons[i].Message != "" {
			dst = appendMessage(o.name(dst, "Message"), reasons[i].Message)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// messageMember returns the spelling of the member that holds the message. Most of the
// errors that came with transactions spell it like those of the framework.
func messageMember(code dynamo.Code) string {
	switch code {
	case dynamo.AccessDenied, dynamo.InternalFailure, dynamo.Serialization,
		dynamo.IdempotentParameterMismatch, dynamo.TransactionCanceled, dynamo.TransactionInProgress:
		return "Message"
	default:
		return "message"
	}
}
