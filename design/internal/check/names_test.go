package check

import (
	"slices"
	"testing"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

func TestWordsOf(t *testing.T) {
	for name, want := range map[string][]string{
		"user1Id":           {"user", "1", "id"},
		"current_responses": {"current", "responses"},
		"QuestionCount":     {"question", "count"},
		"HTTPStatus":        {"httpstatus"},
		"_leaderboard":      {"leaderboard"},
		"":                  nil,
	} {
		if got := wordsOf(name); !slices.Equal(got, want) {
			t.Errorf("words of %s are %q, want %q", name, got, want)
		}
	}
}

func TestIsPair(t *testing.T) {
	for _, pair := range [][2]string{
		{"user1Id", "user2Id"}, {"user_a", "user_b"}, {"firstUser", "secondUser"}, {"userId", "otherUserId"}, {"userId", "otherId"},
	} {
		if !isPair(pair[0], pair[1]) {
			t.Errorf("%s and %s are a pair", pair[0], pair[1])
		}
	}
	for _, names := range [][2]string{
		{"buyerId", "sellerId"}, {"userId", "itemId"}, {"attempt_id", "question_id"}, {"line1", "zip2"}, {"userId", "otherItemId"},
	} {
		if isPair(names[0], names[1]) {
			t.Errorf("%s and %s are no pair", names[0], names[1])
		}
	}
}

func TestFirstPhase(t *testing.T) {
	for _, test := range []struct {
		tags       []string
		stem, want string
		phase      int
		found      bool
	}{
		{[]string{"phase10", "phase2"}, "", "phase", 2, true},
		{[]string{"v3", "phase2"}, "phase", "phase", 2, true},
		{[]string{"core", "later"}, "", "", 0, false},
		{[]string{"phase2"}, "v", "v", 0, false},
	} {
		stem, phase, found := firstPhase(test.tags, test.stem)
		if stem != test.want || phase != test.phase || found != test.found {
			t.Errorf("first phase of %v is %s%d (%v)", test.tags, stem, phase, found)
		}
	}
}

func TestCounts(t *testing.T) {
	for name, want := range map[string]bool{
		"response_count": true, "current_responses": true, "totalResponses": true, "responsesCount": true,
		"current_response": false, "response": false, "responses": false, "total_points": false,
	} {
		if got := namesCount(name, &model.Entity{Name: "Response"}); got != want {
			t.Errorf("%s counts responses: %v", name, got)
		}
	}
}

func TestFigures(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{money(exact.MustParse("1234.567")), "$1,234.57"},
		{money(exact.MustParse("0.001")), "less than a cent"},
		{money(exact.Zero), "$0.00"},
		{figure(exact.MustParse("76042.4")), "76,042"},
		{figure(exact.MustParse("2.55")), "2.6"},
		{counted(exact.One, "hour"), "1 hour"},
		{counted(exact.MustParse("1.5"), "day"), "1.5 days"},
		{aName("Attempt"), "an Attempt"},
		{aName("User"), "a User"},
	} {
		if test.got != test.want {
			t.Errorf("got %s, want %s", test.got, test.want)
		}
	}
}

// namesCount reports whether a name is a count of an entity.
func namesCount(name string, e *model.Entity) bool {
	counted := countedBy(name)
	return counted != nil && counted(e)
}
