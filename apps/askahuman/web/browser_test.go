package web_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/webtest"
)

func TestAnsweringOnAPhone(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := s.ask("Is this greeting too formal for a chat?")
	tab := webtest.Open(t, s.url, webtest.Phone, webtest.Dark)
	tab.WaitFor("Software asks.")
	tab.Click("button", "Got it, hide this welcome")
	tab.WaitGone("Software asks.")
	tab.Click("link", q.Prompt)
	tab.WaitURL("/q/" + q.QuestionID)
	s.Clock.Advance(12 * time.Second)
	tab.Fill("Your answer", "Too few")
	tab.WaitFor("3 more needed") // of the counter
	tab.Click("button", "Send answer")
	tab.WaitFor("Please check one thing")
	tab.LookAround("question-error")
	tab.Fill("Your answer", "Yes, nobody talks like that to a friend.")
	tab.Choose("5")
	tab.Click("button", "Send answer")
	tab.WaitURL("/done")
	tab.WaitFor("+17")
	tab.WaitFor("First Steps")
	tab.LookAround("done-badge")
	tab.Goto("/q/" + q.QuestionID)
	tab.WaitFor("You answered this")
	tab.LookAround("question-answered")
}

func TestChoosingByKeyboardOnly(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := s.ask("Which word is kinder?", "Wrong", "Not quite", "No")
	tab := webtest.Open(t, s.url+"/q/"+q.QuestionID, webtest.Desktop, webtest.Light)
	s.Clock.Advance(9 * time.Second)
	reach := func(what string) {
		t.Helper()
		for range 40 {
			if tab.Focused() == what {
				return
			}
			tab.Press("Tab")
		}
		t.Fatalf("the keyboard does not reach %s; it is on %s", what, tab.Focused())
	}
	reach("radio Wrong")
	tab.Press("Down", "Tab")
	if at := tab.Focused(); at != "radio 1" {
		t.Errorf("after the options the keyboard is on %q", at)
	}
	tab.Press("Space", "Right", "Right")
	reach("button Send answer")
	tab.Press("Enter")
	tab.WaitURL("/done")
	tab.WaitFor("Said how sure you are")
	own := must(s.Questions.Results(t.Context(), must(s.Questions.Question(t.Context(), q.QuestionID)))).Answers
	if len(own) != 1 || *own[0].SelectedOption != 1 || *own[0].Confidence != 3 {
		t.Errorf("stored: %+v", own)
	}
	tab.Goto("/q/" + s.ask("Another question for the walk").QuestionID)
	walked := strings.Join(tab.Walk(60), "\n")
	for _, place := range []string{"link Skip to content", "textbox Your answer", "button Send answer", "button Skip this one", "button Copy link"} {
		if !strings.Contains(walked, place) {
			t.Errorf("the keyboard does not reach %s:\n%s", place, walked)
		}
	}
}

func TestTheFeedLives(t *testing.T) {
	t.Parallel()
	s := open(t)
	tab := webtest.Open(t, s.url, webtest.Phone, webtest.Dark)
	tab.WaitFor("Nobody needs an answer right now")
	tab.LookAround("feed-empty")
	first := s.ask("The first question of the day")
	tab.WaitFor(first.Prompt)
	tab.WaitGone("Nobody needs an answer")
	s.hear("feed")
	second := s.ask("The second question of the day")
	tab.WaitFor("1 new question")
	if strings.Contains(tab.Text(), second.Prompt) {
		t.Error("a new question pushed itself between what somebody reads")
	}
	tab.Screenshot("feed-new")
	tab.Click("button", "1 new question")
	tab.WaitFor(second.Prompt)
	if at := tab.Focused(); at != "link "+second.Prompt {
		t.Errorf("the focus is on %q", at)
	}
}

func TestTheFeedGoesOnByItself(t *testing.T) {
	t.Parallel()
	s := open(t)
	for range 30 {
		s.ask("One of very many questions")
		s.Clock.Advance(time.Second)
	}
	tab := webtest.Open(t, s.url, webtest.Phone, webtest.Dark)
	tab.WaitTrue(`(window.scrollTo(0, document.body.scrollHeight), document.querySelectorAll("[data-question]").length === 30)`)
	tab.WaitTrue(`document.querySelector("[data-more]") === null`)
}

