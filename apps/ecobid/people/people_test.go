package people_test

import (
	"errors"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

var warsaw = people.Profile{Username: "Anna", City: "Warsaw", Country: "pl", Currency: "pln"}

func TestNamesAreUniqueInAnySpelling(t *testing.T) {
	w := ecobidtest.Open(t)
	w.Person(t, "Anna")
	with, err := w.People.Register(people.Profile{Username: "ANNA", City: "Warsaw", Country: "PL", Currency: "PLN"})
	if err != nil {
		t.Fatal(err)
	}
	tx := w.Platform.DB.Tx()
	if err := with(tx, platformdb.Account{AccountID: access.NewULID(w.Clock.Now())}, nil); err != nil {
		t.Fatal(err)
	}
	if err := people.NameTaken(tx.Commit(t.Context())); !errors.Is(err, ecobid.ErrNameTaken) {
		t.Errorf("the same name: %v", err)
	}
}

func TestUpdate(t *testing.T) {
	w := ecobidtest.Open(t)
	anna := w.Person(t, "Anna")
	w.Person(t, "Bert")
	changed := warsaw
	changed.Username, changed.City = "Annika", "Berlin"
	user, err := w.People.Update(t.Context(), anna, changed)
	if err != nil || user.Username != "Annika" || user.City != "Berlin" || user.Country != "PL" {
		t.Errorf("%+v, %v", user, err)
	}
	changed.Username = "bert"
	if _, err := w.People.Update(t.Context(), anna, changed); !errors.Is(err, ecobid.ErrNameTaken) {
		t.Errorf("a taken name: %v", err)
	}
	w.Person(t, "Anna") // free again
}

func TestRefusedProfiles(t *testing.T) {
	w := ecobidtest.Open(t)
	for field, change := range map[string]func(*people.Profile){
		"username": func(p *people.Profile) { p.Username = "ab" },
		"city":     func(p *people.Profile) { p.City = "" },
		"country":  func(p *people.Profile) { p.Country = "Poland" },
		"currency": func(p *people.Profile) { p.Currency = "zł" },
	} {
		p := warsaw
		change(&p)
		_, err := w.People.Register(p)
		if refused, ok := refusal.As(err, refusal.Invalid); !ok || refused.Field() != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, name := range []string{"deleted-1", "<b>Anna</b>", " -Anna-", "Anna\n"} {
		p := warsaw
		p.Username = name
		if _, err := w.People.Register(p); (err == nil) != (name == "Anna\n") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
