package main

import (
	"time"

	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/bench/internal/exams/examsdb"
)

// The entities of the generated packages as written by hand for attributevalue and for
// guregu/dynamo: the same attributes under the same names, without the keys, which are
// put beside them.

type tokenRow struct {
	TokenHash  string    `dynamodbav:"token_hash" dynamo:"token_hash"`
	UserID     string    `dynamodbav:"user_id" dynamo:"user_id"`
	Email      string    `dynamodbav:"email" dynamo:"email"`
	UserAgent  string    `dynamodbav:"user_agent" dynamo:"user_agent"`
	CreatedAt  time.Time `dynamodbav:"created_at" dynamo:"created_at"`
	LastUsedAt time.Time `dynamodbav:"last_used_at" dynamo:"last_used_at"`
	ValidUntil time.Time `dynamodbav:"valid_until" dynamo:"valid_until"`
	TTL        time.Time `dynamodbav:"ttl,unixtime" dynamo:"ttl,unixtime"`
}

type attemptRow struct {
	AttemptID        string                    `dynamodbav:"attempt_id" dynamo:"attempt_id"`
	CandidateID      string                    `dynamodbav:"candidate_id" dynamo:"candidate_id"`
	CandidateEmail   string                    `dynamodbav:"candidate_email" dynamo:"candidate_email"`
	ProjectID        string                    `dynamodbav:"project_id" dynamo:"project_id"`
	ProjectTitle     string                    `dynamodbav:"project_title" dynamo:"project_title"`
	Mode             examsdb.AttemptMode       `dynamodbav:"mode" dynamo:"mode"`
	Difficulty       examsdb.AttemptDifficulty `dynamodbav:"difficulty" dynamo:"difficulty"`
	Status           examsdb.AttemptStatus     `dynamodbav:"status" dynamo:"status"`
	StartedAt        time.Time                 `dynamodbav:"started_at" dynamo:"started_at"`
	CompletedAt      time.Time                 `dynamodbav:"completed_at" dynamo:"completed_at"`
	Score            int64                     `dynamodbav:"score" dynamo:"score"`
	ScorePercent     float64                   `dynamodbav:"score_percent" dynamo:"score_percent"`
	Passed           bool                      `dynamodbav:"passed" dynamo:"passed"`
	AnsweredCount    int64                     `dynamodbav:"answered_count" dynamo:"answered_count"`
	TotalQuestions   int64                     `dynamodbav:"total_questions" dynamo:"total_questions"`
	TimeTakenSeconds int64                     `dynamodbav:"time_taken_seconds" dynamo:"time_taken_seconds"`
	TTL              *time.Time                `dynamodbav:"ttl,omitempty,unixtime" dynamo:"ttl,omitempty,unixtime"`
}

type sessionRow struct {
	AttemptID          string                        `dynamodbav:"attempt_id" dynamo:"attempt_id"`
	CandidateID        string                        `dynamodbav:"candidate_id" dynamo:"candidate_id"`
	AdminID            string                        `dynamodbav:"admin_id" dynamo:"admin_id"`
	ProjectID          string                        `dynamodbav:"project_id" dynamo:"project_id"`
	Mode               examsdb.ExamSessionMode       `dynamodbav:"mode" dynamo:"mode"`
	Difficulty         examsdb.ExamSessionDifficulty `dynamodbav:"difficulty" dynamo:"difficulty"`
	SecondsPerQuestion int64                         `dynamodbav:"seconds_per_question" dynamo:"seconds_per_question"`
	QuestionIDs        []string                      `dynamodbav:"question_ids" dynamo:"question_ids"`
	CurrentPosition    int64                         `dynamodbav:"current_position" dynamo:"current_position"`
	PresentedAt        *time.Time                    `dynamodbav:"presented_at,omitempty" dynamo:"presented_at,omitempty"`
	AnsweredCount      int64                         `dynamodbav:"answered_count" dynamo:"answered_count"`
	Status             examsdb.ExamSessionStatus     `dynamodbav:"status" dynamo:"status"`
	StartedAt          time.Time                     `dynamodbav:"started_at" dynamo:"started_at"`
	LastSeenAt         time.Time                     `dynamodbav:"last_seen_at" dynamo:"last_seen_at"`
	ExpiresAt          time.Time                     `dynamodbav:"expires_at" dynamo:"expires_at"`
	CompletedAt        *time.Time                    `dynamodbav:"completed_at,omitempty" dynamo:"completed_at,omitempty"`
	TTL                time.Time                     `dynamodbav:"ttl,unixtime" dynamo:"ttl,unixtime"`
}

