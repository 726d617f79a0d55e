package cost

import (
	"strings"
	"testing"
	"time"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

func TestStored(t *testing.T) {
	day := model.Duration(24 * time.Hour)
	growth := perMonth("1520.8333333333") // 50 a day
	growth.PerMonth = exact.Int(50 * 730).Over(24)
	counted, growing, kept := &model.Entity{}, &model.Entity{}, &model.Entity{}
	counts(counted, "1000")
	growing.Volume.Growth = &growth
	kept.Volume.Growth, kept.Volume.Keep = &growth, 90*day
	profile := &model.Profile{Scale: exact.Int(10), Counts: map[*model.Entity]exact.Number{counted: exact.Int(77)}}
	for _, c := range []struct {
		name    string
		entity  *model.Entity
		options Options
		want    string
	}{
		{"a count", counted, Options{}, "1000"},
		{"growth kept for 90 days", kept, Options{}, "4500"},
		{"growth kept for ever, after a year", growing, Options{}, "18250"},
		{"nothing stated", &model.Entity{}, Options{}, "0"},
		{"scaled", kept, Options{Scale: exact.Int(2)}, "9000"},
		{"a profile", kept, Options{Profile: profile, Scale: exact.Int(2)}, "90000"},
		{"a profile that counts", counted, Options{Profile: profile}, "77"},
	} {
		equal(t, c.name, Stored(c.entity, c.options), c.want)
	}
}

func TestRatesAndPeaks(t *testing.T) {
	plain := &model.Pattern{Rate: perMonth("2628000")} // one a second
	peaked := &model.Pattern{Rate: perMonth("2628000"), Peak: perSecond("20")}
	profile := &model.Profile{Scale: exact.Int(100), Rates: map[*model.Pattern]model.Rate{peaked: perMonth("5256000")}}
	for _, c := range []struct {
		name        string
		pattern     *model.Pattern
		options     Options
		calls, peak string
	}{
		{"no peak stated", plain, Options{}, "2628000", "5"},
		{"a peak", peaked, Options{}, "2628000", "20"},
		{"scaled", peaked, Options{Scale: exact.Int(3)}, "7884000", "60"},
		{"scaled by a profile", plain, Options{Profile: profile}, "262800000", "500"},
		{"a rate of the profile's own", peaked, Options{Profile: profile}, "5256000", "20"},
	} {
		equal(t, c.name+": calls", Calls(c.pattern, c.options), c.calls)
		equal(t, c.name+": peak", Peak(c.pattern, c.options), c.peak)
	}
	profile.Rates[peaked] = perMonth("262800000") // a hundred a second is more than its peak
	profile.Peaks = map[*model.Pattern]model.Rate{plain: *perSecond("30")}
	equal(t, "a peak of the profile's own", Peak(plain, Options{Profile: profile}), "100") // not below the average
	profile.Peaks[plain] = *perSecond("700")
	equal(t, "a peak of the profile's own", Peak(plain, Options{Profile: profile}), "700")
	if !PeakStated(plain, Options{Profile: profile}) || PeakStated(plain, Options{}) || !PeakStated(peaked, Options{}) {
		t.Error("a peak is stated by the pattern or by the profile")
	}
	equal(t, "a rate above the peak", Peak(peaked, Options{Profile: profile}), "100")
}

func TestSparseIndexes(t *testing.T) {
	for _, c := range []struct {
		name  string
		op    model.Op
		per   bool
		items string
	}{
		{"one of three states", model.Eq, false, "300"},
		{"all but one", model.Ne, false, "600"},
		{"a stated number", model.Eq, true, "45"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			table := w.table("promises", "GSI1")
			e := w.entity("Promise", table, 400)
			status := enum("status", "active", "fulfilled", "expired")
			e.Attributes = append(e.Attributes, status)
			counts(e, "900")
			if c.per {
				e.Per = []*model.Per{per(status, "45", "45")}
			}
			open := computed("GSI1PK", literal("OPEN"))
			open.When = []*model.Condition{{Attribute: status, Op: c.op, Values: []model.Operand{{Constant: "active"}}}}
			again := &model.Condition{Attribute: status, Op: c.op, Values: []model.Operand{{Constant: "active"}}}
			open.When = append(open.When, again) // as when a sort key has the same condition
			w.put(e, table, append(table.Items[0].Computed, open)...)
			index := w.price(Options{}).Tables[0].Paths[1]
			equal(t, "entries", index.Items, c.items)
			equal(t, "bytes", index.Bytes, index.Items.Times(500).String())
			if len(index.Notes) != 1 || !strings.HasPrefix(index.Notes[0], "Promise: ") {
				t.Errorf("the estimate is not explained: %q", index.Notes)
			}
		})
	}
}

func TestGuardsAreStored(t *testing.T) {
	w := newWorld()
	table := w.table("users")
	e := w.entity("User", table, 400)
	counts(e, "1000")
	table.Guards = []*model.Guard{{Entity: e, Computed: []*model.Computed{computed("PK", literal("EMAIL#"), hole(e.Attribute("group")))}}}
	path := w.price(Options{}).Tables[0].Paths[0]
	equal(t, "items", path.Items, "2000")
	equal(t, "bytes", path.Bytes, "634000") // 500 a user; 34 for the key and 100 a guard
}

func TestOnlySelectedPhasesArePriced(t *testing.T) {
	w := newWorld()
	table := w.table("things")
	now, later := w.entity("Now", table, 100), w.entity("Later", table, 100)
	now.Tags, later.Tags = []string{"phase1"}, []string{"phase2"}
	counts(now, "10")
	counts(later, "1000")
	first, _ := w.write(model.Put, now, "5", resolve.Untouched)
	second, _ := w.write(model.Put, later, "7", resolve.Untouched)
	first.Tags, second.Tags = now.Tags, later.Tags
	e := w.price(Options{Tags: []string{"phase1"}})
	equal(t, "items", e.Tables[0].Paths[0].Items, "10")
	equal(t, "writes", e.Writes(), "5")
	if e.Pattern(second) != nil {
		t.Error("a pattern of a later phase was priced")
	}
}
