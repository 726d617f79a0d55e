package server_test

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/webtest"
)

// makeExam creates an exam and returns the path of its page.
func makeExam(b *webtest.Visitor, title string) string {
	b.T.Helper()
	b.Open("/admin").Send(http.StatusOK, "/admin/projects", "title", title)
	if !strings.HasPrefix(b.Path, "/admin/projects/") {
		b.T.Fatalf("at %s after creating an exam", b.Path)
	}
	return b.Path
}

// addQuestions adds a question of each kind that needs no image.
func addQuestions(b *webtest.Visitor, exam string) {
	b.T.Helper()
	for _, fields := range [][]string{
		{"kind", "single_choice", "text", "Capital of Norway?", "row-0", "Oslo", "row-1", "Bergen", "correct", "0", "tags", "north", "explanation", "Oslo since 1814."},
		{"kind", "multiple_response", "text", "Which are even?", "row-0", "Two", "row-1", "Three", "row-2", "Four", "correct", "0", "correct", "2", "tags", "numbers"},
		{"kind", "true_false", "text", "Water boils at 100 degrees at sea level.", "correct", "0"},
		{"kind", "fill_in_blank", "text", "HTML is the ___ Markup Language.", "row-0", "HyperText\r\nhyper text"},
		{"kind", "ordering", "text", "From small to large", "row-0", "Ant", "row-1", "Cat", "row-2", "Whale"},
		{"kind", "matching", "text", "Capitals", "row-0", "Sweden", "other-0", "Stockholm", "row-1", "Finland", "other-1", "Helsinki", "other-2", "Riga"},
		{"kind", "scenario", "passage", "A shop has ten apples.", "text", "It sells four. How many are left?", "row-0", "Six", "row-1", "Four", "correct", "0"},
		{"kind", "scenario_statements", "passage", "A shop has ten apples.", "text", "Judge.", "row-0", "There are apples.", "other-0", "yes", "row-1", "There are pears.", "other-1", "no"},
	} {
		b.Open(exam+"/questions/new?kind="+fields[1]).Send(http.StatusOK, exam+"/questions/new", append(fields, "difficulty", "easy")...)
		if b.Path != exam {
			b.T.Errorf("at %s after adding %s", b.Path, fields[1])
		}
	}
}

var (
	optionRow = regexp.MustCompile(`(?s)name="(choice|part-[^"]+)" value="([^"]*)"[^>]*><span class="choice-text"><span dir="auto">([^<]*)</span>`)
	orderRow  = regexp.MustCompile(`(?s)name="order" value="([^"]+)">.*?class="order-text" dir="auto">([^<]+)<`)
	pairRow   = regexp.MustCompile(`(?s)<label for="(part-[^"]+)" dir="auto">([^<]+)</label>(.*?)</select>`)
	target    = regexp.MustCompile(`<option value="([^"]+)"[^>]*>([^<]+)</option>`)
	blank     = regexp.MustCompile(`class="blank" type="text" name="([^"]+)"`)
	statement = regexp.MustCompile(`(?s)<legend dir="auto">([^<]+)</legend>.*?name="(part-[^"]+)"`)
)

// solve returns the fields of the right answer to the question on the page.
func solve(b *webtest.Visitor) []string {
	b.T.Helper()
	var fields []string
	right := map[string]bool{"Oslo": true, "Two": true, "Four": true, "True": true, "Six": true}
	if strings.Contains(b.Page, "How many are left?") {
		right["Four"] = false
	}
	for _, m := range optionRow.FindAllStringSubmatch(b.Page, -1) {
		if right[m[3]] {
			fields = append(fields, m[1], m[2])
		}
	}
	places := map[string]string{}
	for _, m := range orderRow.FindAllStringSubmatch(b.Page, -1) {
		places[m[2]] = m[1]
	}
	if len(places) > 0 {
		fields = append(fields, "order", places["Ant"], "order", places["Cat"], "order", places["Whale"])
	}
	for _, m := range pairRow.FindAllStringSubmatch(b.Page, -1) {
		for _, o := range target.FindAllStringSubmatch(m[3], -1) {
			if o[2] == map[string]string{"Sweden": "Stockholm", "Finland": "Helsinki"}[m[2]] {
				fields = append(fields, m[1], o[1])
			}
		}
	}
	if m := blank.FindStringSubmatch(b.Page); m != nil {
		fields = append(fields, m[1], " hypertext ")
	}
	for _, m := range statement.FindAllStringSubmatch(b.Page, -1) {
		fields = append(fields, m[2], map[bool]string{true: "yes", false: "no"}[m[1] == "There are apples."])
	}
	if len(fields) == 0 {
		b.T.Fatalf("there is no answer on the page at %s", b.Path)
	}
	return fields
}

