package api_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
)

// vectors says which tests show the acceptance vectors of ExamBuddy's specification, and the limits
// of its design document. TestEveryVectorHasItsTests keeps the table true.
var vectors = map[string][]string{
	"1: one account for each address, in every spelling":         {"api TestStoredKeys", "people TestAddressesAreTakenInEverySpelling", "api TestErrors"},
	"2: parallel adds are counted, failed ones are not":          {"bank TestParallelAddsAreCounted"},
	"3: archiving hides an exam, and a running session goes on":  {"api TestStoredKeys", "bank TestArchiveMovesTheProject", "sitting TestArchiveLeavesTheRunningSession"},
	"4: a start draws distinct questions within its bounds":      {"sitting TestStart", "api TestStartOverHTTP"},
	"5: an answer counts within its time and two seconds":        {"sitting TestAnswersInTime", "api TestAnswersOverHTTP"},
	"6: practice shows the key, an exam does not":                {"sitting TestPractiseShowsTheKey", "api TestAnswersOverHTTP", "server TestEveryRouteWithEveryRole"},
	"7: scores have one decimal":                                 {"results TestScores", "question TestPercent"},
	"8: multiple response, exact and partial":                    {"question TestMultipleResponseSchemes"},
	"9: typed answers and orderings":                             {"question TestTypedAnswers", "question TestOrderingSchemes"},
	"10: a range of days includes its last second":               {"results TestHistoryAndDateRange", "api TestAttemptsOfADay"},
	"11: history is newest first":                                {"results TestHistoryAndDateRange"},
	"12: two admins edit one question":                           {"bank TestTwoAdminsEditOneQuestion", "api TestEveryOperationSucceedsOnce"},
	"13: imports keep, skip and overwrite duplicates":            {"bank TestImportSkipsAndOverwritesDuplicates", "exchange/pdfimport TestOutcomes", "api TestEveryOperationSucceedsOnce"},
	"14: questions without a key keep an exam a draft":           {"bank TestPublishNeedsAllKeys", "bank TestImportWithoutKeys", "exchange/pdfimport TestMissingKeysOfFPDF"},
	"15: other people's things are not found":                    {"server TestEveryRouteWithEveryRole", "sitting TestOthersSessionsAreNotFound", "api TestErrors"},
	"16: an attempt survives its questions":                      {"results TestAttemptSurvivesItsQuestion"},
	"17: exports hold no formulas, and reports have all rows":    {"report TestCSV", "report TestReport"},
	"18: a restart goes on with the stored clock":                {"sitting TestResumeComputesTheRemainingTime", "server TestKillInTheMiddleOfSittings"},
	"limit: 150 answers in one attempt":                          {"sitting TestHundredAndFiftyAnswers"},
	"limit: 1,000 questions are paged":                           {"bank TestThousandQuestionsArePaged"},
	"limit: the largest question fits into an item":              {"api TestTheLargestQuestionIsSat"},
	"limit: what was written is read at once":                    {"api TestWhatWasWrittenIsReadAtOnce"},
	"limit: crowds, and statistics that count each attempt once": {"sitting TestFiftySittingsAtOnce", "results TestStatisticsCountEachAttemptOnce"},
}

func TestEveryVectorHasItsTests(t *testing.T) {
	if len(vectors) != 23 {
		t.Errorf("there are %d vectors and limits", len(vectors))
	}
	for vector, tests := range vectors {
		for _, test := range tests {
			folder, name, _ := strings.Cut(test, " ")
			if !declares(t, "../"+folder, name) {
				t.Errorf("%s: there is no %s in %s", vector, name, folder)
			}
		}
	}
}

func declares(t *testing.T, folder, name string) bool {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(folder + "/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(t *testing.T)") {
			return true
		}
	}
	return false
}

