package api_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/api"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/internal/openapi/openapitest"
	"sortkey.dev/apps/internal/operation"
)

const password = "Correct Horse 9"

// A site is the API of a world, over HTTP.
type site struct {
	*exambuddytest.World
	url      string
	document *openapitest.Document
}

func open(t *testing.T) *site {
	t.Helper()
	s := &site{World: exambuddytest.Open(t)}
	s.serve(t)
	return s
}

// serve serves the API of the site's domain and accounts.
func (s *site) serve(t *testing.T) {
	t.Helper()
	handler, err := api.New(api.Options{Domain: s.Domain, Accounts: s.Accounts, Files: s.Files, OpenAdmins: true})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	s.url = server.URL
	s.document = openapitest.Read(t, s.url+"/openapi.json")
}

// A user is a caller. Its token is "" for callers who are not signed in.
type user struct {
	*site
	id, token string
	key       string // the idempotency key of requests; "" for none
}

// join signs a person up.
func (s *site) join(t *testing.T, name, role string) user {
	t.Helper()
	var registered contract.Registered
	u := user{site: s}
	u.must(t, "POST", "/v1/auth/register", contract.Registration{Email: strings.ToLower(name) + "@example.org", Password: password, Name: name, Role: role}, &registered)
	return user{site: s, id: registered.UserID, token: registered.Tokens.AccessToken}
}

// again signs a person in whose token has expired, or whose role has changed.
func (s *site) again(t *testing.T, name string) user {
	t.Helper()
	var tokens contract.Tokens
	user{site: s}.must(t, "POST", "/v1/auth/login", operation.Login{Email: strings.ToLower(name) + "@example.org", Password: password}, &tokens)
	return user{site: s, id: tokens.UserID, token: tokens.AccessToken}
}

// An answer is a response.
type answer struct {
	status int
	header http.Header
	text   string
}

// A body is a request body that is not JSON.
type body struct {
	media   string
	content []byte
}

// fileForm returns a form with a file.
func fileForm(t *testing.T, name, content string) body {
	t.Helper()
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	part, err := form.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write([]byte(content))
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return body{form.FormDataContentType(), out.Bytes()}
}

// picture returns a small PNG.
func picture(t *testing.T) body {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	return body{"image/png", out.Bytes()}
}

