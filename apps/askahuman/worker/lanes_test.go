package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// hosts returns how many jobs of a round are for each host.
func (p *fixture) hosts(l lane) map[string]int {
	p.t.Helper()
	due, err := p.dueJobs(p.t.Context(), l)
	if err != nil {
		p.t.Fatal(err)
	}
	hosts := make(map[string]int)
	for _, job := range due {
		hosts[hostOf(job)]++
	}
	return hosts
}

// TestSlowHostBlocksOnlyItsShare: it can let everybody wait who speaks with it, but
// there are others to speak with.
func TestSlowHostBlocksOnlyItsShare(t *testing.T) {
	p := open(t)
	slow, quick := newAgent(t, http.StatusNoContent), newAgent(t, http.StatusNoContent)
	for range 3 * externalLane.perHost {
		p.end(p.askWithCallback(slow.URL))
	}
	p.Clock.Advance(time.Second)
	p.end(p.askWithCallback(strings.Replace(quick.URL, "127.0.0.1", "LOCALHOST", 1)))
	want := map[string]int{"127.0.0.1": externalLane.perHost, "localhost": 1}
	if diff := cmp.Diff(want, p.hosts(externalLane)); diff != "" {
		t.Errorf("the first round (-want +got):\n%s", diff)
	}
	p.work()
	if len(slow.calls) != 3*externalLane.perHost || len(quick.calls) != 1 {
		t.Errorf("in the end %d and %d were told, want all", len(slow.calls), len(quick.calls))
	}
}

// TestOtherHostsAreServedBehindAHostWithManyJobs: more of them wait than are looked at.
func TestOtherHostsAreServedBehindAHostWithManyJobs(t *testing.T) {
	p := open(t)
	for i := range externalLane.looked + jobRounds*externalLane.perHost {
		p.queue(fmt.Sprintf("hook-%d", i), askahumandb.JobKindWebhook, askahuman.JobPayload{
			QuestionID: access.NewULID(p.Clock.Now()), Host: "many.example",
		})
	}
	p.Clock.Advance(time.Second)
	a := newAgent(t, http.StatusNoContent)
	p.end(p.askWithCallback(a.URL))
	p.work()
	if len(a.calls) != 1 {
		t.Errorf("the one behind them was told %d times, want once", len(a.calls))
	}
	p.Clock.Advance(2 * postponeTime)
	for p.work() > 0 {
		p.Clock.Advance(2 * postponeTime)
	}
	if left := p.jobs(askahumandb.JobStatusQueued); len(left) != 0 {
		t.Errorf("%d jobs were never done", len(left))
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
	want := "notify: not now: " + listener.Addr().String() + " answered 500 [31mOh no end"
	all := p.deliveries(q)
	if len(all) != 1 || all[0].Error == nil {
		t.Fatalf("the deliveries are %+v", all)
	}
	if diff := cmp.Diff(want, *all[0].Error); diff != "" {
		t.Errorf("the delivery (-want +got):\n%s", diff)
	}
	for job, err := range p.DB.ScanJob().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if job.Kind == askahumandb.JobKindWebhook && (job.LastError == nil || *job.LastError != want) {
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
	other := p.Through(p.t, uncounting{p.Database.DynamoDB, q.QuestionID})
	lost, _ := p.worker(func(o *Options) { o.Env = other.Env })
	payload := askahuman.JobPayload{QuestionID: q.QuestionID}
	if err := lost.dispatch(t.Context(), payload, false); !errors.Is(err, errStubborn) {
		t.Fatalf("the count was written: %v", err)
	}
	if got := p.devices.take(); len(got) != 3 {
		t.Fatalf("notified: %q, want three", got)
	}
	if err := p.dispatch(t.Context(), payload, true); err != nil {
		t.Fatal(err)
	}
	if got := p.devices.take(); len(got) != 0 {
		t.Errorf("notified by the next try: %q, want none", got)
	}
}