// stored returns the keys of a stored item.
func (s *site) stored(t *testing.T, pk, sk string) map[string]string {
	t.Helper()
	table := s.DB.Client().Table(exambuddydb.TableExamBuddyTable)
	got, err := s.Database.DynamoDB.GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: &table, Key: map[string]types.AttributeValue{"PK": &types.AttributeValueMemberS{Value: pk}, "SK": &types.AttributeValueMemberS{Value: sk}}, ConsistentRead: new(true),
	})
	if err != nil || len(got.Item) == 0 {
		t.Fatalf("%s %s: %v", pk, sk, err)
	}
	out := map[string]string{}
	for name, value := range got.Item {
		if text, ok := value.(*types.AttributeValueMemberS); ok {
			out[name] = text.Value
		}
	}
	return out
}

// TestStoredKeys compares items with the keys of the design document: vectors 1 and 3.
func TestStoredKeys(t *testing.T) {
	s := open(t)
	var registered contract.Registered
	user{site: s}.must(t, "POST", "/v1/auth/register", contract.Registration{Email: "A@X.se", Password: password, Name: "Ann"}, &registered)
	item := s.stored(t, "USER#a@x.se", "USER#a@x.se")
	if item["GSI1PK"] != "USER#"+registered.UserID || item["GSI1SK"] != "USER#"+registered.UserID {
		t.Errorf("the user is %v", item)
	}
	admin := s.join(t, "Ada", "admin")
	project := admin.exam(t, "Networks", rules())
	for _, archived := range []string{"false", "true"} {
		item = s.stored(t, "ADMIN#"+admin.id, "PROJECT#"+project.ID)
		if item["GSI3PK"] != "ADMIN#"+admin.id+"#STATUS#"+archived || item["GSI1PK"] != "PROJECT#"+project.ID {
			t.Errorf("the project is %v", item)
		}
		admin.must(t, "POST", "/v1/admin/projects/"+project.ID+"/archive", nil, nil)
	}
}

// TestStartOverHTTP is vector 4: seven questions here stand for the fifty there.
func TestStartOverHTTP(t *testing.T) {
	s := open(t)
	admin, candidate := s.join(t, "Ada", "admin"), s.join(t, "Cleo", "candidate")
	project := admin.exam(t, "Networks", rules())
	start := contract.Start{ProjectID: project.ID, Mode: "exam", Difficulty: "hard", QuestionCount: 60}
	if got := candidate.refused(t, "POST", "/v1/student/sessions", start, 400, "VALIDATION_ERROR"); !strings.Contains(got.text, "7") {
		t.Errorf("the available number is missing: %s", got.text)
	}
	start.QuestionCount = 6
	var session contract.Session
	candidate.must(t, "POST", "/v1/student/sessions", start, &session)
	if session.TotalTimeSeconds != 180 || session.ReviewSeconds != 90 || session.SecondsPerQuestion != 30 {
		t.Errorf("the session is %+v", session)
	}
	candidate.refused(t, "POST", "/v1/student/sessions", start, 409, "ACTIVE_SESSION")
	ids := map[string]bool{}
	for i := 1; i <= 6; i++ {
		var shown contract.Presented
		candidate.must(t, "POST", "/v1/student/sessions/"+session.ID+"/present", contract.Presentation{Position: i, Writer: session.Writer}, &shown)
		ids[shown.Asked.QuestionID] = true
	}
	if len(ids) != 6 {
		t.Errorf("%d questions are distinct", len(ids))
	}
}

