package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/domain"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/openapi/openapitest"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webtest"
)

// What no caller but the admin of the exam may see before the answers are shown, and what no caller
// but Cleopatra and her admin may see at all.
var (
	secrets  = []string{"Explained-to-admins-7261", "Blank-solution-9483", `"correctAnswer"`, `"key":`, `"isCorrect"`}
	personal = []string{"Cleopatra", "cleopatra@example.org"}
)

// A person has a browser and a token.
type person struct {
	*webtest.Visitor
	name, role, token string
}

// sent is a response of the API.
type sent struct {
	code int
	text string
}

// call sends a request to the API.
func (p *person) call(method, path string, in any) sent {
	p.T.Helper()
	var content io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			p.T.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(p.T.Context(), method, p.Base+path, content)
	if err != nil {
		p.T.Fatal(err)
	}
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.T.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.T.Fatal(err)
	}
	return sent{response.StatusCode, string(text)}
}

// must sends a request that succeeds, and decodes the response.
func (p *person) must(method, path string, in, into any) {
	p.T.Helper()
	got := p.call(method, path, in)
	if got.code >= 300 {
		p.T.Fatalf("%s %s: %d %s", method, path, got.code, got.text)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(got.text), into); err != nil {
			p.T.Fatal(err)
		}
	}
}

// enter signs a person up on the pages, and in to the API.
func enter(t *testing.T, base, name, role string) *person {
	t.Helper()
	p := &person{Visitor: webtest.NewVisitor(t, base), name: name, role: role}
	if role == "" {
		return p
	}
	p.Visitor = signUp(t, base, name, map[string]string{"admin": "build"}[role])
	p.signIn()
	return p
}

func (p *person) signIn() {
	p.T.Helper()
	var tokens contract.Tokens
	p.must("POST", "/v1/auth/login", operation.Login{Email: strings.ToLower(p.name) + "@example.org", Password: "correct horse battery"}, &tokens)
	p.token = tokens.AccessToken
}

