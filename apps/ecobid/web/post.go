package web

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/atlas"
	"sortkey.dev/apps/ecobid/auctions"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/internal/photo"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// postPages posts an item with its photos.
type postPages struct {
	auctions *auctions.Service
	items    *itemPages
	listings *listings.Service
	places   *placePages
	site     *webkit.Site
}

func (p *postPages) pages() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /post":    p.showPost,
		"POST /post":   p.post,
		"POST /photos": p.upload,
	}
}

// postView holds the data of post.html.
type postView struct {
	Form       *webkit.Form
	Item       *listings.Item // nil for a new item
	Photos     []string       // ids of uploads
	Place      place
	Categories []webkit.Option
	Conditions []webkit.Option
	Offer      *offerView // nil for an item that is published
	MaxPhotos  int
	Person     string // whose unsent words the script keeps
}

// offerView holds the data of the part that asks how an item finds its taker.
type offerView struct {
	Form   *webkit.Form
	Ways   []webkit.Option
	Hours  []webkit.Option
	Way    string // the usual one
	MinBid string
}

// offerPage returns the choices for an item; nil for a new one.
func offerPage(form *webkit.Form, item *listings.Item) *offerView {
	view := &offerView{
		Form: form, Ways: ways(), Way: wayFirst, MinBid: webkit.Money(ecobid.MinMinBid, ""),
		Hours: []webkit.Option{{Value: "24", Text: "24 hours"}, {Value: "48", Text: "48 hours"}},
	}
	switch {
	case item == nil:
	case item.Mode == listings.ModeAuction:
		view.Way = wayAuction
		if item.MinBid != nil {
			view.MinBid = webkit.Money(*item.MinBid, "")
		}
	case item.Allocation == listings.Queue:
		view.Way = wayQueue
	case item.Allocation == listings.Lottery:
		view.Way = wayDraw
	}
	return view
}

// The ways in which an item finds its taker, as the form names them.
const (
	wayFirst   = "first"
	wayQueue   = "queue"
	wayDraw    = "draw"
	wayAuction = "auction"
)

// ways returns the choices of the form.
func ways() []webkit.Option {
	return []webkit.Option{
		{Value: wayFirst, Text: "Give to the first who asks", Hint: "The usual way. You still choose: every request waits for your yes."},
		{Value: wayQueue, Text: "Give to a queue", Hint: "If one does not come, the next in line is asked."},
		{Value: wayDraw, Text: "Draw among all who want it", Hint: "For things that many want. The draw can be checked by everyone."},
		{Value: wayAuction, Text: "Sell in a small auction", Hint: "From 5.00 up. Bidders name a secret maximum."},
	}
}

func (p *postPages) postPage(r *http.Request, form *webkit.Form, item *listings.Item) postView {
	view := postView{
		Form: form, Item: item, Place: p.places.placeOf(r), Categories: categoryOptions(), Conditions: conditionOptions(), MaxPhotos: ecobid.MaxPhotos, Person: viewer(r),
	}
	if item == nil || item.Status == listings.StatusDraft {
		view.Offer = offerPage(form, item)
	}
	if form.Has("photo-id") {
		view.Photos = form.Values["photo-id"]
	} else if item != nil {
		for _, photo := range item.Photos {
			view.Photos = append(view.Photos, photo.FileID)
		}
	}
	return view
}

func (p *postPages) showPost(w http.ResponseWriter, r *http.Request) error {
	p.site.Render(w, r, http.StatusOK, "post.html", p.postPage(r, webkit.NewForm(nil), nil))
	return nil
}

