package server_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

// one fails unless the last page has one thing of a kind.
func one(b *webtest.Visitor, thing *regexp.Regexp) {
	b.T.Helper()
	found := make(map[string]bool)
	for _, text := range thing.FindAllString(b.Page, -1) {
		found[text] = true
	}
	if len(found) != 1 {
		b.T.Errorf("the page at %s has %d of %s", b.Path, len(found), thing)
	}
}

var (
	examLink     = regexp.MustCompile(`href="/admin/projects/[0-9A-Z]{26}"`)
	groupLink    = regexp.MustCompile(`href="/admin/groups/[0-9A-Z]{26}"`)
	documentLink = regexp.MustCompile(`href="/admin/projects/[0-9A-Z]{26}/import/[0-9A-Z]{26}"`)
	invitedLink  = regexp.MustCompile(`[?&]token=[A-Za-z0-9_-]+`)
	sessionField = regexp.MustCompile(`name="session" value="([^"]+)"`)
)

// TestAFormSentTwiceActsOnce sends the forms of admins twice, as a double click and a resend do.
func TestAFormSentTwiceActsOnce(t *testing.T) {
	base := start(t)
	admin := signUp(t, base, "Ada", "build")
	exam := admin.Twice("/admin", "/admin/projects", "title", "General knowledge")[0].Path
	one(admin.Open("/admin"), examLink)

	admin.Twice(exam+"/questions/new?kind=single_choice", exam+"/questions/new",
		"kind", "single_choice", "text", "Capital of Norway?", "row-0", "Oslo", "row-1", "Bergen", "correct", "0", "difficulty", "easy")
	paths, _ := questionPaths(admin.Open(exam))
	admin.Twice(exam, paths[0]+"/copy")
	if paths, texts := questionPaths(admin.Open(exam)); len(paths) != 2 {
		t.Errorf("the questions are %q", texts)
	}

	group := admin.Twice("/admin/groups", "/admin/groups", "name", "Class 7")[0].Path
	one(admin.Open("/admin/groups"), groupLink)
	links := make(map[string]bool)
	for _, tab := range admin.Twice(group, group, "do", "add", "email", "kim@example.org") {
		links[invitedLink.FindString(tab.Page)] = true
	}
	if len(links) != 1 || links[""] {
		t.Errorf("the same form gave the links %v", links)
	}
	outbox := admin.Open(outboxLink(t))
	if got := strings.Count(outbox.Page, "invited you to"); got != 1 {
		t.Errorf("%d mails invite", got)
	}
}

func TestAFileUploadedTwiceIsImportedOnce(t *testing.T) {
	admin := signUp(t, start(t), "Ada", "build")
	page := makeExam(admin, "General knowledge") + "/import"
	token := admin.Open(page).CSRF
	send := func(content string) {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("file", "questions.txt")
		if err == nil {
			_, err = part.Write([]byte(content))
		}
		if err == nil {
			err = form.WriteField("csrf", token)
		}
		if err == nil {
			err = form.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		admin.Repeat(page, form.FormDataContentType(), body.Bytes())
	}
	send("Capital of Norway?\nA. Oslo\nB. Bergen\nANSWER: A\n")
	one(admin.Open(page), documentLink)
	send("Capital of Sweden?\nA. Stockholm\nB. Malmö\nANSWER: A\n") // of the same page, but another file
	if got := len(documentLink.FindAllString(admin.Open(page).Page, -1)); got != 2 {
		t.Errorf("%d files are uploaded", got)
	}
}

func TestTimeGivenTwiceCountsOnce(t *testing.T) {
	base := start(t)
	admin := signUp(t, base, "Ada", "build")
	exam := makeExam(admin, "General knowledge")
	addQuestions(admin, exam)
	admin.Open(exam).Send(http.StatusOK, exam+"/state", "do", "publish")
	id := strings.TrimPrefix(exam, "/admin/projects/")
	signUp(t, base, "Kim", "sit").Open("/exams/"+id).Send(http.StatusOK, "/exams/"+id+"/start", "mode", "exam", "difficulty", "easy", "question_count", "1")
	session := sessionField.FindStringSubmatch(admin.Open(exam + "/live").Page)
	if session == nil {
		t.Fatal("nobody sits the exam")
	}
	admin.Twice(exam+"/live", exam+"/live", "session", session[1], "minutes", "7", "notice", "")
	admin.Open(exam + "/live").Says("7 min extra")
}
