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
)

// makeExam creates an exam and returns the path of its page.
func makeExam(b *browser, title string) string {
	b.T.Helper()
	b.get("/admin").post(http.StatusOK, "/admin/projects", "title", title)
	if !strings.HasPrefix(b.Path, "/admin/projects/") {
		b.T.Fatalf("at %s after creating an exam", b.Path)
	}
	return b.Path
}

// addQuestions adds a question of each kind that needs no image.
func addQuestions(b *browser, exam string) {
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
		b.get(exam+"/questions/new?kind="+fields[1]).post(http.StatusOK, exam+"/questions/new", append(fields, "difficulty", "easy")...)
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
func solve(b *browser) []string {
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
	admin.post(http.StatusUnprocessableEntity, exam+"/state", "do", "publish")
	addQuestions(admin, exam)
	candidate.get("/").Hides("General knowledge")
	admin.get(exam).shows("Capital of Norway?", "8 questions").post(http.StatusOK, exam+"/state", "do", "publish").shows("Published")

	id := strings.TrimPrefix(exam, "/admin/projects/")
	candidate.get("/").shows("General knowledge", "8 questions")
	candidate.get("/exams/"+id).shows("Start, the clock begins", "You cannot go back", "You see the right answers after you hand in.")
	candidate.post(http.StatusUnprocessableEntity, "/exams/"+id+"/start", "mode", "exam", "difficulty", "easy", "question_count", "60").shows(`value="60"`, "8")
	candidate.post(http.StatusOK, "/exams/"+id+"/start", "mode", "exam", "difficulty", "easy", "question_count", "8")
	sit := strings.TrimSuffix(candidate.Path, "/1")
	for range 8 {
		candidate.Hides("Oslo since 1814.", "HyperText", "Right answer")
		at := candidate.Path
		candidate.post(http.StatusOK, at+"/save", append(solve(candidate.get(at)), "sequence", "1")...).shows(`"accepted":true`)
		candidate.get(at).post(http.StatusOK, at, append(solve(candidate), "do", "next", "sequence", "2")...)
	}
	candidate.shows("8 of 8").post(http.StatusOK, sit+"/submit").shows("100.0 %", "Passed", "Oslo since 1814.")
	result := candidate.Path
	candidate.get(sit).shows("100.0 %")
	candidate.get(result + "/answers.csv").shows("Capital of Norway?")
	candidate.get(result + "/report.pdf").shows("%PDF")
	candidate.get("/history").shows("General knowledge", "100.0 %")
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
	admin.get(exam+"/results").shows("Cleo", "100.0 %")
	admin.get(exam + "/results.csv").shows("cleo@example.org")
	admin.get(strings.Replace(result, "/results/", "/admin/attempts/", 1)).shows("Cleo", "Capital of Norway?")
}

func TestPracticeShowsTheAnswerAfterwards(t *testing.T) {
	base := start(t)
	admin, candidate := signUp(t, base, "Ada", "build"), signUp(t, base, "Cleo", "sit")
	exam := makeExam(admin, "North")
	admin.get(exam+"/questions/new").post(http.StatusOK, exam+"/questions/new", "kind", "single_choice", "text", "Capital of Norway?", "row-0", "Oslo", "row-1", "Bergen", "correct", "0", "explanation", "Oslo since 1814.", "difficulty", "easy")
	admin.get(exam).post(http.StatusOK, exam+"/state", "do", "publish")
	id := strings.TrimPrefix(exam, "/admin/projects/")
	candidate.get("/exams/"+id).post(http.StatusOK, "/exams/"+id+"/start", "mode", "test", "difficulty", "easy", "question_count", "1", "no_limit", "on").Hides("1814")
	at := candidate.Path
	candidate.post(http.StatusUnprocessableEntity, at, "do", "answer").shows("Answer the question first")
	candidate.post(http.StatusOK, at, append(solve(candidate), "do", "answer")...).shows("Right", "Oslo since 1814.")
	candidate.get(at).shows("You have answered this question")
	candidate.post(http.StatusOK, at, "do", "next").shows("100.0 %", "Practice").Hides("pass mark", "Passed") // practice is not passed or failed
	candidate.get("/history").shows("100.0 %", "Practice").Hides("Passed", "Not passed")
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
		admin.get(exam+"/settings").post(http.StatusOK, exam+"/settings", append(more, "title", "Once", "pass_mark", "50", "navigation", "free", "offline", "strict", "reveal", "close", "overdue", "submit",
			"exam_count", "8", "exam_difficulty", "easy", "max_attempts", "1", "closes_at", closes.Format("2006-01-02T15:04"), "version", version(admin))...).shows("Saved")
	}
	settings()
	admin.get(exam).post(http.StatusOK, exam+"/state", "do", "publish")
	at := "/exams/" + strings.TrimPrefix(exam, "/admin/projects/")
	candidate.get(at).shows("0 of 1 used", "The exam closes in", "less than the 16 min", closes.Format("15:04")+" UTC")
	candidate.post(http.StatusOK, at+"/start", "mode", "exam").shows("it counts as an attempt. You have no attempt left after it.")
	candidate.get(strings.TrimSuffix(candidate.Path, "/1")+"/hand-in").post(http.StatusOK, strings.TrimSuffix(candidate.Path, "/hand-in")+"/submit").shows("They are shown from")
	candidate.get(at).shows("1 of 1 used", "as often as it can be taken").Hides("Start, the clock begins")
	settings("practice", "on")
	admin.get(exam + "/settings").shows("Practice shows the right answers")
	candidate.get(at).shows("You see the right answer and the reason").Hides("Timed.")
}

