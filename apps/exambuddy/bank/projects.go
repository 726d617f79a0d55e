package bank

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// Create creates a project as a draft. The same key creates it once and returns it as it is now.
func (s *Service) Create(ctx context.Context, admin exambuddy.Admin, in Settings) (exambuddydb.Project, error) {
	in.Title = strings.TrimSpace(in.Title)
	if err := in.check(); err != nil {
		return exambuddydb.Project{}, err
	}
	request := in.Repeat.Request(admin.ID, "create project")
	id, _, err := receipt.Once(ctx, s.env.Receipts, request, func() (string, error) { return s.create(ctx, admin, in, request) })
	if err != nil {
		return exambuddydb.Project{}, err
	}
	return s.Project(ctx, admin, id)
}

// create stores a project with the receipt of the request. It returns its id.
func (s *Service) create(ctx context.Context, admin exambuddy.Admin, in Settings, request receipt.Request) (string, error) {
	now := s.env.Now()
	project := exambuddydb.Project{
		ProjectID: s.env.NewID(now), AdminID: admin.ID, Title: in.Title, Description: in.Description, Status: exambuddydb.ProjectStatusDraft,
		PassMark: int64(in.PassMark), Rules: in.Rules, CreatedAt: now, UpdatedAt: now,
	}
	tx := s.env.DB.Tx()
	tx.CreateProject(project)
	s.env.Record(tx, admin.ID, "create project", project.ProjectID, project.ProjectID, map[string]string{"title": in.Title})
	if err := s.env.Receipts.Add(tx, request, project.ProjectID); err != nil {
		return "", err
	}
	if err := tx.Commit(ctx); err != nil {
		return "", s.refuse(err, "create project")
	}
	return project.ProjectID, nil
}

// List returns the projects that an admin owns, newest first. Archived selects archived or active
// ones; nil selects all. A project that was archived a moment ago may be in the wrong selection.
func (s *Service) List(ctx context.Context, admin exambuddy.Admin, archived *bool, limit int, cursor string) (access.Page[exambuddydb.Project], error) {
	list := s.env.DB.ListProjectsByAdmin(admin.ID)
	if archived != nil {
		list = s.env.DB.ListProjectsByArchived(admin.ID, *archived)
	}
	page, err := list.PageSize(exambuddy.Within(limit, exambuddy.PageSize)).Page(ctx, cursor)
	return page, exambuddy.BadCursor(err)
}

// Shared returns the projects of others that an admin edits.
func (s *Service) Shared(ctx context.Context, admin exambuddy.Admin) ([]exambuddydb.Project, error) {
	var all []exambuddydb.Project
	for shared, err := range s.env.DB.ListEditedProjects(admin.ID).All(ctx) {
		if err != nil {
			return nil, err
		}
		project, err := s.env.DB.GetProject(ctx, shared.AdminID, shared.ProjectID)
		if errors.Is(err, access.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, project)
	}
	return all, nil
}

// Edit changes the settings of a project, if the stored version is the one that the admin has
// read. A running session keeps the rules of its start. If the answers were never shown and are now, the
// attempts so far get their cards.
func (s *Service) Edit(ctx context.Context, admin exambuddy.Admin, id string, version int64, in Settings) (exambuddydb.Project, error) {
	project, err := s.Project(ctx, admin, id)
	if err != nil {
		return exambuddydb.Project{}, err
	}
	in.Title = strings.TrimSpace(in.Title)
	if err := in.check(); err != nil {
		return exambuddydb.Project{}, err
	}
	tx := s.env.DB.Tx()
	tx.EditProject(project.Key(), exambuddydb.EditProjectParams{
		Title: in.Title, Description: in.Description, PassMark: int64(in.PassMark), Rules: in.Rules, UpdatedAt: s.env.Now(), Version: version,
	})
	if RevealAt(project.Rules, project.CreatedAt) == nil && RevealAt(in.Rules, project.CreatedAt) != nil {
		err := s.env.Jobs.AddTo(tx, jobs.Job{
			ID: fmt.Sprintf("%s/%s/%d", exambuddy.JobRelearn, id, version), Kind: exambuddy.JobRelearn, Payload: exambuddy.JobPayload{ProjectID: id},
		})
		if err != nil {
			return exambuddydb.Project{}, err
		}
	}
	return s.commit(ctx, tx, admin, project, "edit project", map[string]string{"title": in.Title})
}

// Publish makes a project visible to candidates. It needs a question, and a key for every question.
func (s *Service) Publish(ctx context.Context, admin exambuddy.Admin, id string) (exambuddydb.Project, error) {
	project, err := s.Project(ctx, admin, id)
	if err != nil {
		return exambuddydb.Project{}, err
	}
	switch {
	case project.Status == exambuddydb.ProjectStatusPublished:
		return project, nil
	case project.Status == exambuddydb.ProjectStatusArchived:
		return exambuddydb.Project{}, refusal.New(refusal.Conflict, exambuddy.CodeState, "The exam is archived. Restore it first.")
	case project.QuestionCount == 0:
		return exambuddydb.Project{}, refusal.New(refusal.Conflict, exambuddy.CodeNotReady, "The exam has no questions.")
	case project.KeyedCount < project.QuestionCount:
		return exambuddydb.Project{}, refusal.New(refusal.Conflict, exambuddy.CodeNotReady, "%d of %d questions have no answer. Add their answers first.", project.QuestionCount-project.KeyedCount, project.QuestionCount)
	case len(project.Importing) > 0:
		return exambuddydb.Project{}, refusal.New(refusal.Conflict, exambuddy.CodeNotReady, "An import is being published. Try again when it is complete.")
	}
	now := s.env.Now()
	tx := s.env.DB.Tx()
	tx.PublishProject(project.Key(), project.CreatedAt, exambuddydb.PublishProjectParams{PublishedAt: &now, UpdatedAt: now, Version: project.Version})
	return s.commit(ctx, tx, admin, project, "publish project", nil)
}

