package domain_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/insights"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

// numbers returns all numbers and texts of a value with the paths to them.
func numbers(v reflect.Value, path string, found map[string]string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			numbers(v.Elem(), path, found)
		}
	case reflect.Struct:
		if at, ok := v.Interface().(time.Time); ok {
			found[path] = at.String()
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				numbers(v.Field(i), path+"."+v.Type().Field(i).Name, found)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			numbers(v.Index(i), fmt.Sprintf("%s[%d]", path, i), found)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			numbers(v.MapIndex(key), fmt.Sprintf("%s[%v]", path, key), found)
		}
	case reflect.Float64:
		found[path] = fmt.Sprintf("%.2f", math.Abs(v.Float()))
	default:
		if v.CanInterface() {
			found[path] = fmt.Sprint(v.Interface())
		}
	}
}

// TestNoMemberSeesAnothersLoad gives Erik a week whose numbers occur nowhere else, calls every
// method of the rooms that Anna's pages and chats call, and reads everything that the bot says to
// her and in the group: Erik's loads, efforts and averages are in none of it.
func TestNoMemberSeesAnothersLoad(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	ctx := t.Context()
	w.Set(t, func(s *households.Settings) { s.AcknowledgeText = true })
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.Households.SetBotAdmin(ctx, home.ChatID, true))
	for _, id := range []int64{homeopstest.Anna, homeopstest.Erik} {
		w.Deliver(t, telegram.Update{Message: w.Private(id, "/start")})
		for range 5 {
			w.Say(t, id, "hej")
		}
	}
	add := func(userID int64, activity string, category homeopsdb.EventCategory, efforts ...homeopsdb.EventEffort) {
		for _, effort := range efforts {
			_, err := w.Ledger.Add(ctx, home, userID, ledger.Entry{Activity: activity, Category: category, Effort: effort, At: w.Clock.Now(), Description: activity})
			must(err)
		}
	}
	// Erik: 2 + 3 + 2.09 (average of medium, high, low) + 3 + 3 + 3; recovery 1.
	add(homeopstest.Erik, "dishes", "chore", "medium", "high", "low")
	add(homeopstest.Erik, "cleaning", "chore", "high", "high", "high")
	add(homeopstest.Erik, "rest", "recovery", "low")
	add(homeopstest.Anna, "cooking", "chore", "medium", "medium")
	add(homeopstest.Anna, "walk", "recovery", "low")
	week := homeops.Week(w.Clock.Now(), home.Zone())
	w.Clock.Set(time.Date(2037, 2, 22, 18, 0, 0, 0, home.Zone()))
	w.Step(t) // closes the week and sends both members their own
	summary, err := w.DB.GetSummary(ctx, home.HouseholdID, homeopstest.Erik, week)
	must(err)
	balance, err := w.DB.GetBalance(ctx, home.HouseholdID, homeopstest.Anna, homeopstest.Erik, week)
	must(err)
	effort, err := w.DB.GetEffort(ctx, home.HouseholdID, homeopstest.Erik, "dishes")
	must(err)
	if summary.FairnessScore == nil {
		t.Fatal("the week has no score, so there is nothing to hide")
	}
	secrets := map[string]string{}
	for name, v := range map[string]float64{
		"net load": summary.NetLoad, "effort": summary.Effort, "score": *summary.FairnessScore, "delta": math.Abs(balance.Delta), "average": effort.Ema,
	} {
		secrets[fmt.Sprintf("%.2f", v)] = name
	}
	if len(secrets) != 5 {
		t.Fatalf("the numbers of Erik are not distinct: %v", secrets)
	}
	seen := seenByAnna(t, w, home.HouseholdID)
	found := make(map[string]string)
	for name, v := range seen {
		numbers(reflect.ValueOf(v), name, found)
	}
	for path, value := range found {
		if what := secrets[value]; what != "" {
			t.Errorf("%s is %s, Erik's %s", path, value, what)
		}
	}
	for _, chat := range []int64{homeopstest.Chat, homeopstest.Anna} {
		said := strings.Join(w.Telegram.Texts(chat), "\n")
		for secret, what := range secrets {
			if strings.Contains(said, strings.TrimSuffix(secret, "0")) {
				t.Errorf("the bot said in %d: %q, which has Erik's %s %s", chat, said, what, secret)
			}
		}
		if chat == homeopstest.Anna && (!strings.Contains(said, "Din vecka") || strings.Contains(said, "Erik")) {
			t.Errorf("the bot told Anna %q", said)
		}
	}
	// The search finds numbers: Anna's own load is in what she sees, and Erik's in what he sees.
	if !slices.Contains(values(found), "3.00") {
		t.Error("Anna does not see her own load")
	}
	erik, err := w.Insights.Mine(ctx, home, homeopstest.Erik, week)
	must(err)
	own := make(map[string]string)
	numbers(reflect.ValueOf(erik), "Erik", own)
	if !slices.Contains(values(own), fmt.Sprintf("%.2f", summary.NetLoad)) {
		t.Errorf("Erik does not see his own load in %v", own)
	}
}

