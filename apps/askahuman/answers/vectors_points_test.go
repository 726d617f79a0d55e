package answers_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/askahuman/score"
)

// answeredBy asks a question of which some have answered already.
func answeredBy(t *testing.T, w *askahumantest.World, people, required int) askahumandb.Question {
	t.Helper()
	q := w.Ask(t, "agent", required)
	for i := range people {
		askahumantest.Say(t, w, w.Person(t, 500+i), q.QuestionID)
	}
	return q
}

func TestPointsOfAnAnswer(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	a := askahumantest.Text(answeredBy(t, w, 1, 5).QuestionID, 120)
	a.Confidence = new(4)
	got := askahumantest.Reward(t, w, p, a)
	want := []score.Item{
		{Name: "answer", Points: 10, Label: "Answer"},
		{Name: "confidence", Points: 2, Label: "Said how sure you are"},
		{Name: "thoughtful", Points: 5, Label: "Thoughtful answer"},
		{Name: "in_demand", Points: 5, Label: "Few had answered yet"},
	}
	if diff := cmp.Diff(want, got.Breakdown); diff != "" || got.Points != 22 || got.TotalPoints != 22 {
		t.Errorf("%d points, total %d: %s", got.Points, got.TotalPoints, diff)
	}
	if got := askahumantest.StoredResponse(t, w, p, a.QuestionID).Points; got != 22 {
		t.Errorf("%d points are stored with the answer", got)
	}

	choice := w.AskChoice(t, "agent", 5, "this", "that")
	for i := range 4 {
		askahumantest.Reward(t, w, w.Person(t, 600+i), askahumantest.Choice(choice.QuestionID, i%2))
	}
	got = askahumantest.Reward(t, w, p, askahumantest.Choice(choice.QuestionID, 0))
	if got.Points != 5 || got.TotalPoints != 27 || len(got.Breakdown) != 1 {
		t.Errorf("the choice: %d points, total %d, %v", got.Points, got.TotalPoints, got.Breakdown)
	}
	if got.Next == nil || got.Next.ID != "getting_started" { // a streak cannot grow twice on one day
		t.Errorf("the next badge is %+v", got.Next)
	}
}

func TestPointsEndAtTheCap(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	askahumantest.Say(t, w, p, w.Ask(t, "agent", 5).QuestionID)
	stored, err := w.DB.GetUserStats(t.Context(), p.Hash)
	if err != nil {
		t.Fatal(err)
	}
	// Thirty-two answers of 15 points take the day to 480+15.
	for stored.DayPoints < 495 {
		w.Clock.Advance(time.Minute)
		askahumantest.Say(t, w, p, w.Submit(t, questions.Ask{AgentID: "agent", Prompt: "What do you think?", Type: "text", Required: new(5), Timeout: new(time.Minute)}).QuestionID)
		if stored, err = w.DB.GetUserStats(t.Context(), p.Hash); err != nil {
			t.Fatal(err)
		}
	}
	a := askahumantest.Text(answeredBy(t, w, 1, 5).QuestionID, 120)
	a.Confidence = new(4)
	w.Clock.Advance(time.Minute)
	got := askahumantest.Reward(t, w, p, a)
	if got.Points != 5 || !got.Capped || got.TotalPoints != 500 {
		t.Errorf("at 495: %d points, capped %v, total %d", got.Points, got.Capped, got.TotalPoints)
	}
	w.Clock.Advance(time.Minute)
	got = askahumantest.Say(t, w, p, w.Ask(t, "agent", 5).QuestionID)
	if got.Points != 0 || !got.Capped || got.TotalAnswers != 35 {
		t.Errorf("at 500: %d points, capped %v, answer %d", got.Points, got.Capped, got.TotalAnswers)
	}
	if got := askahumantest.Stats(t, w, p); got.DayPoints != 500 || got.TotalPoints != 500 {
		t.Errorf("the statistics say %d of today, %d in all", got.DayPoints, got.TotalPoints)
	}
	w.Clock.Set(time.Date(2037, time.February, 3, 0, 0, 0, 0, time.UTC))
	if got := askahumantest.Stats(t, w, p); got.DayPoints != 0 {
		t.Errorf("after midnight: %d of today", got.DayPoints)
	}
	if got := askahumantest.Say(t, w, p, w.Ask(t, "agent", 5).QuestionID); got.Points != 15 || got.Capped || got.TotalPoints != 515 {
		t.Errorf("after midnight: %d points, total %d", got.Points, got.TotalPoints)
	}
}

func TestAnswerAfterANotificationEarnsABonus(t *testing.T) {
	for _, test := range []struct {
		after time.Duration
		want  int
	}{{5 * time.Minute, 18}, {5*time.Minute + time.Second, 15}} {
		w := askahumantest.Open(t)
		p, q := w.Person(t, 1), w.Ask(t, "agent", 5)
		askahumantest.RecordPush(t, w, p, q.QuestionID)
		w.Clock.Advance(test.after)
		if got := askahumantest.Say(t, w, p, q.QuestionID); got.Points != test.want {
			t.Errorf("%v after the notification: %d points, want %d", test.after, got.Points, test.want)
		}
		if got := askahumantest.Say(t, w, w.Person(t, 2), q.QuestionID); got.Points != 15 {
			t.Errorf("a person who slept: %d points", got.Points)
		}
	}
}

