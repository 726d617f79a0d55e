package questions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/jobs"
)

// An Ask is a question as an agent submits it.
type Ask struct {
	AgentID        string
	Prompt         string
	Context        string // what a person needs to know to answer; may be empty
	Type           string
	Options        []string
	Audience       []string       // general if there is none
	Required       *int           // answers wanted; DefaultResponses if nil
	Timeout        *time.Duration // DefaultTimeout if nil
	Language       string
	IdempotencyKey string
	CallbackURL    string // is notified of the end of the question; may be empty
}

// Submitted is the result of Submit.
type Submitted struct {
	Question askahumandb.Question
	// Repeated reports that the idempotency key was used before, and that Question is the earlier
	// one.
	Repeated bool
	// CallbackSecret verifies deliveries to the callback URL; "" without one.
	CallbackSecret string
}

// Submit stores a question and queues the search for people who answer it.
func (s *Service) Submit(ctx context.Context, ask Ask) (Submitted, error) {
	ask, err := ask.checked()
	if err != nil {
		return Submitted{}, err
	}
	if err := s.checkReachable(ask); err != nil {
		return Submitted{}, err
	}
	submitted, err := s.submit(ctx, ask)
	if err != nil {
		return Submitted{}, err
	}
	if !submitted.Repeated {
		s.env.Count(askahuman.MetricSubmitted, 1)
	}
	if submitted.Question.CallbackURL != nil {
		if submitted.CallbackSecret, err = s.CallbackSecret(ctx, ask.AgentID); err != nil {
			return Submitted{}, err
		}
	}
	return submitted, nil
}

// submit retries until the question is stored, found or refused. Each attempt uses what the
// previous ones found out, such as that the agent has to be created first.
func (s *Service) submit(ctx context.Context, ask Ask) (Submitted, error) {
	swept := false
	var taken *askahumandb.IdempotencyKey
	var submitted Submitted
	err := access.RetryOnConflict(ctx, func() (again bool, err error) {
		question := s.newQuestion(ask)
		err = s.store(ctx, ask, question, taken)
		submitted.Question = question
		if err == nil {
			return false, nil
		}
		if askahuman.Changed[askahumandb.IdempotencyKey](err) {
			if taken, err = s.conflictingKey(ctx, ask, err); err != nil {
				return false, err
			}
			if taken == nil || !s.env.Now().Before(taken.ValidUntil) {
				return true, nil
			}
			submitted, err = s.repeated(ctx, ask, *taken)
			return false, err
		}
		return s.resolveAgentConflict(ctx, ask.AgentID, &swept, err)
	})
	return submitted, err
}

