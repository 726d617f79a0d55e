package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/nearby"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// homePages shows what is near.
type homePages struct {
	auctions *auctions.Service
	demo     bool
	nearby   *nearby.Service
	places   *placePages
	site     *webkit.Site
}

func (p *homePages) public() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /{$}": p.home,
	}
}

const (
	homePage = 24
	// mapItems is the number of items that the map counts.
	mapItems = ecobid.MaxPage
)

// homeView holds the data of home.html.
type homeView struct {
	Place      place
	Wanted     wanted
	Categories []webkit.Tab
	Modes      []webkit.Tab
	Radii      []webkit.Tab
	Sorts      []webkit.Tab
	Views      []webkit.Tab
	Cards      []card
	Map        *cellMap // nil in the list
	Near       bool     // items are sorted by distance, and the search is approximate
	First      bool
	Demo       bool // the neighbours are invented, and the visitor is not signed in as one of them
	More       string
}

// wanted holds what a visitor asks for.
type wanted struct {
	Radius   int
	Category listings.Category
	Mode     listings.Mode
	Sort     nearby.Sort
	Map      bool
}

// wantedOf reads the query of a request. Unknown values are defaults.
func wantedOf(query url.Values) wanted {
	w := wanted{Radius: ecobid.DefaultRadius, Sort: nearby.Newest, Map: query.Get("view") == "map"}
	if radius, err := strconv.Atoi(query.Get("radius")); err == nil && slices.Contains(ecobid.Radii, radius) {
		w.Radius = radius
	}
	if category := listings.Category(query.Get("category")); slices.Contains(listings.Categories, category) {
		w.Category = category
	}
	if mode := listings.Mode(query.Get("mode")); mode.Valid() {
		w.Mode = mode
	}
	if query.Get("sort") == string(nearby.Distance) {
		w.Sort = nearby.Distance
	}
	return w
}

// link returns the address of the page for these wishes.
func (w wanted) link() string {
	query := url.Values{}
	if w.Radius != ecobid.DefaultRadius {
		query.Set("radius", strconv.Itoa(w.Radius))
	}
	if w.Category != "" {
		query.Set("category", string(w.Category))
	}
	if w.Mode != "" {
		query.Set("mode", string(w.Mode))
	}
	if w.Sort != nearby.Newest {
		query.Set("sort", string(w.Sort))
	}
	if w.Map {
		query.Set("view", "map")
	}
	if len(query) == 0 {
		return "/"
	}
	return "/?" + query.Encode()
}

// tabs returns a filter: one link for each value, the current one marked.
func tabs[T comparable](w wanted, values []T, current T, set func(*wanted, T), text func(T) string) []webkit.Tab {
	var all []webkit.Tab
	for _, value := range values {
		other := w
		set(&other, value)
		all = append(all, webkit.Tab{Href: other.link(), Text: text(value), Current: value == current})
	}
	return all
}

func (p *homePages) home(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	want, at := wantedOf(query), p.places.placeOf(r)
	search := nearby.Query{
		Center: at.Point, Radius: want.Radius, Category: want.Category, Mode: want.Mode, Sort: want.Sort,
		Limit: homePage, Cursor: query.Get("cursor"), Viewer: viewer(r),
	}
	if want.Map {
		search.Limit = mapItems
	}
	page, err := p.nearby.Search(r.Context(), search)
	if _, bad := refusal.As(err, refusal.Invalid); bad && search.Cursor != "" {
		p.site.Redirect(w, r, want.link())
		return nil
	}
	if err != nil {
		return err
	}
	view := want.view()
	view.Place, view.First, view.Near, view.Demo = at, search.Cursor == "", page.Approximate, p.demo && viewer(r) == ""
	if want.Map {
		view.Map = drawMap(at, want.Radius, page.Items)
	} else if view.Cards, err = p.cards(r, page.Items); err != nil {
		return err
	}
	if page.Next != "" && !want.Map {
		view.More = addQuery(want.link(), "cursor", page.Next)
	}
	p.site.Render(w, r, http.StatusOK, "home.html", view)
	return nil
}

// view returns the filters for these wishes.
func (w wanted) view() homeView {
	return homeView{
		Wanted: w,
		Categories: tabs(w, append([]listings.Category{""}, listings.Categories...), w.Category,
			func(w *wanted, c listings.Category) { w.Category = c }, categoryName),
		Modes: tabs(w, []listings.Mode{"", listings.ModeFree, listings.ModeAuction}, w.Mode,
			func(w *wanted, m listings.Mode) { w.Mode = m }, modeName),
		Radii: tabs(w, ecobid.Radii, w.Radius, func(w *wanted, km int) { w.Radius = km },
			func(km int) string { return strconv.Itoa(km) + " km" }),
		Sorts: tabs(w, []nearby.Sort{nearby.Newest, nearby.Distance}, w.Sort, func(w *wanted, s nearby.Sort) { w.Sort = s },
			func(s nearby.Sort) string {
				if s == nearby.Distance {
					return "Nearest"
				}
				return "Newest"
			}),
		Views: tabs(w, []bool{false, true}, w.Map, func(w *wanted, m bool) { w.Map = m }, func(m bool) string {
			if m {
				return "Map"
			}
			return "List"
		}),
	}
}

// A card is an item in a list.
type card struct {
	nearby.Found
	// Price is the current bid of an auction, or its least one; "" for what is given away.
	Price string
	Bids  int64
	Ends  bool // ClosesAt is the end of the auction or of the draw
}

// cards returns the cards of found items, with the prices of their auctions.
func (p *homePages) cards(r *http.Request, found []nearby.Found) ([]card, error) {
	var running []string
	for _, item := range found {
		if item.LiveAuctionID != nil {
			running = append(running, *item.LiveAuctionID)
		}
	}
	prices := map[string]auctions.View{}
	if len(running) > 0 {
		var err error
		if prices, err = p.auctions.Several(r.Context(), viewer(r), running); err != nil {
			return nil, err
		}
	}
	all := make([]card, len(found))
	for i, item := range found {
		c := card{Found: item, Ends: item.ClosesAt != nil}
		if item.LiveAuctionID != nil {
			if auction, ok := prices[*item.LiveAuctionID]; ok {
				c.Bids, c.Ends, c.ClosesAt = auction.BidCount, true, &auction.EndsAt
				c.Price = auctions.Amount(max(auction.CurrentBid, auction.MinBid), auction.Currency)
			}
		}
		all[i] = c
	}
	return all, nil
}

// addQuery returns a local address with one more value.
func addQuery(address, name, value string) string {
	separator := "?"
	if slices.Contains([]byte(address), '?') {
		separator = "&"
	}
	return address + separator + url.Values{name: {value}}.Encode()
}
