package api_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/api"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
)

// operations are calls of everything the document has that promises an answer of a status,
// as its examples show it.
func operations(t *testing.T, status string) []call {
	t.Helper()
	d := theDocument()
	var calls []call
	for path := range d.object("paths") {
		for verb := range d.object("paths", path) {
			if d.object("paths", path, verb, "responses")[status] == nil {
				continue
			}
			c := call{method: strings.ToUpper(verb), path: strings.ReplaceAll(path, "{id}", "01KGF4RY00A1B2C3D4E5F6G7H8")}
			if body := d.object("paths", path, verb, "requestBody", "content", "application/json"); body != nil {
				c.body = body["example"]
			}
			calls = append(calls, c)
		}
	}
	if len(calls) == 0 {
		t.Fatalf("nothing in the document answers with %s", status)
	}
	return calls
}

func (c call) ofAgents() bool { return strings.HasPrefix(c.path, "/agent/") }

func TestUnidentifiedCallersAreRefusedEverywhere(t *testing.T) {
	s := open(t)
	key := s.must(t, http.StatusCreated, call{method: "POST", path: "/agent/key", agent: "guarded"}).str("key")
	if key == "" {
		t.Fatal("there is no key")
	}
	for _, c := range operations(t, "401") {
		c.agent, c.key, c.person, c.ip = "guarded", "wrong", "forged.token.x", freshIP()
		a := s.refused(t, http.StatusUnauthorized, "UNAUTHORIZED", c)
		if got := a.header.Get("WWW-Authenticate"); c.ofAgents() && got != `Bearer realm="agents"` {
			t.Errorf("%s %s: the challenge is %q", c.method, c.path, got)
		}
	}
	for _, header := range []string{"", "Basic Z3VhcmRlZDp4", "Bearer "} {
		s.refused(t, http.StatusUnauthorized, "UNAUTHORIZED", call{method: "GET", path: "/agent/questions", agent: "guarded", header: map[string]string{"Authorization": header}})
	}
	s.must(t, http.StatusOK, call{method: "GET", path: "/agent/questions", agent: "guarded", key: key})
	s.must(t, http.StatusOK, call{method: "GET", path: "/agent/questions", key: key}) // the key says who it is
	second := s.must(t, http.StatusCreated, call{method: "POST", path: "/agent/key", agent: "guarded", key: key}).str("key")
	s.refused(t, http.StatusUnauthorized, "UNAUTHORIZED", call{method: "GET", path: "/agent/questions", agent: "guarded", key: key})
	s.must(t, http.StatusOK, call{method: "GET", path: "/agent/questions", agent: "guarded", key: second})
	s.refused(t, http.StatusUnauthorized, "UNAUTHORIZED", call{method: "GET", path: "/human/stats", ip: freshIP()})
}

// TestRefusalsSayWhatToDo: who gets one is a developer, and there is no page to load again.
func TestRefusalsSayWhatToDo(t *testing.T) {
	s := open(t)
	s.must(t, http.StatusCreated, call{method: "POST", path: "/agent/key", agent: "guarded"})
	keyed := func(prompt string) call {
		return call{method: "POST", path: "/agent/questions", agent: "bot", header: map[string]string{"X-Idempotency-Key": "k"},
			body: fields{"prompt": prompt, "type": "text"}}
	}
	s.must(t, http.StatusCreated, keyed("Which of these sounds friendlier?"))
	others := s.ask(t, "other", nil)
	for name, test := range map[string]struct {
		call   call
		status int
		want   []string
	}{
		"a forged token":        {call{method: "GET", path: "/human/stats", person: "forged"}, 401, []string{"X-Fingerprint", "POST /human/identity"}},
		"no token":              {call{method: "GET", path: "/human/stats"}, 401, []string{"X-Fingerprint", "POST /human/identity"}},
		"no key":                {call{method: "GET", path: "/agent/questions", agent: "guarded"}, 401, []string{"Authorization: Bearer"}},
		"no agent":              {call{method: "GET", path: "/agent/questions"}, 400, []string{"X-Agent-Id", "yours to choose"}},
		"a key used again":      {keyed("Which of those sounds friendlier?"), 409, []string{"24 hours", "a new one"}},
		"another's question":    {poll("bot", others), 404, []string{"This agent has no such question", "7 days", "24 hours"}},
		"closing another's":     {call{method: "DELETE", path: "/agent/questions/" + others, agent: "bot"}, 404, []string{"This agent has no such question"}},
		"another's events":      {call{method: "GET", path: "/agent/questions/" + others + "/events", agent: "bot"}, 404, []string{"This agent has no such question"}},
		"a person's, not there": {call{method: "GET", path: "/human/questions/nothing"}, 404, []string{"There is no such question."}},
	} {
		said := s.must(t, test.status, test.call).str("error", "message")
		for _, want := range test.want {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q does not say %q", name, said, want)
			}
		}
	}
}

