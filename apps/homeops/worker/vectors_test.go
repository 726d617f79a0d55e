package worker_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/load"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

// The tests of this file are the worked vectors of the specification, with a moved clock and a real
// database. Vectors 11, 14, 15 and 19 are also in packages load and speech.

const anna, erik, maja, chat = homeopstest.Anna, homeopstest.Erik, homeopstest.Maja, homeopstest.Chat

var zone = homeops.Zone("Europe/Stockholm")

// open returns a world whose household acknowledges with text, and in which members do the dishes.
func open(t *testing.T) *homeopstest.World {
	w := homeopstest.Open(t)
	w.Set(t, func(s *households.Settings) { s.AcknowledgeText = true })
	w.Means("Jag har städat hela lägenheten", homeopstest.Did("cleaning", understanding.High, 0.92))
	w.Means("Jag har diskat", homeopstest.Did("dishes", understanding.Medium, 0.9))
	return w
}

func admin(t *testing.T, w *homeopstest.World) {
	t.Helper()
	if err := w.Households.SetBotAdmin(t.Context(), homeopstest.ChatID(chat), true); err != nil {
		t.Fatal(err)
	}
}

func wantTexts(t *testing.T, w *homeopstest.World, chat int64, want ...string) {
	t.Helper()
	if got := w.Telegram.Texts(chat); !slices.Equal(got, want) {
		t.Errorf("the bot said %q, want %q", got, want)
	}
}

func TestVector01ClearChoreIsNoted(t *testing.T) {
	w := open(t)
	m := w.Say(t, anna, "Jag har städat hela lägenheten")
	events := w.Events(t)
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	e := events[0]
	if e.Activity != "cleaning" || e.Category != "chore" || e.Effort != "high" || e.Value != 3 || e.UserID != anna || !e.OccurredAt.Equal(homeopstest.Start) {
		t.Errorf("logged %+v", e)
	}
	wantTexts(t, w, chat, "Noterat ✓")
	if reason := w.Reason(t, m); reason != "spoke" {
		t.Errorf("reason %s", reason)
	}
	// The default is a reaction instead of a line.
	w.Set(t, func(s *households.Settings) { s.AcknowledgeText = false })
	w.Clock.Advance(time.Hour)
	m = w.Say(t, anna, "Jag har diskat")
	wantTexts(t, w, chat, "Noterat ✓")
	if got := w.Telegram.Reactions(); !slices.Equal(got, []int64{m.MessageID}) {
		t.Errorf("reacted to %v", got)
	}
}

func TestVector02QuietHours(t *testing.T) {
	w := open(t)
	for _, c := range []struct {
		at     time.Time
		reason string
	}{
		{time.Date(2037, 2, 16, 22, 30, 0, 0, zone), "quiet_hours"},
		{time.Date(2037, 2, 17, 6, 59, 0, 0, zone), "quiet_hours"},
		{time.Date(2037, 2, 17, 7, 0, 0, 0, zone), "spoke"},
	} {
		w.Clock.Set(c.at)
		m := w.Say(t, anna, "Jag har städat hela lägenheten")
		if got := w.Reason(t, m); got != c.reason {
			t.Errorf("%s: %s", c.at, got)
		}
	}
	if n := len(w.Events(t)); n != 3 {
		t.Errorf("%d events", n)
	}
}

func TestVector03DailyCapEndsAtLocalMidnight(t *testing.T) {
	for _, day := range []time.Time{
		time.Date(2037, 2, 16, 0, 0, 0, 0, zone), time.Date(2037, 3, 29, 0, 0, 0, 0, zone), time.Date(2037, 10, 25, 0, 0, 0, 0, zone),
	} {
		w := open(t)
		w.Set(t, func(s *households.Settings) { s.QuietFrom, s.QuietTo = 0, 0 })
		var reasons []string
		for i := range 4 {
			w.Clock.Set(time.Date(day.Year(), day.Month(), day.Day(), 8+i, 0, 0, 0, zone))
			reasons = append(reasons, w.Reason(t, w.Say(t, anna, "Jag har diskat")))
		}
		w.Clock.Set(time.Date(day.Year(), day.Month(), day.Day(), 23, 59, 59, 0, zone))
		reasons = append(reasons, w.Reason(t, w.Say(t, anna, "Jag har diskat")))
		w.Clock.Set(time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, zone))
		reasons = append(reasons, w.Reason(t, w.Say(t, anna, "Jag har diskat")))
		want := []string{"spoke", "spoke", "spoke", "daily_cap", "daily_cap", "spoke"}
		if !slices.Equal(reasons, want) {
			t.Errorf("%s: %v", day.Format(time.DateOnly), reasons)
		}
		if n := len(w.Events(t)); n != 6 {
			t.Errorf("%d events", n)
		}
	}
}

