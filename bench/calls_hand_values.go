package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/bench/internal/exams/examsdb"
)

// What the code written by hand needs to make values and to read them.

// handTime is the form of a time in an item.
const handTime = "2006-01-02T15:04:05.000Z07:00"

func timeValue(t time.Time) types.AttributeValue {
	return &types.AttributeValueMemberS{Value: t.UTC().Format(handTime)}
}

func numberValue(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

func textsValue(texts []string) types.AttributeValue {
	list := make([]types.AttributeValue, len(texts))
	for i, s := range texts {
		list[i] = &types.AttributeValueMemberS{Value: s}
	}
	return &types.AttributeValueMemberL{Value: list}
}

func numbersValue(numbers []int64) types.AttributeValue {
	list := make([]types.AttributeValue, len(numbers))
	for i, n := range numbers {
		list[i] = numberValue(n)
	}
	return &types.AttributeValueMemberL{Value: list}
}

func pairsValue(pairs map[string]string) types.AttributeValue {
	m := make(map[string]types.AttributeValue, len(pairs))
	for k, v := range pairs {
		m[k] = &types.AttributeValueMemberS{Value: v}
	}
	return &types.AttributeValueMemberM{Value: m}
}

func solutionValue(s examsdb.Solution) types.AttributeValue {
	m := map[string]types.AttributeValue{}
	if s.CorrectIndex != nil {
		m["correct_index"] = numberValue(*s.CorrectIndex)
	}
	if s.CorrectIndices != nil {
		m["correct_indices"] = numbersValue(s.CorrectIndices)
	}
	if s.ExpectedText != nil {
		m["expected_text"] = &types.AttributeValueMemberS{Value: *s.ExpectedText}
	}
	if s.CorrectOrder != nil {
		m["correct_order"] = textsValue(s.CorrectOrder)
	}
	if s.CorrectPairs != nil {
		m["correct_pairs"] = pairsValue(s.CorrectPairs)
	}
	if s.CorrectHotspot != nil {
		m["correct_hotspot"] = &types.AttributeValueMemberS{Value: *s.CorrectHotspot}
	}
	return &types.AttributeValueMemberM{Value: m}
}

func replyValue(r examsdb.Reply) types.AttributeValue {
	m := map[string]types.AttributeValue{}
	if r.AnswerIndex != nil {
		m["answer_index"] = numberValue(*r.AnswerIndex)
	}
	if r.SelectedIndices != nil {
		m["selected_indices"] = numbersValue(r.SelectedIndices)
	}
	if r.AnswerText != nil {
		m["answer_text"] = &types.AttributeValueMemberS{Value: *r.AnswerText}
	}
	if r.OrderedItems != nil {
		m["ordered_items"] = textsValue(r.OrderedItems)
	}
	if r.SelectedMatches != nil {
		m["selected_matches"] = pairsValue(r.SelectedMatches)
	}
	if r.SelectedHotspot != nil {
		m["selected_hotspot"] = &types.AttributeValueMemberS{Value: *r.SelectedHotspot}
	}
	return &types.AttributeValueMemberM{Value: m}
}

func answerItem(a examsdb.AnswerSelection) map[string]types.AttributeValue {
	item := map[string]types.AttributeValue{
		"PK":                 &types.AttributeValueMemberS{Value: "ATTEMPT#" + a.AttemptID},
		"SK":                 &types.AttributeValueMemberS{Value: "ANSWER#" + a.QuestionID},
		"EntityType":         &types.AttributeValueMemberS{Value: "ANSWER"},
		"attempt_id":         &types.AttributeValueMemberS{Value: a.AttemptID},
		"question_id":        &types.AttributeValueMemberS{Value: a.QuestionID},
		"position":           numberValue(a.Position),
		"reply":              replyValue(a.Reply),
		"display":            &types.AttributeValueMemberS{Value: a.Display},
		"accepted":           &types.AttributeValueMemberBOOL{Value: a.Accepted},
		"is_correct":         &types.AttributeValueMemberBOOL{Value: a.IsCorrect},
		"credit":             &types.AttributeValueMemberN{Value: strconv.FormatFloat(a.Credit, 'f', -1, 64)},
		"time_spent_seconds": numberValue(a.TimeSpentSeconds),
		"answered_at":        timeValue(a.AnsweredAt),
	}
	if a.TTL != nil {
		item["ttl"] = numberValue(a.TTL.Unix())
	}
	return item
}

// An itemReader reads attributes. The first that is not as expected is its error.
type itemReader struct {
	item map[string]types.AttributeValue
	err  error
}

func (r *itemReader) wrong(name string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s cannot be read", name)
	}
}

