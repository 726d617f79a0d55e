package iacgen

import (
	"strings"
	"testing"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/resolve"
)

// Thresholds of capacity alarms, in units per five minutes: 80 % of the capacity.
func TestCapacityAlarms(t *testing.T) {
	in := inputOf(t, "testdata/store.design.yaml")
	alarms := map[string]alarm{}
	for _, a := range alarmsOf(in.Layout.Design().Name, tablesOf(in, newNames())) {
		alarms[a.id] = a
	}
	for id, want := range map[string]string{
		"OrdersReadCapacity":              "48000", // autoscaling ends at 200
		"OrdersByStoreWriteCapacity":      "48000",
		"StoreReadingsReadCapacity":       "4800", // 20 provisioned
		"StoreReadingsWriteCapacity":      "7200",
		"StoreReadingsByAtWriteCapacity":  "1680", // 7 of its own
		"StoreReadingsTable2ReadCapacity": "240",  // computed: at least 1
	} {
		if got := alarms[id].threshold; got != want {
			t.Errorf("%s is at %s, want %s", id, got, want)
		}
	}
	for _, id := range []string{"OrdersByStatusReadCapacity", "StoreReadingsByAtReadCapacity", "StoreReadingsByAtReadThrottles"} {
		if _, ok := alarms[id]; ok {
			t.Errorf("%s watches reads of an index that no pattern reads", id)
		}
	}
	if a := alarms["UserErrors"]; a.table != nil || a.parameter != userErrorsParameter || a.name != "store-user-errors" {
		t.Errorf("user errors are of the account: %+v", a)
	}
	if got := alarms["StoreReadingsSystemErrors"].expression(); got != "SUM([batchwriteitem, deleteitem, putitem, query])" {
		t.Errorf("system errors of readings are %s", got)
	}
}

// On demand has no limit; the alarm compares with the design's peak.
func TestCapacityAlarmsOnDemand(t *testing.T) {
	in := inputOf(t, "../../../apps/exambuddy/exambuddy.design.yaml")
	table := in.Layout.Design().Tables[0]
	peak := in.Estimate.Path(resolve.Path{Table: table}).PeakRCU
	want := cost.Needed(peak).Times(240).String()
	for _, a := range alarmsOf(in.Layout.Design().Name, tablesOf(in, newNames())) {
		if a.id == "ExamBuddyReadCapacity" && a.threshold != want {
			t.Errorf("reads of %s are watched at %s, want %s for a peak of %s", table.Name, a.threshold, want, peak)
		}
	}
	if peak.Sign() <= 0 {
		t.Error("the design has no peak")
	}
}

// Tables written in transactions have an alarm for conflicts; others have neither alarm nor
// threshold.
func TestConflictAlarms(t *testing.T) {
	for path, want := range map[string]bool{"../../../apps/exambuddy/exambuddy.design.yaml": true, "testdata/store.design.yaml": false} {
		in := inputOf(t, path)
		found := false
		for _, a := range alarmsOf(in.Layout.Design().Name, tablesOf(in, newNames())) {
			if a.metric != "TransactionConflict" {
				continue
			}
			found = true
			if a.table == nil || a.statistic != "Sum" || a.period != 300 || a.parameter != conflictsParameter || len(a.operations) > 0 {
				t.Errorf("%s: %+v", path, a)
			}
		}
		if found != want {
			t.Errorf("%s watches conflicts: %v", path, found)
		}
		for format, name := range map[string]string{"cloudformation": conflictsParameter, "sam": conflictsParameter, "terraform": "transaction_conflicts_threshold"} {
			if got := strings.Contains(string(write(t, format, in).Files[0].Text), name); got != want {
				t.Errorf("%s as %s has a threshold for conflicts: %v", path, format, got)
			}
		}
	}
}
