package main

import (
	"time"

	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/bench/internal/exams/examsdb"
)

// Entities of the generated packages with values like those of real users. Times
// are in the future, so that nothing expires, and end in a digit that is not 0:
// the SDK's encoder leaves out zeros at the end of a fraction, which is another
// text.

var firstMoment = time.Date(2050, 2, 17, 10, 30, 0, 123_000_000, time.UTC)

// moment returns a time for number n.
func moment(n int) time.Time { return firstMoment.Add(time.Duration(n) * time.Minute) }

// second returns a moment that is stored in whole seconds.
func second(n int) time.Time { return moment(n).Truncate(time.Second) }

// id looks like a ULID: a letter for what it names and a number.
func id(kind string, n int) string { return "01JQ8ZK4M7T3W9XC2V"[:18-len(kind)] + kind + number(n) }

// madeID returns a ULID that was made at a moment: its first ten characters say so.
func madeID(kind string, n int) string {
	const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	var text [10]byte
	millis := moment(n).UnixMilli()
	for i := range text {
		text[len(text)-1-i] = digits[millis>>(5*i)&31]
	}
	return string(text[:]) + "T3W9XC2V"[:8-len(kind)] + kind + number(n)
}

// newToken returns the small entity: eight texts and times.
func newToken(hash string, n int) examsdb.RefreshToken {
	return examsdb.RefreshToken{
		TokenHash: hash, UserID: id("U", n), Email: "candidate" + number(n) + "@example.com",
		UserAgent: "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/131.0",
		CreatedAt: moment(n), LastUsedAt: moment(n + 7), ValidUntil: moment(n + 20_000), TTL: second(n + 30_000),
	}
}

// newAttempt returns an entity of seventeen scalars.
func newAttempt(candidate, n int) examsdb.Attempt {
	return examsdb.Attempt{
		AttemptID: madeID("A", n), CandidateID: id("C", candidate), CandidateEmail: "candidate" + number(candidate) + "@example.com",
		ProjectID: id("P", n%10), ProjectTitle: "Cloud practitioner, trial exam", Mode: examsdb.AttemptModeExam,
		Difficulty: examsdb.AttemptDifficultyHard, Status: examsdb.AttemptStatusCompleted,
		StartedAt: moment(n), CompletedAt: moment(n + 60), Score: int64(n % 50), ScorePercent: float64(n%1000) / 8, Passed: n%2 == 0,
		AnsweredCount: 48, TotalQuestions: 50, TimeTakenSeconds: int64(3000 + n%600), TTL: new(second(n + 500_000)),
	}
}

// newSession returns an exam that runs, with a list of its questions.
func newSession(attempt string, n int) examsdb.ExamSession {
	session := examsdb.ExamSession{
		AttemptID: attempt, CandidateID: id("C", n), AdminID: id("D", n%7), ProjectID: id("P", n%10), Mode: examsdb.ExamSessionModeExam,
		Difficulty: examsdb.ExamSessionDifficultyMedium, SecondsPerQuestion: 90, CurrentPosition: 1, PresentedAt: new(moment(n)),
		Status: examsdb.ExamSessionStatusStarted, StartedAt: moment(n), LastSeenAt: moment(n), ExpiresAt: moment(n + 90), TTL: second(n + 50_000),
	}
	for q := range 10 {
		session.QuestionIDs = append(session.QuestionIDs, id("Q", n*10+q))
	}
	return session
}

// newPaper returns a question of a paper, with a list and a map.
func newPaper(attempt string, position int) examsdb.PaperQuestion {
	return examsdb.PaperQuestion{
		AttemptID: attempt, Position: int64(position), QuestionID: id("Q", position),
		QuestionText: "Which service keeps items under a partition key and a sort key?", QuestionType: "single_choice",
		Options:     []string{"A table of rows", "A key-value store", "A queue", "A file system"},
		Solution:    examsdb.Solution{CorrectIndex: new(int64(1)), CorrectPairs: map[string]string{"key": "value", "queue": "message"}},
		Explanation: "Items are found by their keys, and sorted inside a partition.", Seconds: 90, TTL: new(second(position + 1000)),
	}
}

// newAnswer returns an answer with everything that can be nested.
func newAnswer(attempt, question string, n int) examsdb.AnswerSelection {
	return examsdb.AnswerSelection{
		AttemptID: attempt, QuestionID: question, Position: 1,
		Reply: examsdb.Reply{
			SelectedIndices: []int64{0, 2, 3}, OrderedItems: []string{"first", "second", "third"},
			SelectedMatches: map[string]string{"key": "value", "queue": "message", "file": "bytes"}, AnswerText: new("by their keys"),
		},
		Display: "first, second, third", Accepted: true, IsCorrect: n%2 == 0, Credit: 0.75, TimeSpentSeconds: int64(10 + n%80),
		AnsweredAt: moment(n), TTL: new(second(n + 1000)),
	}
}

// newOffer returns the large entity: 32 attributes of which 27 are there, with a list
// of structs.
func newOffer(n int) ecobiddb.Item {
	offer := ecobiddb.Item{
		ItemID: madeID("I", n), UserID: id("U", n%100), Title: "Oak table with four chairs, some scratches",
		Description: "Bought eight years ago, solid, seats six if need be. To be fetched on a weekday evening or on Saturday morning.",
		Category:    ecobiddb.ItemCategoryFurniture, Condition: ecobiddb.ItemConditionGood, Mode: ecobiddb.ItemModeFree,
		Allocation: ecobiddb.ItemAllocationQueue, Status: ecobiddb.ItemStatusReserved, PhotoCount: 3,
		Thumbnail: new(id("P", 10*n)), Lat: 52.0907 + float64(n)/1000, Lon: 5.1214,
		G4: "u178", G5: "u178k", Geohash: "u178kd", City: "Utrecht", Country: "NL", Currency: "EUR", WeightGrams: new(int64(45_000 + n)),
		ActiveReservationID: new(id("R", n)), EntryCount: int64(n % 40),
		CreatedAt: moment(n), PublishedAt: moment(n + 5), UpdatedAt: moment(n + 90), ExpiresAt: new(second(n + 40_000)),
	}
	for p := range offer.PhotoCount {
		offer.Photos = append(offer.Photos, ecobiddb.Photo{FileID: id("P", 10*n+int(p)), Width: 1600, Height: 1200})
	}
	return offer
}
