package operators

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/callbacks"
	"sortkey.dev/apps/internal/refusal"
)

// maxInspected is the maximum number of answers of an inspection; further answers did not count.
const maxInspected = 100

// An Inspection holds everything that is known of a question.
type Inspection struct {
	Question   askahumandb.Question
	Answers    []askahumandb.Response // including those that do not count
	More       bool                   // there are more answers
	Deliveries []callbacks.Delivery
	Reports    []Report
	Agent      *askahumandb.Agent // nil if nothing is stored about it
}

// Inspect returns everything that is known of a question.
func (s *Service) Inspect(ctx context.Context, questionID string) (Inspection, error) {
	question, err := s.questions.Question(ctx, questionID)
	if err != nil {
		return Inspection{}, err
	}
	all := Inspection{Question: question}
	if all.Answers, err = s.env.DB.ListResponses(questionID).Limit(maxInspected).Slice(ctx); err != nil {
		return Inspection{}, fmt.Errorf("read the answers of a question: %w", err)
	}
	all.More = len(all.Answers) == maxInspected
	if all.Deliveries, err = s.callbacks.Deliveries(ctx, questionID); err != nil {
		return Inspection{}, fmt.Errorf("read the deliveries of a question: %w", err)
	}
	if all.Reports, err = s.env.DB.ListReports(questionID).Slice(ctx); err != nil {
		return Inspection{}, fmt.Errorf("read the reports of a question: %w", err)
	}
	agent, known, err := s.questions.FindAgent(ctx, question.AgentID)
	if known {
		all.Agent = &agent
	}
	return all, err
}

// ErrUnknownPerson refuses a hash that no stored person has.
var ErrUnknownPerson = refusal.New(refusal.NotFound, "", "There is no such person here. Come from one of their answers, or give the whole hash.")

// ShortHash is the length to which operators' pages shorten the hash of a person.
const ShortHash = 8

// Person returns the statistics of a person by the hash, or by a shortened hash and a question
// that the person answered or reported.
func (s *Service) Person(ctx context.Context, hash, questionID string) (askahumandb.UserStats, error) {
	if len(hash) < ShortHash {
		return askahumandb.UserStats{}, ErrUnknownPerson
	}
	if questionID != "" {
		whole, err := s.wholeHash(ctx, hash, questionID)
		if err != nil {
			return askahumandb.UserStats{}, err
		}
		hash = whole
	}
	stats, err := s.env.DB.GetUserStats(ctx, hash)
	switch {
	case errors.Is(err, access.ErrNotFound) && questionID == "":
		return stats, ErrUnknownPerson
	case errors.Is(err, access.ErrNotFound): // has reported, but never answered
		return askahumandb.UserStats{FingerprintHash: hash, Standing: askahumandb.UserStatsStandingGood}, nil
	}
	return stats, err
}

// wholeHash completes a shortened hash among the people related to a question.
func (s *Service) wholeHash(ctx context.Context, short, questionID string) (string, error) {
	for response, err := range s.env.DB.ListResponses(questionID).Limit(0).All(ctx) {
		if err != nil {
			return "", err
		}
		if strings.HasPrefix(response.FingerprintHash, short) {
			return response.FingerprintHash, nil
		}
	}
	for report, err := range s.env.DB.ListReports(questionID).Limit(0).All(ctx) {
		if err != nil {
			return "", err
		}
		if strings.HasPrefix(report.FingerprintHash, short) && !FromOperator(report) {
			return report.FingerprintHash, nil
		}
	}
	return "", ErrUnknownPerson
}
