package web

import (
	"net/http"

	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/internal/webkit"
)

const (
	fewPlaces  = 10
	manyPlaces = 100
)

// boardView holds the data of leaderboard.html.
type boardView struct {
	people.Board
	Periods []webkit.Tab
	Nobody  string // text of an empty board
	// Apart reports that the viewer has a rank below the listed ones.
	Apart bool
	// More and Fewer link to a longer and a shorter list.
	More, Fewer string
}

// periods lists the boards in display order.
var periods = []struct {
	period people.Period
	text   string
	nobody string
}{
	{people.Daily, "Today", "Nobody has answered today"},
	{people.Weekly, "This week", "Nobody has answered this week"},
	{people.AllTime, "All time", "Nobody has answered yet"},
}

func (p *personPages) leaderboard(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	view := boardView{}
	period := periods[0]
	for _, each := range periods {
		if string(each.period) == query.Get("period") {
			period = each
		}
	}
	places := fewPlaces
	if query.Get("top") == "100" {
		places = manyPlaces
	}
	var err error
	if view.Board, err = p.people.Board(r.Context(), p.visitors.person(r), period.period, places); err != nil {
		return err
	}
	view.Nobody = period.nobody
	here := "/leaderboard?period=" + string(period.period)
	for _, each := range periods {
		view.Periods = append(view.Periods, webkit.Tab{Href: "/leaderboard?period=" + string(each.period), Text: each.text, Current: each == period})
	}
	view.Apart = view.YourRank > 0
	for _, entry := range view.Entries {
		view.Apart = view.Apart && !entry.You
	}
	switch {
	case places == manyPlaces:
		view.Fewer = here
	case len(view.Entries) == places:
		view.More = here + "&top=100"
	}
	p.site.Render(w, r, http.StatusOK, "leaderboard.html", view)
	return nil
}
