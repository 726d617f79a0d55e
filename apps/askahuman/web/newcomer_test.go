package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/webtest"
)

const whatThisIs = "A program asks people this. No account, half a minute.</p>"

func TestNewcomersAreToldWhatThisIs(t *testing.T) {
	s := open(t)
	v := s.answered()
	q := s.ask("Which of these is friendlier?")
	v.get("/q/"+q.QuestionID).lacks(t, whatThisIs)
	v.get("/q/"+q.QuestionID+"?from=link").want(t, 200, whatThisIs)
	newcomer := s.visitor()
	newcomer.get("/q/"+q.QuestionID).want(t, 200, whatThisIs)
	newcomer.get("/q/"+q.QuestionID).want(t, 200, whatThisIs) // they have an identity now, and no answers
}

// TestASharedLinkHasAPreview: what messengers show of a link says what is asked.
func TestASharedLinkHasAPreview(t *testing.T) {
	s := open(t)
	q := s.ask(strings.Repeat("Which of these two is friendlier? ", 9))
	v := s.visitor()
	v.get("/q/"+q.QuestionID+"?from=link").want(t, 200, `<meta property="og:title" content="Which of these two`, `<meta name="twitter:card" content="summary">`,
		`<meta property="og:description" content="A program asks people this.`, `<meta property="og:image" content="`+s.url+`/icon-any-512.png">`)
	_, title, _ := strings.Cut(v.last.Page, `og:title" content="`)
	title, _, _ = strings.Cut(title, `"`)
	if n := len([]rune(title)); n > 91 {
		t.Errorf("the title has %d characters", n)
	}
	if icon := v.get("/icon-any-512.png"); icon.Code != 200 || icon.Head.Get("Content-Type") != "image/png" {
		t.Errorf("the picture answers %d %s", icon.Code, icon.Head.Get("Content-Type"))
	}
	// Without an address of its own, the site is where it was asked.
	bare := open(t, func(o *setup) { o.PublicURL = "" })
	q = bare.ask("Which of these is friendlier?")
	bare.visitor().get("/q/"+q.QuestionID).want(t, 200, `og:image" content="`+bare.url+`/icon`, `data-copy="`+bare.url+"/q/")
}

// TestAPhoneShares: where a device can share, the button does that instead of copying.
func TestAPhoneShares(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := s.ask("Which of these is friendlier?")
	tab := webtest.Open(t, s.url+"/q/"+q.QuestionID, webtest.Phone, webtest.Dark)
	tab.WaitFor("Copy link")
	tab.Eval(`navigator.share = (what) => { window.shared = what; return Promise.resolve(); }`, nil)
	tab.WaitTrue(`import(document.querySelector('script[src*="question"]').src.replace(/question[^/]*$/, "share.js")).then((module) => { module.offerShare(); return true; })`)
	tab.Click("button", "Share")
	tab.WaitTrue(fmt.Sprintf(`window.shared?.url === %q && window.shared.title === %q`, s.url+"/q/"+q.QuestionID+"?from=link", q.Prompt))
	tab.Eval(`navigator.share = () => Promise.reject(new DOMException("changed their mind", "AbortError"))`, nil)
	tab.Click("button", "Share")
	tab.Eval(`navigator.share = () => Promise.reject(new DOMException("no", "NotAllowedError"))`, nil)
	tab.Click("button", "Share")
	tab.WaitFor("Your device could not share it.")
	if n := tab.Count("button", "Hide this message"); n != 1 {
		t.Errorf("%d messages; changing one's mind is no failure", n)
	}
}