// hear waits until a topic has a listener.
func (s *stage) hear(topic live.Topic) {
	s.t.Helper()
	deadline := time.After(time.Minute) // never, but for a page that does not listen
	for s.hub.Listeners(topic) == 0 {
		select {
		case <-deadline:
			s.t.Fatalf("nobody listens to %s", topic)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// recordPush records that everybody with an inbox was notified for a question.
func (s *stage) recordPush(q askahumandb.Question) {
	s.t.Helper()
	for subscription, err := range s.DB.ScanSubscription().All(s.t.Context()) {
		if err != nil {
			s.t.Fatal(err)
		}
		tx := s.DB.Tx()
		tx.RecordPush(askahumandb.PushSent{
			QuestionID: q.QuestionID, FingerprintHash: subscription.FingerprintHash, SubscriptionID: subscription.SubscriptionID,
			SentAt: s.Clock.Now(), TTL: s.Clock.Now().Add(askahuman.KeepPush),
		})
		if err := tx.Commit(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
		topic := live.Topic("person " + subscription.FingerprintHash)
		s.hear(topic)
		s.hub.Tell(topic)
	}
}

func TestTheInboxFillsByItself(t *testing.T) {
	t.Parallel()
	s := open(t)
	tab := webtest.Open(t, s.url+"/me/settings", webtest.Phone, webtest.Dark)
	tab.Select("How often?", "At most every hour")
	tab.Click("button", "Turn on my inbox")
	tab.WaitFor("On, at most every hour")
	tab.LookAround("settings-inbox")
	tab.Goto("/")
	q := s.ask("Somebody should look at this soon")
	s.recordPush(q)
	tab.WaitFor("Waiting for you")
	tab.LookAround("feed-inbox")
	var inInbox bool
	tab.Eval(fmt.Sprintf(`document.querySelector('#inbox a[href="/q/%s?from=push"]') !== null`, q.QuestionID), &inInbox)
	if !inInbox {
		t.Error("the question is not in the inbox")
	}
	if n := tab.Count("link", q.Prompt); n != 1 {
		t.Errorf("the question is there %d times", n)
	}
	tab.Goto("/me/settings")
	tab.Click("button", "Stop: Inbox on this site")
	tab.WaitFor("Turn on my inbox")
}

func TestAskingBeforeTheBrowserAsks(t *testing.T) {
	t.Parallel()
	s := open(t)
	tab := webtest.Open(t, s.url+"/me/settings", webtest.Phone, webtest.Dark)
	tab.Click("button", "Notify me on this device")
	tab.WaitFor("May we notify you?")
	tab.LookAround("push-sheet")
	tab.Click("button", "Continue") // this browser never allows it
	tab.WaitFor("Your browser did not allow it.")
	tab.Press("Escape")
	tab.WaitGone("May we notify you?")
	tab.AllowPush()
	tab.Goto("/me/settings")
	tab.Click("button", "Notify me on this device")
	tab.Click("button", "Continue")
	tab.Submit("Turn on")
	tab.See("button", "Stop: Notifications of this browser")
	tab.Goto("/me/settings") // from its top
	tab.LookAround("settings-push")
	tab.Select("How often?", "At most every hour")
	tab.Submit("Save notifications")
	tab.WaitFor("On, at most every hour")
	tab.See("button", "Turn on my inbox") // which nobody asked for
	quiet := open(t, func(o *setup) { o.VAPIDPublicKey = "" })
	quiet.visitor().get("/me/settings").lacks(t, "Notify me on this device", "May we notify you?")
}

func TestTheThanksReturnByThemselves(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.ask("One more for afterwards")
	tab := s.someone(2) // the first answer earns a badge, and a badge may be looked at
	tab.WaitFor("Back to the questions in")
	tab.WaitFor("One more for afterwards") // on the feed
	tab.Goto("/done")
	tab.Press("Shift+Tab")
	tab.WaitGone("Back to the questions in")
}

func TestAnAnswerWaitsForTheNetwork(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := s.ask("Can you answer in a tunnel?")
	tab := s.answerInATunnel(q.QuestionID, webtest.Dark)
	tab.Screenshot("queued-offline")
	s.cut.Store(false)
	tab.Goto("/leaderboard")
	waitShown(tab, "The answer that waited was sent")
	if got := must(s.Questions.Question(t.Context(), q.QuestionID)); got.CurrentResponses != 1 {
		t.Errorf("the question has %d answers", got.CurrentResponses)
	}
}

// TestAnAnswerThatWaitedTooLong: the person is told what became of it.
func TestAnAnswerThatWaitedTooLong(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := s.ask("Can you answer in a long tunnel?")
	tab := s.answerInATunnel(q.QuestionID, webtest.Light)
	tab.Allow("status of 410")
	s.closeEarly(q.QuestionID)
	s.cut.Store(false)
	tab.Goto("/leaderboard")
	waitShown(tab, "An answer that waited came too late")
}

// TestAnAnswerThatWaitedBehindAnother is of somebody who has the question open twice.
func TestAnAnswerThatWaitedBehindAnother(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := s.ask("Can you answer in two tunnels?")
	tab := s.openForTheTunnel(q.QuestionID, webtest.Light)
	tab.Eval(`(() => {
		const form = new URLSearchParams(new FormData(document.querySelector("form[data-answer]")));
		form.set("answer", "This one was faster than the other.");
		return fetch(location.href, { method: "POST", body: form, credentials: "same-origin" }).then((answer) => answer.url);
	})()`, nil)
	s.sendInTheTunnel(tab)
	s.cut.Store(false)
	tab.Goto("/leaderboard")
	waitShown(tab, "An answer that waited was not needed")
	tab.Goto("/leaderboard")
	if strings.Contains(tab.Text(), "You have answered this question already") {
		t.Error("the person is told twice, the second time by the next page")
	}
}

// answerInATunnel answers a question without a network, which stays cut.
func (s *stage) answerInATunnel(id string, theme webtest.Theme) *webtest.Tab {
	s.t.Helper()
	tab := s.openForTheTunnel(id, theme)
	s.sendInTheTunnel(tab)
	return tab
}

// openForTheTunnel opens a question with all that is needed to do without a network.
func (s *stage) openForTheTunnel(id string, theme webtest.Theme) *webtest.Tab {
	s.t.Helper()
	tab := webtest.Open(s.t, s.url+"/q/"+id, webtest.Phone, theme)
	tab.Allow("net::ERR_|Failed to fetch")
	tab.WaitTrue("navigator.serviceWorker.controller !== null")
	tab.WaitTrue(`caches.match("/queued").then((page) => page !== undefined)`)
	tab.Before(keepsShown)
	return tab
}

// keepsShown keeps the messages that pages show: the browser may send what waited at any moment,
// and tell it on the page that is being left.
const keepsShown = `addEventListener("DOMContentLoaded", () => {
	const place = document.querySelector("[data-toasts]");
	if (place) new MutationObserver(() => { sessionStorage.shown = (sessionStorage.shown ?? "") + place.textContent; }).observe(place, { childList: true });
})`

// waitShown waits until a message was shown.
func waitShown(tab *webtest.Tab, text string) {
	tab.WaitTrue(fmt.Sprintf("(sessionStorage.shown ?? '').includes(%q)", text))
}

// sendInTheTunnel cuts the network and sends an answer.
func (s *stage) sendInTheTunnel(tab *webtest.Tab) {
	s.t.Helper()
	tab.Fill("Your answer", "Yes, as you can see here.")
	s.cut.Store(true)
	tab.Click("button", "Send answer")
	tab.WaitFor("Your answer is safe")
}

func TestADeveloperWatchesAnswersComeIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	tab := webtest.Open(t, s.url+"/developers", webtest.Phone, webtest.Light)
	tab.Fill("Question", "Which name would you trust?")
	tab.Eval(`document.querySelector("details.try-more").open = true`, nil)
	tab.Fill("Answers to choose from", "Acme\nBolt & Sons")
	tab.Fill("Answers wanted", "3")
	tab.Click("button", "Ask people")
	tab.WaitURL("/developers/questions/")
	tab.WaitFor("No answers yet")
	tab.LookAround("result-none")
	at := tab.URL()
	id := at[strings.LastIndex(at, "/")+1:]
	s.hear(live.Topic("question " + id))
	q := must(s.Questions.Question(t.Context(), id))
	s.answers(q, 3)
	tab.WaitFor("3 of 3")
	tab.WaitFor("67 % (2)")
	tab.LookAround("result-closed")
}

func TestErrorsLookLikeTheRest(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := s.ask("This one is full in a moment")
	s.answers(q, 3)
	tab := webtest.Open(t, s.url, webtest.Phone, webtest.Dark)
	tab.Allow("the server responded with a status of 4")
	for path, name := range map[string]string{"/q/" + q.QuestionID: "closed", "/q/nowhere": "no-question", "/nowhere": "not-found"} {
		tab.Goto(path)
		tab.LookAround(name)
	}
}

// TestTheWorkerSaysWhichPushMessagesItRenews runs the worker's code in a page, with what the browser tells a worker.
func TestTheWorkerSaysWhichPushMessagesItRenews(t *testing.T) {
	t.Parallel()
	s := open(t)
	worker := must(os.ReadFile("assets/worker.js"))
	tab := webtest.Open(t, s.url, webtest.Phone, webtest.Light)
	var sent string
	tab.Eval(fmt.Sprintf(`(async () => {
		const listeners = {}, sent = [];
		((self, fetch) => { %s })({ addEventListener: (name, act) => { listeners[name] = act; } },
			async (to, request) => { if (request.method === "POST") sent.push(to + "?" + request.body); return new Response(""); });
		let done;
		listeners.pushsubscriptionchange({
			oldSubscription: { endpoint: "old" }, waitUntil: (all) => { done = all; },
			newSubscription: { toJSON: () => ({ endpoint: "new", keys: { p256dh: "p", auth: "a" } }) },
		});
		await done;
		return sent.join();
	})()`, worker), &sent)
	if sent != "/me/notifications/push?endpoint=new&p256dh=p&auth=a&replaces=old" {
		t.Errorf("sent %q", sent)
	}
}
