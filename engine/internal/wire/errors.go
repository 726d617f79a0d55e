package wire

import (
	"net/http"

	"sortkey.dev/engine/internal/dynamo"
)

// codeAccessDenied is the one code of the framework that operations return.
const codeAccessDenied dynamo.Code = "AccessDeniedException"

// namespace is where the service keeps the error types with this code.
func namespace(code dynamo.Code) string {
	switch code {
	case dynamo.Validation:
		return "com.amazon.coral.validate#"
	case dynamo.Serialization, dynamo.UnknownOperation, codeAccessDenied:
		return "com.amazon.coral.service#"
	default:
		return "com.amazonaws.dynamodb.v20120810#"
	}
}

// appendError appends the body of an error answer and returns its status.
func appendError(dst []byte, err *dynamo.Error) (answer []byte, status int) {
	dst = append(dst, `{"__type":"`...)
	dst = append(dst, namespace(err.Code)...)
	dst = append(dst, err.Code...)
	dst = append(dst, '"')
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
	if err.Code == dynamo.InternalServerError {
		return dst, http.StatusInternalServerError
	}
	return dst, http.StatusBadRequest
}

// messageMember is the spelling of the member that holds the message.
func messageMember(code dynamo.Code) string {
	switch code {
	case dynamo.Serialization, codeAccessDenied:
		return "Message"
	default:
		return "message"
	}
}
