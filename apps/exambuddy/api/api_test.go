package api_test

import (
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/worker"
	"sortkey.dev/apps/internal/operation"
)

// TestEveryOperationSucceedsOnce plays all parts of the API. The document lists what exists, and
// every response is compared with it.
func TestEveryOperationSucceedsOnce(t *testing.T) {
	s := open(t)
	user{site: s}.must(t, "GET", "/v1/health", nil, nil)
	admin := s.join(t, "Ada", "admin")
	candidate := s.join(t, "Cleo", "candidate")
	s.join(t, "Edith", "admin")
	candidate.must(t, "GET", "/v1/users/me", nil, nil)
	project := admin.exam(t, "General knowledge", rules())
	manage(t, admin, project)
	bankOperations(t, admin, project)
	importOperations(t, admin)
	groupOperations(t, admin)
	sitOperations(t, admin, candidate, project)
	resultOperations(t, admin, candidate, project)
	s.operate(t)
	for _, name := range s.document.Unseen() {
		t.Errorf("%s was never answered with success", name)
	}
}

// manage walks the states of an exam.
func manage(t *testing.T, admin user, project contract.Project) {
	path := "/v1/admin/projects/" + project.ID
	var list contract.List[contract.Project]
	admin.must(t, "GET", "/v1/admin/projects?archived=false&limit=5", nil, &list)
	admin.must(t, "GET", "/v1/admin/projects/shared", nil, nil)
	admin.must(t, "GET", path, nil, &project)
	if len(list.Items) != 1 || list.Items[0].ID != project.ID || project.QuestionCount != 7 || project.KeyedCount != 7 {
		t.Errorf("the exams are %+v", list)
	}
	admin.must(t, "PUT", path, contract.NewProject{Title: "Knowledge of everything", PassMark: new(50), Rules: rules(), Version: project.Version}, nil)
	admin.refused(t, "PUT", path, contract.NewProject{Title: "Older", Version: project.Version}, 409, "CHANGED_MEANWHILE")
	for _, name := range []string{"unpublish", "archive", "restore", "publish"} {
		admin.must(t, "POST", path+"/"+name, nil, nil)
	}
	admin.must(t, "POST", path+"/editors", contract.Address{Email: "edith@example.org"}, nil)
	var editors contract.List[contract.Editor]
	admin.must(t, "GET", path+"/editors", nil, &editors)
	admin.must(t, "DELETE", path+"/editors/"+editors.Items[0].ID, nil, nil)

	var other contract.Project
	admin.must(t, "POST", "/v1/admin/projects", contract.NewProject{Title: "Of no use"}, &other)
	admin.must(t, "POST", "/v1/admin/projects/"+other.ID+"/archive", nil, nil)
	admin.refused(t, "DELETE", "/v1/admin/projects/"+other.ID, nil, 409, "WRONG_STATE")
	admin.Clock.Advance(exambuddy.DeleteAfter)
	admin.must(t, "DELETE", "/v1/admin/projects/"+other.ID, nil, nil)
}

