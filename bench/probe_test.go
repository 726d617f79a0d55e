package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestProbeAsksWhatThereIs has a DynamoDB without streams, in the two ways it
// can say so, and one that fails.
func TestProbeAsksWhatThereIs(t *testing.T) {
	tables := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"Table":{"TableStatus":"ACTIVE","LatestStreamArn":"arn"}}`)
	}
	refuse := func(status int, kind, text string) func(w http.ResponseWriter, r *http.Request) {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			fmt.Fprintf(w, `{"__type":"com.amazon.coral.service#%s","message":%q}`, kind, text)
		}
	}
	for _, c := range []struct {
		name    string
		op      string // that is refused
		refuse  http.HandlerFunc
		missing bool
		failed  bool
	}{
		{"everything", "", nil, false, false},
		{"unknown operation", "DescribeStream", refuse(400, "UnknownOperationException", ""), true, false},
		{"refused parameter", "CreateTable", refuse(400, "ValidationException", "StreamSpecification is not supported"), true, false},
		{"refused otherwise", "CreateTable", refuse(400, "ValidationException", "TableName is too short"), false, true},
		{"out of order", "DescribeStream", refuse(500, "InternalServerError", "not supported"), false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dropped := false
			handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, op, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
				dropped = dropped || op == "DeleteTable"
				if op == c.op {
					c.refuse(w, r)
					return
				}
				tables(w, r)
			})
			got, err := findMissing(&handlerPoster{handler: handler}, testRun, []workload{workloadByID("get"), streamWorkloads[0]})
			if (err != nil) != c.failed || slices.Contains(got, streams) != c.missing {
				t.Errorf("missing %v, error %v", got, err)
			}
			if dropped != (c.op != "CreateTable") {
				t.Errorf("table dropped: %v", dropped)
			}
		})
	}
}

func TestMissingFeaturesKeepWorkloads(t *testing.T) {
	rows := []row{{work: workloadByID("get")}, {work: workloadByID("transact-fsync")}, {work: workloadByID("put-fsync-2gsi-stream")}}
	left := missing{streams, onlineIndexes}.possible(rows)
	if len(left) != 2 || left[1].work.id != "transact-fsync" || len(rows) != 3 {
		t.Errorf("left: %v", left)
	}
	for _, w := range slices.Concat(workloads, streamWorkloads, backfillWorkloads, flatWorkloads) {
		for _, need := range w.needs() {
			if featureProbes[need] == nil {
				t.Errorf("%s needs %s, and nobody can find out about it", w.id, need)
			}
		}
	}
}