func TestAnExamIsBuiltAndSat(t *testing.T) {
	base := start(t)
	admin, candidate := signUp(t, base, "Ada", "build"), signUp(t, base, "Cleo", "sit")
	exam := makeExam(admin, "General knowledge")
	admin.Send(http.StatusUnprocessableEntity, exam+"/state", "do", "publish")
	addQuestions(admin, exam)
	candidate.Open("/").Hides("General knowledge")
	admin.Open(exam).Says("Capital of Norway?", "8 questions").Send(http.StatusOK, exam+"/state", "do", "publish").Says("Published")

	id := strings.TrimPrefix(exam, "/admin/projects/")
	candidate.Open("/").Says("General knowledge", "8 questions")
	candidate.Open("/exams/"+id).Says("Start, the clock begins", "You cannot go back", "You see the right answers after you hand in.")
	candidate.Send(http.StatusUnprocessableEntity, "/exams/"+id+"/start", "mode", "exam", "difficulty", "easy", "question_count", "60").Says(`value="60"`, "8")
	candidate.Send(http.StatusOK, "/exams/"+id+"/start", "mode", "exam", "difficulty", "easy", "question_count", "8")
	sit := strings.TrimSuffix(candidate.Path, "/1")
	for range 8 {
		candidate.Hides("Oslo since 1814.", "HyperText", "Right answer")
		at := candidate.Path
		candidate.Send(http.StatusOK, at+"/save", append(solve(candidate.Open(at)), "sequence", "1")...).Says(`"accepted":true`)
		candidate.Open(at).Send(http.StatusOK, at, append(solve(candidate), "do", "next", "sequence", "2")...)
	}
	candidate.Says("8 of 8").Send(http.StatusOK, sit+"/submit").Says("100.0 %", "Passed", "Oslo since 1814.")
	result := candidate.Path
	candidate.Open(sit).Says("100.0 %")
	candidate.Open(result + "/answers.csv").Says("Capital of Norway?")
	candidate.Open(result + "/report.pdf").Says("%PDF")
	candidate.Open("/history").Says("General knowledge", "100.0 %")
	candidate.Do(http.MethodGet, exam, "", nil, nil)
	if candidate.Code != http.StatusForbidden {
		t.Errorf("a candidate at the page of an admin: %d", candidate.Code)
	}
	other := signUp(t, base, "Otto", "sit")
	for _, path := range []string{result, sit, sit + "/1", result + "/report.pdf"} {
		if other.Do(http.MethodGet, path, "", nil, nil); other.Code != http.StatusNotFound {
			t.Errorf("another candidate at %s: %d", path, other.Code)
		}
	}
	admin.Open(exam+"/results").Says("Cleo", "100.0 %")
	admin.Open(exam + "/results.csv").Says("cleo@example.org")
	admin.Open(strings.Replace(result, "/results/", "/admin/attempts/", 1)).Says("Cleo", "Capital of Norway?")
}