type paperRow struct {
	AttemptID    string      `dynamodbav:"attempt_id" dynamo:"attempt_id"`
	Position     int64       `dynamodbav:"position" dynamo:"position"`
	QuestionID   string      `dynamodbav:"question_id" dynamo:"question_id"`
	QuestionText string      `dynamodbav:"question_text" dynamo:"question_text"`
	QuestionType string      `dynamodbav:"question_type" dynamo:"question_type"`
	Options      []string    `dynamodbav:"options" dynamo:"options"`
	Solution     solutionRow `dynamodbav:"solution" dynamo:"solution"`
	Explanation  string      `dynamodbav:"explanation" dynamo:"explanation"`
	Seconds      int64       `dynamodbav:"seconds" dynamo:"seconds"`
	TTL          *time.Time  `dynamodbav:"ttl,omitempty,unixtime" dynamo:"ttl,omitempty,unixtime"`
}

type solutionRow struct {
	CorrectIndex   *int64            `dynamodbav:"correct_index,omitempty" dynamo:"correct_index,omitempty"`
	CorrectIndices []int64           `dynamodbav:"correct_indices,omitempty" dynamo:"correct_indices,omitempty"`
	ExpectedText   *string           `dynamodbav:"expected_text,omitempty" dynamo:"expected_text,omitempty"`
	CorrectOrder   []string          `dynamodbav:"correct_order,omitempty" dynamo:"correct_order,omitempty"`
	CorrectPairs   map[string]string `dynamodbav:"correct_pairs,omitempty" dynamo:"correct_pairs,omitempty"`
	CorrectHotspot *string           `dynamodbav:"correct_hotspot,omitempty" dynamo:"correct_hotspot,omitempty"`
}

func newPaperRow(p examsdb.PaperQuestion) paperRow {
	return paperRow{
		AttemptID: p.AttemptID, Position: p.Position, QuestionID: p.QuestionID, QuestionText: p.QuestionText, QuestionType: p.QuestionType,
		Options: p.Options, Solution: solutionRow(p.Solution), Explanation: p.Explanation, Seconds: p.Seconds, TTL: p.TTL,
	}
}

type answerRow struct {
	AttemptID        string     `dynamodbav:"attempt_id" dynamo:"attempt_id"`
	QuestionID       string     `dynamodbav:"question_id" dynamo:"question_id"`
	Position         int64      `dynamodbav:"position" dynamo:"position"`
	Reply            replyRow   `dynamodbav:"reply" dynamo:"reply"`
	Display          string     `dynamodbav:"display" dynamo:"display"`
	Accepted         bool       `dynamodbav:"accepted" dynamo:"accepted"`
	IsCorrect        bool       `dynamodbav:"is_correct" dynamo:"is_correct"`
	Credit           float64    `dynamodbav:"credit" dynamo:"credit"`
	TimeSpentSeconds int64      `dynamodbav:"time_spent_seconds" dynamo:"time_spent_seconds"`
	AnsweredAt       time.Time  `dynamodbav:"answered_at" dynamo:"answered_at"`
	TTL              *time.Time `dynamodbav:"ttl,omitempty,unixtime" dynamo:"ttl,omitempty,unixtime"`
}

type replyRow struct {
	AnswerIndex     *int64            `dynamodbav:"answer_index,omitempty" dynamo:"answer_index,omitempty"`
	SelectedIndices []int64           `dynamodbav:"selected_indices,omitempty" dynamo:"selected_indices,omitempty"`
	AnswerText      *string           `dynamodbav:"answer_text,omitempty" dynamo:"answer_text,omitempty"`
	OrderedItems    []string          `dynamodbav:"ordered_items,omitempty" dynamo:"ordered_items,omitempty"`
	SelectedMatches map[string]string `dynamodbav:"selected_matches,omitempty" dynamo:"selected_matches,omitempty"`
	SelectedHotspot *string           `dynamodbav:"selected_hotspot,omitempty" dynamo:"selected_hotspot,omitempty"`
}