func TestBannedCallersAreRefusedEverywhere(t *testing.T) {
	s := open(t)
	question := s.ask(t, "good", nil)
	s.ask(t, "bad", nil) // it exists now
	if err := s.Operators.SetAgentModerationStatus(t.Context(), "op", "bad", askahumandb.AgentStandingBanned); err != nil {
		t.Fatal(err)
	}
	token := s.newcomer(t)
	person, err := s.People.Identify(token, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Operators.SetModerationStatus(t.Context(), "op", person.Hash, askahumandb.UserStatsStandingBanned); err != nil {
		t.Fatal(err)
	}
	for _, c := range operations(t, "403") {
		c.agent, c.person = "bad", token
		if !c.ofAgents() {
			c.body = fields{"question_id": question, "answer": "I would rather not say"}
		}
		if strings.HasPrefix(c.path, "/human/push/") {
			c.body = fields{"channel": "inbox"}
		}
		s.refused(t, http.StatusForbidden, "FORBIDDEN", c)
	}
}

func TestBadBodiesAreRefusedEverywhere(t *testing.T) {
	s := open(t)
	for _, c := range operations(t, "415") {
		c.agent, c.person, c.ip = "bot", s.newcomer(t), freshIP()
		body := c.body
		c.body = `{"prompt":"` + strings.Repeat("a", api.MaxBody) + `"}`
		s.refused(t, http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE", c)
		c.body, c.header = body, map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
		s.refused(t, http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", c)
		c.body, c.header = `{"a`, nil
		s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", c)
	}
}

func TestBadHeadersAreRefusedEverywhere(t *testing.T) {
	s := open(t)
	for _, c := range operations(t, "400") {
		c.person, c.ip, c.header = s.newcomer(t), freshIP(), map[string]string{"X-Timezone-Offset": "noon"}
		field := "X-Timezone-Offset"
		if c.ofAgents() {
			field = "X-Agent-Id"
		}
		if got := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", c).str("error", "details", "field"); got != field {
			t.Errorf("%s %s blames %q, want %q", c.method, c.path, got, field)
		}
	}
	for agent, constraint := range map[string]string{"two words": "format", strings.Repeat("a", 65): "length", "": "required"} {
		a := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", call{method: "GET", path: "/agent/questions", agent: agent})
		if got := a.str("error", "details", "constraint"); got != constraint || a.str("error", "details", "field") != "X-Agent-Id" {
			t.Errorf("the agent %q: %s, want the constraint %s of X-Agent-Id", agent, a.text, constraint)
		}
	}
	a := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", call{method: "GET", path: "/human/questions", header: map[string]string{"X-Timezone-Offset": "900"}})
	if a.num("error", "details", "min") != -720 || a.num("error", "details", "max") != 840 {
		t.Errorf("a zone of 15 hours: %s", a.text)
	}
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	s := open(t)
	others := s.ask(t, "other", nil)
	for _, c := range operations(t, "404") {
		c.agent, c.person, c.ip = "bot", s.newcomer(t), freshIP()
		code := "QUESTION_NOT_FOUND"
		if strings.Contains(c.path, "/push/") {
			code = "NOT_FOUND"
		}
		if c.path == "/human/push/key" {
			bare := serveOn(t, s.World, s.Domain, func(o *api.Options) { o.VAPIDPublicKey = "" })
			bare.refused(t, http.StatusNotFound, code, c)
			continue
		}
		s.refused(t, http.StatusNotFound, code, c)
		if c.ofAgents() { // what belongs to another is not there, either
			c.path = strings.ReplaceAll(c.path, "01KGF4RY00A1B2C3D4E5F6G7H8", others)
			s.refused(t, http.StatusNotFound, code, c)
		}
	}
	for _, path := range []string{"/", "/agent", "/agent/questions/", "/agent//questions", "/human/questions/x/y", "/admin"} {
		a := s.must(t, http.StatusNotFound, call{method: "GET", path: path, agent: "bot"})
		want := fields{"error": fields{"code": "NOT_FOUND", "message": "There is nothing at this address."}}
		if diff := cmp.Diff(want, a.json); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func TestMethodsThatDoNotFit(t *testing.T) {
	s := open(t)
	for path, allowed := range map[string]string{
		"/agent/questions":         "GET, HEAD, POST, OPTIONS",
		"/agent/questions/x":       "DELETE, GET, HEAD, OPTIONS",
		"/human/push/subscribe":    "POST, PUT, OPTIONS",
		"/human/push/subscribe/id": "DELETE, OPTIONS",
		"/health":                  "GET, HEAD, OPTIONS",
	} {
		a := s.refused(t, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", call{method: "PATCH", path: path})
		if got := a.header.Get("Allow"); got != allowed {
			t.Errorf("%s allows %q, want %q", path, got, allowed)
		}
		a = s.must(t, http.StatusNoContent, call{method: "OPTIONS", path: path})
		if got := a.header.Get("Allow"); got != allowed {
			t.Errorf("OPTIONS %s allows %q, want %q", path, got, allowed)
		}
	}
	s.must(t, http.StatusNotFound, call{method: "OPTIONS", path: "/nowhere"})
	a := s.must(t, http.StatusOK, call{method: "HEAD", path: "/health"})
	if a.text != "" || a.header.Get("Content-Length") == "" {
		t.Errorf("HEAD answers %q with the length %q", a.text, a.header.Get("Content-Length"))
	}
}

func TestPagesOfOtherOriginsMayUseIt(t *testing.T) {
	s := open(t)
	preflight := s.must(t, http.StatusNoContent, call{method: "OPTIONS", path: "/agent/questions", header: map[string]string{
		"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-agent-id"}})
	want := map[string]string{
		"Access-Control-Allow-Origin":      "*",
		"Access-Control-Allow-Methods":     "GET, HEAD, POST, OPTIONS",
		"Access-Control-Allow-Headers":     "Content-Type, X-Fingerprint, X-Agent-Id, X-Idempotency-Key, X-Timezone-Offset, Authorization, Last-Event-ID",
		"Access-Control-Expose-Headers":    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Location, X-Request-Id",
		"Access-Control-Max-Age":           "3600",
		"Access-Control-Allow-Credentials": "",
	}
	for name, value := range want {
		if got := preflight.header.Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	a := s.do(t, call{method: "GET", path: "/nowhere", header: map[string]string{"Origin": "https://elsewhere.example"}})
	if got := a.header.Get("Access-Control-Allow-Origin"); got != "*" {
		t.Errorf("an error may be read by %q, want everybody", got)
	}
}

// brokenDB is a database that cannot be reached until it is mended.
type brokenDB struct {
	apps.DynamoDB
	mended *atomic.Bool
}

var errBroken = errors.New("dial tcp 10.1.2.3:8000: disk on fire")

func (b brokenDB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	if !b.mended.Load() {
		return nil, errBroken
	}
	return b.DynamoDB.GetItem(ctx, in, options...)
}

func (b brokenDB) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if !b.mended.Load() {
		return nil, errBroken
	}
	return b.DynamoDB.UpdateItem(ctx, in, options...)
}

// broken returns the world on such a database.
func (s *site) broken(t *testing.T) (*askahumantest.World, *atomic.Bool) {
	t.Helper()
	var mended atomic.Bool
	return s.Through(t, brokenDB{s.Database.DynamoDB, &mended}), &mended
}

func TestFailuresShowAnIDAndNothingElse(t *testing.T) {
	s := open(t)
	token := s.newcomer(t)
	world, _ := s.broken(t)
	for _, c := range operations(t, "default") {
		broken := serveOn(t, s.World, world.Domain, func(o *api.Options) { o.Staff = staffOf(t, world) })
		if c.agent, c.person = "bot", token; c.path == "/metrics" {
			c.key = operatorSecret
		}
		a := broken.refused(t, http.StatusInternalServerError, "SERVER_ERROR", c)
		id := a.str("error", "details", "request_id")
		if id == "" || id != a.header.Get("X-Request-Id") {
			t.Errorf("%s %s: the id %q is not that of the header, %q", c.method, c.path, id, a.header.Get("X-Request-Id"))
		}
		if strings.Contains(a.text, "fire") {
			t.Errorf("%s %s tells what is inside: %s", c.method, c.path, a.text)
		}
		log := broken.log.String()
		if strings.Count(log, "level=ERROR") != 1 || !strings.Contains(log, "request="+id) || !strings.Contains(log, "disk on fire") {
			t.Errorf("%s %s logs %s, want the failure of request %s once", c.method, c.path, log, id)
		}
	}
	broken := serveOn(t, s.World, world.Domain, func(*api.Options) {})
	broken.refused(t, http.StatusServiceUnavailable, "UNAVAILABLE", call{method: "GET", path: "/health"})
	s.must(t, http.StatusOK, call{method: "GET", path: "/health"})
}

// fragileDB fails with the question that breaks it.
type fragileDB struct{ apps.DynamoDB }

const breaking = "Does this break the database?"

func (f fragileDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	for _, item := range in.TransactItems {
		if item.Put != nil {
			if prompt, ok := item.Put.Item["prompt"].(*types.AttributeValueMemberS); ok && prompt.Value == breaking {
				return nil, errBroken
			}
		}
	}
	return f.DynamoDB.TransactWriteItems(ctx, in, options...)
}

func TestAFailureInABatchDoesNotStopTheOthers(t *testing.T) {
	s := open(t)
	s = serveOn(t, s.World, s.Through(t, fragileDB{s.Database.DynamoDB}).Domain, func(*api.Options) {})
	good := fields{"prompt": "Which of these sounds friendlier?", "type": "text"}
	a := s.must(t, http.StatusOK, call{method: "POST", path: "/agent/questions:batch", agent: "bot",
		body: fields{"questions": []any{good, fields{"prompt": breaking, "type": "text"}, good}}})
	if a.num("results", 0, "status") != 201 || a.num("results", 1, "status") != 500 || a.num("results", 2, "status") != 201 {
		t.Errorf("got %s, want the second one to fail", a.text)
	}
	id := a.str("results", 1, "error", "details", "request_id")
	if log := s.log.String(); strings.Count(log, "level=ERROR") != 1 || !strings.Contains(log, "request="+id) || strings.Contains(a.text, "fire") {
		t.Errorf("the log has %s, the answer %s", log, a.text)
	}
}

func TestRequestsAndFailuresAreCounted(t *testing.T) {
	whole := open(t)
	world, mended := whole.broken(t)
	s := serveOn(t, whole.World, world.Domain, func(*api.Options) {})
	s.must(t, http.StatusNotFound, call{method: "GET", path: "/nowhere"})
	s.must(t, http.StatusInternalServerError, call{method: "GET", path: "/agent/questions", agent: "bot"})
	mended.Store(true)
	s.must(t, http.StatusOK, call{method: "GET", path: "/health"})
	if err := world.Env.FlushMetrics(t.Context()); err != nil {
		t.Fatal(err)
	}
	numbers, err := world.Metrics(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := numbers.Totals[string(askahuman.MetricRequest)]; got != 3 {
		t.Errorf("%d requests were counted, want 3", got)
	}
	if got := numbers.Totals[string(askahuman.MetricFailure)]; got != 1 {
		t.Errorf("%d failures were counted, want 1", got)
	}
}

func TestAddressIsRateLimitedAtTheEdge(t *testing.T) {
	s := open(t) // its clock stands still, so that nothing is forgiven
	for range 500 {
		s.must(t, http.StatusOK, call{method: "HEAD", path: "/health", ip: "203.0.113.1"})
	}
	for _, c := range operations(t, "429") {
		c.agent, c.ip = "bot", "203.0.113.1"
		a := s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", c)
		if a.header.Get("Retry-After") != "1" || a.header.Get("X-RateLimit-Limit") != "100" || a.header.Get("X-RateLimit-Remaining") != "0" {
			t.Errorf("%s %s: the headers are %v", c.method, c.path, a.header)
		}
	}
	s.must(t, http.StatusOK, call{method: "GET", path: "/health", ip: "203.0.113.2"})
}