// bankOperations edits a question.
func bankOperations(t *testing.T, admin user, project contract.Project) {
	path := "/v1/admin/projects/" + project.ID
	var item contract.Item
	extra := capital()
	extra.Question.Text = "What is the capital of Iceland?"
	extra.Question.Options = []contract.Option{{Text: "Reykjavík"}, {Text: "Akureyri"}}
	extra.Key.Correct = []string{"Reykjavík"}
	admin.must(t, "POST", path+"/questions", extra, &item)
	admin.must(t, "GET", "/v1/admin/questions/"+item.ID, nil, &item)
	change := contract.NewQuestion{Question: item.Question, Key: item.Key, Version: item.Version}
	change.Question.Text = "Which town is the capital of Iceland?"
	old := item.Version
	admin.must(t, "PUT", "/v1/admin/questions/"+item.ID, change, &item)
	change.Version = old
	if got := admin.refused(t, "PUT", "/v1/admin/questions/"+item.ID, change, 409, "CHANGED_MEANWHILE"); !strings.Contains(got.text, `"current"`) || !strings.Contains(got.text, "Which town") {
		t.Errorf("the current question is missing: %s", got.text)
	}
	admin.must(t, "PATCH", "/v1/admin/questions/"+item.ID+"/type", contract.NewType{Type: "multiple_response", Key: contract.Key{Correct: item.Key.Correct}, Version: item.Version}, &item)
	admin.must(t, "POST", "/v1/admin/questions/"+item.ID+"/move", contract.Place{Order: 1, Version: item.Version}, nil)
	admin.must(t, "DELETE", "/v1/admin/questions/"+item.ID, nil, nil)
	var page contract.List[contract.Item]
	admin.must(t, "GET", path+"/questions?limit=2", nil, &page)
	if len(page.Items) != 2 || page.Next == "" {
		t.Errorf("a page of questions is %+v", page)
	}
	var rows contract.List[contract.Row]
	admin.must(t, "GET", path+"/table?type=ordering", nil, &rows)
	var counts contract.Counts
	admin.must(t, "GET", path+"/counts", nil, &counts)
	if len(rows.Items) != 1 || counts.Total != 7 || counts.Type["matching"] != 1 || counts.Source["manual"] != 7 {
		t.Errorf("rows %+v, counts %+v", rows, counts)
	}
	for _, format := range []string{"json", "csv", "gift", "aiken", "qti"} {
		if got := admin.send(t, "GET", path+"/export/"+format, nil); got.status != 200 || got.text == "" || !strings.Contains(got.header.Get("Content-Disposition"), "attachment") {
			t.Errorf("export %s: %d", format, got.status)
		}
	}
	admin.refused(t, "GET", path+"/export/exe", nil, 400, "VALIDATION_ERROR")
	var image contract.UploadedImage
	admin.must(t, "POST", "/v1/admin/images", picture(t), &image)
	admin.must(t, "GET", "/v1/images/"+image.File, nil, nil)
	admin.refused(t, "POST", "/v1/admin/images", body{"image/png", []byte("no picture")}, 400, "VALIDATION_ERROR")
	admin.refused(t, "GET", "/v1/images/f0000000000000000000", nil, 404, "NOT_FOUND")
}

// importOperations imports a question from a file.
func importOperations(t *testing.T, admin user) {
	var project contract.Project
	admin.must(t, "POST", "/v1/admin/projects", contract.NewProject{Title: "Imported"}, &project)
	path := "/v1/admin/projects/" + project.ID
	admin.refused(t, "POST", path+"/documents", fileForm(t, "a.pdf", "\x89PNG\r\n\x1a\n"), 400, "VALIDATION_ERROR")
	admin.refused(t, "POST", path+"/documents", fileForm(t, "a.pdf", strings.Repeat("x", bank.MaxDocument+1)), 413, "FILE_TOO_LARGE")
	admin.refused(t, "POST", path+"/documents", body{"application/json", []byte("{}")}, 400, "VALIDATION_ERROR")
	q, k := exambuddytest.Choice(1)
	admin.Parsed = worker.Parsed{Found: []bank.Found{{Question: q, Key: k, Confidence: 90, Reason: "ANSWER: C"}}}
	var document contract.Document
	admin.must(t, "POST", path+"/documents", fileForm(t, "a.txt", "Which?\nA) Yes\nB) No\nANSWER: A\n"), &document)
	admin.Work(t)
	admin.must(t, "GET", path+"/documents", nil, nil)
	admin.must(t, "GET", path+"/ingestion", nil, &document)
	if document.Status != "READY" || *document.Found != 1 {
		t.Errorf("the document is %+v", document)
	}
	path += "/documents/" + document.ID
	admin.must(t, "GET", path, nil, nil)
	var drafts contract.List[contract.Draft]
	admin.must(t, "GET", path+"/drafts", nil, &drafts)
	d := drafts.Items[0]
	admin.must(t, "PUT", path+"/drafts/1", contract.DraftChange{Question: d.Question, Key: d.Key, Choice: "take", Version: d.Version}, nil)
	admin.must(t, "POST", path+"/publish", nil, nil)
	admin.Work(t)
	admin.must(t, "GET", "/v1/admin/projects/"+project.ID, nil, &project)
	if project.QuestionCount != 1 {
		t.Errorf("the exam has %d questions", project.QuestionCount)
	}
	admin.must(t, "DELETE", path, nil, nil)
	admin.refused(t, "GET", path, nil, 404, "DOCUMENT_NOT_FOUND")
	for range exambuddy.MaxUploads - 1 { // the first one is above
		if err := admin.Bank.AllowUpload(t.Context(), exambuddy.Admin{ID: admin.id}, project.ID); err != nil {
			t.Fatal(err)
		}
	}
	admin.refused(t, "POST", "/v1/admin/projects/"+project.ID+"/documents", fileForm(t, "a.txt", "Which?\nA) Yes\nB) No\nANSWER: A\n"), 429, "RATE_LIMITED")
}