// send sends a request, and compares the response with the document.
func (u user) send(t *testing.T, method, path string, in any) answer {
	t.Helper()
	var content io.Reader
	media := "application/json"
	switch in := in.(type) {
	case nil:
	case body:
		content, media = bytes.NewReader(in.content), in.media
	default:
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, u.url+path, content)
	if err != nil {
		t.Fatal(err)
	}
	if in != nil {
		r.Header.Set("Content-Type", media)
	}
	if u.token != "" {
		r.Header.Set("Authorization", "Bearer "+u.token)
	}
	if u.key != "" {
		r.Header.Set(operation.HeaderKey, u.key)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.document.Check(method, r.URL.Path, response, text); err != nil {
		t.Errorf("the answer of %s %s (%d) is not as the document says: %v\n%s", method, path, response.StatusCode, err, text)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

// must sends a request that succeeds, and decodes the response.
func (u user) must(t *testing.T, method, path string, in, into any) {
	t.Helper()
	got := u.send(t, method, path, in)
	if got.status >= 300 {
		t.Fatalf("%s %s: %d %s", method, path, got.status, got.text)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(got.text), into); err != nil {
			t.Fatal(err)
		}
	}
}

// refused sends a request that is refused with a status and a code.
func (u user) refused(t *testing.T, method, path string, in any, status int, code string) answer {
	t.Helper()
	got := u.send(t, method, path, in)
	if got.status != status || !strings.Contains(got.text, `"`+code+`"`) {
		t.Errorf("%s %s: %d %s, want %d %s", method, path, got.status, got.text, status, code)
	}
	return got
}

// capital is a question with its key, which is named by its text.
func capital() contract.NewQuestion {
	return contract.NewQuestion{
		Question: contract.Question{Type: "single_choice", Text: "What is the capital of Norway?", Options: []contract.Option{{Text: "Bergen"}, {Text: "Oslo"}, {Text: "Tromsø"}}, Tags: []string{"cities"}, Difficulty: "easy"},
		Key:      contract.Key{Correct: []string{"Oslo"}, Explanation: "It was called Christiania until 1925."},
	}
}

// rules returns the rules of an exam that shows its answers after it is handed in.
func rules() *contract.Rules {
	return &contract.Rules{Practice: true, Navigation: "forward", Offline: "strict", Reveal: "submit", Overdue: "submit", Certificates: true}
}

// exam creates a published exam with one question for each type that needs no image.
func (u user) exam(t *testing.T, title string, r *contract.Rules) contract.Project {
	t.Helper()
	var project contract.Project
	u.must(t, "POST", "/v1/admin/projects", contract.NewProject{Title: title, Rules: r}, &project)
	for _, q := range questions() {
		u.must(t, "POST", "/v1/admin/projects/"+project.ID+"/questions", q, nil)
	}
	u.must(t, "POST", "/v1/admin/projects/"+project.ID+"/publish", nil, &project)
	return project
}

func questions() []contract.NewQuestion {
	option := func(all ...string) []contract.Option {
		var out []contract.Option
		for _, text := range all {
			out = append(out, contract.Option{Text: text})
		}
		return out
	}
	return []contract.NewQuestion{
		capital(),
		{Question: contract.Question{Type: "true_false", Text: "Is water wet?", Options: option("True", "False")}, Key: contract.Key{Correct: []string{"True"}}},
		{Question: contract.Question{Type: "multiple_response", Text: "Which numbers are even?", Options: option("One", "Two", "Three", "Four")}, Key: contract.Key{Correct: []string{"Two", "Four"}}},
		{Question: contract.Question{Type: "fill_in_blank", Text: "HTTP is for ____ transfer.", Blanks: []contract.Blank{{}}}, Key: contract.Key{Blanks: map[string]contract.Accepted{"b1": {Texts: []string{"HyperText"}}}}},
		{Question: contract.Question{Type: "ordering", Text: "Order the animals by size.", Options: option("Ant", "Cat", "Whale")}, Key: contract.Key{Correct: []string{"Ant", "Cat", "Whale"}}},
		{Question: contract.Question{Type: "matching", Text: "Match the capitals.", Options: option("Sweden", "Finland"), Targets: option("Stockholm", "Helsinki")}, Key: contract.Key{Pairs: map[string]string{"Sweden": "Stockholm", "Finland": "Helsinki"}}},
		{Question: contract.Question{Type: "scenario", Text: "Is each statement right?", Passage: "A basket holds six apples.", Statements: option("There are apples.", "There are pears.", "There are seven.")},
			Key: contract.Key{Pairs: map[string]string{"There are apples.": "yes", "There are pears.": "no", "There are seven.": "no"}}},
	}
}

// solve returns the right answer to a question of questions().
func solve(t *testing.T, q contract.Question) contract.Answer {
	t.Helper()
	ids := map[string]string{}
	for _, list := range [][]contract.Option{q.Options, q.Targets, q.Statements} {
		for _, o := range list {
			ids[o.Text] = o.ID
		}
	}
	for _, known := range questions() {
		if known.Question.Text != q.Text {
			continue
		}
		var out contract.Answer
		for _, text := range known.Key.Correct {
			out.Chosen = append(out.Chosen, ids[text])
		}
		for left, right := range known.Key.Pairs {
			if out.Parts == nil {
				out.Parts = map[string]string{}
			}
			out.Parts[ids[left]] = right
			if id, ok := ids[right]; ok {
				out.Parts[ids[left]] = id
			}
		}
		for range known.Key.Blanks {
			out.Parts = map[string]string{q.Blanks[0].ID: " hypertext "}
		}
		return out
	}
	t.Fatalf("there is no answer to %q", q.Text)
	return contract.Answer{}
}

// sit starts a session, answers all questions, and hands it in. The first wrong questions stay
// without an answer.
func (u user) sit(t *testing.T, project string, count, wrong int) contract.Attempt {
	t.Helper()
	var s contract.Session
	u.must(t, "POST", "/v1/student/sessions", contract.Start{ProjectID: project, Mode: "exam", Difficulty: "medium", QuestionCount: count}, &s)
	for i := 1; i <= count; i++ {
		var shown contract.Presented
		u.must(t, "POST", "/v1/student/sessions/"+s.ID+"/present", contract.Presentation{Position: i, Writer: s.Writer}, &shown)
		if i > wrong {
			u.must(t, "POST", "/v1/student/sessions/"+s.ID+"/answers", contract.NewAnswer{Position: i, Answer: solve(t, shown.Asked.Question), Sequence: 1, Writer: s.Writer}, nil)
		}
	}
	var attempt contract.Attempt
	u.must(t, "POST", "/v1/student/sessions/"+s.ID+"/submit", contract.Submission{Writer: s.Writer}, &attempt)
	return attempt
}