func newAnswerRow(a examsdb.AnswerSelection) answerRow {
	return answerRow{
		AttemptID: a.AttemptID, QuestionID: a.QuestionID, Position: a.Position, Reply: replyRow(a.Reply), Display: a.Display,
		Accepted: a.Accepted, IsCorrect: a.IsCorrect, Credit: a.Credit, TimeSpentSeconds: a.TimeSpentSeconds, AnsweredAt: a.AnsweredAt, TTL: a.TTL,
	}
}

type offerRow struct {
	ItemID              string                  `dynamodbav:"itemId"`
	UserID              string                  `dynamodbav:"userId"`
	Title               string                  `dynamodbav:"title"`
	Description         string                  `dynamodbav:"description"`
	Category            ecobiddb.ItemCategory   `dynamodbav:"category"`
	Condition           ecobiddb.ItemCondition  `dynamodbav:"condition"`
	Mode                ecobiddb.ItemMode       `dynamodbav:"mode"`
	Allocation          ecobiddb.ItemAllocation `dynamodbav:"allocation"`
	Status              ecobiddb.ItemStatus     `dynamodbav:"status"`
	Photos              []photoRow              `dynamodbav:"photos"`
	PhotoCount          int64                   `dynamodbav:"photoCount"`
	Thumbnail           *string                 `dynamodbav:"thumbnail,omitempty"`
	Lat                 float64                 `dynamodbav:"lat"`
	Lon                 float64                 `dynamodbav:"lon"`
	G4                  string                  `dynamodbav:"g4"`
	G5                  string                  `dynamodbav:"g5"`
	Geohash             string                  `dynamodbav:"geohash"`
	City                string                  `dynamodbav:"city"`
	Country             string                  `dynamodbav:"country"`
	Currency            string                  `dynamodbav:"currency"`
	WeightGrams         *int64                  `dynamodbav:"weightGrams,omitempty"`
	MinBid              *int64                  `dynamodbav:"minBid,omitempty"`
	ActiveReservationID *string                 `dynamodbav:"activeReservationId,omitempty"`
	LiveAuctionID       *string                 `dynamodbav:"liveAuctionId,omitempty"`
	EntryCount          int64                   `dynamodbav:"entryCount"`
	ClosesAt            *time.Time              `dynamodbav:"closesAt,omitempty"`
	DrawCommitment      *string                 `dynamodbav:"drawCommitment,omitempty"`
	DrawSecret          *string                 `dynamodbav:"drawSecret,omitempty"`
	CreatedAt           time.Time               `dynamodbav:"createdAt"`
	PublishedAt         time.Time               `dynamodbav:"publishedAt"`
	UpdatedAt           time.Time               `dynamodbav:"updatedAt"`
	ExpiresAt           *time.Time              `dynamodbav:"expiresAt,omitempty,unixtime"`
}

type photoRow struct {
	FileID string `dynamodbav:"fileId"`
	Width  int64  `dynamodbav:"width"`
	Height int64  `dynamodbav:"height"`
}

func newOfferRow(i ecobiddb.Item) offerRow {
	row := offerRow{
		ItemID: i.ItemID, UserID: i.UserID, Title: i.Title, Description: i.Description, Category: i.Category, Condition: i.Condition,
		Mode: i.Mode, Allocation: i.Allocation, Status: i.Status, PhotoCount: i.PhotoCount, Thumbnail: i.Thumbnail,
		Lat: i.Lat, Lon: i.Lon, G4: i.G4, G5: i.G5, Geohash: i.Geohash, City: i.City, Country: i.Country, Currency: i.Currency, WeightGrams: i.WeightGrams, MinBid: i.MinBid,
		ActiveReservationID: i.ActiveReservationID, LiveAuctionID: i.LiveAuctionID, EntryCount: i.EntryCount, ClosesAt: i.ClosesAt,
		DrawCommitment: i.DrawCommitment, DrawSecret: i.DrawSecret, CreatedAt: i.CreatedAt, PublishedAt: i.PublishedAt, UpdatedAt: i.UpdatedAt, ExpiresAt: i.ExpiresAt,
	}
	for _, p := range i.Photos {
		row.Photos = append(row.Photos, photoRow(p))
	}
	return row
}
