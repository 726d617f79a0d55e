package worker

import (
	"context"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman"
)

// TestJobsOfAHostAreAGroup: a slow host occupies only its share of the lane.
func TestJobsOfAHostAreAGroup(t *testing.T) {
	p := open(t)
	p.end(p.askWithCallback("https://Agent.example:8443/hook"))
	p.end(p.askWithCallback("https://other.example/hook"))
	var groups []string
	for _, job := range p.DueJobs(t, p.Clock.Now()) {
		if job.Kind == askahuman.JobWebhook {
			groups = append(groups, job.Group)
		}
	}
	slices.Sort(groups)
	if diff := cmp.Diff([]string{"agent.example", "other.example"}, groups); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestErrorsOfHostsAreStoredAsPlainText: operators read it on a screen and in a log.
func TestErrorsOfHostsAreStoredAsPlainText(t *testing.T) {
	p := open(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		defer connection.Close()
		_, _ = connection.Read(make([]byte, 1<<16))
		_, _ = io.WriteString(connection, "HTTP/1.1 500 \x1b[31mOh\x07 no\u202e\xff\tend\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	}()
	q := p.askWithCallback("http://" + listener.Addr().String())
	p.end(q)
	p.work()
	want := listener.Addr().String() + " answered 500 [31mOh no end"
	all := p.deliveries(q)
	if len(all) != 1 {
		t.Fatalf("the deliveries are %+v", all)
	}
	if diff := cmp.Diff(want, all[0].Error); diff != "" {
		t.Errorf("the delivery (-want +got):\n%s", diff)
	}
	for job, err := range p.Platform.DB.ScanJob().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if job.Kind == askahuman.JobWebhook && (job.LastError == nil || *job.LastError != want) {
			t.Errorf("job %s keeps %v", job.JobID, job.LastError)
		}
	}
}

// uncounting cannot write into one question.
type uncounting struct {
	apps.DynamoDB
	about string
}

func (u uncounting) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if id, ok := in.Key["question_id"].(*types.AttributeValueMemberS); ok && id.Value == u.about {
		return nil, errStubborn
	}
	return u.DynamoDB.UpdateItem(ctx, in, o...)
}

// TestCrashedDispatchDoesNotNotifyReplacements: those it has notified are notified, although
// it did not come to write down how many they are.
func TestCrashedDispatchDoesNotNotifyReplacements(t *testing.T) {
	p := open(t)
	p.crowd(9)
	q := p.Ask(t, "agent-1", 1)
	_, lost := p.process(uncounting{p.Database.DynamoDB, q.QuestionID})
	step(t, lost)
	if got := p.devices.take(); len(got) != 3 {
		t.Fatalf("notified: %q, want three", got)
	}
	if job, err := p.Jobs.Get(t.Context(), "dispatch-"+q.QuestionID); err != nil || job.LastError == "" {
		t.Fatalf("the count was written: %+v (%v)", job, err)
	}
	p.Clock.Advance(time.Minute)
	if p.work() != 1 {
		t.Error("the job is not retried")
	}
	if got := p.devices.take(); len(got) != 0 {
		t.Errorf("notified by the next try: %q, want none", got)
	}
}
