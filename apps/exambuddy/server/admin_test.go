package server_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

var questionLink = regexp.MustCompile(`href="(/admin/projects/[^/"]+/questions/[0-9A-Z]+)"[^>]*>([^<]+)<`)

// questionPaths returns the pages of the questions that a page links to, in their order.
func questionPaths(b *webtest.Visitor) (paths, texts []string) {
	b.T.Helper()
	for _, m := range questionLink.FindAllStringSubmatch(b.Page, -1) {
		paths, texts = append(paths, m[1]), append(texts, m[2])
	}
	if len(paths) == 0 {
		b.T.Fatalf("there is no question at %s", b.Path)
	}
	return paths, texts
}

func TestTheBankIsFilteredOrderedAndExported(t *testing.T) {
	base := start(t)
	admin := signUp(t, base, "Ada", "build")
	exam := makeExam(admin, "General knowledge")
	addQuestions(admin, exam)
	admin.Open(exam+"?q=NORWAY").Says("Capital of Norway?", "1 question found", "Show all 8").Hides("Which are even?")
	admin.Open(exam + "?type=ordering").Says("From small to large").Hides("Capital of Norway?")
	admin.Open(exam + "?tag=numbers").Says("Which are even?").Hides("Capital of Norway?")
	admin.Open(exam + "?state=unanswered").Says("No question fits")

	paths, _ := questionPaths(admin.Open(exam))
	admin.Send(http.StatusOK, paths[2]+"/move", "place", "1")
	if _, texts := questionPaths(admin); texts[0] != "Water boils at 100 degrees at sea level." {
		t.Errorf("the first question is %s", texts[0])
	}
	admin.Send(http.StatusUnprocessableEntity, paths[2]+"/move", "place", "9")
	admin.Open(exam).Send(http.StatusOK, paths[0]+"/copy").Says("Capital of Norway? (copy)")
	for format, part := range map[string]string{"json": "Capital of Norway?", "csv": "Capital of Norway?", "gift": "Oslo", "aiken": "ANSWER:", "qti": "PK"} {
		admin.Open(exam + "/export/" + format).Says(part)
	}
	if admin.Do(http.MethodGet, exam+"/export/docx", "", nil, nil); admin.Code != http.StatusNotFound {
		t.Errorf("an export as a Word document: %d", admin.Code)
	}
	other := signUp(t, base, "Bob", "build")
	for _, path := range []string{exam + "/export/json", exam + "/live", exam + "/items/none", paths[0]} {
		if other.Do(http.MethodGet, path, "", nil, nil); other.Code != http.StatusNotFound {
			t.Errorf("another admin at %s: %d", path, other.Code)
		}
	}
}

// TestAPackageWithImagesIsImported exports a hotspot with its image as a QTI package and imports it.
func TestAPackageWithImagesIsImported(t *testing.T) {
	base := start(t)
	admin := signUp(t, base, "Ada", "build")
	from, to := makeExam(admin, "Maps"), makeExam(admin, "Maps again")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	upload(admin.Open(from+"/questions/new?kind=hotspot"), from+"/questions/new", "image-0-file", "map.png", picture.String(), "kind", "hotspot", "text", "Where is north?", "difficulty", "easy", "image-0-alt", "A map",
		"row-0", "top", "x-0", "0", "y-0", "0", "w-0", "100", "h-0", "50", "row-1", "bottom", "x-1", "0", "y-1", "50", "w-1", "100", "h-1", "50", "correct", "0")
	source := regexp.MustCompile(`name="image-0-id" value="([^"]+)"`)
	paths, _ := questionPaths(admin.Open(from))
	old := source.FindStringSubmatch(admin.Open(paths[0]).Page)
	if old == nil {
		t.Fatal("the question has no image")
	}
	response, err := admin.Client.Get(base + from + "/export/qti")
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	_, err = file.ReadFrom(response.Body)
	if err := response.Body.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil || file.Len() == 0 {
		t.Fatalf("an export of %d bytes: %v", file.Len(), err)
	}
	upload(admin.Open(to+"/import"), to+"/import", "file", "maps.zip", file.String())
	settled(admin).Says("1</strong> ready", "Where is north?")
	review := admin.Path
	admin.Send(http.StatusOK, review, "do", "publish", "choice-1", "take")
	settled(admin).Says("Imported")
	paths, _ = questionPaths(admin.Open(to))
	stored := source.FindStringSubmatch(admin.Open(paths[0]).Page)
	if stored == nil || stored[1] == old[1] {
		t.Fatalf("the image of the imported question is %v, that of the other %v", stored, old)
	}
	admin.Open("/images/" + stored[1]).Says("PNG")
}