func TestVector04Cooldown(t *testing.T) {
	w := open(t)
	var reasons []string
	for _, after := range []time.Duration{0, 10 * time.Minute, 5*time.Minute - time.Second, time.Second} {
		w.Clock.Advance(after)
		reasons = append(reasons, w.Reason(t, w.Say(t, anna, "Jag har diskat")))
	}
	if want := []string{"spoke", "cooldown", "cooldown", "spoke"}; !slices.Equal(reasons, want) {
		t.Errorf("%v", reasons)
	}
	// The cooldown goes on at midnight.
	w.Set(t, func(s *households.Settings) { s.QuietFrom, s.QuietTo = 0, 0 })
	w.Clock.Set(time.Date(2037, 2, 20, 23, 55, 0, 0, zone))
	w.Say(t, anna, "Jag har diskat")
	w.Clock.Advance(10 * time.Minute)
	if reason := w.Reason(t, w.Say(t, anna, "Jag har diskat")); reason != "cooldown" {
		t.Errorf("at 00:05: %s", reason)
	}
}

func TestVector05FastConversation(t *testing.T) {
	for others, want := range map[int]string{2: "spoke", 3: "fast_conversation"} {
		w := open(t)
		for i := range others {
			w.Clock.Advance(15 * time.Second)
			w.Say(t, []int64{erik, maja}[i%2], "hej")
		}
		w.Clock.Advance(5 * time.Second)
		if got := w.Reason(t, w.Say(t, anna, "Jag har diskat")); got != want {
			t.Errorf("%d others: %s, want %s", others, got, want)
		}
		if n := len(w.Events(t)); n != 1 {
			t.Errorf("%d events", n)
		}
	}
}

func TestVector06Confidence(t *testing.T) {
	for confidence, want := range map[float64]string{0.85: "Noterat ✓", 0.84: "Menade du pantning?", 0.50: "Menade du pantning?", 0.49: ""} {
		w := open(t)
		w.Means("pantade", homeopstest.Did("bottles", understanding.Low, confidence))
		m := w.Say(t, anna, "pantade")
		if want == "" {
			wantTexts(t, w, chat)
			if n := len(w.Events(t)); n != 0 || w.Reason(t, m) != "low_confidence" || w.Decision(t, m).Confidence != confidence {
				t.Errorf("%v: %d events, %s", confidence, n, w.Reason(t, m))
			}
			continue
		}
		wantTexts(t, w, chat, want)
	}
	w := open(t)
	text := "pantade 🍾 @homeops_bot"
	w.Means("pantade 🍾", homeopstest.Did("bottles", understanding.Low, 0.49))
	m := w.Message(anna, text)
	m.Entities = []telegram.MessageEntity{{Type: telegram.Mention, Offset: 11, Length: 12}} // in UTF-16 units
	w.Deliver(t, telegram.Update{Message: m})
	w.Step(t)
	wantTexts(t, w, chat, "Menade du pantning?")
	if n := len(w.Events(t)); n != 0 {
		t.Errorf("%d events before the answer", n)
	}
	w.Clock.Advance(time.Minute)
	w.Reply(t, anna, "ja") // now it was said
	events := w.Events(t)
	if len(events) != 1 || events[0].Activity != "bottles" || events[0].UserID != anna || !events[0].OccurredAt.Equal(m.Date.Time) {
		t.Fatalf("after the answer %+v", events)
	}
	w.Reply(t, anna, "ja")
	if n := len(w.Events(t)); n != 1 {
		t.Errorf("%d events after a second answer", n)
	}
	ids, err := w.Ledger.ByMessage(t.Context(), w.Home(t), homeopstest.ChatID(chat), m.MessageID, "")
	if err != nil || len(ids) != 1 {
		t.Errorf("the message has the entries %v (%v)", ids, err)
	}
}