// groupOperations manages a class.
func groupOperations(t *testing.T, admin user) {
	var group contract.Group
	admin.must(t, "POST", "/v1/admin/groups", contract.NewGroup{Name: "Class 7b"}, &group)
	path := "/v1/admin/groups/" + group.ID
	admin.must(t, "GET", "/v1/admin/groups", nil, nil)
	admin.must(t, "PUT", path, contract.NewGroup{Name: "Class 8b"}, nil)
	var member contract.Member
	admin.must(t, "POST", path+"/members", contract.Address{Email: "cleo@example.org"}, &member)
	admin.must(t, "GET", path, nil, &group)
	var members contract.List[contract.Member]
	admin.must(t, "GET", path+"/members", nil, &members)
	if group.Members != 1 || group.Name != "Class 8b" || len(members.Items) != 1 || members.Items[0] != member {
		t.Errorf("the group is %+v with %+v", group, members)
	}
	var invitation contract.Invitation
	admin.must(t, "POST", path+"/invitations", contract.Address{Email: "new@example.org"}, &invitation)
	if !strings.Contains(invitation.Link, "https://exams.test/") {
		t.Errorf("the invitation is %+v", invitation)
	}
	admin.must(t, "DELETE", path+"/members/"+member.ID, nil, nil)
	admin.must(t, "DELETE", path, nil, nil)
	admin.must(t, "PUT", "/v1/admin/time-factors", contract.TimeFactor{Email: "cleo@example.org", Percent: 150}, nil)
	admin.must(t, "PUT", "/v1/admin/time-factors", contract.TimeFactor{Email: "cleo@example.org", Percent: 100}, nil)
}

// sitOperations starts sessions in both modes.
func sitOperations(t *testing.T, admin, candidate user, project contract.Project) {
	var exams contract.List[contract.Exam]
	candidate.must(t, "GET", "/v1/student/projects", nil, &exams)
	if len(exams.Items) != 1 || exams.Items[0].QuestionCount != 7 {
		t.Fatalf("the catalogue is %+v", exams)
	}
	var s contract.Session
	candidate.must(t, "POST", "/v1/student/sessions", contract.Start{ProjectID: project.ID, Mode: "test", Difficulty: "easy", QuestionCount: 2}, &s)
	path := "/v1/student/sessions/" + s.ID
	var active contract.List[contract.ActiveSession]
	candidate.must(t, "GET", "/v1/student/sessions", nil, &active)
	var running contract.List[contract.RunningSession]
	admin.must(t, "GET", "/v1/admin/projects/"+project.ID+"/sessions", nil, &running)
	if len(active.Items) != 1 || len(running.Items) != 1 || running.Items[0].CandidateID != candidate.id {
		t.Errorf("active %+v, running %+v", active, running)
	}
	var shown contract.Presented
	candidate.must(t, "POST", path+"/present", contract.Presentation{Position: 1, Writer: s.Writer}, &shown)
	candidate.must(t, "POST", path+"/flags", contract.Flag{QuestionID: shown.Asked.QuestionID, Flagged: true, Writer: s.Writer}, &s)
	if len(s.Flagged) != 1 {
		t.Errorf("the session is %+v", s)
	}
	admin.must(t, "POST", "/v1/admin/sessions/"+s.ID+"/extend", contract.Extension{Seconds: 30, Notice: "The fire alarm."}, nil)
	candidate.must(t, "POST", path+"/take", nil, &s)
	if s.Notice != "The fire alarm." || s.Writer == "" {
		t.Errorf("the session is %+v", s)
	}
	var feedback contract.Feedback
	candidate.must(t, "POST", path+"/practice", contract.NewAnswer{Position: 1, Answer: solve(t, shown.Asked.Question), Sequence: 1, Writer: s.Writer}, &feedback)
	if !feedback.Correct || feedback.Mark != 1000 {
		t.Errorf("the feedback is %+v", feedback)
	}
	candidate.must(t, "DELETE", path, nil, nil)

	free := rules()
	free.Navigation = "free"
	other := admin.exam(t, "In any order", free)
	candidate.must(t, "POST", "/v1/student/sessions", contract.Start{ProjectID: other.ID, Mode: "exam", Difficulty: "easy", QuestionCount: 7}, &s)
	var paper contract.List[contract.Asked]
	candidate.must(t, "GET", "/v1/student/sessions/"+s.ID+"/questions", nil, &paper)
	if len(paper.Items) != 7 {
		t.Errorf("the paper has %d questions", len(paper.Items))
	}
	candidate.must(t, "GET", "/v1/student/sessions/"+s.ID, nil, nil)
	candidate.must(t, "DELETE", "/v1/student/sessions/"+s.ID, nil, nil)
}