func TestPracticeShowsTheAnswerAfterwards(t *testing.T) {
	base := start(t)
	admin, candidate := signUp(t, base, "Ada", "build"), signUp(t, base, "Cleo", "sit")
	exam := makeExam(admin, "North")
	admin.Open(exam+"/questions/new").Send(http.StatusOK, exam+"/questions/new", "kind", "single_choice", "text", "Capital of Norway?", "row-0", "Oslo", "row-1", "Bergen", "correct", "0", "explanation", "Oslo since 1814.", "difficulty", "easy")
	admin.Open(exam).Send(http.StatusOK, exam+"/state", "do", "publish")
	id := strings.TrimPrefix(exam, "/admin/projects/")
	candidate.Open("/exams/"+id).Send(http.StatusOK, "/exams/"+id+"/start", "mode", "test", "difficulty", "easy", "question_count", "1", "no_limit", "on").Hides("1814")
	at := candidate.Path
	candidate.Send(http.StatusUnprocessableEntity, at, "do", "answer").Says("Answer the question first")
	candidate.Send(http.StatusOK, at, append(solve(candidate), "do", "answer")...).Says("Right", "Oslo since 1814.")
	candidate.Open(at).Says("You have answered this question")
	candidate.Send(http.StatusOK, at, "do", "next").Says("100.0 %", "Practice").Hides("pass mark", "Passed") // practice is not passed or failed
	candidate.Open("/history").Says("100.0 %", "Practice").Hides("Passed", "Not passed")
}

// TestTheStartPageSaysWhatIsLeft: of the time until the exam closes, and of the attempts.
func TestTheStartPageSaysWhatIsLeft(t *testing.T) {
	base := start(t)
	admin, candidate := signUp(t, base, "Ada", "build"), signUp(t, base, "Cleo", "sit")
	exam := makeExam(admin, "Once")
	addQuestions(admin, exam)
	closes := time.Now().UTC().Add(9 * time.Minute)
	settings := func(more ...string) {
		t.Helper()
		admin.Open(exam+"/settings").Send(http.StatusOK, exam+"/settings", append(more, "title", "Once", "pass_mark", "50", "navigation", "free", "offline", "strict", "reveal", "close", "overdue", "submit",
			"exam_count", "8", "exam_difficulty", "easy", "max_attempts", "1", "closes_at", closes.Format("2006-01-02T15:04"), "version", version(admin))...).Says("Saved")
	}
	settings()
	admin.Open(exam).Send(http.StatusOK, exam+"/state", "do", "publish")
	at := "/exams/" + strings.TrimPrefix(exam, "/admin/projects/")
	candidate.Open(at).Says("0 of 1 used", "The exam closes in", "less than the 16 min", closes.Format("15:04")+" UTC")
	candidate.Send(http.StatusOK, at+"/start", "mode", "exam").Says("it counts as an attempt. You have no attempt left after it.")
	candidate.Open(strings.TrimSuffix(candidate.Path, "/1")+"/hand-in").Send(http.StatusOK, strings.TrimSuffix(candidate.Path, "/hand-in")+"/submit").Says("They are shown from")
	candidate.Open(at).Says("1 of 1 used", "as often as it can be taken").Hides("Start, the clock begins")
	settings("practice", "on")
	admin.Open(exam + "/settings").Says("Practice shows the right answers")
	candidate.Open(at).Says("You see the right answer and the reason").Hides("Timed.")
}

func TestASessionGoesOnInAnotherBrowser(t *testing.T) {
	base := start(t)
	admin, candidate := signUp(t, base, "Ada", "build"), signUp(t, base, "Cleo", "sit")
	exam := makeExam(admin, "In any order")
	addQuestions(admin, exam)
	admin.Open(exam+"/settings").Send(http.StatusUnprocessableEntity, exam+"/settings", "title", "x", "description", "A long story", "pass_mark", "50", "version", version(admin)).Says("A long story")
	admin.Open(exam+"/settings").Send(http.StatusOK, exam+"/settings", "title", "In any order", "pass_mark", "50", "navigation", "free", "offline", "strict", "reveal", "never", "overdue", "submit",
		"exam_count", "8", "exam_difficulty", "easy", "practice", "on", "version", version(admin)).Says("Saved")
	admin.Open(exam).Send(http.StatusOK, exam+"/state", "do", "publish")
	id := strings.TrimPrefix(exam, "/admin/projects/")
	candidate.Open("/exams/" + id).Says("The right answers are not shown.") // it is set to never
	candidate.Open("/exams/"+id).Says("16 min").Send(http.StatusOK, "/exams/"+id+"/start", "mode", "exam")
	sit := strings.TrimSuffix(candidate.Path, "/1")
	candidate.Send(http.StatusOK, sit+"/1", append(solve(candidate), "do", "flag")...).Says("Flagged")
	candidate.Open(sit+"/hand-in").Says("1 of 8", "1 flagged", "7 without an answer")

	phone := webtest.NewVisitor(t, base)
	phone.Open("/sign-in").Send(http.StatusOK, "/sign-in", "address", "cleo@example.org", "password", "correct horse battery")
	phone.Open("/").Says("Resume").Open(sit).Says("Continue here")
	phone.Send(http.StatusOK, sit+"/take").Says("Question 1 of 8")
	candidate.Open(sit+"/hand-in").Send(http.StatusConflict, sit+"/submit").Says("Continue here")
	phone.Open(sit+"/hand-in").Send(http.StatusOK, sit+"/submit").Says("Answers are not shown yet", "12.5 %", "Not passed").Hides("Oslo since 1814.")
}