// An unclear activity beside a clear one changes nothing.
func TestVector06UnclearBesideClear(t *testing.T) {
	w := open(t)
	both := homeopstest.Did("bottles", understanding.Low, 0.3)
	both.Activities = append(both.Activities, homeopstest.Did("dishes", understanding.Medium, 0.9).Activities...)
	w.Means("Pantade kanske, diskade", both)
	w.Say(t, anna, "Pantade kanske, diskade")
	wantTexts(t, w, chat, "Noterat ✓")
	if events := w.Events(t); len(events) != 1 || events[0].Activity != "dishes" {
		t.Errorf("events %+v", events)
	}
}

func TestVector07PromiseAndNone(t *testing.T) {
	w := open(t)
	none := w.Say(t, anna, "Vad ska vi äta ikväll?")
	midnight := time.Date(2037, 2, 17, 0, 0, 0, 0, zone)
	w.Means("Jag tar disken sen", homeopstest.Promised("dishes", midnight))
	m := w.Say(t, anna, "Jag tar disken sen")
	if n := len(w.Events(t)); n != 0 || w.Stored(t, none).Text == "" || w.Decision(t, none).Kind != "none" {
		t.Errorf("%d events, decision %s", n, w.Decision(t, none).Kind)
	}
	home := w.Home(t)
	open, err := w.Promises.MineOpen(t.Context(), home.HouseholdID, anna)
	if err != nil || len(open) != 1 || !open[0].Deadline.Equal(midnight) || open[0].Status != "active" || open[0].SourceMessageID != m.MessageID {
		t.Errorf("promises %+v (%v)", open, err)
	}
	item, err := open[0].Item()
	if key, ok := item["GSI1PK"].(*types.AttributeValueMemberS); err != nil || !ok || !strings.HasPrefix(key.Value, "PROMISE_STATUS#active#") {
		t.Errorf("GSI1PK is %v (%v)", item["GSI1PK"], err)
	}
	wantTexts(t, w, chat)
}

func TestVector08PromiseIsFulfilledSilently(t *testing.T) {
	w := open(t)
	w.Means("Jag tar disken sen", homeopstest.Promised("dishes", time.Date(2037, 2, 17, 0, 0, 0, 0, zone)))
	w.Say(t, anna, "Jag tar disken sen")
	w.Clock.Advance(8 * time.Hour)
	w.Say(t, anna, "Jag har diskat")
	page, err := w.Promises.Mine(t.Context(), anna, "")
	if err != nil || len(page.Items) != 1 || page.Items[0].Status != "fulfilled" || *page.Items[0].FulfilledBy != anna {
		t.Fatalf("promises %+v (%v)", page.Items, err)
	}
	item, err := page.Items[0].Item()
	if _, indexed := item["GSI1PK"]; err != nil || indexed {
		t.Errorf("the promise is in the index: %v (%v)", item["GSI1PK"], err)
	}
	wantTexts(t, w, chat, "Noterat ✓") // for the log
	w.Clock.Advance(72 * time.Hour)
	w.Step(t)
	wantTexts(t, w, chat, "Noterat ✓")
	// Undoing the log opens the promise again.
	home := w.Home(t)
	if err := w.Ledger.Undo(t.Context(), home, anna, w.Events(t)[0].EventID); err != nil {
		t.Fatal(err)
	}
	if open, err := w.Promises.MineOpen(t.Context(), home.HouseholdID, anna); err != nil || len(open) != 1 {
		t.Errorf("%d open promises after undo (%v)", len(open), err)
	}
}

