package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// canceled returns the answer to a transaction whose second action failed.
func canceled(code string) string {
	return `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","message":"Transaction cancelled",` +
		`"CancellationReasons":[{"Code":"None"},{"Code":"` + code + `"},{"Code":"None"}]}`
}

// readAll returns the body of a request that is in memory.
func readAll(r *http.Request) string {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err.Error()
	}
	return string(body)
}

// refusing answers the first requests with a failure and notes their bodies.
type refusing struct {
	answer string
	left   int
	bodies []string
}

func (h *refusing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.bodies = append(h.bodies, readAll(r))
	if h.left--; h.left >= 0 {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, h.answer)
		return
	}
	fmt.Fprint(w, "{}")
}

// TestConflictsAreRepeated has a transaction meet two others: the same request is
// sent three times, and counts as one.
func TestConflictsAreRepeated(t *testing.T) {
	w := workloadByID("transact-fsync")
	for _, c := range []struct {
		name    string
		answer  string
		retries int
		ok      bool
	}{
		{"conflict", canceled("TransactionConflict"), 2, true},
		{"condition", canceled("ConditionalCheckFailed"), 0, false},
		{"both", strings.Replace(canceled("TransactionConflict"), "None", "ValidationError", 1), 0, false},
		{"a plain write's conflict", `{"__type":"TransactionConflictException","message":"TransactionConflict"}`, 0, false},
		{"no JSON", "TransactionConflict", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			inMemory := &refusing{answer: c.answer, left: 2}
			overHTTP := &refusing{answer: c.answer, left: 2}
			server := httptest.NewServer(overHTTP)
			defer server.Close()
			remote, err := newHTTPCaller(server.URL, w, testRun, 1)
			if err != nil {
				t.Fatal(err)
			}
			defer remote.close()
			local := &jsonCaller{handlerPoster: handlerPoster{handler: inMemory}, work: w, body: w.requestBody("t"), rnd: newRandom(1), keys: 200}
			for _, one := range []struct {
				caller  caller
				handler *refusing
			}{{local, inMemory}, {remote, overHTTP}} {
				if err := one.caller.do(false); (err == nil) != c.ok {
					t.Errorf("%T: got %v", one.caller, err)
				}
				if got := retriesOf([]caller{one.caller}); got != c.retries {
					t.Errorf("%T: %d were repeated, want %d", one.caller, got, c.retries)
				}
				for _, body := range one.handler.bodies {
					if body != one.handler.bodies[0] {
						t.Errorf("%T: another request was sent: %s", one.caller, body)
					}
				}
			}
		})
	}
}

func TestConflictsEnd(t *testing.T) {
	w := workloadByID("transact-fsync")
	always := &refusing{answer: canceled("TransactionConflict"), left: 2 * maxConflicts}
	c := &jsonCaller{handlerPoster: handlerPoster{handler: always}, work: w, body: w.requestBody("t"), rnd: newRandom(1), keys: 200}
	if err := c.do(false); err == nil || !strings.Contains(err.Error(), conflictCode) {
		t.Errorf("got %v", err)
	}
	if len(always.bodies) != maxConflicts {
		t.Errorf("tried %d times, want %d", len(always.bodies), maxConflicts)
	}
}

// conflictingAPI refuses the first transactions with the code.
type conflictingAPI struct {
	typedAPI
	code   string
	left   int
	tokens []string
}

func (a *conflictingAPI) TransactWriteItems(_ context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	a.tokens = append(a.tokens, aws.ToString(in.ClientRequestToken))
	if a.left--; a.left >= 0 {
		return nil, &types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{{Code: aws.String("None")}, {Code: &a.code}}}
	}
	return &dynamodb.TransactWriteItemsOutput{}, nil
}

func TestTypedConflictsAreRepeated(t *testing.T) {
	api := &conflictingAPI{code: conflictCode, left: 2}
	c := newTypedCaller(api, workloadByID("transact-fsync"), testRun, 1)
	for range 2 {
		if err := c.do(false); err != nil {
			t.Fatal(err)
		}
	}
	if len(api.tokens) != 4 || api.tokens[0] != api.tokens[2] || api.tokens[2] == api.tokens[3] || c.retried() != 2 {
		t.Errorf("%d were repeated, tokens %v; want two of the first", c.retried(), api.tokens)
	}
	if err := newTypedCaller(&conflictingAPI{code: conditionCode, left: 1}, workloadByID("transact-fsync"), testRun, 1).do(false); err == nil {
		t.Error("a failed condition was repeated")
	}
}

// TestVerifyRefusesWrongTransactions has an engine that does transactions, but
// not as it should.
func TestVerifyRefusesWrongTransactions(t *testing.T) {
	w := workloadByID("transact-fsync")
	db := loadedEngine(t)
	for _, c := range []struct {
		name   string
		change func(body string) (string, bool) // false: answer without doing anything
	}{
		{"nothing done", func(body string) (string, bool) { return body, false }},
		{"tokens are not known", func(body string) (string, bool) {
			_, rest, _ := strings.Cut(body, `",`)
			return `{` + strings.Replace(rest, newCondition, existsCondition+" OR "+newCondition, 1), true
		}},
		{"conditions do not count", func(body string) (string, bool) {
			return strings.Replace(body, newCondition, "attribute_not_exists(nothing)", 1), true
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			broken := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				if !strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".TransactWriteItems") {
					db.ServeHTTP(rw, r)
					return
				}
				body, do := c.change(readAll(r))
				if !do {
					fmt.Fprint(rw, "{}")
					return
				}
				status, answer, err := (&handlerPoster{handler: db}).post("TransactWriteItems", []byte(body))
				if err != nil {
					t.Error(err)
				}
				rw.WriteHeader(status)
				_, _ = rw.Write(answer)
			})
			if err := w.verify(&handlerPoster{handler: broken}, testRun); err == nil {
				t.Error("a wrong answer was accepted")
			} else {
				t.Log(err)
			}
		})
	}
}
