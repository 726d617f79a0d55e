package effort

import "testing"

// SkipUnderRace skips a test that calls the tested code from one goroutine only: the race detector makes it slow and finds
// nothing in it. It is for packages whose tests scripts/test runs both with and without the race detector.
func SkipUnderRace(t testing.TB) {
	t.Helper()
	if UnderRace {
		t.Skip("the race detector finds nothing in calls from one goroutine")
	}
}