func TestVector09OneReminderThenExpired(t *testing.T) {
	w := open(t)
	deadline := time.Date(2037, 2, 17, 0, 0, 0, 0, zone)
	w.Means("Jag tar disken sen", homeopstest.Promised("dishes", deadline))
	w.Say(t, anna, "Jag tar disken sen")
	status := func() homeopsdb.PromiseStatus {
		page, err := w.Promises.Mine(t.Context(), anna, "")
		if err != nil {
			t.Fatal(err)
		}
		return page.Items[0].Status
	}
	for _, c := range []struct {
		at     time.Time
		said   int
		status homeopsdb.PromiseStatus
	}{
		{deadline, 0, "active"}, {deadline.Add(7*time.Hour - time.Second), 0, "active"}, {deadline.Add(7 * time.Hour), 1, "active"},
		{deadline.Add(31 * time.Hour), 1, "active"}, {deadline.Add(55*time.Hour - time.Second), 1, "active"}, {deadline.Add(55 * time.Hour), 1, "expired"},
		{deadline.Add(200 * time.Hour), 1, "expired"},
	} {
		w.Clock.Set(c.at)
		w.Step(t)
		if got := w.Telegram.Texts(chat); len(got) != c.said || status() != c.status {
			t.Errorf("%s: said %q, promise %s", c.at, got, status())
		}
	}
	wantTexts(t, w, chat, "Diskning finns kvar sedan igår.")
}

func TestVector09RemindersShareTheBudgetOfTheDay(t *testing.T) {
	w := open(t)
	deadline := time.Date(2037, 2, 17, 0, 0, 0, 0, zone)
	w.Means("Jag tar disken sen", homeopstest.Promised("dishes", deadline))
	w.Means("Jag tar tvätten sen", homeopstest.Promised("laundry", deadline))
	w.Say(t, anna, "Jag tar disken sen")
	w.Say(t, erik, "Jag tar tvätten sen")
	for hour := 7; hour < 24; hour++ {
		w.Clock.Set(time.Date(2037, 2, 17, hour, 0, 0, 0, zone))
		w.Step(t)
	}
	if got := w.Telegram.Texts(chat); len(got) != 1 {
		t.Errorf("on the first day the bot said %q", got)
	}
	w.Clock.Set(time.Date(2037, 2, 18, 7, 0, 0, 0, zone))
	w.Step(t)
	if got := w.Telegram.Texts(chat); len(got) != 2 {
		t.Errorf("after the second day the bot said %q", got)
	}
}

func TestVector16BlockedBot(t *testing.T) {
	w := open(t)
	w.Deliver(t, telegram.Update{Message: w.Private(anna, "/start")})
	w.Step(t)
	w.Telegram.Refuse = func(telegram.SendMessage, telegram.Delivery) error { return &telegram.Error{Code: 403} }
	home := w.Home(t)
	whisper := func(key string) policy.Reason {
		reason, err := w.Policy.Whisper(t.Context(), policy.Whisper{Home: home, UserID: anna, OutKey: key, Kind: homeopsdb.BotMessageKindHint, Text: "Hej."})
		if err != nil {
			t.Fatal(err)
		}
		w.Step(t)
		return reason
	}
	if got := whisper("a"); got != policy.Spoke {
		t.Errorf("first: %s", got)
	}
	if c, err := w.Households.Channel(t.Context(), anna); err != nil || c.State != "blocked" {
		t.Errorf("channel %s (%v)", c.State, err)
	}
	w.Telegram.Refuse = nil
	if got := whisper("b"); got != policy.NoChannel {
		t.Errorf("blocked: %s", got)
	}
	w.Deliver(t, telegram.Update{Message: w.Private(anna, "/start")})
	w.Step(t)
	if got := whisper("c"); got != policy.Spoke {
		t.Errorf("after /start: %s", got)
	}
	wantTexts(t, w, anna, "Tack! Här kommer bara det som rör dig.", "Tack! Här kommer bara det som rör dig.", "Hej.")
	if got := whisper("d"); got != policy.DailyCap {
		t.Errorf("a third message of the week: %s", got)
	}
}

