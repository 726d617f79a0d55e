// Package privacy is the room of ExamBuddy's domain for the rights of a person over their data: a
// copy of everything about a person, and its deletion. Statistics hold sums without names and stay.
//
// It makes no pages and deletes no account: package accounts of the platform does, and calls Erase in
// the same transaction. The worker deletes the rest through Forget.
package privacy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/learning"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// A Service holds the rules of privacy.
type Service struct {
	env      *exambuddy.Env
	people   *people.Service
	bank     *bank.Service
	sitting  *sitting.Service
	results  *results.Service
	learning *learning.Service
}

// New returns the privacy of an environment.
func New(env *exambuddy.Env, people *people.Service, bank *bank.Service, sitting *sitting.Service, results *results.Service, learning *learning.Service) *Service {
	return &Service{env: env, people: people, bank: bank, sitting: sitting, results: results, learning: learning}
}

// Erase queues the deletion of everything about a person in the transaction that deletes the account.
func (s *Service) Erase(tx access.Tx, account platformdb.Account, _ json.RawMessage) error {
	return s.env.Jobs.AddTo(tx, jobs.Job{ID: exambuddy.JobErase + "/" + account.AccountID, Kind: exambuddy.JobErase, Payload: exambuddy.JobPayload{PersonID: account.AccountID}})
}

// Forget deletes what is left of a person whose account is erased: the profile, running sessions,
// attempts with their papers and answers, certificates, cards, time factors and memberships of groups. The exams
// of an admin are archived. The worker calls it; it can be repeated.
func (s *Service) Forget(ctx context.Context, personID string) error {
	user, err := s.env.DB.GetUserByID(ctx, personID)
	if err == nil {
		err = s.env.DB.DeleteUser(ctx, user.Key(), exambuddydb.DeleteUserParams{Version: user.Version})
	}
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("delete the profile of %s: %w", personID, err)
	}
	active, err := s.env.DB.ListActiveExams(personID).Limit(0).Slice(ctx)
	if err != nil {
		return err
	}
	for _, a := range active {
		err := s.sitting.Cancel(ctx, exambuddy.Candidate{ID: personID}, a.AttemptID)
		if err != nil && !errors.Is(err, exambuddy.ErrOver) && !errors.Is(err, exambuddy.ErrNoSession) {
			return err
		}
	}
	for attempt, err := range s.env.DB.ListAttemptsByCandidate(personID).Limit(0).All(ctx) {
		if err == nil {
			err = s.results.Delete(ctx, attempt)
		}
		if err != nil {
			return fmt.Errorf("delete the attempts of %s: %w", personID, err)
		}
	}
	if err := s.learning.Forget(ctx, personID); err != nil {
		return err
	}
	if err := s.memberships(ctx, personID); err != nil {
		return err
	}
	return s.archive(ctx, personID)
}

func (s *Service) memberships(ctx context.Context, personID string) error {
	for taken, err := range s.env.DB.ListTaken(personID).Limit(0).All(ctx) {
		if err == nil {
			err = s.env.DB.DeleteTaken(ctx, taken.Key())
		}
		if err != nil {
			return err
		}
	}
	for member, err := range s.env.DB.ListGroupsByCandidate(personID).Limit(0).All(ctx) {
		if err == nil {
			err = s.env.DB.RemoveGroupMember(ctx, exambuddydb.RemoveGroupMemberParams{CandidateID: personID, GroupID: member.GroupID, AdminID: member.AdminID})
		}
		if err != nil && !errors.Is(err, access.ErrNotFound) {
			return err
		}
	}
	return s.people.ForgetTimeFactors(ctx, personID)
}

// archive hides the exams of an admin from candidates. Their results belong to candidates, and stay.
func (s *Service) archive(ctx context.Context, personID string) error {
	admin, active := exambuddy.Admin{ID: personID}, false
	for cursor := ""; ; {
		page, err := s.bank.List(ctx, admin, &active, exambuddy.MaxPage, cursor)
		if err != nil {
			return err
		}
		for _, project := range page.Items {
			if _, err := s.bank.Archive(ctx, admin, project.ProjectID); err != nil {
				return fmt.Errorf("archive project %s: %w", project.ProjectID, err)
			}
		}
		if cursor = page.Next; cursor == "" {
			return nil
		}
	}
}