// TestAnswersOverHTTP is vectors 5 and 6: the clock moves by tenths of a second around the limit.
func TestAnswersOverHTTP(t *testing.T) {
	s := open(t)
	admin, candidate := s.join(t, "Ada", "admin"), s.join(t, "Cleo", "candidate")
	project := admin.exam(t, "Networks", rules())
	var session contract.Session
	candidate.must(t, "POST", "/v1/student/sessions", contract.Start{ProjectID: project.ID, Mode: "exam", Difficulty: "hard", QuestionCount: 2}, &session)
	path := "/v1/student/sessions/" + session.ID
	for i, after := range []time.Duration{31900 * time.Millisecond, 32100 * time.Millisecond} {
		var shown contract.Presented
		candidate.must(t, "POST", path+"/present", contract.Presentation{Position: i + 1, Writer: session.Writer}, &shown)
		s.Clock.Advance(after)
		got := candidate.send(t, "POST", path+"/answers", contract.NewAnswer{Position: i + 1, Answer: solve(t, shown.Asked.Question), Sequence: 1, Writer: session.Writer})
		if want := `"accepted":` + map[bool]string{true: "true", false: "false"}[i == 0]; got.status != 200 || !strings.Contains(got.text, want) || strings.Contains(got.text, "orrect") {
			t.Errorf("after %s: %d %s", after, got.status, got.text)
		}
	}
	var attempt contract.Attempt
	candidate.must(t, "POST", path+"/submit", contract.Submission{Writer: session.Writer}, &attempt)
	if attempt.ScorePercent != 50 || attempt.CorrectCount != 1 || attempt.AnsweredCount != 1 {
		t.Errorf("the attempt is %+v", attempt)
	}
	candidate.must(t, "POST", "/v1/student/sessions", contract.Start{ProjectID: project.ID, Mode: "test", Difficulty: "easy", QuestionCount: 7}, &session)
	path = "/v1/student/sessions/" + session.ID
	for i := 1; i <= 7; i++ {
		var shown contract.Presented
		candidate.must(t, "POST", path+"/present", contract.Presentation{Position: i, Writer: session.Writer}, &shown)
		var feedback contract.Feedback
		candidate.must(t, "POST", path+"/practice", contract.NewAnswer{Position: i, Answer: solve(t, shown.Asked.Question), Sequence: 1, Writer: session.Writer}, &feedback)
		key := feedback.CorrectAnswer
		if !feedback.Correct || len(key.Correct)+len(key.Pairs)+len(key.Blanks) == 0 || strings.Contains(shown.Asked.Question.Text, "Norway") && key.Explanation == "" {
			t.Errorf("the feedback to %q is %+v", shown.Asked.Question.Text, feedback)
		}
		candidate.refused(t, "POST", path+"/practice", contract.NewAnswer{Position: i, Answer: solve(t, shown.Asked.Question), Sequence: 2, Writer: session.Writer}, 409, "ALREADY_ANSWERED")
	}
}

// TestAttemptsOfADay is vector 10 over HTTP.
func TestAttemptsOfADay(t *testing.T) {
	s := open(t)
	admin := s.join(t, "Ada", "admin")
	s.join(t, "Cleo", "candidate")
	project := admin.exam(t, "Networks", rules())
	s.Clock.Set(time.Date(s.Now().Year()+1, time.February, 28, 23, 59, 59, 0, time.UTC))
	admin, candidate := s.again(t, "Ada"), s.again(t, "Cleo")
	attempt := candidate.sit(t, project.ID, 1, 0)
	year := attempt.StartedAt.Format("2006")
	for query, want := range map[string]int{"&from=" + year + "-02-01&to=" + year + "-02-28": 1, "&from=" + year + "-02-01&to=" + year + "-02-27": 0, "&from=" + year + "-03-01": 0} {
		var list contract.List[contract.Attempt]
		admin.must(t, "GET", "/v1/results/attempts?projectId="+project.ID+query, nil, &list)
		if len(list.Items) != want {
			t.Errorf("%s: %d attempts", query, len(list.Items))
		}
	}
	admin.refused(t, "GET", "/v1/results/attempts?projectId="+project.ID+"&to=28.02.", nil, 400, "VALIDATION_ERROR")
}

