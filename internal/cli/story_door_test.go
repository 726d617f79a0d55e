package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// A door lets only those requests through to an endpoint that a policy allows, as IAM would.
type door struct {
	statements []doorStatement
	through    http.Handler
}

type doorStatement struct {
	Action, Resource []string
	Condition        map[string]map[string][]string
}

// openDoor is the command of stories: door NAME URL POLICY sets $NAME to the URL of the door.
func openDoor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: door NAME URL POLICY")
	}
	var policy struct{ Statement []doorStatement }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[2])), &policy))
	target, err := url.Parse(args[1])
	ts.Check(err)
	server := httptest.NewServer(&door{policy.Statement, httputil.NewSingleHostReverseProxy(target)})
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL)
}

// A doorRequest is the part of a request that decides what it needs.
type doorRequest struct {
	TableName, IndexName, ResourceArn, StreamArn string
	Key, Item                                    map[string]map[string]any
	TransactItems                                []map[string]doorRequest
}

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	_, action, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	var request doorRequest
	if err := json.Unmarshal(body, &request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for _, one := range request.parts(action) {
		if !d.allows(one.action, one.doorRequest) {
			w.Header().Set("Content-Type", "application/x-amz-json-1.0")
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"User: arn:aws:iam::123456789012:user/story is not authorized to perform: dynamodb:%s on resource: %s"}`,
				one.action, one.resource())
			return
		}
	}
	d.through.ServeHTTP(w, r)
}

type doorPart struct {
	action string
	doorRequest
}

// parts returns the actions for which IAM asks. Transactions have none of their own.
func (r doorRequest) parts(action string) []doorPart {
	if action != "TransactWriteItems" {
		return []doorPart{{action, r}}
	}
	var all []doorPart
	for _, item := range r.TransactItems {
		for kind, one := range item {
			all = append(all, doorPart{map[string]string{"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}[kind], one})
		}
	}
	return all
}

func (r doorRequest) resource() string {
	for _, arn := range []string{r.ResourceArn, r.StreamArn} {
		if _, after, ok := strings.Cut(arn, ":table/"); ok {
			return "arn:aws:dynamodb:*:*:table/" + after
		}
	}
	if r.IndexName != "" {
		return "arn:aws:dynamodb:*:*:table/" + r.TableName + "/index/" + r.IndexName
	}
	return "arn:aws:dynamodb:*:*:table/" + r.TableName
}

func (d *door) allows(action string, r doorRequest) bool {
	return slices.ContainsFunc(d.statements, func(s doorStatement) bool {
		return slices.Contains(s.Action, "dynamodb:"+action) && slices.ContainsFunc(s.Resource, func(resource string) bool {
			start, any := strings.CutSuffix(resource, "*")
			return resource == r.resource() || any && strings.HasPrefix(r.resource(), start) || action == "ListStreams" || action == "GetRecords" // an iterator names no stream here
		}) && s.leads(r)
	})
}

// leads reports whether the key of a request is one of those that a statement is restricted to.
func (s doorStatement) leads(r doorRequest) bool {
	keys := s.Condition["ForAllValues:StringEquals"]["dynamodb:LeadingKeys"]
	if keys == nil {
		return true
	}
	for _, item := range []map[string]map[string]any{r.Key, r.Item} {
		for _, value := range item {
			if text, ok := value["S"].(string); ok && slices.Contains(keys, text) {
				return true
			}
		}
	}
	return false
}