var versionField = regexp.MustCompile(`name="version" value="([^"]+)"`)

func version(b *webtest.Visitor) string {
	b.T.Helper()
	match := versionField.FindStringSubmatch(b.Page)
	if match == nil {
		b.T.Fatalf("there is no version at %s", b.Path)
	}
	return match[1]
}

// upload sends a form with a file.
func upload(b *webtest.Visitor, path, field, name, content string, pairs ...string) {
	b.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile(field, name)
	if err == nil {
		_, err = part.Write([]byte(content))
	}
	pairs = append(pairs, "csrf", b.CSRF)
	for i := 0; err == nil && i < len(pairs); i += 2 {
		err = form.WriteField(pairs[i], pairs[i+1])
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		b.T.Fatal(err)
	}
	b.Do(http.MethodPost, path, form.FormDataContentType(), &body, nil)
}

// settled reloads a page until the background work has ended.
func settled(b *webtest.Visitor) *webtest.Visitor {
	b.T.Helper()
	for b.Open(b.Path); strings.Contains(b.Page, "data-waiting"); b.Open(b.Path) {
	}
	return b
}

func TestQuestionsAreImported(t *testing.T) {
	base := start(t)
	admin := signUp(t, base, "Ada", "build")
	exam := makeExam(admin, "Imported")
	upload(admin.Open(exam+"/import"), exam+"/import", "file", "picture.png", "\x89PNG\r\n\x1a\n")
	if admin.Code != http.StatusUnprocessableEntity {
		t.Errorf("a picture: %d", admin.Code)
	}
	upload(admin.Open(exam+"/import"), exam+"/import", "file", "questions.txt", "Which is a colour?\nA) Red\nB) Two\nANSWER: A\n\nWhich is a number?\nA) Green\nB) Seven\nANSWER: B\n")
	settled(admin).Says("2</strong> ready", "Which is a colour?", "Import the chosen ones")
	review := admin.Path
	webtest.NewVisitor(t, base).Open("/")
	admin.Open(exam).Hides("Which is a colour?")
	admin.Open(review).Send(http.StatusOK, review, "do", "publish", "choice-1", "take", "choice-2", "skip", "version-2", "1")
	settled(admin).Says("Imported")
	admin.Open(exam).Says("Which is a colour?").Hides("Which is a number?")
	admin.Open(review).Send(http.StatusOK, review+"/delete").Says("Questions that were imported stay").Hides("questions.txt")
	admin.Open(exam).Says("Which is a colour?")
}

