package server_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// twice opens a page, sends the same form of it twice at the same time, and once more after that, as a double click
// and a resend do. It returns the three responses, none of which is a refusal and which all lead to one path.
func (b *browser) twice(page, path string, pairs ...string) []*browser {
	b.t.Helper()
	values := url.Values{"csrf": {b.get(page).token()}}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	return b.repeat(path, "application/x-www-form-urlencoded", []byte(values.Encode()))
}

// repeat sends a request twice at the same time, and once more after that.
func (b *browser) repeat(path, kind string, body []byte) []*browser {
	b.t.Helper()
	tabs := make([]*browser, 3)
	for i := range tabs {
		tabs[i] = &browser{t: b.t, base: b.base, http: b.http, path: b.path}
	}
	var sent sync.WaitGroup
	for _, tab := range tabs[:2] {
		sent.Go(func() { tab.do(http.MethodPost, path, kind, bytes.NewReader(body), nil) })
	}
	sent.Wait()
	tabs[2].do(http.MethodPost, path, kind, bytes.NewReader(body), nil)
	for _, tab := range tabs {
		if tab.code != http.StatusOK || tab.path != tabs[0].path {
			b.t.Errorf("POST %s: %d at %s, want %d at %s", path, tab.code, tab.path, http.StatusOK, tabs[0].path)
		}
	}
	return tabs
}

// one fails unless the last page has one thing of a kind.
func (b *browser) one(thing *regexp.Regexp) {
	b.t.Helper()
	found := make(map[string]bool)
	for _, text := range thing.FindAllString(b.page, -1) {
		found[text] = true
	}
	if len(found) != 1 {
		b.t.Errorf("the page at %s has %d of %s", b.path, len(found), thing)
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
	exam := admin.twice("/admin", "/admin/projects", "title", "General knowledge")[0].path
	admin.get("/admin").one(examLink)

	admin.twice(exam+"/questions/new?kind=single_choice", exam+"/questions/new",
		"kind", "single_choice", "text", "Capital of Norway?", "row-0", "Oslo", "row-1", "Bergen", "correct", "0", "difficulty", "easy")
	paths, _ := questionPaths(admin.get(exam))
	admin.twice(exam, paths[0]+"/copy")
	if paths, texts := questionPaths(admin.get(exam)); len(paths) != 2 {
		t.Errorf("the questions are %q", texts)
	}

	group := admin.twice("/admin/groups", "/admin/groups", "name", "Class 7")[0].path
	admin.get("/admin/groups").one(groupLink)
	links := make(map[string]bool)
	for _, tab := range admin.twice(group, group, "do", "add", "email", "kim@example.org") {
		links[invitedLink.FindString(tab.page)] = true
	}
	if len(links) != 1 || links[""] {
		t.Errorf("the same form gave the links %v", links)
	}
	outbox := admin.get(outboxLink(t))
	if got := strings.Count(outbox.page, "invited you to"); got != 1 {
		t.Errorf("%d mails invite", got)
	}
}

func TestAFileUploadedTwiceIsImportedOnce(t *testing.T) {
	admin := signUp(t, start(t), "Ada", "build")
	page := makeExam(admin, "General knowledge") + "/import"
	token := admin.get(page).token()
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
		admin.repeat(page, form.FormDataContentType(), body.Bytes())
	}
	send("Capital of Norway?\nA. Oslo\nB. Bergen\nANSWER: A\n")
	admin.get(page).one(documentLink)
	send("Capital of Sweden?\nA. Stockholm\nB. Malmö\nANSWER: A\n") // of the same page, but another file
	if got := len(documentLink.FindAllString(admin.get(page).page, -1)); got != 2 {
		t.Errorf("%d files are uploaded", got)
	}
}

func TestTimeGivenTwiceCountsOnce(t *testing.T) {
	base := start(t)
	admin := signUp(t, base, "Ada", "build")
	exam := makeExam(admin, "General knowledge")
	addQuestions(admin, exam)
	admin.get(exam).post(http.StatusOK, exam+"/state", "do", "publish")
	id := strings.TrimPrefix(exam, "/admin/projects/")
	signUp(t, base, "Kim", "sit").get("/exams/"+id).post(http.StatusOK, "/exams/"+id+"/start", "mode", "exam", "difficulty", "easy", "question_count", "1")
	session := sessionField.FindStringSubmatch(admin.get(exam + "/live").page)
	if session == nil {
		t.Fatal("nobody sits the exam")
	}
	admin.twice(exam+"/live", exam+"/live", "session", session[1], "minutes", "7", "notice", "")
	admin.get(exam + "/live").shows("7 min extra")
}