func TestVector20OverdueInOrder(t *testing.T) {
	w := open(t)
	for i, id := range []understanding.ActivityID{"laundry", "dishes", "cooking"} {
		said := "promise " + string(id)
		w.Means(said, homeopstest.Promised(id, homeopstest.Start.Add(time.Duration(3-i)*time.Hour)))
		w.Say(t, anna, said)
	}
	w.Say(t, anna, "Jag har diskat")
	w.Clock.Advance(150 * time.Minute)
	overdue, err := w.Promises.Overdue(t.Context())
	if err != nil || len(overdue) != 1 || overdue[0].Activity != "cooking" {
		t.Errorf("overdue %+v (%v)", overdue, err)
	}
	w.Clock.Advance(time.Hour)
	overdue, err = w.Promises.Overdue(t.Context())
	if err != nil || len(overdue) != 2 || overdue[0].Activity != "cooking" || overdue[1].Activity != "laundry" {
		t.Errorf("overdue %+v (%v)", overdue, err)
	}
}

func TestVector1415BalanceOfAWeek(t *testing.T) {
	w := open(t)
	home := w.Home(t)
	add := func(userID int64, id understanding.ActivityID, effort homeopsdb.EventEffort) {
		d, _ := understanding.Lookup(id)
		_, err := w.Ledger.Add(t.Context(), home, userID, entry(id, homeopsdb.EventCategory(d.Kind), effort, w.Clock.Now()))
		if err != nil {
			t.Fatal(err)
		}
	}
	add(anna, "cleaning", "high")
	add(anna, "dishes", "medium")
	add(anna, "walk", "low")
	add(erik, "dishes", "medium")
	add(erik, "rest", "low")
	for range 5 {
		w.Say(t, anna, "hej")
		w.Say(t, erik, "hej")
	}
	week := homeops.Week(w.Clock.Now(), zone)
	if err := w.Insights.CloseWeek(t.Context(), home.HouseholdID, week); err != nil {
		t.Fatal(err)
	}
	b, err := w.DB.GetBalance(t.Context(), home.HouseholdID, anna, erik, week)
	if err != nil || b.NetLoad1 != 4 || b.NetLoad2 != 1 || b.Delta != 3 {
		t.Errorf("balance %+v (%v)", b, err)
	}
	if mine, err := w.Insights.Mine(t.Context(), home, anna, week); err != nil || mine.NetLoad != 4 || mine.Band != load.NotEnough {
		t.Errorf("with two entries of Erik: %+v (%v)", mine, err)
	}
	add(erik, "rest", "low")
	add(erik, "laundry", "low")
	if err := w.Insights.CloseWeek(t.Context(), home.HouseholdID, week); err != nil {
		t.Fatal(err)
	}
	mine, err := w.Insights.Mine(t.Context(), home, anna, week)
	if err != nil || mine.NetLoad != 4 || mine.Band != load.Uneven || mine.Chores != 2 || mine.Pauses != 1 {
		t.Errorf("Anna's week %+v (%v)", mine, err)
	}
	s, err := w.DB.GetSummary(t.Context(), home.HouseholdID, anna, week)
	if err != nil || s.FairnessScore == nil || *s.FairnessScore != 40 {
		t.Errorf("score %v (%v)", s.FairnessScore, err)
	}
}

// A question about an activity with a long name would have more than five words.
func TestVector19LongClarificationIsSilence(t *testing.T) {
	for name, want := range map[string]string{"rensa gamla stuprännan": "Menade du rensa gamla stuprännan?", "rensa den gamla stuprännan": ""} {
		w := open(t)
		meaning := homeopstest.Did("dishes", understanding.Low, 0.6)
		meaning.Activities[0].Activity, meaning.Activities[0].Name = understanding.Free, name
		w.Means(name, meaning)
		m := w.Say(t, anna, name)
		if want == "" {
			wantTexts(t, w, chat)
			if w.Reason(t, m) != "tone" || len(w.Events(t)) != 1 {
				t.Errorf("%s: %s, %d events", name, w.Reason(t, m), len(w.Events(t)))
			}
			continue
		}
		wantTexts(t, w, chat, want)
	}
}
