package api_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/client"
	"sortkey.dev/apps/exambuddy/contract"
)

// A keyedRequest is a request that takes an idempotency key.
type keyedRequest struct {
	by         user
	path       string
	in, others any // another request with the key
}

// keyedRequests returns a request for each operation that takes an idempotency key.
func keyedRequests(t *testing.T, s *site) map[string]keyedRequest {
	t.Helper()
	admin, candidate := s.join(t, "Ada", "admin"), s.join(t, "Cleo", "candidate")
	s.SignUp(t, "Opal", exambuddy.RoleOperator)
	operator := s.again(t, "Opal")
	exam := admin.exam(t, "Sat", rules())
	other := admin.exam(t, "Not sat", rules())
	var group contract.Group
	admin.must(t, "POST", "/v1/admin/groups", contract.NewGroup{Name: "7b"}, &group)
	var items contract.List[contract.Item]
	admin.must(t, "GET", "/v1/admin/projects/"+exam.ID+"/questions", nil, &items)
	var running contract.Session
	candidate.must(t, "POST", "/v1/student/sessions", contract.Start{ProjectID: other.ID, Mode: "exam", Difficulty: "medium", QuestionCount: 1}, &running)
	question := func(text string) contract.NewQuestion {
		q := capital()
		q.Question.Text = text
		return q
	}
	path := "/v1/admin/projects/" + exam.ID
	return map[string]keyedRequest{
		"create an exam":   {admin, "/v1/admin/projects", contract.NewProject{Title: "Once"}, contract.NewProject{Title: "Twice"}},
		"add a question":   {admin, path + "/questions", question("Once?"), question("Twice?")},
		"upload a file":    {admin, path + "/documents", fileForm(t, "a.txt", "Once?\nA) Yes\nB) No\nANSWER: A\n"), fileForm(t, "a.txt", "Twice?\nA) Yes\nB) No\nANSWER: A\n")},
		"create a group":   {admin, "/v1/admin/groups", contract.NewGroup{Name: "Once"}, contract.NewGroup{Name: "Twice"}},
		"invite a person":  {admin, "/v1/admin/groups/" + group.ID + "/invitations", contract.Address{Email: "once@example.org"}, contract.Address{Email: "twice@example.org"}},
		"invite an admin":  {operator, "/v1/operator/invitations", contract.Address{Email: "first@example.org"}, contract.Address{Email: "second@example.org"}},
		"start a session":  {candidate, "/v1/student/sessions", contract.Start{ProjectID: exam.ID, Mode: "exam", Difficulty: "medium", QuestionCount: 2}, contract.Start{ProjectID: exam.ID, Mode: "exam", Difficulty: "easy", QuestionCount: 2}},
		"extend a session": {admin, "/v1/admin/sessions/" + running.ID + "/extend", contract.Extension{Seconds: 60}, contract.Extension{Seconds: 61}},
		"regrade":          {admin, path + "/regrades", contract.NewRegrade{QuestionID: items.Items[0].ID, Rule: "full_marks"}, contract.NewRegrade{QuestionID: items.Items[0].ID, Rule: "drop"}},
	}
}

func TestARequestWithAnIdempotencyKeyActsOnce(t *testing.T) {
	s := open(t)
	for name, c := range keyedRequests(t, s) {
		c.by.key = "key of " + name
		first := c.by.send(t, "POST", c.path, c.in)
		if first.status >= 300 {
			t.Errorf("%s: %d %s", name, first.status, first.text)
		}
		if again := c.by.send(t, "POST", c.path, c.in); again.status != first.status || again.text != first.text {
			t.Errorf("%s again: %d %s, want %d %s", name, again.status, again.text, first.status, first.text)
		}
		c.by.refused(t, "POST", c.path, c.others, http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
	}
	s.actedOnce(t)
}

// actedOnce fails if one of keyedRequests acted twice.
func (s *site) actedOnce(t *testing.T) {
	t.Helper()
	ada := s.again(t, "Ada")
	count := func(path, name string, want int) {
		t.Helper()
		got := ada.send(t, "GET", path, nil)
		if n := strings.Count(got.text, name); n != want {
			t.Errorf("%s has %d times %s, want %d: %s", path, n, name, want, got.text)
		}
	}
	var exams contract.List[contract.Project]
	ada.must(t, "GET", "/v1/admin/projects", nil, &exams)
	count("/v1/admin/projects", `"Once"`, 1)
	count("/v1/admin/groups", `"Once"`, 1)
	for _, exam := range exams.Items {
		path := "/v1/admin/projects/" + exam.ID
		switch exam.Title {
		case "Sat":
			count(path+"/questions", "Once?", 1)
			count(path+"/documents", `"a.txt"`, 1)
			count(path+"/regrades", "full_marks", 1)
			count(path+"/sessions", `"candidateId"`, 1)
		case "Not sat":
			count(path+"/sessions", `"extraSeconds":60,`, 1)
		}
	}
}

func TestConcurrentRequestsWithAnIdempotencyKeyActOnce(t *testing.T) {
	s := open(t)
	for name, c := range keyedRequests(t, s) {
		c.by.key = "key of " + name
		var answers [6]answer
		var group sync.WaitGroup
		for i := range answers {
			group.Go(func() { answers[i] = c.by.send(t, "POST", c.path, c.in) })
		}
		group.Wait()
		for _, got := range answers {
			if got.status != answers[0].status || got.text != answers[0].text || got.status >= 300 {
				t.Errorf("%s: %d %s, want %d %s", name, got.status, got.text, answers[0].status, answers[0].text)
			}
		}
	}
	s.actedOnce(t)
}

// TestClientSendsTheKeyOfItsContext: the second call creates nothing.
func TestClientSendsTheKeyOfItsContext(t *testing.T) {
	s := open(t)
	ada := s.enter(t, "ada", "admin")
	ctx := client.WithKey(t.Context(), "k")
	first, err := ada.CreateProject(ctx, client.NewProject{Title: "Once"})
	if err != nil {
		t.Fatal(err)
	}
	again, err := ada.CreateProject(ctx, client.NewProject{Title: "Once"})
	if err != nil || again.ID != first.ID {
		t.Errorf("%+v, %v, want %+v", again, err, first)
	}
	if all, err := ada.Projects(ctx, ""); err != nil || len(all.Items) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}