// TestADraftOfAnyTypeIsEdited completes a matching whose file has no key.
func TestADraftOfAnyTypeIsEdited(t *testing.T) {
	base := start(t)
	admin := signUp(t, base, "Ada", "build")
	exam := makeExam(admin, "Imported")
	file := `[{"type":"matching","text":"Capitals","options":[{"id":"a","text":"Sweden"},{"id":"b","text":"Finland"}],"targets":[{"id":"c","text":"Stockholm"},{"id":"d","text":"Helsinki"}]}]`
	upload(admin.Open(exam+"/import"), exam+"/import", "file", "capitals.json", file)
	settled(admin).Says("Capitals", "No answer key", "Complete the question")
	review := admin.Path
	admin.Open(review+"/1").Says("Sweden", "Stockholm")
	fields := []string{"kind", "matching", "text", "Capitals", "difficulty", "easy", "version", version(admin), "row-0", "Sweden", "other-0", "Stockholm", "row-1", "Finland", "other-1", "Helsinki"}
	admin.Send(http.StatusUnprocessableEntity, review+"/1", append(fields[:4:4], "text", "")...)
	admin.Open(review+"/1").Send(http.StatusOK, review+"/1", fields...).Says("1</strong> ready", "Sweden")
	admin.Send(http.StatusOK, review, "do", "publish", "choice-1", "take")
	settled(admin).Says("Imported")
	admin.Open(exam).Says("Capitals").Hides("No key")
	if admin.Do(http.MethodGet, review+"/2", "", nil, nil); admin.Code != http.StatusNotFound {
		t.Errorf("a draft that is not there: %d", admin.Code)
	}
}

// TestAWrongKeyIsRegraded tries a regrade out, and then starts it.
func TestAWrongKeyIsRegraded(t *testing.T) {
	base := start(t)
	admin, candidate := signUp(t, base, "Ada", "build"), signUp(t, base, "Cleo", "sit")
	exam := makeExam(admin, "Capitals")
	id := strings.TrimPrefix(exam, "/admin/projects/")
	admin.Open(exam+"/questions/new").Send(http.StatusOK, exam+"/questions/new", "kind", "single_choice", "text", "Capital of Norway?", "row-0", "Oslo", "row-1", "Bergen", "correct", "1", "difficulty", "easy")
	paths, _ := questionPaths(admin.Open(exam))
	item := strings.Replace(paths[0], "/questions/", "/items/", 1)
	admin.Send(http.StatusOK, exam+"/state", "do", "publish")
	candidate.Open("/exams/"+id).Send(http.StatusOK, "/exams/"+id+"/start", "mode", "exam", "difficulty", "easy", "question_count", "1")
	at := candidate.Path
	admin.Open(exam+"/live").Says("Cleo", "question 1 of 1", "Connected")
	session := regexp.MustCompile(`name="session" value="([^"]+)"`).FindStringSubmatch(admin.Page)
	if session == nil {
		t.Fatal("the room is empty")
	}
	admin.Send(http.StatusUnprocessableEntity, exam+"/live", "minutes", "5").Says("Choose whose time")
	admin.Send(http.StatusOK, exam+"/live", "minutes", "5", "notice", "The fire alarm", "session", session[1]).Says("1 candidate has more time", "5 min extra")
	candidate.Open(at).Says("The fire alarm")
	candidate.Send(http.StatusOK, at, append(solve(candidate), "do", "next")...).Send(http.StatusOK, strings.TrimSuffix(at, "/1")+"/submit").Says("0.0 %", "Wrong")
	result := candidate.Path
	admin.Open(exam + "/live").Says("The room is empty")

	admin.Open(item).Says("Regrade", "Bergen")
	admin.Send(http.StatusUnprocessableEntity, item+"/regrade", "do", "preview", "rule", "accept_also").Says("right, too")
	oslo := regexp.MustCompile(`name="also" value="([^"]+)"[^>]*><span class="choice-text" dir="auto">Oslo`).FindStringSubmatch(admin.Page)
	if oslo == nil {
		t.Fatal("there is no answer to accept")
	}
	admin.Send(http.StatusOK, item+"/regrade", "do", "preview", "rule", "accept_also", "also", oslo[1]).Says("1 attempt changes of 1", "1 would pass now")
	candidate.Open(result).Says("0.0 %")
	admin.Send(http.StatusOK, item+"/regrade", "do", "apply", "rule", "accept_also", "also", oslo[1], "reason", "Both count")
	for admin.Open(exam + "/results"); strings.Contains(admin.Page, ">Running<"); admin.Open(exam + "/results") {
	}
	admin.Says("Regrades", "Another answer accepted", "Both count", "Finished")
	candidate.Open(result).Says("100.0 %", "Regraded")
	admin.Open(exam + "/results?from=2000-01-01&to=2000-01-31").Says("No attempt was started in these days").Hides("Cleo")
	admin.Open(exam + "/results.csv?from=2000-01-01&to=2000-01-31").Hides("cleo@example.org")
}
