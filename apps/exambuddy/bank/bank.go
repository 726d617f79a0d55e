// Package bank is the room of ExamBuddy's domain for exams and their questions: projects with
// their rules, questions of all types with their keys, imports with drafts, and what papers are
// drawn from.
//
// It knows no sessions and no results. Package sitting draws papers from it; the doors call it for
// admins.
package bank

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/refusal"
)

// A Service holds the rules of the bank.
type Service struct {
	env   *exambuddy.Env
	files files.Store

	mu    sync.Mutex
	pools map[string]*Pool
}

// New returns the bank of an environment. Uploaded files are kept in a store.
func New(env *exambuddy.Env, store files.Store) *Service {
	return &Service{env: env, files: store, pools: map[string]*Pool{}}
}

// Project returns a project that an admin owns or edits. The error is exambuddy.ErrNoProject if
// there is none.
func (s *Service) Project(ctx context.Context, admin exambuddy.Admin, id string) (exambuddydb.Project, error) {
	if !exambuddy.IsID(id) {
		return exambuddydb.Project{}, exambuddy.ErrNoProject
	}
	project, err := s.env.DB.GetProject(ctx, admin.ID, id)
	if !errors.Is(err, access.ErrNotFound) {
		return project, err
	}
	shared, err := s.env.DB.GetProjectEditor(ctx, admin.ID, id)
	if err != nil {
		return exambuddydb.Project{}, exambuddy.Missing(err, exambuddy.ErrNoProject)
	}
	project, err = s.env.DB.GetProject(ctx, shared.AdminID, id)
	return project, exambuddy.Missing(err, exambuddy.ErrNoProject)
}

// Published returns a published project by its id. It is read from the table, so an archived
// project is not found at once. The error is exambuddy.ErrNoProject if there is none.
func (s *Service) Published(ctx context.Context, id string) (exambuddydb.Project, error) {
	project, err := s.ByID(ctx, id)
	if err != nil {
		return exambuddydb.Project{}, err
	}
	if project.Status != exambuddydb.ProjectStatusPublished {
		return exambuddydb.Project{}, exambuddy.ErrNoProject
	}
	return project, nil
}

// ByID returns a project in any state by its id.
func (s *Service) ByID(ctx context.Context, id string) (exambuddydb.Project, error) {
	if !exambuddy.IsID(id) {
		return exambuddydb.Project{}, exambuddy.ErrNoProject
	}
	found, err := s.env.DB.GetProjectByID(ctx, id)
	if err != nil {
		return exambuddydb.Project{}, exambuddy.Missing(err, exambuddy.ErrNoProject)
	}
	project, err := s.env.DB.GetProject(ctx, found.AdminID, id)
	return project, exambuddy.Missing(err, exambuddy.ErrNoProject)
}

// owned returns a project of which the admin is the owner.
func (s *Service) owned(ctx context.Context, admin exambuddy.Admin, id string) (exambuddydb.Project, error) {
	project, err := s.Project(ctx, admin, id)
	if err == nil && project.AdminID != admin.ID {
		err = refusal.New(refusal.Forbidden, "", "Only the owner of the exam can do this.")
	}
	return project, err
}

// commit sends a change of a project with its audit event, and returns the project as it is then.
func (s *Service) commit(ctx context.Context, tx *exambuddydb.Tx, admin exambuddy.Admin, project exambuddydb.Project, action string, detail map[string]string) (exambuddydb.Project, error) {
	s.env.Record(tx, admin.ID, action, project.ProjectID, project.ProjectID, detail)
	if err := tx.Commit(ctx); err != nil {
		return exambuddydb.Project{}, s.refuse(err, action)
	}
	return s.env.DB.GetProject(ctx, project.AdminID, project.ProjectID)
}

// refuse turns a failed condition of a write into a refusal.
func (s *Service) refuse(err error, action string) error {
	var taken *access.TakenError
	switch {
	case errors.As(err, &taken):
		return exambuddy.ErrDuplicate
	case exambuddy.Stale(err):
		return exambuddy.ErrChanged
	case exambuddy.Changed[exambuddydb.Project](err), exambuddy.Changed[exambuddydb.AnswerKey](err), exambuddy.Changed[exambuddydb.ProjectDocument](err):
		return refusal.New(refusal.Conflict, exambuddy.CodeState, "This is in another state now. Load it again.")
	case errors.Is(err, access.ErrNotFound):
		return exambuddy.ErrNoProject
	}
	return fmt.Errorf("%s: %w", action, err)
}