func TestASessionGoesOnInAnotherBrowser(t *testing.T) {
	base := start(t)
	admin, candidate := signUp(t, base, "Ada", "build"), signUp(t, base, "Cleo", "sit")
	exam := makeExam(admin, "In any order")
	addQuestions(admin, exam)
	admin.get(exam+"/settings").post(http.StatusUnprocessableEntity, exam+"/settings", "title", "x", "description", "A long story", "pass_mark", "50", "version", version(admin)).shows("A long story")
	admin.get(exam+"/settings").post(http.StatusOK, exam+"/settings", "title", "In any order", "pass_mark", "50", "navigation", "free", "offline", "strict", "reveal", "never", "overdue", "submit",
		"exam_count", "8", "exam_difficulty", "easy", "practice", "on", "version", version(admin)).shows("Saved")
	admin.get(exam).post(http.StatusOK, exam+"/state", "do", "publish")
	id := strings.TrimPrefix(exam, "/admin/projects/")
	candidate.get("/exams/" + id).shows("The right answers are not shown.") // it is set to never
	candidate.get("/exams/"+id).shows("16 min").post(http.StatusOK, "/exams/"+id+"/start", "mode", "exam")
	sit := strings.TrimSuffix(candidate.Path, "/1")
	candidate.post(http.StatusOK, sit+"/1", append(solve(candidate), "do", "flag")...).shows("Flagged")
	candidate.get(sit+"/hand-in").shows("1 of 8", "1 flagged", "7 without an answer")

	phone := newBrowser(t, base)
	phone.get("/sign-in").post(http.StatusOK, "/sign-in", "address", "cleo@example.org", "password", "correct horse battery")
	phone.get("/").shows("Resume").get(sit).shows("Continue here")
	phone.post(http.StatusOK, sit+"/take").shows("Question 1 of 8")
	candidate.get(sit+"/hand-in").post(http.StatusConflict, sit+"/submit").shows("Continue here")
	phone.get(sit+"/hand-in").post(http.StatusOK, sit+"/submit").shows("Answers are not shown yet", "12.5 %", "Not passed").Hides("Oslo since 1814.")
}

var versionField = regexp.MustCompile(`name="version" value="([^"]+)"`)

func version(b *browser) string {
	b.T.Helper()
	match := versionField.FindStringSubmatch(b.Page)
	if match == nil {
		b.T.Fatalf("there is no version at %s", b.Path)
	}
	return match[1]
}

