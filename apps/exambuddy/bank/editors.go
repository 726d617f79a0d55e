package bank

import (
	"context"
	"errors"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/internal/refusal"
)

// AddEditor lets another admin edit a project. It is no error if the admin is an editor.
func (s *Service) AddEditor(ctx context.Context, admin exambuddy.Admin, id string, editor exambuddy.Admin) error {
	project, err := s.owned(ctx, admin, id)
	if err != nil {
		return err
	}
	if editor.ID == project.AdminID {
		return nil
	}
	present, err := s.env.DB.ListProjectEditors(id).Slice(ctx)
	if err != nil {
		return err
	}
	if len(present) >= exambuddy.MaxEditors {
		return refusal.New(refusal.Conflict, "", "An exam has at most %d editors.", exambuddy.MaxEditors)
	}
	tx := s.env.DB.Tx()
	tx.AddProjectEditor(exambuddydb.ProjectEditor{ProjectID: id, EditorID: editor.ID, AdminID: project.AdminID, Email: editor.Email, Name: editor.Name, AddedAt: s.env.Now()})
	s.env.Record(tx, admin.ID, "add editor", editor.ID, id, nil)
	if err := tx.Commit(ctx); err != nil && !errors.Is(err, access.ErrExists) {
		return s.refuse(err, "add editor")
	}
	return nil
}

// RemoveEditor ends the access of an editor. It is no error if the admin is none.
func (s *Service) RemoveEditor(ctx context.Context, admin exambuddy.Admin, id, editor string) error {
	if _, err := s.owned(ctx, admin, id); err != nil {
		return err
	}
	tx := s.env.DB.Tx()
	tx.RemoveProjectEditor(exambuddydb.ProjectEditorKey{EditorID: editor, ProjectID: id})
	s.env.Record(tx, admin.ID, "remove editor", editor, id, nil)
	if err := tx.Commit(ctx); err != nil && !errors.Is(err, access.ErrNotFound) {
		return s.refuse(err, "remove editor")
	}
	return nil
}

// Editors returns the editors of a project besides its owner.
func (s *Service) Editors(ctx context.Context, _ exambuddy.Admin, project exambuddydb.Project) ([]exambuddydb.ProjectEditor, error) {
	return s.env.DB.ListProjectEditors(project.ProjectID).Slice(ctx)
}
