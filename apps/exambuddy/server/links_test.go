package server_test

import (
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/demo"
	"sortkey.dev/apps/internal/webtest"
	"sortkey.dev/apps/internal/webtest/crawl"
)

const operatorSecret = "an operator's secret of tests"

// visitDemo returns the browser of a person of the demo.
func visitDemo(t *testing.T, base, address string) *webtest.Visitor {
	t.Helper()
	return webtest.NewVisitor(t, base).Open("/sign-in").Send(http.StatusOK, "/sign-in", "address", address, "password", demo.Password)
}

// school opens a system in which every page has something to show: the demo, with an import that is
// under review, one that failed, a regrade, an exam in the archive, a certificate and a running
// session. It returns a browser for each role.
func school(t *testing.T) (base, certificate string, people map[string]*webtest.Visitor) {
	t.Helper()
	base, database := startAs(t, map[string]string{"EXAMBUDDY_OPERATOR_SECRET": operatorSecret}, true)
	play(t, base, filepath.Join(t.TempDir(), "demo.json"), 3)
	dana, alex := visitDemo(t, base, demo.Admin), visitDemo(t, base, demo.Candidate)

	old := makeExam(dana, "Last year")
	dana.Send(http.StatusOK, old+"/state", "do", "archive")
	exam := makeExam(dana, "All kinds")
	addQuestions(dana, exam)
	dana.Open(exam+"/settings").Send(http.StatusOK, exam+"/settings", "title", "All kinds", "pass_mark", "50", "navigation", "free", "offline", "strict", "reveal", "submit", "overdue", "submit",
		"practice", "on", "certificates", "on", "version", version(dana))
	upload(dana.Open(exam+"/import"), exam+"/import", "file", "questions.txt", "Which is a colour?\nA) Red\nB) Two\nANSWER: A\n\nWhich is a number?\nA) Green\nB) Seven\n")
	settled(dana)
	upload(dana.Open(exam+"/import"), exam+"/import", "file", "empty.txt", "There is no question in this file.\n")
	settled(dana)
	dana.Open(exam).Send(http.StatusOK, exam+"/state", "do", "publish")

	id := strings.TrimPrefix(exam, "/admin/projects/")
	alex.Open("/exams/"+id).Send(http.StatusOK, "/exams/"+id+"/start", "mode", "exam", "difficulty", "easy", "question_count", "8")
	for range 8 {
		at := alex.Path
		alex.Send(http.StatusOK, at, append(solve(alex), "do", "next", "sequence", "1")...)
	}
	alex.Send(http.StatusOK, strings.TrimSuffix(alex.Path, "/hand-in")+"/submit").Says("100.0 %").Send(http.StatusOK, alex.Path+"/certificate").Says("ExamBuddy certifies that")
	certificate = alex.Path
	alex.Open("/exams/"+id).Send(http.StatusOK, "/exams/"+id+"/start", "mode", "exam", "difficulty", "easy", "question_count", "3")
	item := ""
	for item == "" { // the stream brings the attempt into the statistics
		item = regexp.MustCompile(exam + `/items/[0-9A-Z]+`).FindString(dana.Open(exam + "/results").Page)
	}
	dana.Open(item).Send(http.StatusOK, item+"/regrade", "rule", "full_marks", "do", "apply", "reason", "A riddle")

	opal := signUp(t, base, "Opal", "sit")
	makeOperator(t, database, "opal@example.org")
	operator := webtest.NewVisitor(t, base)
	operator.Open("/operator/sign-in").Send(http.StatusOK, "/operator/sign-in", "name", "operator", "secret", operatorSecret)
	return base, certificate, map[string]*webtest.Visitor{"a visitor": webtest.NewVisitor(t, base), "a candidate": alex, "a new candidate": signUp(t, base, "Newton", "sit"), "an admin": dana, "a new admin": signUp(t, base, "Ada", "build"), "an account of an operator": opal, "an operator": operator}
}

// pastDay reports whether a path is a day of the audit trail, of which there are hundreds.
func pastDay(path string) bool { return strings.HasPrefix(path, "/operator/audit?") }

// TestEveryLinkCanBeFollowed follows the links of all pages as each role. No page offers what its
// reader may not open, and every page is reached by links.
func TestEveryLinkCanBeFollowed(t *testing.T) {
	base, certificate, people := school(t)
	unreached := map[string]bool{}
	for _, route := range pageRoutes(t) {
		if template, isPage := strings.CutPrefix(route, "GET "); isPage && strings.HasPrefix(template, "/") {
			unreached[template] = true
		}
	}
	mux := http.NewServeMux()
	for template := range unreached {
		mux.HandleFunc("GET "+template, http.NotFound)
	}
	for name, b := range people {
		starts := []string{"/", certificate} // candidates pass the address of a certificate on
		if name == "an operator" {
			starts = append(starts, "/operator")
		}
		opened := crawl.Crawl{Name: name, Base: base, Client: b.Client, Skip: pastDay}.Walk(t, starts...)
		t.Logf("%s: %d addresses", name, len(opened))
		for _, path := range opened {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, pattern := mux.Handler(r)
			delete(unreached, strings.TrimPrefix(pattern, "GET "))
		}
	}
	for template := range unreached {
		t.Errorf("no link leads to %s", template)
	}
}
