package examples

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/access"
	"sortkey.dev/access/stream"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/exambuddydb/exambuddydbtest"
)

// printAttempts loops over a list.
func printAttempts(ctx context.Context, db *exambuddydb.DB, candidate string) error {
	for attempt, err := range db.ListAttemptsByCandidate(candidate).Limit(20).All(ctx) {
		if err != nil {
			return err
		}
		fmt.Println(attempt.StartedAt, attempt.Status)
	}
	return nil
}

// attemptsPage returns one page for a web page, and the cursor of the next.
func attemptsPage(ctx context.Context, db *exambuddydb.DB, project, cursor string) ([]exambuddydb.Attempt, string, error) {
	from, to := time.Now().AddDate(0, -1, 0), time.Now()
	page, err := db.ListAttemptsByProject(project, from, to).PageSize(25).Page(ctx, cursor)
	if errors.Is(err, access.ErrBadCursor) {
		return nil, "", fmt.Errorf("this page does not exist any more: %w", err)
	}
	return page.Items, page.Next, err
}

// present moves a session on and says what was in the way.
func present(ctx context.Context, db *exambuddydb.DB, session exambuddydb.ExamSession, position int64) error {
	now := time.Now()
	_, err := db.PresentQuestion(ctx, session.Key(), exambuddydb.PresentQuestionParams{
		CurrentPosition: position, PreviousPosition: position - 1, Writer: session.Writer, PresentedAt: &now, LastSeenAt: now,
	})
	var other *access.ConditionError[exambuddydb.ExamSession]
	switch {
	case errors.Is(err, access.ErrNotFound):
		return errors.New("there is no such session")
	case errors.As(err, &other):
		return fmt.Errorf("the session is %s at question %d", other.Current.Status, other.Current.CurrentPosition)
	}
	return err
}

// retitle changes a project that somebody may have changed since it was read.
func retitle(ctx context.Context, db *exambuddydb.DB, p exambuddydb.Project, title string) error {
	_, err := db.EditProject(ctx, p.Key(), exambuddydb.EditProjectParams{
		Title: title, Description: p.Description, PassMark: p.PassMark, Rules: p.Rules, UpdatedAt: time.Now(), Version: p.Version,
	})
	var changed *access.VersionError
	if errors.As(err, &changed) {
		return fmt.Errorf("somebody changed it meanwhile: %w", err)
	}
	return err
}

// addQuestion is one transaction of the design, done once however often it is tried.
func addQuestion(ctx context.Context, db *exambuddydb.DB, params exambuddydb.AddQuestionParams, token string) error {
	err := db.AddQuestion(ctx, params, access.Token(token))
	var taken *access.TakenError
	if errors.As(err, &taken) {
		return fmt.Errorf("the project has this question already: %w", err)
	}
	return err
}

// createAndShare composes two patterns: both happen, or neither.
func createAndShare(ctx context.Context, db *exambuddydb.DB, project exambuddydb.Project, editor exambuddydb.ProjectEditor) error {
	tx := db.Tx()
	tx.CreateProject(project)
	tx.AddProjectEditor(editor)
	return tx.Commit(ctx)
}

// layOutPaper writes many items, in batches.
func layOutPaper(ctx context.Context, db *exambuddydb.DB, paper []exambuddydb.PaperQuestion) error {
	return db.SavePaperQuestionBatch(ctx, paper)
}

// countPassed reads all attempts there are, with eight workers.
func countPassed(ctx context.Context, db *exambuddydb.DB) (passed int, err error) {
	for attempt, err := range db.ScanAttempt().Workers(8).All(ctx) {
		if err != nil {
			return 0, err
		}
		if attempt.Passed {
			passed++
		}
	}
	return passed, nil
}

// handlers are called with typed items for every change.
func handlers(notify func(string)) exambuddydb.Handlers {
	return exambuddydb.Handlers{
		OnAttempt: stream.On[exambuddydb.Attempt]{
			Insert: func(_ context.Context, attempt exambuddydb.Attempt) error {
				notify("finished: " + attempt.AttemptID)
				return nil
			},
		},
		OnExamSession: stream.On[exambuddydb.ExamSession]{
			Expired: func(_ context.Context, session exambuddydb.ExamSession) error {
				notify("forgotten: " + session.AttemptID)
				return nil
			},
		},
	}
}

// follow runs the handlers in this process until the context ends.
func follow(ctx context.Context, db *exambuddydb.DB, client *dynamodb.Client, streams *dynamodbstreams.Client, h exambuddydb.Handlers) error {
	if err := stream.EnsureTable(ctx, client, "checkpoints"); err != nil {
		return err
	}
	consumer := stream.Consumer{
		Streams: streams, DB: client, Table: "ExamBuddyTable",
		Name: "notifier", Checkpoints: "checkpoints", Handler: db.Stream(h),
	}
	return consumer.Run(ctx)
}