func (r *itemReader) text(name string) string {
	v, ok := r.item[name].(*types.AttributeValueMemberS)
	if !ok {
		r.wrong(name)
		return ""
	}
	return v.Value
}

func (r *itemReader) texts(name string) []string {
	list, ok := r.item[name].(*types.AttributeValueMemberL)
	if !ok {
		r.wrong(name)
		return nil
	}
	texts := make([]string, len(list.Value))
	for i, v := range list.Value {
		s, ok := v.(*types.AttributeValueMemberS)
		if !ok {
			r.wrong(name)
			return nil
		}
		texts[i] = s.Value
	}
	return texts
}

func (r *itemReader) number(name string) int64 {
	if v, ok := r.item[name].(*types.AttributeValueMemberN); ok {
		if n, err := strconv.ParseInt(v.Value, 10, 64); err == nil {
			return n
		}
	}
	r.wrong(name)
	return 0
}

func (r *itemReader) float(name string) float64 {
	if v, ok := r.item[name].(*types.AttributeValueMemberN); ok {
		if f, err := strconv.ParseFloat(v.Value, 64); err == nil {
			return f
		}
	}
	r.wrong(name)
	return 0
}

func (r *itemReader) truth(name string) bool {
	v, ok := r.item[name].(*types.AttributeValueMemberBOOL)
	if !ok {
		r.wrong(name)
		return false
	}
	return v.Value
}

func (r *itemReader) time(name string) time.Time {
	t, err := time.Parse(handTime, r.text(name))
	if err != nil {
		r.wrong(name)
	}
	return t
}

func (r *itemReader) optionalTime(name string) *time.Time {
	if r.item[name] == nil {
		return nil
	}
	t := r.time(name)
	return &t
}

func (r *itemReader) seconds(name string) time.Time { return time.Unix(r.number(name), 0).UTC() }

func readAttempt(item map[string]types.AttributeValue) (examsdb.Attempt, error) {
	r := itemReader{item: item}
	a := examsdb.Attempt{
		AttemptID:        r.text("attempt_id"),
		CandidateID:      r.text("candidate_id"),
		CandidateEmail:   r.text("candidate_email"),
		ProjectID:        r.text("project_id"),
		ProjectTitle:     r.text("project_title"),
		Mode:             examsdb.AttemptMode(r.text("mode")),
		Difficulty:       examsdb.AttemptDifficulty(r.text("difficulty")),
		Status:           examsdb.AttemptStatus(r.text("status")),
		StartedAt:        r.time("started_at"),
		CompletedAt:      r.time("completed_at"),
		Score:            r.number("score"),
		ScorePercent:     r.float("score_percent"),
		Passed:           r.truth("passed"),
		AnsweredCount:    r.number("answered_count"),
		TotalQuestions:   r.number("total_questions"),
		TimeTakenSeconds: r.number("time_taken_seconds"),
	}
	if item["ttl"] != nil {
		a.TTL = new(r.seconds("ttl"))
	}
	return a, r.err
}

func readSession(item map[string]types.AttributeValue) (examsdb.ExamSession, error) {
	r := itemReader{item: item}
	s := examsdb.ExamSession{
		AttemptID:          r.text("attempt_id"),
		CandidateID:        r.text("candidate_id"),
		AdminID:            r.text("admin_id"),
		ProjectID:          r.text("project_id"),
		Mode:               examsdb.ExamSessionMode(r.text("mode")),
		Difficulty:         examsdb.ExamSessionDifficulty(r.text("difficulty")),
		SecondsPerQuestion: r.number("seconds_per_question"),
		QuestionIDs:        r.texts("question_ids"),
		CurrentPosition:    r.number("current_position"),
		PresentedAt:        r.optionalTime("presented_at"),
		AnsweredCount:      r.number("answered_count"),
		Status:             examsdb.ExamSessionStatus(r.text("status")),
		StartedAt:          r.time("started_at"),
		LastSeenAt:         r.time("last_seen_at"),
		ExpiresAt:          r.time("expires_at"),
		CompletedAt:        r.optionalTime("completed_at"),
		TTL:                r.seconds("ttl"),
	}
	return s, r.err
}
