package operator

import (
	"cmp"
	"slices"
	"time"

	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/webkit"
)

// mostRoutes is the number of routes that the overview shows.
const mostRoutes = 12

// A trafficView is the traffic of this process since its start.
type trafficView struct {
	Watched bool
	Answers int64
	Refused int64
	Failed  int64
	Routes  []routeView
	More    int // routes that are not shown
}

// A routeView is the traffic of one route.
type routeView struct {
	Route                    string
	Answers, Refused, Failed int64
	Fast                     string // share of the answers that began within fastEnough
	Mean                     string
}

// fastEnough is the response time that people do not notice.
const fastEnough = 100 * time.Millisecond

func trafficOf(traffic *jsonapi.Traffic) trafficView {
	if traffic == nil {
		return trafficView{}
	}
	view := trafficView{Watched: true}
	routes := make(map[string]*routeView)
	for _, count := range traffic.Counts() {
		route := routes[count.Route]
		if route == nil {
			route = &routeView{Route: count.Route, Fast: "–", Mean: "–"}
			routes[count.Route] = route
		}
		route.Answers += count.Answers
		switch {
		case count.Status >= 500:
			route.Failed += count.Answers
		case count.Status >= 400:
			route.Refused += count.Answers
		}
	}
	for _, waits := range traffic.Waits() {
		if route := routes[waits.Route]; route != nil {
			route.Fast, route.Mean = speed(waits)
		}
	}
	for _, route := range routes {
		view.Answers, view.Refused, view.Failed = view.Answers+route.Answers, view.Refused+route.Refused, view.Failed+route.Failed
		view.Routes = append(view.Routes, *route)
	}
	slices.SortFunc(view.Routes, func(a, b routeView) int {
		return cmp.Or(cmp.Compare(b.Answers, a.Answers), cmp.Compare(a.Route, b.Route))
	})
	if len(view.Routes) > mostRoutes {
		view.More, view.Routes = len(view.Routes)-mostRoutes, view.Routes[:mostRoutes]
	}
	return view
}

// speed returns the share of fast answers and the mean time until an answer began.
func speed(waits jsonapi.Waits) (fast, mean string) {
	all, quick := int64(0), int64(0)
	for i, n := range waits.Buckets {
		all += n
		if i < len(jsonapi.WaitBounds) && jsonapi.WaitBounds[i] <= fastEnough {
			quick += n
		}
	}
	if all == 0 {
		return "–", "–"
	}
	return webkit.Percent(float64(quick) / float64(all)), latency(waits.Sum / time.Duration(all))
}

// A loopView is the state of a background loop.
type loopView struct {
	background.State
	Badge     webkit.Badge
	Listening bool // it waits for work without errors
	TookText  string
}

// holds is the time without a failure after which a listener counts as healthy.
const holds = time.Minute

func loopViewOf(state background.State, now time.Time) loopView {
	view := loopView{State: state, Badge: loopBadge(state), TookText: latency(state.Took)}
	if state.Listens && state.Running && (state.Failures == 0 || now.Sub(state.LastRun) >= holds) {
		view.Listening, view.Badge = true, webkit.Badge{Text: "Listening", Tone: webkit.Good, Icon: "check"}
	}
	return view
}

func loopBadge(state background.State) webkit.Badge {
	switch {
	case state.Failures > 0:
		return webkit.Badge{Text: "Failing", Tone: webkit.Bad, Icon: "error"}
	case state.Running:
		return webkit.Badge{Text: "Running", Tone: webkit.Info, Icon: "refresh"}
	case state.Runs == 0:
		return webkit.Badge{Text: "Not yet run"}
	}
	return webkit.Badge{Text: "Resting", Tone: webkit.Good, Icon: "check"}
}

// latency formats a short duration with three digits.
func latency(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return webkit.Number(d.Microseconds()) + " µs"
	case d < time.Second:
		return webkit.Decimal(float64(d)/float64(time.Millisecond), 1) + " ms"
	}
	return webkit.Decimal(d.Seconds(), 2) + " s"
}