func TestStreakOfAWeek(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	monday := askahumantest.Start
	for _, step := range []struct {
		at     time.Time
		streak int
		points int
		badges []string
	}{
		{monday, 1, 15, []string{"first_steps", "early_bird"}},
		{monday.Add(11 * time.Hour), 1, 15, nil},
		{monday.AddDate(0, 0, 1), 2, 15, nil},
		{monday.AddDate(0, 0, 2), 3, 25, []string{"on_a_roll"}},
		{monday.AddDate(0, 0, 4), 1, 15, nil},
	} {
		w.Clock.Set(step.at)
		got := askahumantest.Say(t, w, p, w.Ask(t, "agent", 5).QuestionID)
		var badges []string
		for _, badge := range got.NewBadges {
			badges = append(badges, badge.ID)
		}
		if got.StreakDays != step.streak || got.Points != step.points || !cmp.Equal(badges, step.badges) {
			t.Errorf("%s: a streak of %d, %d points, badges %v", step.at.Format(time.DateTime), got.StreakDays, got.Points, badges)
		}
	}
	w.Clock.Advance(24 * time.Hour)
	if got := askahumantest.Stats(t, w, p).StreakDays; got != 1 {
		t.Errorf("on the next day it stands at %d", got)
	}
	w.Clock.Advance(24 * time.Hour)
	if got := askahumantest.Stats(t, w, p).StreakDays; got != 0 {
		t.Errorf("once a day is left out it stands at %d", got)
	}
}

func TestStreaksInTwoZones(t *testing.T) {
	w := askahumantest.Open(t)
	token := w.People.NewIdentity()
	east, err := w.People.Identify(token, "192.0.2.1", 13*60)
	if err != nil {
		t.Fatal(err)
	}
	west, err := w.People.Identify(w.People.NewIdentity(), "192.0.2.1", -8*60)
	if err != nil {
		t.Fatal(err)
	}
	for _, hour := range []int{10, 12} { // 23:00 and 01:00 in the east, 02:00 and 04:00 in the west
		w.Clock.Set(time.Date(2037, time.February, 2, hour, 0, 0, 0, time.UTC))
		q := w.Ask(t, "agent", 5)
		askahumantest.Say(t, w, east, q.QuestionID)
		askahumantest.Say(t, w, west, q.QuestionID)
	}
	if e, s := askahumantest.Stats(t, w, east).StreakDays, askahumantest.Stats(t, w, west).StreakDays; e != 2 || s != 1 {
		t.Errorf("the streaks are %d in the east and %d in the west", e, s)
	}
	stored, err := w.DB.GetUserStats(t.Context(), west.Hash)
	if err != nil || stored.NightAnswers != 2 || stored.TzOffsetMin != -480 {
		t.Errorf("in the west %d answers were at night, zone %d, %v", stored.NightAnswers, stored.TzOffsetMin, err)
	}
}

// Without a time zone, a person is in the last known one: a day of theirs does not end when
// one of UTC does.
func TestMissingZoneIsTheLastOne(t *testing.T) {
	w := askahumantest.Open(t)
	p, err := w.People.Identify(w.People.NewIdentity(), "192.0.2.1", -8*60)
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Set(time.Date(2037, time.February, 3, 4, 0, 0, 0, time.UTC)) // Monday, 20:00
	askahumantest.Say(t, w, p, w.Ask(t, "agent", 5).QuestionID)
	p.TZOffsetMin, p.ZoneUnknown = 0, true
	w.Clock.Set(time.Date(2037, time.February, 4, 7, 30, 0, 0, time.UTC)) // Tuesday, 23:30; Wednesday in UTC
	if got := askahumantest.Stats(t, w, p).StreakDays; got != 1 {
		t.Errorf("the next evening the streak stands at %d, want 1", got)
	}
	if got := askahumantest.Say(t, w, p, w.Ask(t, "agent", 5).QuestionID).StreakDays; got != 2 {
		t.Errorf("an answer on the next evening makes it %d, want 2", got)
	}
	stored, err := w.DB.GetUserStats(t.Context(), p.Hash)
	if err != nil || stored.TzOffsetMin != -480 || stored.StreakLastDate == nil || *stored.StreakLastDate != "2037-02-03" {
		t.Errorf("the zone is %d and the last day %v (%v)", stored.TzOffsetMin, stored.StreakLastDate, err)
	}
}

func TestBadgesComeOnce(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	earned := map[string]int{} // by the number of the answer
	for n := 1; n <= 26; n++ {
		w.Clock.Advance(time.Minute)
		q := w.Submit(t, questions.Ask{AgentID: "agent", Prompt: "Is this how it works?", Type: "text", Audience: []string{"technical", "general"}, Timeout: new(time.Minute)})
		got := askahumantest.Say(t, w, p, q.QuestionID)
		for _, badge := range got.NewBadges {
			if before, twice := earned[badge.ID]; twice {
				t.Errorf("%s with answers %d and %d", badge.ID, before, n)
			}
			earned[badge.ID] = n
		}
		askahumantest.Refused(t, w, p, askahumantest.Text(q.QuestionID, 20), askahuman.ErrAlreadyAnswered) // a replay earns nothing
	}
	if diff := cmp.Diff(map[string]int{"first_steps": 1, "early_bird": 1, "getting_started": 10, "tech_expert": 25}, earned); diff != "" {
		t.Error(diff)
	}
	got := askahumantest.Stats(t, w, p)
	if len(got.Badges) != 4 || len(got.Progress) != 14 || got.ByCategory["technical"] != 26 || got.TotalAnswers != 26 {
		t.Errorf("%d badges, %d to go, %v, %d answers", len(got.Badges), len(got.Progress), got.ByCategory, got.TotalAnswers)
	}
	for _, badge := range got.Badges {
		if badge.Name == "" || badge.EarnedAt.Before(askahumantest.Start) {
			t.Errorf("%+v", badge)
		}
	}
}