// makeOperator gives a person the role of an operator, which no route can do for the first one.
func makeOperator(t *testing.T, database apptest.Database, email string) {
	t.Helper()
	box, err := secret.NewBox([]byte("a secret of tests"))
	if err != nil {
		t.Fatal(err)
	}
	ground := platformtest.On(t, database, box, apptest.NewClock(platformtest.Start), access.WithTableNames(platform.TableNames(database.Prefix, "exambuddy")))
	env, err := exambuddy.New(exambuddydb.New(database.DynamoDB, access.WithTablePrefix(database.Prefix), access.WithoutState()), exambuddy.Options{Platform: ground})
	if err != nil {
		t.Fatal(err)
	}
	all, err := accounts.New(ground, accounts.Options{Name: "ExamBuddy", PublicURL: "https://exams.test", Mail: mail.NewOutbox(ground, mail.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	if err := domain.New(env, all, nil).People.SetRole(t.Context(), exambuddy.Operator{ID: "setup"}, email, exambuddy.RoleOperator); err != nil {
		t.Fatal(err)
	}
}

// A walk has an exam of Ada that Cleopatra is sitting, and one that she has sat, whose answers are
// never shown.
type walk struct {
	ada, cleopatra *person
	ids            map[string]string // of the parameters of paths, by the beginning of the path
	session        contract.Session
	question       string
}

func prepare(t *testing.T, base string) *walk {
	t.Helper()
	w := &walk{ada: enter(t, base, "Ada", "admin"), cleopatra: enter(t, base, "Cleopatra", "candidate"), ids: map[string]string{}}
	exam := func(title, reveal string) string {
		var project contract.Project
		w.ada.must("POST", "/v1/admin/projects", contract.NewProject{Title: title, Rules: &contract.Rules{Practice: true, Navigation: "forward", Offline: "strict", Reveal: reveal, Overdue: "submit"}}, &project)
		for i := range 2 {
			var item contract.Item
			w.ada.must("POST", "/v1/admin/projects/"+project.ID+"/questions", contract.NewQuestion{
				Question: contract.Question{Type: "fill_in_blank", Text: fmt.Sprintf("%s, part %d: ____", title, i), Blanks: []contract.Blank{{}}},
				Key:      contract.Key{Blanks: map[string]contract.Accepted{"b1": {Texts: []string{"Blank-solution-9483"}}}, Explanation: "Explained-to-admins-7261"},
			}, &item)
			w.question = item.ID
		}
		w.ada.must("POST", "/v1/admin/projects/"+project.ID+"/publish", nil, nil)
		return project.ID
	}
	hidden, open := exam("Never shown", "never"), exam("Being sat", "submit")
	start := func(project string) (s contract.Session) {
		w.cleopatra.must("POST", "/v1/student/sessions", contract.Start{ProjectID: project, Mode: "exam", Difficulty: "easy", QuestionCount: 2}, &s)
		w.cleopatra.must("POST", "/v1/student/sessions/"+s.ID+"/present", contract.Presentation{Position: 1, Writer: s.Writer}, nil)
		w.cleopatra.must("POST", "/v1/student/sessions/"+s.ID+"/answers", contract.NewAnswer{Position: 1, Answer: contract.Answer{Parts: map[string]string{"b1": "my own words"}}, Sequence: 1, Writer: s.Writer}, nil)
		return s
	}
	done := start(hidden)
	w.cleopatra.must("POST", "/v1/student/sessions/"+done.ID+"/submit", contract.Submission{Writer: done.Writer}, nil)
	w.session = start(open)
	var group contract.Group
	w.ada.must("POST", "/v1/admin/groups", contract.NewGroup{Name: "Class 7b"}, &group)
	w.ada.must("POST", "/v1/admin/groups/"+group.ID+"/members", contract.Address{Email: "cleopatra@example.org"}, nil)
	w.ids = map[string]string{
		"/v1/admin/projects": open, "/v1/admin/questions": w.question, "/v1/admin/groups": group.ID, "/v1/admin/sessions": w.session.ID, "/v1/student/sessions": w.session.ID,
		"/v1/results/attempts": done.ID, "/exams": open, "/sit": w.session.ID, "/results": done.ID, "/admin/projects": open, "/admin/attempts": done.ID, "/admin/groups": group.ID,
		"/admin/sessions": w.session.ID,
	}
	return w
}

var parameter = regexp.MustCompile(`\{([a-z]+)\}`)

// path fills the parameters of a route with the things of Ada and Cleopatra.
func (w *walk) path(template string) string {
	id := ""
	for prefix, known := range w.ids {
		if strings.HasPrefix(template, prefix+"/") {
			id = known
		}
	}
	return parameter.ReplaceAllStringFunc(strings.ReplaceAll(template, "{$}", ""), func(name string) string {
		switch name = strings.Trim(name, "{}"); name {
		case "id":
			return id
		case "question":
			return w.question
		case "n", "position":
			return "1"
		case "format":
			return "json"
		case "month":
			return "2026-02"
		}
		return w.session.ID // of no document, editor, file or certificate
	})
}

// bodies holds the bodies that operations need to come to their own rules; {} for others.
func (w *walk) body(operation string) any {
	switch operation {
	case "POST /v1/admin/groups", "PUT /v1/admin/groups/{id}", "POST /v1/admin/projects":
		return map[string]string{"name": "Other"}
	case "POST /v1/admin/projects/{id}/editors", "POST /v1/admin/groups/{id}/members":
		return contract.Address{Email: "edith@example.org"}
	case "PUT /v1/admin/projects/{id}":
		return contract.NewProject{Title: "Taken over"}
	case "POST /v1/admin/sessions/{id}/extend":
		return contract.Extension{Seconds: 60}
	case "POST /v1/student/sessions":
		return contract.Start{ProjectID: w.ids["/exams"], Mode: "exam", Difficulty: "easy", QuestionCount: 2}
	case "POST /v1/student/sessions/{id}/flags":
		return contract.Flag{QuestionID: w.question, Flagged: true, Writer: w.session.Writer}
	case "POST /v1/student/sessions/{id}/present":
		return contract.Presentation{Position: 1, Writer: w.session.Writer}
	case "POST /v1/student/sessions/{id}/answers", "POST /v1/student/sessions/{id}/practice":
		return contract.NewAnswer{Position: 1, Answer: contract.Answer{Parts: map[string]string{"b1": "stolen"}}, Sequence: 9, Writer: w.session.Writer}
	case "POST /v1/student/sessions/{id}/submit":
		return contract.Submission{Writer: w.session.Writer}
	}
	if strings.HasPrefix(operation, "GET") || strings.HasPrefix(operation, "DELETE") {
		return nil
	}
	return map[string]string{}
}

// own lists the operations about the caller's own things; another person of the role may call them.
var own = []string{
	"GET /v1/admin/projects", "GET /v1/admin/projects/shared", "POST /v1/admin/projects", "GET /v1/admin/groups", "POST /v1/admin/groups", "POST /v1/admin/images",
	"GET /v1/student/projects", "GET /v1/student/sessions", "POST /v1/student/sessions", "GET /v1/users/me", "GET /v1/results/attempts", "GET /v1/results/stats",
	"PUT /v1/admin/time-factors",
}

// wants returns the statuses that a role may get; none means that any status is right.
func wants(operation string, role string) []int {
	_, path, _ := strings.Cut(operation, " ")
	needed := ""
	for prefix, of := range map[string]string{"/v1/admin/": "admin", "/v1/student/": "candidate", "/v1/operator/": "operator", "/v1/results/export": "admin", "/v1/results/stats": "admin"} {
		if strings.HasPrefix(path, prefix) {
			needed = of
		}
	}
	switch {
	case strings.HasPrefix(path, "/v1/auth/"), path == "/v1/health", strings.HasPrefix(path, "/v1/certificates/"), strings.HasPrefix(path, "/v1/images/"):
		return nil // for all; there is no such certificate, image or token
	case role == "":
		return []int{http.StatusUnauthorized}
	case operation == "PUT /v1/admin/time-factors" && role != "candidate":
		return nil
	case needed != "" && needed != role:
		return []int{http.StatusForbidden}
	case slices.Contains(own, operation) || needed == "operator":
		return nil
	}
	return []int{http.StatusNotFound, http.StatusForbidden}
}

func (w *walk) check(t *testing.T, p *person, route, text string) {
	t.Helper()
	for _, word := range secrets {
		if strings.Contains(text, word) {
			t.Errorf("%s (%s) finds %q at %s", p.name, p.role, word, route)
		}
	}
	if p == w.cleopatra || p.role == "operator" {
		return
	}
	for _, word := range append([]string{"my own words", w.session.Writer}, personal...) {
		if strings.Contains(text, word) {
			t.Errorf("%s (%s) finds %q of another candidate at %s", p.name, p.role, word, route)
		}
	}
}

// snapshot returns everything that only Ada and Cleopatra may change.
func (w *walk) snapshot() string {
	var all strings.Builder
	for _, path := range []string{"/v1/admin/projects", "/v1/admin/projects/" + w.ids["/exams"] + "/questions", "/v1/admin/groups", "/v1/admin/groups/" + w.ids["/admin/groups"] + "/members"} {
		all.WriteString(w.ada.call("GET", path, nil).text)
	}
	var resumed contract.Resumed
	w.cleopatra.must("GET", "/v1/student/sessions/"+w.session.ID, nil, &resumed)
	resumed.Session.Now, resumed.Session.RemainingMillis = resumed.Session.StartedAt, nil
	fmt.Fprintf(&all, "%+v", resumed)
	all.WriteString(w.cleopatra.call("GET", "/v1/results/attempts", nil).text)
	return all.String()
}

var pagePattern = regexp.MustCompile(`"((?:GET|POST) /[^"]*)":?\s*,?`)

// pageRoutes returns the routes of the pages from their source, so that none is forgotten.
func pageRoutes(t *testing.T) []string {
	t.Helper()
	sources, err := filepath.Glob("../web/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("there is no source of the pages: %v", err)
	}
	var all []string
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range pagePattern.FindAllStringSubmatch(string(text), -1) {
			all = append(all, match[1])
		}
	}
	if len(all) < 30 {
		t.Fatalf("only %d routes were found", len(all))
	}
	slices.Sort(all)
	return all
}

// TestTheAPIMakesNoAdmins: without the setting, the API makes no admins either.
func TestTheAPIMakesNoAdmins(t *testing.T) {
	base := startWith(t, nil)
	visitor := &person{Visitor: webtest.NewVisitor(t, base)}
	for _, in := range []contract.Registration{
		{Email: "eve@example.org", Password: "correct horse battery", Name: "Eve", Role: "admin"},
		{Email: "eve@example.org", Password: "correct horse battery", Name: "Eve", Role: "operator"},
	} {
		if got := visitor.call("POST", "/v1/auth/register", in); got.code != http.StatusForbidden && got.code != http.StatusBadRequest {
			t.Errorf("%+v: %d %s", in, got.code, got.text)
		}
	}
	var registered contract.Registered
	visitor.must("POST", "/v1/auth/register", contract.Registration{Email: "eve@example.org", Password: "correct horse battery", Name: "Eve"}, &registered)
	if !registered.VerifyAddress || registered.Tokens != nil {
		t.Errorf("an address that was not verified gets %+v", registered)
	}
}

// TestEveryRouteWithEveryRole walks the API and the pages as each role, with the ids of other
// people: no caller sees or changes their things, and no response holds an answer key before its
// time.
func TestEveryRouteWithEveryRole(t *testing.T) {
	base, database := startOn(t, map[string]string{"EXAMBUDDY_ADMINS": "open"})
	w := prepare(t, base)
	otto, edith, opal, stranger := enter(t, base, "Otto", "candidate"), enter(t, base, "Edith", "admin"), enter(t, base, "Opal", "operator"), enter(t, base, "Visitor", "")
	makeOperator(t, database, "opal@example.org")
	opal.signIn()
	before := w.snapshot()
	if got := w.ada.call("GET", "/v1/admin/questions/"+w.question, nil); !strings.Contains(got.text, secrets[0]) || !strings.Contains(got.text, secrets[1]) {
		t.Fatalf("the admin of the exam does not see its key: %s", got.text)
	}

	operations := openapitest.Read(t, base+"/openapi.json").Operations()
	for _, p := range []*person{stranger, otto, edith, opal} {
		for _, operation := range operations {
			method, template, _ := strings.Cut(operation, " ")
			path := w.path(template)
			if strings.HasPrefix(template, "/v1/results/attempts") || template == "/v1/results/export/csv" {
				path += "?projectId=" + w.ids["/exams"]
			}
			if strings.HasSuffix(template, "/days") {
				path += "?from=2026-02-01&to=2026-02-28"
			}
			got := p.call(method, path, w.body(operation))
			w.check(t, p, operation, got.text)
			if want := wants(operation, p.role); want != nil && !slices.Contains(want, got.code) {
				t.Errorf("%s as %s (%s): %d %s, want %v", operation, p.name, p.role, got.code, got.text, want)
			}
			if got.code >= http.StatusInternalServerError {
				t.Errorf("%s as %s: %d", operation, p.name, got.code)
			}
		}
	}
	pages := pageRoutes(t)
	for _, p := range []*person{stranger, otto, edith, opal} {
		for _, route := range pages {
			w.visit(t, p, route)
		}
	}
	if after := w.snapshot(); after != before {
		t.Errorf("a stranger has changed something:\n%s\n%s", before, after)
	}
	w.walkAsCandidate(t, operations, pages)
}

// visit opens a page, or sends an empty form with a valid token to it.
func (w *walk) visit(t *testing.T, p *person, route string) {
	t.Helper()
	method, template, _ := strings.Cut(route, " ")
	path := w.path(template)
	if method == http.MethodGet {
		p.Do(method, path, "", nil, nil)
	} else {
		p.Open("/about")
		form := url.Values{"csrf": {p.token0()}, "do": {"publish"}, "title": {"Taken over"}, "name": {"Other"}, "sequence": {"9"}, "text-b1": {"stolen"}, "minutes": {"5"}, "seconds": {"60"}}
		p.Do(method, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()), nil)
	}
	w.check(t, p, route, p.Page)
	if p.Code >= http.StatusInternalServerError {
		t.Errorf("%s as %s: %d", route, p.name, p.Code)
	}
	// A visitor is led to the sign-in page; others are refused, unless the page is about themselves.
	if strings.Contains(template, "{id}") && p.Code < 400 && !strings.HasPrefix(p.Path, "/sign-in") && !(p.role == "candidate" && strings.HasPrefix(template, "/exams/")) {
		t.Errorf("%s as %s (%s): %d at %s", route, p.name, p.role, p.Code, p.Path)
	}
}

// token0 returns the token of the page at which a person is, or of the sign-in page.
func (p *person) token0() string {
	if token := p.Visitor.CSRF; token != "" {
		return token
	}
	p.Do(http.MethodGet, "/sign-in", "", nil, nil)
	return p.Visitor.CSRF
}

// walkAsCandidate opens all that a candidate has during an exam. No response holds a key.
func (w *walk) walkAsCandidate(t *testing.T, operations, pages []string) {
	t.Helper()
	p := w.cleopatra
	ends := []string{"DELETE /v1/student/sessions/{id}", "POST /v1/student/sessions/{id}/submit", "POST /sit/{id}/submit", "POST /sit/{id}/cancel"}
	reached := 0
	for _, operation := range operations {
		if slices.Contains(ends, operation) {
			continue
		}
		method, template, _ := strings.Cut(operation, " ")
		got := p.call(method, w.path(template), w.body(operation))
		w.check(t, p, operation, got.text)
		if got.code < 300 {
			reached++
		}
	}
	if reached < 8 {
		t.Errorf("a candidate reaches only %d operations", reached)
	}
	for _, route := range pages {
		if method, template, _ := strings.Cut(route, " "); method == http.MethodGet && !slices.Contains(ends, route) {
			p.Do(method, w.path(template), "", nil, nil)
			w.check(t, p, route, p.Page)
		}
	}
	for _, path := range []string{"/v1/student/sessions/" + w.session.ID + "/review", "/v1/results/attempts/" + w.ids["/results"] + "/export/csv", "/v1/results/attempts/" + w.ids["/results"] + "/export/pdf"} {
		if got := p.call("GET", path, nil); got.code != http.StatusForbidden && got.code != http.StatusNotFound {
			t.Errorf("%s before its time: %d %s", path, got.code, got.text)
		}
	}
	var result contract.Result
	if p.must("GET", "/v1/results/attempts/"+w.ids["/results"], nil, &result); !result.Hidden || len(result.Questions) != 0 {
		t.Errorf("the hidden result is %+v", result)
	}
}