// resultOperations sits an exam, and reads its results in all forms.
func resultOperations(t *testing.T, admin, candidate user, project contract.Project) {
	attempt := candidate.sit(t, project.ID, 7, 1)
	if attempt.ScorePercent != 85.7 || !attempt.Passed || attempt.CorrectCount != 6 {
		t.Errorf("the attempt is %+v", attempt)
	}
	candidate.must(t, "GET", "/v1/student/sessions/"+attempt.ID+"/review", nil, nil)
	for _, u := range []user{admin, candidate} {
		var list contract.List[contract.Attempt]
		u.must(t, "GET", "/v1/results/attempts?projectId="+project.ID+"&from=2020-01-01&to=2099-01-01&candidateEmail=CLEO@example.org", nil, &list)
		var result contract.Result
		u.must(t, "GET", "/v1/results/attempts/"+attempt.ID, nil, &result)
		if len(list.Items) != 1 || len(result.Questions) != 7 || result.Questions[1].CorrectAnswer.Correct == nil && result.Questions[1].CorrectAnswer.Pairs == nil && result.Questions[1].CorrectAnswer.Blanks == nil {
			t.Errorf("the list %+v, the result %+v", list, result)
		}
		if got := u.send(t, "GET", "/v1/results/attempts/"+attempt.ID+"/export/csv", nil); !strings.Contains(got.text, "What is the capital of Norway?") {
			t.Errorf("the CSV is %s", got.text)
		}
		if got := u.send(t, "GET", "/v1/results/attempts/"+attempt.ID+"/export/pdf", nil); !strings.HasPrefix(got.text, "%PDF") {
			t.Errorf("the PDF begins with %.20q", got.text)
		}
	}
	if got := admin.send(t, "GET", "/v1/results/export/csv?projectId="+project.ID, nil); !strings.Contains(got.text, "cleo@example.org") {
		t.Errorf("the CSV is %s", got.text)
	}
	var certificate contract.Certificate
	candidate.must(t, "POST", "/v1/results/attempts/"+attempt.ID+"/certificate", nil, &certificate)
	user{site: candidate.site}.must(t, "GET", "/v1/certificates/"+certificate.Code, nil, &certificate)

	stored, err := candidate.DB.GetAttemptByID(t.Context(), attempt.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := candidate.Results.Settle(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	var totals contract.List[contract.Totals]
	admin.must(t, "GET", "/v1/results/stats", nil, &totals)
	if len(totals.Items) != 1 || *totals.Items[0].MeanScorePercent != 85.7 {
		t.Errorf("the totals are %+v", totals)
	}
	path := "/v1/admin/projects/" + project.ID
	day := attempt.StartedAt.Format(time.DateOnly)
	admin.must(t, "GET", path+"/days?from="+day+"&to="+day, nil, &totals)
	if len(totals.Items) != 1 || totals.Items[0].Attempts != 1 {
		t.Errorf("the day is %+v", totals)
	}
	var items contract.List[contract.ItemReport]
	admin.must(t, "GET", path+"/items", nil, &items)
	if len(items.Items) != 7 {
		t.Errorf("the analysis is %+v", items)
	}
	regrade := contract.NewRegrade{QuestionID: items.Items[0].QuestionID, Rule: "full_marks"}
	var outcome contract.Outcome
	admin.must(t, "POST", path+"/regrades/preview", regrade, &outcome)
	if outcome.Attempts != 1 {
		t.Errorf("the outcome is %+v", outcome)
	}
	admin.must(t, "POST", path+"/regrades", regrade, nil)
	admin.Work(t)
	var regrades contract.List[contract.Regrade]
	admin.must(t, "GET", path+"/regrades", nil, &regrades)
	if len(regrades.Items) != 1 || regrades.Items[0].FinishedAt == nil {
		t.Errorf("the regrades are %+v", regrades)
	}
}

// operate uses what operators have, and the tokens.
func (s *site) operate(t *testing.T) {
	s.SignUp(t, "Opal", exambuddy.RoleOperator)
	operator := s.again(t, "Opal")
	var users contract.List[contract.User]
	operator.must(t, "GET", "/v1/operator/users?role=admin", nil, &users)
	if len(users.Items) != 2 {
		t.Errorf("the admins are %+v", users)
	}
	operator.must(t, "POST", "/v1/operator/invitations", contract.Address{Email: "agnes@example.org"}, nil)
	operator.must(t, "PUT", "/v1/operator/roles", contract.NewRole{Email: "edith@example.org", Role: "candidate"}, nil)
	operator.must(t, "GET", "/v1/operator/months/2026-02", nil, nil)
	operator.refused(t, "GET", "/v1/operator/months/february", nil, 400, "VALIDATION_ERROR")
	var tokens contract.Tokens
	user{site: s}.must(t, "POST", "/v1/auth/login", operation.Login{Email: "opal@example.org", Password: password}, &tokens)
	user{site: s}.must(t, "POST", "/v1/auth/refresh", operation.Refresh{RefreshToken: tokens.RefreshToken}, &tokens)
	user{site: s}.must(t, "POST", "/v1/auth/logout", operation.Refresh{RefreshToken: tokens.RefreshToken}, nil)
}

// TestErrors checks the form of refusals.
func TestErrors(t *testing.T) {
	s := open(t)
	candidate := s.join(t, "Cleo", "candidate")
	admin := s.join(t, "Ada", "admin")
	stranger := user{site: s}
	stranger.refused(t, "GET", "/v1/student/projects", nil, 401, "UNAUTHORIZED")
	candidate.refused(t, "GET", "/v1/admin/projects", nil, 403, "WRONG_ROLE")
	admin.refused(t, "GET", "/v1/student/projects", nil, 403, "WRONG_ROLE")
	stranger.refused(t, "POST", "/v1/auth/register", contract.Registration{Email: "CLEO@example.org", Password: password, Name: "Cleo"}, 409, "ADDRESS_TAKEN")
	stranger.refused(t, "POST", "/v1/auth/register", contract.Registration{Email: "x@example.org", Password: password, Name: "X", Role: "operator"}, 400, "VALIDATION_ERROR")
	if got := admin.refused(t, "POST", "/v1/admin/projects", contract.NewProject{Title: "Fine", PassMark: new(101)}, 400, "VALIDATION_ERROR"); !strings.Contains(got.text, `"passMark"`) {
		t.Errorf("the field has another name: %s", got.text)
	}
	s.Clock.Advance(2 * time.Hour)
	candidate.refused(t, "GET", "/v1/student/projects", nil, 401, "UNAUTHORIZED")
	s.again(t, "Cleo").must(t, "GET", "/v1/student/projects", nil, nil)
}
