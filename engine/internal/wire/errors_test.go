package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

func TestErrorAnswers(t *testing.T) {
	for _, test := range []struct {
		name   string
		err    error
		status int
		want   string
	}{
		{"validation", dynamo.Invalid("bad %q", "x"), 400, `{"__type":"com.amazon.coral.validate#ValidationException","message":"bad \"x\""}`},
		{"not found", dynamo.TableNotFound(), 400, `{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"}`},
		{"wrapped", fmt.Errorf("put: %w", dynamo.TableNotFound()), 400, `{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"}`},
		{"condition", dynamo.Errorf(dynamo.ConditionalCheckFailed, "The conditional request failed"), 400,
			`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed"}`},
		{"condition with item", &dynamo.Error{Code: dynamo.ConditionalCheckFailed, Message: "The conditional request failed", Item: textItem("pk", "a")}, 400,
			`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","Item":{"pk":{"S":"a"}},"message":"The conditional request failed"}`},
		{"access", dynamo.Errorf(dynamo.AccessDenied, "no"), 400, `{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"no"}`},
		{"cancelled", &dynamo.Error{Code: dynamo.TransactionCanceled, Message: "Transaction cancelled", Reasons: []dynamo.CancellationReason{
			{Code: dynamo.ReasonNone}, {Code: dynamo.ReasonConditionalCheckFailed, Message: "The conditional request failed", Item: textItem("pk", "a")},
			{Code: dynamo.ReasonValidationError, Message: "a\xffb"}, {Code: dynamo.ReasonConditionalCheckFailed, Item: textItem("pk", "b")}}}, 400,
			`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[{"Code":"None"},` +
				`{"Code":"ConditionalCheckFailed","Item":{"pk":{"S":"a"}},"Message":"The conditional request failed"},` +
				`{"Code":"ValidationError","Message":"a` + "\ufffd" + `b"},{"Code":"ConditionalCheckFailed","Item":{"pk":{"S":"b"}}}],"Message":"Transaction cancelled"}`},
		{"conflict", dynamo.Errorf(dynamo.TransactionConflict, "busy"), 400, `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException","message":"busy"}`},
		{"token in use", dynamo.Errorf(dynamo.TransactionInProgress, "busy"), 400, `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionInProgressException","Message":"busy"}`},
		{"token used", dynamo.Errorf(dynamo.IdempotentParameterMismatch, "no"), 400, `{"__type":"com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException","Message":"no"}`},
		{"iterator", dynamo.Errorf(dynamo.ExpiredIterator, "old"), 400, `{"__type":"com.amazonaws.dynamodb.streams.v20120810#ExpiredIteratorException","message":"old"}`},
		{"records", dynamo.Errorf(dynamo.TrimmedDataAccess, "gone"), 400, `{"__type":"com.amazonaws.dynamodb.streams.v20120810#TrimmedDataAccessException","message":"gone"}`},
		{"internal", dynamo.Errorf(dynamo.InternalServerError, "busy"), 500, `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"busy"}`},
		{"bytes that are no text", dynamo.Invalid("%s", "a\xffb"), 400, `{"__type":"com.amazon.coral.validate#ValidationException","message":"a` + "\ufffd" + `b"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log bytes.Buffer
			h := NewHandler(&fake{err: test.err}, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
			answer, status := h.Call(context.Background(), "GetItem", []byte(`{}`), nil)
			if status != test.status || string(answer) != test.want {
				t.Errorf("status %d, answer\n%s, want %d\n%s", status, answer, test.status, test.want)
			}
			if log.Len() > 0 {
				t.Errorf("an answer of the service was logged: %s", log.String())
			}
		})
	}
}

func TestFailuresAreLoggedAndNotShown(t *testing.T) {
	gone, leave := context.WithCancel(context.Background())
	leave()
	for _, test := range []struct {
		name string
		ctx  context.Context
		api  *fake
		logs []string // parts of the one line that is logged; none if there is no line
	}{
		{"error", context.Background(), &fake{err: errors.New("disk on fire")}, []string{"level=ERROR", `"operation failed"`, "operation=GetItem", "disk on fire"}},
		{"panic", context.Background(), &fake{panics: "disk on fire"}, []string{"level=ERROR", `"operation panicked"`, "operation=GetItem", "disk on fire", "fake_test.go"}},
		{"caller gone", gone, &fake{err: fmt.Errorf("read: %w", context.Canceled)}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log bytes.Buffer
			h := NewHandler(test.api, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
			answer, status := h.Call(test.ctx, "GetItem", []byte(`{}`), []byte("before"))
			if status != http.StatusInternalServerError || !strings.HasPrefix(string(answer), `before{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"`) {
				t.Errorf("status %d, answer %s", status, answer)
			}
			if strings.Contains(string(answer), "fire") {
				t.Errorf("the answer tells what is inside: %s", answer)
			}
			if lines := strings.Count(log.String(), "\n"); lines != min(len(test.logs), 1) {
				t.Errorf("%d lines are logged:\n%s", lines, log.String())
			}
			for _, part := range test.logs {
				if !strings.Contains(log.String(), part) {
					t.Errorf("%q is not in the log: %s", part, log.String())
				}
			}
		})
	}
}
