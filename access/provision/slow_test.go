package provision_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access/provision"
)

// users returns a table with settings that have requests of their own.
func users() provision.Table {
	return provision.Table{Name: "Users", PK: s("id"), TTL: "gone", PITR: true}
}

func TestApplyOnSomethingSlow(t *testing.T) {
	api := newAmazon(open(t).API())
	got := apply(t, api, provision.Options{}, plain(), users())
	want := []string{"create table Orders", "create table Users", "expire items of Users by gone", "switch point-in-time recovery of Users on"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	apply(t, api, provision.Options{}, rich(), users())
	prune := provision.Options{Prune: true}
	if left := apply(t, api, prune, rich(), users()); len(left) != 0 {
		t.Errorf("left for the second time: %q", left)
	}
	target := rich()
	target.KMSKey = "abc" // the same key, by its id
	target.Protect = false
	api.tables["Orders"].looks, api.tables["Orders"].occupied = 5, 3 // somebody else changes it
	if diff := cmp.Diff([]string{"remove protection against deletion from Orders"}, apply(t, api, prune, target)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"stop expiring items of Users by gone", "switch point-in-time recovery of Users off"},
		words(applyAnHourLater(t, api, prune, provision.Table{Name: "Users", PK: s("id")}))); diff != "" {
		t.Error(diff)
	}
}

// applyAnHourLater applies when time to live can be changed again.
func applyAnHourLater(t *testing.T, api *amazon, o provision.Options, table provision.Table) []provision.Change {
	t.Helper()
	api.tables[table.Name].ttl = false
	changes, err := provision.Apply(t.Context(), api, []provision.Table{table}, quick(o))
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// Two changes of time to live need two hours; Apply says what is left each time.
func TestExpiryChangesOnceAnHour(t *testing.T) {
	api := newAmazon(open(t).API())
	apply(t, api, provision.Options{}, users())
	target := users()
	target.TTL = "later"
	api.writes = nil
	changes, err := provision.Apply(t.Context(), api, []provision.Table{target}, quick(provision.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	const why = "DynamoDB allows one change of time to live in about an hour: apply again later"
	if len(changes) != 2 || !changes[0].Later || !changes[1].Later || changes[0].Skipped != why || changes[1].Skipped != why || len(api.writes) != 1 {
		t.Errorf("got %+v, wrote %q", changes, api.writes)
	}
	changes = applyAnHourLater(t, api, provision.Options{}, target)
	if len(changes) != 2 || changes[0].Later || !changes[1].Later {
		t.Errorf("got %+v", changes)
	}
	changes = applyAnHourLater(t, api, provision.Options{}, target)
	if len(changes) != 1 || changes[0].String() != "expire items of Users by later" {
		t.Errorf("got %+v", changes)
	}
}

// Apply finds tables that are being made and indexes that are on their way out.
func TestApplyAmidChanges(t *testing.T) {
	api := newAmazon(open(t).API())
	if _, err := api.CreateTable(t.Context(), users().CreateInput()); err != nil {
		t.Fatal(err)
	}
	want := []string{"expire items of Users by gone", "switch point-in-time recovery of Users on"}
	if diff := cmp.Diff(want, apply(t, api, provision.Options{}, users())); diff != "" {
		t.Error(diff)
	}

	apply(t, api, provision.Options{}, plain())
	none := plain()
	none.Indexes = nil
	stopped := errors.New("stopped")
	stop := provision.Options{Prune: true, Sleep: func(context.Context, time.Duration) error { return stopped }}
	if _, err := provision.Apply(t.Context(), api, []provision.Table{none}, stop); !errors.Is(err, stopped) {
		t.Errorf("got %v", err)
	}
	if api.tables["Orders"].leaving == nil {
		t.Fatal("the index is not on its way out")
	}
	if diff := cmp.Diff([]string{"add index GSI1 to Orders"}, apply(t, api, provision.Options{}, plain())); diff != "" {
		t.Error(diff)
	}
}

func TestPatienceEnds(t *testing.T) {
	api := newAmazon(open(t).API())
	apply(t, api, provision.Options{}, plain())
	api.tables["Orders"].looks = 1 << 30
	target := plain()
	target.Protect = true
	var slept time.Duration
	options := provision.Options{Patience: time.Hour, Sleep: func(_ context.Context, d time.Duration) error { slept += d; return nil }}
	_, err := provision.Apply(t.Context(), api, []provision.Table{target}, options)
	if err == nil || !strings.Contains(err.Error(), "table Orders was not ready after 1h0m0s; DynamoDB goes on by itself: apply again") {
		t.Errorf("got %v", err)
	}
	if slept < time.Hour || slept > time.Hour+5*time.Second {
		t.Errorf("slept %s", slept)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := provision.Apply(ctx, api, []provision.Table{target}, provision.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
