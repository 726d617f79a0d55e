package model

import (
	"flag"
	"testing"
)

// deep searches further: go test ./access/migrate/internal/model -deep
var deep = flag.Bool("deep", false, "search with greater bounds, for minutes")

const most = 20_000_000 // states; none of the searches comes near it

// expect searches a model with all rules, which finds nothing, and without each of them, which finds a fault.
func expect(t *testing.T, search func(Rule) Result, rules ...Rule) {
	t.Helper()
	t.Parallel()
	t.Run("all rules", func(t *testing.T) {
		found := search(None)
		t.Logf("%d states", found.States)
		if found.Fault != "" || found.Cut {
			t.Errorf("cut %v, %s", found.Cut, found)
		}
	})
	for _, rule := range rules {
		t.Run("without: "+string(rule), func(t *testing.T) {
			found := search(rule)
			if found.Fault == "" {
				t.Fatalf("%d states, and nothing goes wrong", found.States)
			}
			t.Logf("%d states, %s", found.States, found)
		})
	}
}

func TestOneRunner(t *testing.T) {
	bound := LeaseBound{Runners: 1, Epochs: 3, ClockFaults: 1, States: most}
	if *deep {
		bound.Epochs, bound.Deletions = 4, 1
	}
	expect(t, func(off Rule) Result { return Leases(off, bound) },
		LeaseFromSend, EveryAttempt, AfterSigning, EpochOfCall, MonotonicClock, WallClock, ClockAhead,
		LongestLease, SettleRequests, WaitAnew, SettledFirst)
}

func TestDeletedRow(t *testing.T) {
	bound := LeaseBound{Runners: 1, Epochs: 3, Deletions: 1, States: most}
	if *deep {
		bound.Epochs, bound.Deletions = 4, 2
	}
	expect(t, func(off Rule) Result { return Leases(off, bound) }, NoRowNoRequest, RestoreUnsettled, RestoreLongest)
}

func TestTwoRunners(t *testing.T) {
	bound := LeaseBound{Runners: 2, Epochs: 3, States: most}
	if *deep {
		bound.Epochs, bound.Deletions = 4, 1
	}
	expect(t, func(off Rule) Result { return Leases(off, bound) }, RaiseOnCondition, SettleOnCondition)
}

func TestTwoRunnersAndDeletedRow(t *testing.T) {
	bound := LeaseBound{Runners: 2, Epochs: 2, Deletions: 1, States: most}
	if *deep {
		bound.Epochs = 3
	}
	expect(t, func(off Rule) Result { return Leases(off, bound) }, OneTransaction)
}

func TestTwoReads(t *testing.T) {
	bound := LeaseBound{Runners: 1, Reads: 2, Epochs: 2, States: most}
	if *deep {
		bound.Epochs = 4
	}
	expect(t, func(off Rule) Result { return Leases(off, bound) }, LowerEpochIgnored)
}

func changes() Bound {
	bound := Bound{Tries: 2, Writers: 2, Fillers: 2, States: most}
	if *deep {
		bound.Tries = 3
	}
	return bound
}

// common holds the rules that matter for every kind of change.
var common = []Rule{Prepare, SettledPhases, JobsUnderLease, PrepareTakesAway, OneRequest}

func TestPartInTheItem(t *testing.T) {
	expect(t, func(off Rule) Result { return InItem(off, changes()) },
		append(common, VerifyThisTime, ScanBeforeBefore, PathEndsFirst, CleanSettled, FillAsRead, FillIfThere)...)
}

func TestRowElsewhere(t *testing.T) {
	expect(t, func(off Rule) Result { return Elsewhere(off, changes()) },
		append(common, VerifySettled, VerifyThisTime, ScanBeforeBefore, PathEndsFirst, CleanSettled,
			FillIfAbsent, UpdateIfThere, CreateOverOrphan, MakeAsRead, BothOrNeither)...)
}

func TestUniqueRule(t *testing.T) {
	expect(t, func(off Rule) Result { return Guards(off, changes()) },
		append(common, VerifyThisTime, ScanBeforeBefore, PathEndsFirst, ValueAsRead, GuardFree, GuardOwn, GuardOtherFine, FillSameValue)...)
}

func TestCounter(t *testing.T) {
	expect(t, func(off Rule) Result { return Counters(off, changes()) },
		append(common, VerifyThisTime, ScanBeforeBefore, PathEndsFirst, MarkIsCondition, FillIfUnmarked, RemovalTakesMark, ReadCountsDown)...)
}