func values(m map[string]string) []string {
	var all []string
	for _, v := range m {
		all = append(all, v)
	}
	return all
}

// seenByAnna calls every reading method of the rooms as Anna.
func seenByAnna(t *testing.T, w *homeopstest.World, householdID string) map[string]any {
	t.Helper()
	ctx := t.Context()
	home, err := w.Households.ForMember(ctx, householdID, homeopstest.Anna)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]any{"home": home}
	keep := func(name string, v any, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		seen[name] = v
	}
	week := homeops.Week(w.Clock.Now(), home.Zone())
	from, to := homeops.WeekRange(week, home.Zone())
	log, err := w.Ledger.Log(ctx, home, from, to)
	keep("log", log, err)
	if len(log) != 10 {
		t.Errorf("the shared log has %d entries", len(log))
	}
	recent, err := w.Ledger.Recent(ctx, home, "")
	keep("recent", recent, err)
	mine, err := w.Ledger.Mine(ctx, home, homeopstest.Anna, "")
	keep("mine", mine, err)
	last, err := w.Ledger.Last(ctx, home, "dishes")
	keep("last", last, err)
	lastOf, _, err := w.Ledger.LastOf(ctx, home, homeopstest.Erik, "dishes")
	keep("last of", lastOf, err)
	search, err := w.Ledger.Search(ctx, home, "disk", from)
	keep("search", search, err)
	calendar, err := w.Ledger.Calendar(ctx, home)
	keep("calendar", calendar, err)
	efforts, err := w.Ledger.Efforts(ctx, home, homeopstest.Anna)
	keep("efforts", efforts, err)
	insight, err := w.Insights.Mine(ctx, home, homeopstest.Anna, week)
	keep("insight", insight, err)
	keep("text", insights.Text(home, insight), nil)
	weeks, err := w.Insights.Weeks(ctx, home, homeopstest.Anna)
	keep("weeks", weeks, err)
	promised, err := w.Promises.Mine(ctx, homeopstest.Anna, "")
	keep("promises", promised, err)
	export, err := w.Households.Export(ctx, homeopstest.Anna)
	keep("export", export, err)
	homes, err := w.Households.OfUser(ctx, homeopstest.Anna)
	keep("homes", homes, err)
	question := understanding.Meaning{Questions: []understanding.Question{{Kind: understanding.WhoLast, Activity: "dishes", Confidence: 0.9}}}
	w.Means("Vem diskade senast?", question)
	m := w.Message(homeopstest.Anna, "Vem diskade senast? @homeops_bot")
	m.Entities = []telegram.MessageEntity{{Type: telegram.Mention, Offset: 20, Length: 12}}
	w.Deliver(t, telegram.Update{Message: m})
	w.Deliver(t, telegram.Update{Message: w.Private(homeopstest.Anna, "summering")})
	w.Step(t)
	if _, err := w.Insights.Mine(ctx, home, homeopstest.Maja, week); !errors.Is(err, households.ErrNoMember) {
		t.Errorf("a stranger sees a week: %v", err)
	}
	return seen
}