func TestTwoAdminsEditOneQuestion(t *testing.T) {
	base := start(t)
	admin := signUp(t, base, "Ada", "build")
	exam := makeExam(admin, "Edited")
	admin.Open(exam+"/questions/new").Send(http.StatusUnprocessableEntity, exam+"/questions/new", "kind", "single_choice", "text", "Only one option?", "row-0", "Yes indeed", "difficulty", "easy").Says("Yes indeed", "Only one option?")
	addQuestions(admin, exam)
	link := regexp.MustCompile(`href="(` + exam + `/questions/[0-9A-Z]+)"[^>]*>Capital`).FindStringSubmatch(admin.Open(exam).Page)
	if link == nil {
		t.Fatal("there is no link to the question")
	}
	old := version(admin.Open(link[1]).Says("Oslo</textarea>"))
	fields := []string{"kind", "single_choice", "row-0", "Oslo", "row-1", "Bergen", "correct", "0", "difficulty", "easy"}
	admin.Send(http.StatusOK, link[1], append(fields, "text", "Capital of Norway today?", "version", old)...)
	admin.Open(link[1]).Send(http.StatusConflict, link[1], append(fields, "text", "My version", "version", old)...).Says("My version", "Capital of Norway today?")
	admin.Send(http.StatusOK, exam+"/preview", append(fields, "text", "My version")...).Says("My version", "Choose one.")
	admin.Open(link[1]).Send(http.StatusOK, link[1]+"/delete")
	admin.Open(exam).Hides("Capital of Norway today?")
}

func TestAGroupIsInvited(t *testing.T) {
	base := start(t)
	admin, member := signUp(t, base, "Ada", "build"), signUp(t, base, "Cleo", "sit")
	admin.Open("/admin/groups").Send(http.StatusUnprocessableEntity, "/admin/groups", "name", "")
	admin.Send(http.StatusOK, "/admin/groups", "name", "Class 7b")
	group := admin.Path
	admin.Send(http.StatusUnprocessableEntity, group, "do", "add", "email", "no address").Says("no address")
	admin.Open(group).Send(http.StatusOK, group, "do", "add", "email", "cleo@example.org").Says("Cleo")
	admin.Send(http.StatusOK, group, "do", "time", "email", "cleo@example.org", "percent", "150").Says("Time 150 %")
	admin.Send(http.StatusOK, group, "do", "add", "email", "new@example.org").Says("Invited")
	signUp(t, base, "Dora", "sit")
	admin.Open(group).Send(http.StatusUnprocessableEntity, group, "do", "add", "email", "Dora <dora@example.org>, cleo@example.org;\r\nada@example.org\r\nother@example.org").
		Says("2 people added", "Copy the link for other@example.org", "ada@example.org: Only candidates can be members", ">\nada@example.org</textarea>")
	admin.Open(group).Says("Dora").Send(http.StatusOK, group, "do", "rename", "name", "Class 8b").Says("Class 8b")

	exam := makeExam(admin, "Only for 7b")
	addQuestions(admin, exam)
	admin.Open(exam+"/settings").Send(http.StatusOK, exam+"/settings", "title", "Only for 7b", "pass_mark", "50", "navigation", "forward", "offline", "strict", "reveal", "submit", "overdue", "submit",
		"groups", strings.TrimPrefix(group, "/admin/groups/"), "version", version(admin))
	admin.Open(exam).Send(http.StatusOK, exam+"/state", "do", "publish")
	member.Open("/").Says("Only for 7b")
	member.Open("/exams/" + strings.TrimPrefix(exam, "/admin/projects/")).Says("150 %")
	signUp(t, base, "Otto", "sit").Open("/").Hides("Only for 7b")
}

