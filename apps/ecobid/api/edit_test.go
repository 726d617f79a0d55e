package api_test

import (
	"testing"

	"sortkey.dev/apps/ecobid/contract"
)

// TestEditKeepsAnAddressThatIsLeftOut changes a draft and an available item, first without an address, then with an empty one.
func TestEditKeepsAnAddressThatIsLeftOut(t *testing.T) {
	s := open(t)
	anna := s.join(t, "Anna")
	for _, draft := range []bool{true, false} {
		in := anna.table(t)
		in.Draft = draft
		var item contract.Item
		anna.must(t, "POST", "/v1/items", in, &item)
		for _, edit := range []struct {
			address *string
			want    string
		}{{nil, "Marszałkowska 1"}, {new("Nowa 2"), "Nowa 2"}, {nil, "Nowa 2"}, {new(""), ""}, {nil, ""}} {
			in.Title, in.Location.Address = "Oak table with chairs", edit.address
			anna.must(t, "PUT", "/v1/items/"+item.ID, in, &item)
			var place contract.Place
			anna.must(t, "GET", "/v1/items/"+item.ID+"/place", nil, &place)
			if place.Address != edit.want || place.Lat != in.Location.Lat || item.Title != in.Title {
				t.Errorf("draft %v: after %+v the place is %+v of %q", draft, edit, place, item.Title)
			}
		}
	}
}
