package worker

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/webhook"
)

// TestLogsContainNoCallbackURL: an address can carry a token.
func TestLogsContainNoCallbackURL(t *testing.T) {
	var log bytes.Buffer
	p := open(t)
	p.Platform.Log = slog.New(slog.NewTextHandler(&log, nil))
	a := newAgent(t, http.StatusNoContent)
	a.Close() // no listener
	q := p.askWithCallback(a.URL + "/hook?token=hush-hush")
	p.end(q)
	p.work()
	if all := p.deliveries(q); len(all) != 1 || all[0].Error == "" || strings.Contains(all[0].Error+all[0].URL, "hush") {
		t.Errorf("the deliveries are %+v", all)
	}
	if !strings.Contains(log.String(), "job failed") || strings.Contains(log.String(), "hush") {
		t.Errorf("the log is %s", &log)
	}
}

// stubborn refuses every transaction about one question.
type stubborn struct {
	apps.DynamoDB
	about string
}

var errStubborn = errors.New("no")

func (s stubborn) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	for _, item := range in.TransactItems {
		if item.Update == nil {
			continue
		}
		if id, ok := item.Update.Key["question_id"].(*types.AttributeValueMemberS); ok && id.Value == s.about {
			return nil, errStubborn
		}
	}
	return s.DynamoDB.TransactWriteItems(ctx, in, o...)
}

// TestSweepContinuesAfterAFailedQuestion: the sweeper goes on behind it.
func TestSweepContinuesAfterAFailedQuestion(t *testing.T) {
	p := open(t)
	var last askahumandb.Question
	first := p.Ask(t, "agent-1", 1)
	for range 3 {
		p.Clock.Advance(time.Second)
		last = p.Ask(t, "agent-1", 1)
	}
	p.Clock.Advance(2 * time.Hour)
	_, w := p.process(stubborn{p.Database.DynamoDB, first.QuestionID})
	expired, err := w.StepSweep(t.Context())
	if expired != 3 || !errors.Is(err, errStubborn) {
		t.Errorf("%d are over (%v), want 3 and the failure of the first", expired, err)
	}
	if got := p.question(last.QuestionID).Status; got != askahumandb.QuestionStatusExpired {
		t.Errorf("the last one is %s", got)
	}
}

// TestNewEndIsDeliveredAfterADeadWebhook: the dead job of an earlier end stays for operators, and
// must not stand in the way of the next end.
func TestNewEndIsDeliveredAfterADeadWebhook(t *testing.T) {
	p := open(t)
	a := newAgent(t, http.StatusInternalServerError)
	one, day, hasty := 1, 24*time.Hour, time.Second
	q := p.Submit(t, questions.Ask{
		AgentID: "agent-1", Prompt: "Which of these sounds friendlier?", Type: "text", Required: &one, Timeout: &day, CallbackURL: a.URL,
	})
	person, answer := p.Person(t, 1), askahumantest.Text(q.QuestionID, 20)
	answer.Took = &hasty
	if _, err := p.Answers.Answer(t.Context(), person, answer); err != nil {
		t.Fatal(err)
	}
	p.work()
	for tried := 1; tried < webhook.Policy.Tries; tried++ {
		p.Clock.Advance(2 * webhook.Policy.Backoff(tried))
		p.work()
	}
	if dead := p.jobs(jobs.Dead); len(dead) != 1 {
		t.Fatalf("dead jobs: %q", dead)
	}
	for len(a.calls) > 0 {
		<-a.calls
	}
	if err := p.Operators.Reject(t.Context(), "operator", q.QuestionID, person.Hash); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Questions.Close(t.Context(), q.AgentID, q.QuestionID); err != nil {
		t.Fatal(err)
	}
	p.work()
	if len(a.calls) != 1 {
		t.Errorf("the new end was told %d times, want once", len(a.calls))
	}
}