// Unpublish makes a project a draft again. Running sessions go on.
func (s *Service) Unpublish(ctx context.Context, admin exambuddy.Admin, id string) (exambuddydb.Project, error) {
	project, err := s.Project(ctx, admin, id)
	if err != nil || project.Status == exambuddydb.ProjectStatusDraft {
		return project, err
	}
	tx := s.env.DB.Tx()
	tx.UnpublishProject(project.Key(), exambuddydb.UnpublishProjectParams{UpdatedAt: s.env.Now(), Version: project.Version})
	return s.commit(ctx, tx, admin, project, "unpublish project", nil)
}

// Archive hides a project. No start succeeds after it; running sessions go on.
func (s *Service) Archive(ctx context.Context, admin exambuddy.Admin, id string) (exambuddydb.Project, error) {
	project, err := s.Project(ctx, admin, id)
	if err != nil || project.Archived {
		return project, err
	}
	now := s.env.Now()
	tx := s.env.DB.Tx()
	tx.ArchiveProject(project.Key(), exambuddydb.ArchiveProjectParams{ArchivedAt: &now, UpdatedAt: now, Version: project.Version})
	return s.commit(ctx, tx, admin, project, "archive project", nil)
}

// Restore makes an archived project a draft.
func (s *Service) Restore(ctx context.Context, admin exambuddy.Admin, id string) (exambuddydb.Project, error) {
	project, err := s.Project(ctx, admin, id)
	if err != nil || !project.Archived {
		return project, err
	}
	tx := s.env.DB.Tx()
	tx.RestoreProject(project.Key(), exambuddydb.RestoreProjectParams{UpdatedAt: s.env.Now(), Version: project.Version})
	return s.commit(ctx, tx, admin, project, "restore project", nil)
}

// Delete deletes an archived project with its questions. It is refused while a session runs, and
// within exambuddy.DeleteAfter of the archiving, when a start may be under way. Attempts stay.
func (s *Service) Delete(ctx context.Context, admin exambuddy.Admin, id string) error {
	project, err := s.owned(ctx, admin, id)
	if err != nil {
		return err
	}
	now := s.env.Now()
	if project.ArchivedAt == nil || now.Sub(*project.ArchivedAt) < exambuddy.DeleteAfter {
		return refusal.New(refusal.Conflict, exambuddy.CodeState, "Archive the exam first. It can be deleted ten minutes later.")
	}
	sitting, err := s.env.DB.ListSittings(id).Limit(1).Slice(ctx)
	if err != nil {
		return err
	}
	if len(sitting) > 0 {
		return refusal.New(refusal.Conflict, exambuddy.CodeActive, "A candidate is sitting this exam.")
	}
	for q, err := range s.env.DB.ListQuestionsByProject(id).Limit(0).All(ctx) {
		if err == nil {
			err = s.remove(ctx, admin, project, q)
		}
		if err != nil {
			return fmt.Errorf("delete the questions of project %s: %w", id, err)
		}
	}
	return s.deleteEmpty(ctx, admin, project)
}

func (s *Service) deleteEmpty(ctx context.Context, admin exambuddy.Admin, project exambuddydb.Project) error {
	now := s.env.Now()
	tx := s.env.DB.Tx()
	tx.DeleteProject(project.Key(), exambuddydb.DeleteProjectParams{Version: project.Version, TenMinutesAgo: now.Add(-exambuddy.DeleteAfter)})
	s.env.Record(tx, admin.ID, "delete project", project.ProjectID, project.ProjectID, map[string]string{"title": project.Title})
	if err := tx.Commit(ctx); err != nil {
		return s.refuse(err, "delete project")
	}
	if err := s.env.DB.DeleteProjectStat(ctx, exambuddydb.ProjectStatKey{AdminID: project.AdminID, ProjectID: project.ProjectID}); err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("delete the totals of project %s: %w", project.ProjectID, err)
	}
	editors, err := s.Editors(ctx, admin, project)
	if err != nil {
		return err
	}
	for _, e := range editors {
		if err := s.env.DB.RemoveProjectEditor(ctx, e.Key()); err != nil && !errors.Is(err, access.ErrNotFound) {
			return fmt.Errorf("remove an editor of project %s: %w", project.ProjectID, err)
		}
	}
	return nil
}

// Catalogue returns the published projects that a candidate of some groups may see, newest first.
// A project without a question that can be drawn is left out.
func (s *Service) Catalogue(ctx context.Context, groups []string, limit int, cursor string) (access.Page[exambuddydb.Project], error) {
	page, err := s.env.DB.ListPublishedProjects().PageSize(exambuddy.Within(limit, exambuddy.PageSize)).Page(ctx, cursor)
	if err != nil {
		return page, exambuddy.BadCursor(err)
	}
	page.Items = slices.DeleteFunc(page.Items, func(p exambuddydb.Project) bool { return p.QuestionCount == 0 || !Visible(p, groups) })
	return page, nil
}

// Visible reports whether candidates of some groups may see a project.
func Visible(p exambuddydb.Project, groups []string) bool {
	if len(p.Rules.Groups) == 0 {
		return true
	}
	return slices.ContainsFunc(p.Rules.Groups, func(id string) bool { return slices.Contains(groups, id) })
}
