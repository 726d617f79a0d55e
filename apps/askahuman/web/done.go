package web

import (
	"encoding/json"
	"net/http"
	"time"

	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/score"
	"sortkey.dev/apps/internal/webkit"
)

// rewardPages shows what an answer earned.
type rewardPages struct {
	site *webkit.Site
}

func (p *rewardPages) pages() map[string]page {
	return map[string]page{
		"GET /done":   p.done,
		"GET /queued": p.queued,
	}
}

const (
	rewardCookie = "reward"
	keepReward   = 30 * time.Minute
)

// keptReward is a reward in a cookie, on its way to the page that shows it. Badges are
// stored by id.
type keptReward struct {
	QuestionID string       `json:"q"`
	Points     int          `json:"p"`
	Items      []score.Item `json:"i"`
	Capped     bool         `json:"c,omitempty"`
	Badges     []string     `json:"b,omitempty"`
	Total      int          `json:"t"`
	Answers    int          `json:"a"`
	Streak     int          `json:"s"`
	NextID     string       `json:"n,omitempty"`
	NextHave   int          `json:"h,omitempty"`
}

// doneView holds the data of done.html.
type doneView struct {
	keptReward
	NewBadges []score.Badge
	Next      *score.Progress
	Cap       int
}

func (p *rewardPages) keepReward(w http.ResponseWriter, questionID string, reward answers.Reward) {
	kept := keptReward{
		QuestionID: questionID, Points: reward.Points, Items: reward.Breakdown, Capped: reward.Capped,
		Total: reward.TotalPoints, Answers: reward.TotalAnswers, Streak: reward.StreakDays,
	}
	for _, badge := range reward.NewBadges {
		kept.Badges = append(kept.Badges, badge.ID)
	}
	if reward.Next != nil {
		kept.NextID, kept.NextHave = reward.Next.ID, reward.Next.Have
	}
	if value, err := json.Marshal(kept); err == nil { // cannot fail for these types
		p.site.SetCookie(w, rewardCookie, string(value), keepReward)
	}
}

func (p *rewardPages) done(w http.ResponseWriter, r *http.Request) error {
	var view doneView
	value, ok := p.site.Cookie(r, rewardCookie)
	if !ok || json.Unmarshal([]byte(value), &view.keptReward) != nil {
		p.site.Redirect(w, r, "/")
		return nil
	}
	for _, id := range view.Badges {
		if badge, ok := score.Find(id); ok {
			view.NewBadges = append(view.NewBadges, badge)
		}
	}
	if badge, ok := score.Find(view.NextID); ok {
		view.Next = &score.Progress{Badge: badge, Have: view.NextHave}
	}
	view.Cap = score.DailyCap
	p.site.Render(w, r, http.StatusOK, "done.html", view)
	return nil
}

// queued is the page that the service worker shows for an answer queued offline.
func (p *rewardPages) queued(w http.ResponseWriter, r *http.Request) error {
	p.site.Render(w, r, http.StatusOK, "queued.html", nil)
	return nil
}
