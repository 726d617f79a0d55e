package draw_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/apps/ecobid/draw"
)

const secret = "ecobid-draw-secret-1"

func TestVectors(t *testing.T) {
	if got := draw.Commitment(secret); !strings.HasPrefix(got, "75026835a67c2fc0") || !strings.HasSuffix(got, "7051cfbe") {
		t.Errorf("the commitment is %s", got)
	}
	three := []string{"user_101", "user_102", "user_103"}
	if got := draw.Winner(secret, "item_456", three); got != "user_101" {
		t.Errorf("the winner of three is %s", got)
	}
	if got := draw.Winner(secret, "item_456", append(three, "user_104")); got != "user_102" {
		t.Errorf("the winner of four is %s", got)
	}
	if got := draw.Winner(secret, "item_456", nil); got != "" {
		t.Errorf("without entrants %q wins", got)
	}
}

func TestOrderOfEntryDoesNotMatter(t *testing.T) {
	want := draw.Order(secret, "item_456", []string{"a", "b", "c", "d"})
	for _, entrants := range [][]string{{"d", "c", "b", "a"}, {"b", "a", "b", "d", "c", "a"}} {
		if got := draw.Order(secret, "item_456", entrants); !slices.Equal(got, want) {
			t.Errorf("%v gives %v, want %v", entrants, got, want)
		}
	}
	if got := draw.Winner(secret, "item_456", want[1:]); got != want[1] {
		t.Errorf("without the first, %s wins, want %s", got, want[1])
	}
}

func TestVerify(t *testing.T) {
	entrants := []string{"a", "b", "c"}
	winner := draw.Winner(secret, "item", entrants)
	if !draw.Verify(draw.Commitment(secret), secret, "item", entrants, winner) {
		t.Error("the draw is refused")
	}
	for _, other := range entrants {
		if other != winner && draw.Verify(draw.Commitment(secret), secret, "item", entrants, other) {
			t.Errorf("%s is accepted", other)
		}
	}
	if draw.Verify(draw.Commitment("another"), secret, "item", entrants, winner) {
		t.Error("another commitment is accepted")
	}
	if draw.Verify(draw.Commitment(secret), secret, "item", nil, "") {
		t.Error("a draw without entrants is accepted")
	}
}

// TestEveryEntrantWinsEquallyOften: chi-squared over 20,000 draws among five, far beyond chance.
func TestEveryEntrantWinsEquallyOften(t *testing.T) {
	entrants := []string{"a", "b", "c", "d", "e"}
	const draws = 20_000
	wins := map[string]float64{}
	for i := range draws {
		wins[draw.Winner(fmt.Sprint("secret ", i), "item", entrants)]++
	}
	chi := 0.0
	for _, e := range entrants {
		chi += (wins[e] - draws/5) * (wins[e] - draws/5) / (draws / 5)
	}
	if chi > 25 { // four degrees of freedom; one in 20,000 secrets
		t.Errorf("wins are %v, chi-squared %.1f", wins, chi)
	}
}
