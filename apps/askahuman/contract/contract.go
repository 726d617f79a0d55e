// Package contract declares the operations of Ask-a-Human's JSON API, with the types of their requests and
// responses and what the OpenAPI document says of them: once for the server, the document, webhooks and the Go
// client. It knows no rules and sends nothing. Packages api, client, callbacks and questions import it.
package contract

import "sortkey.dev/apps/internal/operation"

// The tags of operations.
const (
	Agents  = "Agents"
	People  = "People"
	Service = "Service"
)

// None is the type of missing arguments and of empty responses.
type None = operation.None

// An Agent says who asks.
type Agent struct {
	AgentID string `header:"X-Agent-Id" doc:"Who asks. The id is yours to choose: letters, digits and . _ - : @. A key alone says it, too." schema:"maxLength=64; pattern=^[A-Za-z0-9._:@-]+$" example:"release-bot"`
}

// OfAgent holds the arguments of operations on a question of an agent.
type OfAgent struct {
	Agent
	ID string `path:"id" doc:"The id of the question."`
}

// A Visitor may say who reads.
type Visitor struct {
	Fingerprint string `header:"X-Fingerprint" doc:"The token of POST /human/identity."`
	Zone        *int   `header:"X-Timezone-Offset" doc:"Minutes east of UTC, where the person is now. Left out, it is the offset of their last answer, and 0 before the first." schema:"minimum=-720; maximum=840"`
}

// A Person says who acts.
type Person struct {
	Fingerprint string `header:"X-Fingerprint" required:"true" doc:"The token of POST /human/identity."`
	Zone        *int   `header:"X-Timezone-Offset" doc:"Minutes east of UTC, where the person is now. Left out, it is the offset of their last answer, and 0 before the first." schema:"minimum=-720; maximum=840"`
}

// PersonWith holds the arguments of operations of a person with a body.
type PersonWith[T any] struct {
	Person
	Body T
}

// Responses besides success, by status, and headers of success.
const (
	invalid            = "400 Invalid"
	agentUnauthorized  = "401 AgentUnauthorized"
	personUnauthorized = "401 PersonUnauthorized"
	banned             = "403 Banned"
	noQuestion         = "404 NoQuestion"
	notFound           = "404 NotFound"
	closed             = "410 Closed"
	tooLarge           = "413 TooLarge"
	notJSON            = "415 NotJSON"
	requestID          = "X-Request-Id RequestId"
)

var limited = []string{requestID, "X-RateLimit-Limit RateLimit", "X-RateLimit-Remaining RateRemaining", "X-RateLimit-Reset RateReset"}

// refusals returns the responses of an operation besides success: these, and those that every operation has.
func refusals(some ...string) []string {
	return append(some, "429 RateLimited", "default Failure")
}

// forAgents returns what the document says of an operation of agents that reads.
func forAgents(id, success string, example any, more ...string) operation.Spec {
	return operation.Spec{
		ID: id, Tag: Agents, Scheme: "agentKey", Success: success, Example: example, Headers: limited,
		Refusals: refusals(append(more, invalid, agentUnauthorized, banned)...),
	}
}

// forPeople returns what the document says of an operation of people.
func forPeople(id, success string, body, example any, some ...string) operation.Spec {
	return operation.Spec{ID: id, Tag: People, Scheme: operation.NoScheme, Success: success, Body: body, Example: example, Headers: limited, Refusals: refusals(some...)}
}

// The operations on the service.
var (
	GetHealth = operation.Get[None, Health]("/health", "Is it well?").Open().
			Describe("Reads from the database, and writes to it unless that was done within the last ten seconds.").
			Says(operation.Spec{
			ID: "getHealth", Tag: Service, Scheme: operation.NoScheme, Success: "It is.", Example: Health{"ok"}, Headers: []string{requestID},
			Refusals: []string{"429 RateLimited", "503 Unavailable"},
		})
	GetMetrics = operation.Get[None, operation.File]("/metrics", "Numbers for operators").Sends("text/plain").
			Describe("The numbers of the operators' overview in the text format of Prometheus: what happened in the last 24 hours, what waits now, and how the work of the background is doing. With them how this process has answered since it began: requests by route, method and status, and how long callers waited. Sixty wrong tokens in five minutes for an address.").
			Says(operation.Spec{
			ID: "getMetrics", Tag: Service, Scheme: "operatorSecret", Success: "The numbers.", Headers: []string{requestID},
			Example:  "# TYPE askahuman_queue gauge\naskahuman_queue{queue=\"jobs_due\"} 0\n",
			Refusals: refusals("401 OperatorUnauthorized"),
		})
	GetDescription = operation.Get[None, map[string]any]("/openapi.json", "This document").Open().
			Says(operation.Spec{
			ID: "getDescription", Tag: Service, Scheme: operation.NoScheme, Success: "The document.", Headers: []string{requestID},
			Example: map[string]string{"openapi": "3.1.0"}, Refusals: []string{"429 RateLimited"},
		})
)

// Health is the response of a system that is well.
type Health struct {
	Status string `json:"status" schema:"const=ok"`
}