// store writes the question with everything that belongs to it. taken is an expired idempotency
// key to replace.
func (s *Service) store(ctx context.Context, ask Ask, q askahumandb.Question, taken *askahumandb.IdempotencyKey) error {
	tx := s.env.DB.Tx()
	validUntil := q.CreatedAt.Add(askahuman.IdempotencyTime)
	switch {
	case ask.IdempotencyKey == "":
		tx.SubmitQuestion(askahumandb.SubmitQuestionParams{Question: q})
	case taken != nil:
		tx.SubmitQuestionAgain(askahumandb.SubmitQuestionAgainParams{
			Question: q, KeyHash: s.keyHash(ask), BodyHash: s.bodyHash(ask),
			ValidUntil: validUntil, TTL: validUntil, Now: q.CreatedAt,
		})
	default:
		tx.SubmitQuestionOnce(askahumandb.SubmitQuestionOnceParams{Question: q, IdempotencyKey: askahumandb.IdempotencyKey{
			AgentID: ask.AgentID, KeyHash: s.keyHash(ask), BodyHash: s.bodyHash(ask),
			QuestionID: q.QuestionID, ValidUntil: validUntil, TTL: validUntil,
		}})
	}
	for _, job := range searches(q) {
		if err := s.env.Jobs.AddTo(tx, job); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// conflictingKey returns the idempotency key that made a submission fail; nil if it has been
// deleted since.
func (s *Service) conflictingKey(ctx context.Context, ask Ask, failed error) (*askahumandb.IdempotencyKey, error) {
	var unmet *access.ConditionError[askahumandb.IdempotencyKey]
	if errors.As(failed, &unmet) && unmet.Current != nil {
		return unmet.Current, nil
	}
	// Not every DynamoDB returns the conflicting item.
	key, err := s.env.DB.GetIdempotencyKey(ctx, ask.AgentID, s.keyHash(ask))
	if errors.Is(err, access.ErrNotFound) {
		return nil, nil
	}
	return &key, err
}

// repeated returns the result for an ask whose idempotency key was used before.
func (s *Service) repeated(ctx context.Context, ask Ask, key askahumandb.IdempotencyKey) (Submitted, error) {
	if key.BodyHash != s.bodyHash(ask) {
		return Submitted{}, askahuman.ErrKeyReused
	}
	question, err := s.Question(ctx, key.QuestionID)
	return Submitted{Question: question, Repeated: true}, err
}

// resolveAgentConflict creates a missing agent, and otherwise returns why it may not ask. At the
// quota it first expires overdue questions, because they still count.
func (s *Service) resolveAgentConflict(ctx context.Context, id string, swept *bool, failed error) (again bool, err error) {
	var unmet *access.ConditionError[askahumandb.Agent]
	if !errors.As(failed, &unmet) {
		return false, failed
	}
	var agent askahumandb.Agent
	if unmet.Current != nil {
		agent = *unmet.Current
	} else if agent, err = s.registered(ctx, id); err != nil {
		return false, err
	}
	switch {
	case agent.Standing == askahumandb.AgentStandingBanned:
		return false, askahuman.ErrBanned
	case agent.OpenQuestions < askahuman.MaxOpenQuestions:
		return true, nil
	case *swept:
		return false, askahuman.ErrQuota
	}
	*swept = true
	freed, err := s.expireOverdue(ctx, id)
	if err == nil && freed == 0 {
		err = askahuman.ErrQuota
	}
	return true, err
}

// newQuestion returns the question of a validated ask.
func (s *Service) newQuestion(ask Ask) askahumandb.Question {
	now := s.env.Now().Truncate(time.Millisecond) // as exact as it is stored
	id := access.NewULID(now)
	return askahumandb.Question{
		QuestionID:        id,
		Part:              s.env.Part(id),
		Day:               access.DateOf(now),
		Status:            askahumandb.QuestionStatusOpen,
		Prompt:            ask.Prompt,
		Context:           askahuman.UnlessEmpty(ask.Context),
		Type:              askahumandb.QuestionType(ask.Type),
		Options:           ask.Options,
		Audience:          ask.Audience,
		Language:          askahuman.UnlessEmpty(ask.Language),
		RequiredResponses: int64(*ask.Required),
		LastSlot:          int64(*ask.Required) - 1,
		AgentID:           ask.AgentID,
		CallbackURL:       askahuman.UnlessEmpty(ask.CallbackURL),
		CreatedAt:         now,
		ExpiresAt:         now.Add(*ask.Timeout).Truncate(time.Millisecond),
	}
}

// searches returns the jobs that find people for a question: one now, and one later in case
// answers are missing by then.
func searches(q askahumandb.Question) []jobs.Job {
	id, due := nextCatchUp(q, q.CreatedAt)
	payload := askahuman.JobPayload{QuestionID: q.QuestionID}
	return []jobs.Job{
		{ID: "dispatch-" + q.QuestionID, Kind: askahuman.JobDispatch, Payload: payload, Due: q.CreatedAt},
		{ID: id, Kind: askahuman.JobCatchUp, Payload: payload, Due: due},
	}
}

// nextCatchUp returns the first scheduled catch-up search after a time and the id of its job. The
// schedule depends on the question alone, so that concurrent callers queue the same job.
func nextCatchUp(q askahumandb.Question, after time.Time) (jobID string, due time.Time) {
	first := q.CreatedAt.Add(min(askahuman.CatchUpAfter, q.ExpiresAt.Sub(q.CreatedAt)/2))
	if after.Before(first) {
		return "catchup-" + q.QuestionID, first
	}
	due = first.Add((after.Sub(first)/askahuman.CatchUpAfter + 1) * askahuman.CatchUpAfter)
	return catchUpID(q, due), due
}

// catchUpID returns the id of a catch-up job.
func catchUpID(q askahumandb.Question, due time.Time) string {
	return "catchup-" + q.QuestionID + "-" + strconv.FormatInt(due.Unix(), 36)
}

// CatchUpJob returns the next catch-up job of a question; nil if the question expires before.
func (s *Service) CatchUpJob(q askahumandb.Question) *jobs.Job {
	id, due := nextCatchUp(q, s.env.Now())
	if !due.Before(q.ExpiresAt) {
		return nil
	}
	return &jobs.Job{ID: id, Kind: askahuman.JobCatchUp, Payload: askahuman.JobPayload{QuestionID: q.QuestionID}, Due: due}
}

func (s *Service) keyHash(ask Ask) string {
	return s.env.Box.Hash("idempotency key", ask.AgentID, ask.IdempotencyKey)
}

// bodyHash returns a hash of a validated ask without its key. Defaults are filled in, so an
// omitted value and its default hash alike.
func (s *Service) bodyHash(ask Ask) string {
	ask.IdempotencyKey = ""
	body, err := json.Marshal(ask)
	if err != nil { // texts and numbers can always be written
		panic(fmt.Sprintf("askahuman: write an ask: %v", err))
	}
	return s.env.Box.Hash("ask", string(body))
}