// TestTheLargestQuestionIsSat stores a question with every text at its limit.
func TestTheLargestQuestionIsSat(t *testing.T) {
	s := open(t)
	admin, candidate := s.join(t, "Ada", "admin"), s.join(t, "Cleo", "candidate")
	var project contract.Project
	admin.must(t, "POST", "/v1/admin/projects", contract.NewProject{Title: "Large", Rules: rules()}, &project)
	wide := func(n int) string { return strings.Repeat("𝔸", n-2) + " b" } // four bytes a character
	large := contract.NewQuestion{
		Question: contract.Question{Type: "scenario", Text: wide(question.MaxText), Passage: wide(question.MaxPassage)},
		Key:      contract.Key{Pairs: map[string]string{}, Explanation: wide(question.MaxExplanation)},
	}
	for i := range question.MaxItems {
		text := string(rune('a'+i)) + wide(question.MaxOption-1)
		large.Question.Statements = append(large.Question.Statements, contract.Option{Text: text})
		large.Key.Pairs[text] = "yes"
	}
	admin.must(t, "POST", "/v1/admin/projects/"+project.ID+"/questions", large, nil)
	large.Question.Text += "c"
	admin.refused(t, "POST", "/v1/admin/projects/"+project.ID+"/questions", large, 400, "VALIDATION_ERROR")
	admin.must(t, "POST", "/v1/admin/projects/"+project.ID+"/publish", nil, nil)
	var session contract.Session
	candidate.must(t, "POST", "/v1/student/sessions", contract.Start{ProjectID: project.ID, Mode: "exam", Difficulty: "easy", QuestionCount: 1}, &session)
	var shown contract.Presented
	candidate.must(t, "POST", "/v1/student/sessions/"+session.ID+"/present", contract.Presentation{Position: 1, Writer: session.Writer}, &shown)
	answer := contract.Answer{Parts: map[string]string{}}
	for _, statement := range shown.Asked.Question.Statements {
		answer.Parts[statement.ID] = "yes"
	}
	candidate.must(t, "POST", "/v1/student/sessions/"+session.ID+"/answers", contract.NewAnswer{Position: 1, Answer: answer, Sequence: 1, Writer: session.Writer}, nil)
	var attempt contract.Attempt
	candidate.must(t, "POST", "/v1/student/sessions/"+session.ID+"/submit", contract.Submission{Writer: session.Writer}, &attempt)
	if attempt.ScorePercent != 100 {
		t.Errorf("the attempt is %+v", attempt)
	}
	candidate.must(t, "GET", "/v1/student/sessions/"+session.ID+"/review", nil, nil)
}

// TestWhatWasWrittenIsReadAtOnce: indexes are eventually consistent, so a write returns what it
// wrote, and reads by id come from the table.
func TestWhatWasWrittenIsReadAtOnce(t *testing.T) {
	s := open(t)
	admin, candidate := s.join(t, "Ada", "admin"), s.join(t, "Cleo", "candidate")
	for range 20 {
		var project, read contract.Project
		admin.must(t, "POST", "/v1/admin/projects", contract.NewProject{Title: "Networks", Rules: rules()}, &project)
		admin.must(t, "GET", "/v1/admin/projects/"+project.ID, nil, &read)
		if read.Version != project.Version || read.Title != "Networks" {
			t.Fatalf("wrote %+v, read %+v", project, read)
		}
		var item contract.Item
		admin.must(t, "POST", "/v1/admin/projects/"+project.ID+"/questions", capital(), &item)
		if item.Question.Text != capital().Question.Text || !item.Complete {
			t.Fatalf("wrote %+v", item)
		}
		admin.must(t, "POST", "/v1/admin/projects/"+project.ID+"/publish", nil, &project)
		attempt := candidate.sit(t, project.ID, 1, 0)
		var result contract.Result
		candidate.must(t, "GET", "/v1/results/attempts/"+attempt.ID, nil, &result)
		if result.Attempt.ScorePercent != 100 {
			t.Fatalf("the result is %+v", result)
		}
	}
}