// TestWhatPeopleWroteReadsInItsOwnDirection: Arabic and Hebrew begin at the right.
func TestWhatPeopleWroteReadsInItsOwnDirection(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := s.ask("أي من هذه الأسماء تثق به؟", "الأول", "The second")
	words := s.ask("ما رأيك في هذا الاسم؟")
	tab := webtest.Open(t, s.url, webtest.Phone, webtest.Dark)
	direction := func(selector, want string) {
		t.Helper()
		var got string
		tab.Eval(fmt.Sprintf(`getComputedStyle(document.querySelector(%q)).direction`, selector), &got)
		if got != want {
			t.Errorf("%s reads %s, want %s", selector, got, want)
		}
	}
	direction(".card-prompt a", "rtl")
	tab.Goto("/q/" + q.QuestionID)
	direction("h1", "rtl")
	right := func(selector string) bool {
		var right bool
		tab.Eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q), r = document.createRange(); r.selectNodeContents(e);
			const text = r.getBoundingClientRect(), row = e.closest(".choice").getBoundingClientRect(); return row.right - text.right < 24; })()`, selector), &right)
		return right
	}
	if !right(".choice .choice-text > span") {
		t.Error("an Arabic option does not begin at the right")
	}
	tab.LookAround("question-rtl")
	tab.Goto("/q/" + words.QuestionID)
	tab.WaitTrue(`(({ unicodeBidi, textAlign }) => unicodeBidi === "plaintext" && textAlign === "start")(getComputedStyle(document.querySelector("textarea")))`)
}

// TestAnsweringTooFastSaysWhen: the page says how long to wait, counts, and then takes the answer.
func TestAnsweringTooFastSaysWhen(t *testing.T) {
	s := open(t)
	v := s.answered()
	var q askahumandb.Question
	for range 5 {
		q = s.ask("One question after the other")
		v.get("/q/" + q.QuestionID)
		v.send("/q/"+q.QuestionID, "seen", v.hidden("seen"), "answer", "Here is what I think of it")
	}
	s.Clock.Advance(20 * time.Second)
	v.send("/q/"+q.QuestionID, "seen", v.hidden("seen"), "answer", "Here is what I think of it").
		want(t, http.StatusTooManyRequests, "One moment", "You answer very fast. Send this again in 40 seconds.", `data-wait="40"`, "Here is what I think of it")
	v.last.lacks(t, "Please check")
	s.Clock.Advance(40 * time.Second)
	v.send("/q/"+q.QuestionID, "seen", v.hidden("seen"), "answer", "Here is what I think of it").want(t, 200, "Thank you")
}

// TestAPersonIsWhereTheyWereLast: a browser that does not tell its time zone does not break a streak.
func TestAPersonIsWhereTheyWereLast(t *testing.T) {
	s := open(t)
	v := s.visitor()
	site := must(url.Parse(s.url))
	answer := func() {
		t.Helper()
		q := s.ask("One question after the other")
		v.get("/q/" + q.QuestionID)
		v.send("/q/"+q.QuestionID, "seen", v.hidden("seen"), "answer", "Here is what I think of it").want(t, 200, "Thank you")
		stats := must(s.DB.GetUserStats(t.Context(), must(s.People.Identify(s.identityOf(v), "", 0)).Hash))
		if stats.TzOffsetMin != 13*60 {
			t.Errorf("the person is %d minutes east", stats.TzOffsetMin)
		}
	}
	v.Client.Jar.SetCookies(site, []*http.Cookie{{Name: "tz", Value: "Pacific%2FTongatapu", Path: "/"}})
	answer()
	v.Client.Jar.SetCookies(site, []*http.Cookie{{Name: "tz", Path: "/", MaxAge: -1}})
	s.Clock.Advance(time.Minute)
	answer()
}

func TestAnsweringALotInAnHour(t *testing.T) {
	s := open(t)
	v := s.answered()
	hash := must(s.People.Identify(s.identityOf(v), "", 0)).Hash
	for range askahuman.LimitAnswer.Most - 1 {
		if _, err := s.Allow(t.Context(), askahuman.LimitAnswer, hash); err != nil {
			t.Fatal(err)
		}
	}
	q := s.ask("One question after the other")
	v.get("/q/" + q.QuestionID)
	v.send("/q/"+q.QuestionID, "answer", "Here is what I think of it").
		want(t, http.StatusTooManyRequests, "One moment", "You have answered a lot in this hour. Send this again in ", "min")
}

func TestTheButtonCountsDown(t *testing.T) {
	t.Parallel()
	s := open(t)
	tab := s.someone(1)
	var q askahumandb.Question
	for range askahuman.RapidAnswers + 1 {
		q = s.ask("One question after the other")
		tab.Goto("/q/" + q.QuestionID)
		tab.Fill("Your answer", "Here is what I think of it, more or less.")
		tab.Allow("status of 429")
		tab.Click("button", "Send answer")
		tab.WaitTrue(`location.pathname === "/done" || document.querySelector("[data-wait]") !== null`)
	}
	tab.WaitFor("You answer very fast.")
	tab.WaitTrue(`/^Send answer in 0:\d\d$/.test(document.querySelector("[data-answer] button.primary").textContent) && document.querySelector("[data-answer] button.primary").disabled`)
	tab.LookAround("question-fast")
}

// TestANewQuestionIsAnnouncedOnce: what waits in the inbox is not new in the list as well.
func TestANewQuestionIsAnnouncedOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.ask("This one was here before")
	tab := webtest.Open(t, s.url+"/me/settings", webtest.Phone, webtest.Dark)
	tab.Click("button", "Turn on my inbox")
	tab.WaitFor("Inbox on this site")
	tab.Goto("/")
	s.hear("feed")
	q := s.ask("Somebody should look at this soon")
	tab.WaitFor("1 new question")
	s.recordPush(q)
	tab.WaitFor("Waiting for you")
	tab.WaitGone("1 new question")
	if n := tab.Count("link", q.Prompt); n != 1 {
		t.Errorf("the question is there %d times", n)
	}
}

// TestThanksFitOnAPhone: the way on and the countdown are seen without scrolling, and a badge has
// all the time it takes.
func TestThanksFitOnAPhone(t *testing.T) {
	t.Parallel()
	s := open(t)
	tab := s.someone(1)
	tab.WaitFor("New badge")
	inSight := `(text) => { const e = [...document.querySelectorAll("main a, main p")].find((e) => e.textContent.includes(text)); return e.getBoundingClientRect().bottom <= innerHeight; }`
	tab.WaitTrue(`(` + inSight + `)("Next question")`)
	if strings.Contains(tab.Text(), "Back to the questions in") {
		t.Error("somebody with a new badge is sent away")
	}
	tab.Screenshot("done-badges")
	stay(tab)
	s.answerSome(tab, 1)
	tab.WaitFor("Back to the questions in")
	tab.WaitTrue(`(` + inSight + `)("Next question") && (` + inSight + `)("Back to the questions in")`)
}

// TestTheOwnRowHasAllItsNumbers: also below the first ten.
func TestTheOwnRowHasAllItsNumbers(t *testing.T) {
	s := open(t)
	q := s.Submit(t, questions.Ask{AgentID: "agent", Type: "text", Prompt: "Something to write about", Required: new(50)})
	for i := range 14 {
		if _, err := s.Answers.Answer(t.Context(), s.Person(t, i), askahumantest.Text(q.QuestionID, 150)); err != nil {
			t.Fatal(err)
		}
	}
	v := s.answered() // for 15 points, without the bonus for a long text
	v.get("/leaderboard").want(t, 200, ` You</span></th><td class="num">1</td><td class="num">15</td>`)
}

func TestCardsShowAFewTags(t *testing.T) {
	s := open(t)
	q := s.Submit(t, questions.Ask{AgentID: "agent", Type: "text", Prompt: "A question for everybody", Audience: askahuman.Audiences})
	v := s.visitor()
	v.get("/").want(t, 200, `<span aria-hidden="true">+3</span>`)
	v.get("/q/"+q.QuestionID).lacks(t, ">+3<")
}

func TestNumbersAreWrittenAlike(t *testing.T) {
	s := open(t)
	s.visitor().get("/me").want(t, 200, "Answer 1,000 questions", "0 of 1,000")
}

// TestLinksWithoutScripts: a button that cannot copy has the text beside it.
func TestLinksWithoutScripts(t *testing.T) {
	s := open(t)
	q := s.ask("Which of these is friendlier?")
	link := `<span class="copy-text">` + s.url + "/q/" + q.QuestionID + "?from=link</span>"
	v := s.visitor()
	v.get("/q/"+q.QuestionID).want(t, 200, link, "Report this question", "Optional. Saying so earns 2 points.", "Whoever asked sees your answer and how sure you are.")
	v.get("/developers/agent")
	v.send("/developers/agent", "agent_id", "agent")
	v.get("/developers/questions/"+q.QuestionID).want(t, 200, link)
	s.Clock.Advance(2 * time.Hour)
	v.get("/developers/questions/"+q.QuestionID).want(t, 200, "Expired", "<code>EXPIRED</code>")
	v.last.lacks(t, link, "Copy link to answer", "Time was up")
}