// post stores an item and publishes it. What was stored before a refusal is a draft.
func (p *postPages) post(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	draft := p.readDraft(r, form)
	draft.Key = form.Key()
	way := form.Choice("way", wayFirst, wayQueue, wayDraw, wayAuction)
	if form.Valid() {
		err := p.addPhotos(r, me, form, &draft)
		if failed := refuseForm(form, err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return p.refusePost(w, r, form, nil)
	}
	item, err := p.listings.Create(r.Context(), me, draft)
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil {
		return p.refusePost(w, r, form, nil)
	}
	return p.offer(w, r, form, item, way)
}

func (p *postPages) refusePost(w http.ResponseWriter, r *http.Request, form *webkit.Form, item *listings.Item) error {
	p.site.Render(w, r, http.StatusUnprocessableEntity, "post.html", p.postPage(r, form, item))
	return nil
}

// offer publishes an item in the chosen way, or starts its auction.
func (p *postPages) offer(w http.ResponseWriter, r *http.Request, form *webkit.Form, item listings.Item, way string) error {
	var err error
	if way == wayAuction {
		start := auctions.Start{MinBid: form.Cents("min-bid", ecobid.MinMinBid, ecobid.MaxMinBid), Hours: ecobid.ShortAuction}
		if form.Value("reserve") != "" {
			start.Reserve = form.Cents("reserve", 1, ecobid.MaxAmount)
		}
		if form.Value("hours") == strconv.Itoa(ecobid.LongAuction) {
			start.Hours = ecobid.LongAuction
		}
		if form.Valid() {
			_, err = p.auctions.Start(r.Context(), item.UserID, item.ItemID, start)
		}
	} else {
		allocation := map[string]listings.Allocation{
			wayFirst: listings.FirstCome, wayQueue: listings.Queue, wayDraw: listings.Lottery,
		}[way]
		_, err = p.listings.Publish(r.Context(), item.UserID, item.ItemID, listings.Offer{Allocation: allocation})
	}
	if errors.Is(err, ecobid.ErrState) { // of a form that was sent twice, whose first request has published
		_, err = p.listings.Published(r.Context(), item.UserID, item.ItemID)
	}
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if !form.Valid() && item.Status == listings.StatusExpired {
		return p.items.showItem(w, r, http.StatusUnprocessableEntity, form, nil)
	}
	if !form.Valid() {
		p.site.Flash(w, r, webkit.Warn, "Kept as a draft, which only you see.")
		return p.refusePost(w, r, form, &item)
	}
	p.site.Flash(w, r, webkit.Good, "Posted. Your neighbours see it now.")
	p.site.Redirect(w, r, "/items/"+item.ItemID)
	return nil
}

// readDraft reads the fields of an item. The place is the chosen city or the position of the
// device.
func (p *postPages) readDraft(r *http.Request, form *webkit.Form) listings.Draft {
	form.Label("title", "Title").Label("category", "Category").Label("condition", "Condition").Label("address", "Address")
	draft := listings.Draft{
		Title: form.Line("title", ecobid.MinTitle, ecobid.MaxTitle), Description: form.Text("description", 0, ecobid.MaxDescription),
		Category: listings.Category(form.Value("category")), Condition: listings.Condition(form.Value("condition")),
		Address: new(form.Line("address", 0, ecobid.MaxAddress)), Photos: form.Values["photo-id"], Precision: listings.Fine,
	}
	if kilos, given := form.OptionalInt("kilos", 0, ecobid.MaxWeightGrams/1000); given {
		draft.WeightGrams = int64(kilos) * 1000
	}
	if form.Flag("coarse") {
		draft.Precision = listings.Coarse
	}
	at := p.places.placeOf(r)
	draft.Exact = at.Point
	if exact, ok := exactPoint(form); ok {
		draft.Exact = exact
	}
	city, _ := atlas.Nearest(draft.Exact)
	draft.City, draft.Country = city.Name, city.Country
	return draft
}

// exactPoint returns the position that a device sent with the form. Package listings keeps it in a
// private row.
func exactPoint(form *webkit.Form) (geo.Point, bool) {
	lat, err1 := strconv.ParseFloat(form.Value("lat"), 64)
	lon, err2 := strconv.ParseFloat(form.Value("lon"), 64)
	return geo.Point{Lat: lat, Lon: lon}, err1 == nil && err2 == nil && lat >= -90 && lat <= 90 && lon >= -180 && lon <= 180
}

// addPhotos stores the photos of a form without scripts.
func (p *postPages) addPhotos(r *http.Request, me string, form *webkit.Form, draft *listings.Draft) error {
	if r.MultipartForm == nil {
		return nil
	}
	for _, header := range r.MultipartForm.File["photo"] {
		if header.Size == 0 || len(draft.Photos) >= ecobid.MaxPhotos {
			continue
		}
		file, err := header.Open()
		if err != nil {
			return err
		}
		content, err := io.ReadAll(io.LimitReader(file, photo.MaxBytes+1))
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		upload, err := p.listings.Upload(r.Context(), me, content)
		if err != nil {
			return err
		}
		draft.Photos = append(draft.Photos, upload.UploadID)
	}
	if form.Values != nil {
		form.Values["photo-id"] = slices.Clone(draft.Photos)
	}
	return nil
}

// upload stores one photo for a page with scripts, and answers with its id.
func (p *postPages) upload(w http.ResponseWriter, r *http.Request) error {
	me, err := signedIn(r)
	if err != nil {
		return err
	}
	content, err := io.ReadAll(io.LimitReader(r.Body, photo.MaxBytes+1))
	if err != nil {
		return err
	}
	upload, err := p.listings.Upload(r.Context(), me, content)
	if refused, ok := refusal.As(err, refusal.Invalid, refusal.TooMany); ok { // the script shows the reason
		http.Error(w, refused.Message, http.StatusUnprocessableEntity)
		return nil
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusCreated)
	_, err = io.WriteString(w, upload.UploadID)
	return err
}

// itemForm returns the form of a stored item.
func itemForm(item listings.Item, at listings.Place) *webkit.Form {
	values := map[string][]string{
		"title": {item.Title}, "description": {item.Description}, "category": {string(item.Category)}, "condition": {string(item.Condition)}, "address": {at.Address},
	}
	if geo.Public(at.Point, listings.Coarse) == (geo.Point{Lat: item.Lat, Lon: item.Lon}) {
		values["coarse"] = []string{"on"}
	}
	if item.WeightGrams != nil {
		values["kilos"] = []string{strconv.FormatInt(*item.WeightGrams/1000, 10)}
	}
	return webkit.NewForm(values)
}

// aboutView holds the data of about.html.
type aboutView struct {
	Answer, Listed time.Duration
	Radii          []int
	Photos         int
}