// inLambda is the same as a function of AWS Lambda: lambda.Start(inLambda(db, h)).
func inLambda(db *exambuddydb.DB, h exambuddydb.Handlers) func(context.Context, stream.Event) (stream.Response, error) {
	return stream.Lambda(db.Stream(h))
}

func TestGeneratedCode(t *testing.T) {
	var meter access.Meter
	db, memory := exambuddydbtest.Open(t, access.WithObserver(&meter))
	ctx, now := t.Context(), time.Now()
	project := exambuddydb.Project{ProjectID: access.NewULID(now), AdminID: access.NewULID(now), Title: "Go", CreatedAt: now, UpdatedAt: now}
	if _, err := db.CreateProject(ctx, project); err != nil {
		t.Fatal(err)
	}
	project, err := db.GetProject(ctx, project.AdminID, project.ProjectID)
	if err != nil {
		t.Fatal(err)
	}
	if err := retitle(ctx, db, project, "Go, revised"); err != nil {
		t.Fatal(err)
	}
	if err := retitle(ctx, db, project, "Go, once more"); err == nil || !strings.Contains(err.Error(), "somebody changed it meanwhile") {
		t.Errorf("a stale version gives %v", err)
	}
	if err := present(ctx, db, exambuddydb.ExamSession{AttemptID: access.NewULID(now)}, 1); err == nil || err.Error() != "there is no such session" {
		t.Errorf("presenting without a session gives %v", err)
	}
	question := exambuddydb.Question{ProjectID: project.ProjectID, QuestionID: access.NewULID(now), QuestionType: exambuddydb.QuestionQuestionTypeTrueFalse, Difficulty: exambuddydb.QuestionDifficultyEasy, Source: exambuddydb.QuestionSourceManual,
		TextHash: "h", UpdatedAt: now, CreatedAt: now, Order: 1}
	add := exambuddydb.AddQuestionParams{
		Question:  question,
		AnswerKey: exambuddydb.AnswerKey{ProjectID: project.ProjectID, QuestionID: question.QuestionID, UpdatedAt: now},
		AdminID:   project.AdminID,
	}
	if err := addQuestion(ctx, db, add, "add-1"); err != nil {
		t.Fatal(err)
	}
	add.Question.QuestionID = access.NewULID(now)
	add.AnswerKey.QuestionID = add.Question.QuestionID
	if err := addQuestion(ctx, db, add, "add-2"); err == nil || !strings.Contains(err.Error(), "has this question already") {
		t.Errorf("the same question again gives %v", err)
	}
	if items, next, err := attemptsPage(ctx, db, project.ProjectID, ""); err != nil || len(items) != 0 || next != "" {
		t.Errorf("a page of nothing is %v, %q, %v", items, next, err)
	}
	if _, _, err := attemptsPage(ctx, db, project.ProjectID, "made-up"); !errors.Is(err, access.ErrBadCursor) {
		t.Errorf("a made-up cursor gives %v", err)
	}
	shared := exambuddydb.Project{ProjectID: access.NewULID(now), AdminID: project.AdminID, Title: "Go, shared", CreatedAt: now, UpdatedAt: now}
	editor := exambuddydb.ProjectEditor{ProjectID: shared.ProjectID, EditorID: access.NewULID(now), AdminID: shared.AdminID, Email: "b@example.org", Name: "B", AddedAt: now}
	if err := createAndShare(ctx, db, shared, editor); err != nil {
		t.Fatal(err)
	}
	attempt := access.NewULID(now)
	if err := layOutPaper(ctx, db, []exambuddydb.PaperQuestion{{AttemptID: attempt, Position: 1}, {AttemptID: attempt, Position: 2}}); err != nil {
		t.Fatal(err)
	}
	if n, err := countPassed(ctx, db); n != 0 || err != nil {
		t.Errorf("%d passed, %v", n, err)
	}
	if err := printAttempts(ctx, db, "nobody"); err != nil {
		t.Fatal(err)
	}
	ending, stop := context.WithCancel(ctx)
	stop()
	h := handlers(func(string) {})
	if err := follow(ending, db, memory.Client(), memory.Streams(), h); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("following: %v", err)
	}
	if _, err := inLambda(db, h)(ctx, stream.Event{}); err != nil {
		t.Errorf("in Lambda: %v", err)
	}
	var report bytes.Buffer
	if err := meter.Text(&report); err != nil || !strings.Contains(report.String(), "GetProject") {
		t.Errorf("the meter says %v:\n%s", err, &report)
	}
}
