package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"sortkey.dev/apps/askahuman/client"
)

// maxBatch is the maximum number of messages in a batch. Rate limits of an address count a batch as
// one request, and each message costs a response. Versions of the protocol since 2025-06-18 have no
// batches.
const maxBatch = 25

// limitBatch refuses batches of more than maxBatch messages.
func limitBatch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			status := http.StatusBadRequest
			if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
				status = http.StatusRequestEntityTooLarge
			}
			refuse(w, status, "The message is too large or could not be read.", "body", "length")
			return
		}
		switch n, err := messages(body); {
		case err != nil:
			refuse(w, http.StatusBadRequest, "The batch is no JSON.", "body", "format")
			return
		case n > maxBatch:
			refuse(w, http.StatusBadRequest, fmt.Sprintf("A batch has at most %d messages; this one has %d.", maxBatch, n), "body", "count")
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// messages returns the number of messages in a body: those of a batch, or one. Like the reader of the
// protocol it ignores what follows a batch.
func messages(body []byte) (int, error) {
	if body = bytes.TrimLeft(body, " \t\r\n"); len(body) == 0 || body[0] != '[' {
		return 1, nil
	}
	var batch []json.RawMessage
	err := json.NewDecoder(bytes.NewReader(body)).Decode(&batch)
	return len(batch), err
}

// refuse responds with an error in the form of the API.
func refuse(w http.ResponseWriter, status int, message, field, constraint string) {
	var body struct {
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
			Details struct {
				Field      string `json:"field"`
				Constraint string `json:"constraint"`
			} `json:"details"`
		} `json:"error"`
	}
	body.Error.Code, body.Error.Message = client.ErrInvalid.Code, message
	body.Error.Details.Field, body.Error.Details.Constraint = field, constraint
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a disconnected client does not matter
}
