package web_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/web"
	"sortkey.dev/apps/internal/webtest"
)

var errDisk = errors.New("the disk of table aah-questions is on fire")

// A brokenDB is a database that fails while it is told to.
type brokenDB struct {
	access.API
	broken atomic.Bool
	failed atomic.Int64 // calls
}

func (b *brokenDB) fails() bool {
	if b.broken.Load() {
		b.failed.Add(1)
		return true
	}
	return false
}

func (b *brokenDB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	if b.fails() {
		return nil, errDisk
	}
	return b.API.GetItem(ctx, in, o...)
}

func (b *brokenDB) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if b.fails() {
		return nil, errDisk
	}
	return b.API.Query(ctx, in, o...)
}

func (b *brokenDB) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	if b.fails() {
		return nil, errDisk
	}
	return b.API.BatchGetItem(ctx, in, o...)
}

func (b *brokenDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if b.fails() {
		return nil, errDisk
	}
	return b.API.TransactWriteItems(ctx, in, o...)
}

// openBroken opens a site whose database can fail.
func openBroken(t *testing.T) (*stage, *brokenDB) {
	t.Helper()
	s := open(t)
	db := &brokenDB{API: s.Database.DynamoDB}
	server := httptest.NewUnstartedServer(nil)
	s.url = "http://" + server.Listener.Addr().String()
	site, handler := setup{Options: web.Options{Hub: s.hub, PublicURL: s.url}}.handler(t, s.Through(t, db))
	server.Config.Handler = handler
	server.Start()
	t.Cleanup(func() { site.Close(); server.Close() })
	return s, db
}

// TestAFailureIsOurFault: whatever page it is, a failure has a page with a number and a next step,
// and says nothing of what is behind it.
func TestAFailureIsOurFault(t *testing.T) {
	s, db := openBroken(t)
	q := s.ask("Which of these is friendlier?")
	v := s.visitor()
	v.get("/q/"+q.QuestionID).want(t, 200, q.Prompt)
	db.broken.Store(true)
	for _, path := range []string{"/", "/next", "/q/" + q.QuestionID, "/leaderboard", "/me", "/me/answers", "/me/settings"} {
		v.get(path).want(t, 500, "Something went wrong here", "tell us this number", "Try again")
		v.last.lacks(t, "disk", "aah-questions")
		if id := v.last.Head.Get("X-Request-Id"); id == "" || !strings.Contains(v.last.Page, "<code>"+id+"</code>") {
			t.Errorf("%s does not show the number %q of the request", path, id)
		}
	}
	db.broken.Store(false)
	v.get("/").want(t, 200, q.Prompt)
}

func TestAFailureOnAPhone(t *testing.T) {
	t.Parallel()
	s, db := openBroken(t)
	q := s.ask("Which of these is friendlier?")
	tab := webtest.Open(t, s.url+"/q/"+q.QuestionID, webtest.Phone, webtest.Dark)
	tab.Allow("status of 500")
	const written = "The second one, because it smiles."
	tab.Fill("Your answer", written)
	db.broken.Store(true)
	tab.Click("button", "Send answer")
	tab.See("heading", "Something went wrong here")
	tab.LookAround("failed-answer")
	if text := tab.Text(); strings.Contains(text, "disk") {
		t.Errorf("the page tells of what is behind it:\n%s", text)
	}
	db.broken.Store(false)
	tab.Leave("history.back()")
	tab.WaitTrue(`document.querySelector("[name=answer]")?.value === "` + written + `"`) // nothing is lost

	db.broken.Store(true)
	tab.Goto("/leaderboard")
	tab.See("heading", "Something went wrong here")
	tab.LookAround("failed")
	tab.Click("link", "Try again")
	tab.See("heading", "Something went wrong here")
	db.broken.Store(false)
	tab.Click("link", "Try again")
	tab.See("heading", "Leaderboard")
}

func TestTheFeedOutlivesAFailure(t *testing.T) {
	t.Parallel()
	s, db := openBroken(t)
	first := s.ask("The first question of the day")
	tab := webtest.Open(t, s.url, webtest.Phone, webtest.Dark)
	tab.Allow("status of 500")
	tab.WaitFor(first.Prompt)
	s.hear("feed")
	db.broken.Store(true)
	second := s.ask("The second question of the day")
	for db.failed.Load() == 0 {
		tab.WaitTrue("true") // the page looks again
	}
	tab.WaitFor(first.Prompt)
	if tab.Has("heading", "Something went wrong here") {
		t.Error("the failure took the place of what somebody reads")
	}
	db.broken.Store(false)
	s.hub.Tell("feed")
	tab.Click("button", "1 new question")
	tab.WaitFor(second.Prompt)
}
