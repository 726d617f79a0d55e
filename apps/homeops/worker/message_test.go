package worker_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

// A watched connection reports the first look at the job of a message.
type watched struct {
	access.API
	looked func()
}

func (c watched) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	out, err := c.API.GetItem(ctx, in, options...)
	if key, ok := in.Key["PK"].(*types.AttributeValueMemberS); ok && strings.HasPrefix(key.Value, "JOB#message-") {
		c.looked()
	}
	return out, err
}

// slow makes a text mean something only after the returned function was called. Begun is closed when
// a process begins to understand the text.
func slow(w *homeopstest.World, text string, meaning understanding.Meaning) (begun chan struct{}, goOn func()) {
	begun, wait := make(chan struct{}), make(chan struct{})
	var once sync.Once
	w.MeansBy(text, func(understanding.Message) understanding.Meaning {
		once.Do(func() { close(begun) })
		<-wait
		return meaning
	})
	return begun, func() { close(wait) }
}

// inTwoProcesses runs the jobs in one process until it is busy with a slow text, and then in another
// process, which ends or waits before the slow text is understood.
func inTwoProcesses(t *testing.T, w *homeopstest.World, begun chan struct{}, goOn func()) {
	t.Helper()
	waits, ended := make(chan struct{}), make(chan struct{})
	var once sync.Once
	second := w.Through(t, watched{w.Database.DynamoDB, func() { once.Do(func() { close(waits) }) }})
	var both sync.WaitGroup
	both.Go(func() { w.Step(t) })
	<-begun
	both.Go(func() {
		defer close(ended)
		second.Step(t)
	})
	select {
	case <-waits:
	case <-ended:
	}
	goOn()
	both.Wait()
	for range 3 { // what was given back
		w.Clock.Advance(time.Second)
		w.Step(t)
	}
}

// undoing is the meaning of a message that takes back what its author said before.
var undoing = understanding.Meaning{Corrections: []understanding.Correction{{Kind: understanding.Undo, Confidence: 0.95}}}

// toBot is a message to the bot.
func toBot(w *homeopstest.World, userID int64, text string) *telegram.Message {
	const name = "@homeops_bot"
	m := w.Message(userID, name+" "+text)
	m.Entities = []telegram.MessageEntity{{Type: telegram.Mention, Length: len(name)}}
	return m
}

// An undo that follows its log in the same second finds the log, though another process is still
// busy with it.
func TestUndoInAnotherProcessWaitsForItsLog(t *testing.T) {
	w := open(t)
	w.Means("ångra", undoing)
	begun, goOn := slow(w, "Jag har diskat", homeopstest.Did("dishes", understanding.Medium, 0.9))
	w.Deliver(t, telegram.Update{Message: w.Message(anna, "Jag har diskat")})
	w.Clock.Advance(time.Millisecond)
	w.Deliver(t, telegram.Update{Message: toBot(w, anna, "ångra")})
	inTwoProcesses(t, w, begun, goOn)
	if events := w.Events(t); len(events) != 0 {
		t.Errorf("the log is %+v", events)
	}
	said := w.Telegram.Texts(chat)
	slices.Sort(said) // two processes may send at the same time
	if want := []string{"Borttaget ✓", "Noterat ✓"}; !slices.Equal(said, want) {
		t.Errorf("the bot said %q, want %q", said, want)
	}
}

// A log that follows a promise in the same second fulfils it.
func TestLogInAnotherProcessWaitsForThePromise(t *testing.T) {
	w := open(t)
	begun, goOn := slow(w, "Jag tar disken", homeopstest.Promised("dishes", homeopstest.Start.Add(24*time.Hour)))
	w.Deliver(t, telegram.Update{Message: w.Message(anna, "Jag tar disken")})
	w.Clock.Advance(time.Millisecond)
	w.Deliver(t, telegram.Update{Message: w.Message(anna, "Jag har diskat")})
	inTwoProcesses(t, w, begun, goOn)
	page, err := w.Promises.Mine(t.Context(), anna, "")
	if err != nil || len(page.Items) != 1 || page.Items[0].Status != homeopsdb.PromiseStatusFulfilled {
		t.Errorf("promises %+v (%v)", page.Items, err)
	}
}

// A thumb down on a message that another process is busy with takes back what that logs.
func TestReactionInAnotherProcessWaitsForItsMessage(t *testing.T) {
	w := open(t)
	begun, goOn := slow(w, "Jag har diskat", homeopstest.Did("dishes", understanding.Medium, 0.9))
	said := w.Message(anna, "Jag har diskat")
	w.Deliver(t, telegram.Update{Message: said})
	w.Clock.Advance(time.Millisecond)
	w.Deliver(t, telegram.Update{MessageReaction: &telegram.MessageReactionUpdated{
		Chat: said.Chat, MessageID: said.MessageID, User: homeopstest.User(anna), Date: said.Date,
		NewReaction: []telegram.ReactionType{{Type: "emoji", Emoji: "👎"}},
	}})
	inTwoProcesses(t, w, begun, goOn)
	if events := w.Events(t); len(events) != 0 {
		t.Errorf("the log is %+v", events)
	}
}

// Messages that were delivered in one millisecond are handled in the order of their ids, which is
// not that of the texts of their ids.
func TestMessagesOfOneInstantAreHandledInOrder(t *testing.T) {
	w := open(t)
	w.Means("ångra", undoing)
	for w.Message(anna, "").MessageID < 998 {
	}
	w.Deliver(t, telegram.Update{Message: w.Message(anna, "Jag har diskat")})
	w.Deliver(t, telegram.Update{Message: toBot(w, anna, "ångra")}) // the 1000th
	for range 3 {
		w.Step(t)
		w.Clock.Advance(time.Second)
	}
	if events := w.Events(t); len(events) != 0 {
		t.Errorf("the log is %+v", events)
	}
}

// A message that cannot be handled does not hold up those behind it.
func TestAFailingMessageDoesNotHoldUpOthers(t *testing.T) {
	w := open(t)
	w.MeansBy("oj", func(understanding.Message) understanding.Meaning { panic("a defect") })
	w.Deliver(t, telegram.Update{Message: w.Message(anna, "oj")})
	w.Clock.Advance(time.Millisecond)
	w.Deliver(t, telegram.Update{Message: w.Message(anna, "Jag har diskat")})
	for range 3 {
		if _, err := w.Env.Jobs.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(time.Second)
	}
	if events := w.Events(t); len(events) != 1 {
		t.Errorf("the log is %+v", events)
	}
}

// The process that was busy with a message has crashed; its lease lasts for minutes.
func TestAMessageOfACrashedProcessHoldsUpOthersForSeconds(t *testing.T) {
	w := open(t)
	connection := &mortal{API: w.Database.DynamoDB}
	connection.left.Store(1) // the claim
	w.Deliver(t, telegram.Update{Message: w.Message(anna, "Jag har diskat")})
	_, _ = w.Through(t, connection).Env.Jobs.Step(t.Context())
	w.Clock.Advance(time.Second)
	w.Deliver(t, telegram.Update{Message: w.Message(erik, "Jag har städat hela lägenheten")})
	w.Step(t)
	if events := w.Events(t); len(events) != 0 {
		t.Fatalf("the second message did not wait: %+v", events)
	}
	w.Clock.Advance(20 * time.Second)
	w.Step(t)
	if events := w.Events(t); len(events) != 1 || events[0].UserID != erik {
		t.Errorf("the log is %+v", events)
	}
	w.Clock.Advance(10 * time.Minute)
	w.Step(t)
	if events := w.Events(t); len(events) != 2 {
		t.Errorf("the log is %+v", events)
	}
}