// TestAnExamIsShared: a second admin edits an exam for a class of the first one, and it stays for that
// class. Only the owner can share and delete it, and only the owner is offered that.
func TestAnExamIsShared(t *testing.T) {
	base := start(t)
	ada, bob, pupil := signUp(t, base, "Ada", "build"), signUp(t, base, "Bob", "build"), signUp(t, base, "Pupil", "sit")
	ada.Open("/admin/groups").Send(http.StatusOK, "/admin/groups", "name", "Class 7b")
	group := strings.TrimPrefix(ada.Path, "/admin/groups/")
	exam := makeExam(ada, "Only for 7b")
	addQuestions(ada, exam)
	settings := []string{"title", "Only for 7b", "pass_mark", "50", "navigation", "forward", "offline", "strict", "reveal", "submit", "overdue", "submit"}
	ada.Open(exam+"/settings").Send(http.StatusOK, exam+"/settings", append(settings, "groups", group, "version", version(ada))...)
	ada.Open(exam).Send(http.StatusOK, exam+"/state", "do", "publish")
	ada.Open(exam+"/settings").Send(http.StatusUnprocessableEntity, exam+"/editors", "do", "share", "email", "pupil@example.org").Says("No admin has this address", "pupil@example.org")
	ada.Open(exam+"/settings").Send(http.StatusOK, exam+"/editors", "do", "share", "email", "bob@example.org").Says("Shared with bob@example.org", "Stop sharing with Bob")

	bob.Open("/admin").Says("Shared with you", "Only for 7b")
	bob.Open(exam+"/settings").Says("Class 7b", "belongs to another admin").Hides("Share with an admin", "Stop sharing")
	chosen := regexp.MustCompile(`name="groups" value="([^"]+)"[^>]* checked`).FindStringSubmatch(bob.Page)
	if chosen == nil || chosen[1] != group {
		t.Fatalf("the group of the exam is not chosen: %v", chosen)
	}
	bob.Send(http.StatusOK, exam+"/settings", append(settings, "groups", chosen[1], "version", version(bob))...).Says("Saved")
	pupil.Open("/").Hides("Only for 7b")
	bob.Open(exam).Send(http.StatusOK, exam+"/state", "do", "archive").Hides("Delete this exam")
	ada.Open(exam).Says("Delete this exam")
	bob.Open(exam).Send(http.StatusUnprocessableEntity, exam+"/state", "do", "delete").Says("Only the owner")
	editor := regexp.MustCompile(`name="editor" value="([^"]+)"`).FindStringSubmatch(ada.Open(exam + "/settings").Page)
	ada.Send(http.StatusOK, exam+"/editors", "do", "unshare", "editor", editor[1]).Says("No longer shared")
	if bob.Do(http.MethodGet, exam, "", nil, nil); bob.Code != http.StatusNotFound {
		t.Errorf("an admin with whom the exam is no longer shared: %d", bob.Code)
	}
}

func TestAQuestionAboutAnImage(t *testing.T) {
	base := start(t)
	admin, candidate := signUp(t, base, "Ada", "build"), signUp(t, base, "Cleo", "sit")
	exam := makeExam(admin, "Map")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	fields := []string{"kind", "hotspot", "text", "Where is north?", "difficulty", "easy", "image-0-alt", "A map", "row-0", "top", "x-0", "0", "y-0", "0", "w-0", "100", "h-0", "50", "row-1", "bottom", "x-1", "0", "y-1", "50", "w-1", "100", "h-1", "50", "correct", "0"}
	upload(admin.Open(exam+"/questions/new?kind=hotspot"), exam+"/questions/new", "image-0-file", "map.png", "no picture", fields...)
	if admin.Says("at most 40 megapixels", "Where is north?"); admin.Code != http.StatusUnprocessableEntity {
		t.Errorf("a text as an image: %d", admin.Code)
	}
	upload(admin, exam+"/questions/new", "image-0-file", "map.png", picture.String(), fields...)
	if admin.Path != exam {
		t.Fatalf("at %s after adding a hotspot", admin.Path)
	}
	admin.Send(http.StatusOK, exam+"/state", "do", "publish")
	id := strings.TrimPrefix(exam, "/admin/projects/")
	candidate.Open("/exams/"+id).Send(http.StatusOK, "/exams/"+id+"/start", "mode", "exam", "difficulty", "easy", "question_count", "1").Says("Region 1, top")
	at, source := candidate.Path, regexp.MustCompile(`src="(/images/[^"]+)"`).FindStringSubmatch(candidate.Page)
	region := regexp.MustCompile(`name="choice" value="([^"]+)"[^>]*><span class="choice-text"><span>Region 1`).FindStringSubmatch(candidate.Page)
	if source == nil || region == nil {
		t.Fatal("the page has no image or no region")
	}
	candidate.Open(source[1]).Open(at).Send(http.StatusOK, at, "choice", region[1], "do", "next").Says("1 of 1")
	candidate.Send(http.StatusOK, strings.TrimSuffix(at, "/1")+"/submit").Says("100.0 %")
	visitor := webtest.NewVisitor(t, base)
	if visitor.Do(http.MethodGet, source[1], "", nil, nil); !strings.HasPrefix(visitor.Path, "/sign-in") {
		t.Errorf("a visitor who opens an image is at %s", visitor.Path)
	}
}