// upload sends a form with a file.
func (b *browser) upload(path, field, name, content string, pairs ...string) {
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
func (b *browser) settled() *browser {
	b.T.Helper()
	for b.get(b.Path); strings.Contains(b.Page, "data-waiting"); b.get(b.Path) {
	}
	return b
}

func TestQuestionsAreImported(t *testing.T) {
	base := start(t)
	admin := signUp(t, base, "Ada", "build")
	exam := makeExam(admin, "Imported")
	admin.get(exam+"/import").upload(exam+"/import", "file", "picture.png", "\x89PNG\r\n\x1a\n")
	if admin.Code != http.StatusUnprocessableEntity {
		t.Errorf("a picture: %d", admin.Code)
	}
	admin.get(exam+"/import").upload(exam+"/import", "file", "questions.txt", "Which is a colour?\nA) Red\nB) Two\nANSWER: A\n\nWhich is a number?\nA) Green\nB) Seven\nANSWER: B\n")
	admin.settled().shows("2</strong> ready", "Which is a colour?", "Import the chosen ones")
	review := admin.Path
	newBrowser(t, base).get("/")
	admin.get(exam).Hides("Which is a colour?")
	admin.get(review).post(http.StatusOK, review, "do", "publish", "choice-1", "take", "choice-2", "skip", "version-2", "1")
	admin.settled().shows("Imported")
	admin.get(exam).shows("Which is a colour?").Hides("Which is a number?")
	admin.get(review).post(http.StatusOK, review+"/delete").shows("Questions that were imported stay").Hides("questions.txt")
	admin.get(exam).shows("Which is a colour?")
}

func TestTwoAdminsEditOneQuestion(t *testing.T) {
	base := start(t)
	admin := signUp(t, base, "Ada", "build")
	exam := makeExam(admin, "Edited")
	admin.get(exam+"/questions/new").post(http.StatusUnprocessableEntity, exam+"/questions/new", "kind", "single_choice", "text", "Only one option?", "row-0", "Yes indeed", "difficulty", "easy").shows("Yes indeed", "Only one option?")
	addQuestions(admin, exam)
	link := regexp.MustCompile(`href="(` + exam + `/questions/[0-9A-Z]+)"[^>]*>Capital`).FindStringSubmatch(admin.get(exam).Page)
	if link == nil {
		t.Fatal("there is no link to the question")
	}
	old := version(admin.get(link[1]).shows("Oslo</textarea>"))
	fields := []string{"kind", "single_choice", "row-0", "Oslo", "row-1", "Bergen", "correct", "0", "difficulty", "easy"}
	admin.post(http.StatusOK, link[1], append(fields, "text", "Capital of Norway today?", "version", old)...)
	admin.get(link[1]).post(http.StatusConflict, link[1], append(fields, "text", "My version", "version", old)...).shows("My version", "Capital of Norway today?")
	admin.post(http.StatusOK, exam+"/preview", append(fields, "text", "My version")...).shows("My version", "Choose one.")
	admin.get(link[1]).post(http.StatusOK, link[1]+"/delete")
	admin.get(exam).Hides("Capital of Norway today?")
}

func TestAGroupIsInvited(t *testing.T) {
	base := start(t)
	admin, member := signUp(t, base, "Ada", "build"), signUp(t, base, "Cleo", "sit")
	admin.get("/admin/groups").post(http.StatusUnprocessableEntity, "/admin/groups", "name", "")
	admin.post(http.StatusOK, "/admin/groups", "name", "Class 7b")
	group := admin.Path
	admin.post(http.StatusUnprocessableEntity, group, "do", "add", "email", "no address").shows("no address")
	admin.get(group).post(http.StatusOK, group, "do", "add", "email", "cleo@example.org").shows("Cleo")
	admin.post(http.StatusOK, group, "do", "time", "email", "cleo@example.org", "percent", "150").shows("Time 150 %")
	admin.post(http.StatusOK, group, "do", "add", "email", "new@example.org").shows("Invited")
	signUp(t, base, "Dora", "sit")
	admin.get(group).post(http.StatusUnprocessableEntity, group, "do", "add", "email", "Dora <dora@example.org>, cleo@example.org;\r\nada@example.org\r\nother@example.org").
		shows("2 people added", "Copy the link for other@example.org", "ada@example.org: Only candidates can be members", ">\nada@example.org</textarea>")
	admin.get(group).shows("Dora").post(http.StatusOK, group, "do", "rename", "name", "Class 8b").shows("Class 8b")

	exam := makeExam(admin, "Only for 7b")
	addQuestions(admin, exam)
	admin.get(exam+"/settings").post(http.StatusOK, exam+"/settings", "title", "Only for 7b", "pass_mark", "50", "navigation", "forward", "offline", "strict", "reveal", "submit", "overdue", "submit",
		"groups", strings.TrimPrefix(group, "/admin/groups/"), "version", version(admin))
	admin.get(exam).post(http.StatusOK, exam+"/state", "do", "publish")
	member.get("/").shows("Only for 7b")
	member.get("/exams/" + strings.TrimPrefix(exam, "/admin/projects/")).shows("150 %")
	signUp(t, base, "Otto", "sit").get("/").Hides("Only for 7b")
}

// TestAnExamIsShared: a second admin edits an exam for a class of the first one, and it stays for that
// class. Only the owner can share and delete it, and only the owner is offered that.
func TestAnExamIsShared(t *testing.T) {
	base := start(t)
	ada, bob, pupil := signUp(t, base, "Ada", "build"), signUp(t, base, "Bob", "build"), signUp(t, base, "Pupil", "sit")
	ada.get("/admin/groups").post(http.StatusOK, "/admin/groups", "name", "Class 7b")
	group := strings.TrimPrefix(ada.Path, "/admin/groups/")
	exam := makeExam(ada, "Only for 7b")
	addQuestions(ada, exam)
	settings := []string{"title", "Only for 7b", "pass_mark", "50", "navigation", "forward", "offline", "strict", "reveal", "submit", "overdue", "submit"}
	ada.get(exam+"/settings").post(http.StatusOK, exam+"/settings", append(settings, "groups", group, "version", version(ada))...)
	ada.get(exam).post(http.StatusOK, exam+"/state", "do", "publish")
	ada.get(exam+"/settings").post(http.StatusUnprocessableEntity, exam+"/editors", "do", "share", "email", "pupil@example.org").shows("No admin has this address", "pupil@example.org")
	ada.get(exam+"/settings").post(http.StatusOK, exam+"/editors", "do", "share", "email", "bob@example.org").shows("Shared with bob@example.org", "Stop sharing with Bob")

	bob.get("/admin").shows("Shared with you", "Only for 7b")
	bob.get(exam+"/settings").shows("Class 7b", "belongs to another admin").Hides("Share with an admin", "Stop sharing")
	chosen := regexp.MustCompile(`name="groups" value="([^"]+)"[^>]* checked`).FindStringSubmatch(bob.Page)
	if chosen == nil || chosen[1] != group {
		t.Fatalf("the group of the exam is not chosen: %v", chosen)
	}
	bob.post(http.StatusOK, exam+"/settings", append(settings, "groups", chosen[1], "version", version(bob))...).shows("Saved")
	pupil.get("/").Hides("Only for 7b")
	bob.get(exam).post(http.StatusOK, exam+"/state", "do", "archive").Hides("Delete this exam")
	ada.get(exam).shows("Delete this exam")
	bob.get(exam).post(http.StatusUnprocessableEntity, exam+"/state", "do", "delete").shows("Only the owner")
	editor := regexp.MustCompile(`name="editor" value="([^"]+)"`).FindStringSubmatch(ada.get(exam + "/settings").Page)
	ada.post(http.StatusOK, exam+"/editors", "do", "unshare", "editor", editor[1]).shows("No longer shared")
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
	admin.get(exam+"/questions/new?kind=hotspot").upload(exam+"/questions/new", "image-0-file", "map.png", "no picture", fields...)
	if admin.shows("at most 40 megapixels", "Where is north?"); admin.Code != http.StatusUnprocessableEntity {
		t.Errorf("a text as an image: %d", admin.Code)
	}
	admin.upload(exam+"/questions/new", "image-0-file", "map.png", picture.String(), fields...)
	if admin.Path != exam {
		t.Fatalf("at %s after adding a hotspot", admin.Path)
	}
	admin.post(http.StatusOK, exam+"/state", "do", "publish")
	id := strings.TrimPrefix(exam, "/admin/projects/")
	candidate.get("/exams/"+id).post(http.StatusOK, "/exams/"+id+"/start", "mode", "exam", "difficulty", "easy", "question_count", "1").shows("Region 1, top")
	at, source := candidate.Path, regexp.MustCompile(`src="(/images/[^"]+)"`).FindStringSubmatch(candidate.Page)
	region := regexp.MustCompile(`name="choice" value="([^"]+)"[^>]*><span class="choice-text"><span>Region 1`).FindStringSubmatch(candidate.Page)
	if source == nil || region == nil {
		t.Fatal("the page has no image or no region")
	}
	candidate.get(source[1]).get(at).post(http.StatusOK, at, "choice", region[1], "do", "next").shows("1 of 1")
	candidate.post(http.StatusOK, strings.TrimSuffix(at, "/1")+"/submit").shows("100.0 %")
	visitor := newBrowser(t, base)
	if visitor.Do(http.MethodGet, source[1], "", nil, nil); !strings.HasPrefix(visitor.Path, "/sign-in") {
		t.Errorf("a visitor who opens an image is at %s", visitor.Path)
	}
}
