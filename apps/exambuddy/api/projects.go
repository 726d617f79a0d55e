package api

import (
	"context"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
)

// projects serves the operations on exams.
type projects struct {
	bank   *bank.Service
	people *people.Service
}

func (h *projects) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.ListProjects, c.admin, h.list),
		openapi.Handle(contract.ListSharedProjects, c.admin, h.shared),
		openapi.Handle(contract.CreateProject, c.admin, h.create),
		openapi.Handle(contract.GetProject, c.admin, h.get),
		openapi.Handle(contract.EditProject, c.admin, h.edit),
		openapi.Handle(contract.DeleteProject, c.admin, h.delete),
		openapi.Handle(contract.Publish, c.admin, stateOf(h.bank.Publish)),
		openapi.Handle(contract.Unpublish, c.admin, stateOf(h.bank.Unpublish)),
		openapi.Handle(contract.Archive, c.admin, stateOf(h.bank.Archive)),
		openapi.Handle(contract.Restore, c.admin, stateOf(h.bank.Restore)),
		openapi.Handle(contract.ListEditors, c.admin, h.editors),
		openapi.Handle(contract.AddEditor, c.admin, h.addEditor),
		openapi.Handle(contract.RemoveEditor, c.admin, h.removeEditor),
	}
}

// stateOf returns the handler of an operation that changes the state of an exam.
func stateOf(change func(ctx context.Context, me exambuddy.Admin, id string) (bank.Project, error)) func(context.Context, exambuddy.Admin, operation.ByID) (contract.Project, error) {
	return func(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.Project, error) {
		p, err := change(ctx, me, in.ID)
		return projectOf(p), err
	}
}

func projectOf(p bank.Project) contract.Project {
	return contract.Project{
		ID: p.ProjectID, AdminID: p.AdminID, Title: p.Title, Description: p.Description, Status: string(p.Status), Archived: p.Archived, QuestionCount: p.QuestionCount,
		KeyedCount: p.KeyedCount, PassMark: p.PassMark, Rules: contract.Rules(p.Rules), PublishedAt: p.PublishedAt, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt, Version: p.Version,
	}
}

func (h *projects) list(ctx context.Context, me exambuddy.Admin, in contract.ProjectFilter) (contract.List[contract.Project], error) {
	page, err := h.bank.List(ctx, me, in.Archived, in.Limit, in.Cursor)
	return listOf(page, projectOf), err
}

func (h *projects) shared(ctx context.Context, me exambuddy.Admin, _ contract.None) (contract.List[contract.Project], error) {
	all, err := h.bank.Shared(ctx, me)
	return contract.List[contract.Project]{Items: each(all, projectOf)}, err
}

func settingsOf(in contract.NewProject) bank.Settings {
	s := bank.Settings{Title: in.Title, Description: in.Description, PassMark: exambuddy.DefaultPassMark, Rules: bank.DefaultRules()}
	if in.PassMark != nil {
		s.PassMark = *in.PassMark
	}
	if in.Rules != nil {
		s.Rules = bank.Rules(*in.Rules)
	}
	return s
}

func (h *projects) create(ctx context.Context, me exambuddy.Admin, in operation.Keyed[contract.NewProject]) (contract.Project, error) {
	settings := settingsOf(in.Body)
	settings.Repeat = repeatOf(in.Key, in)
	p, err := h.bank.Create(ctx, me, settings)
	return projectOf(p), err
}

func (h *projects) get(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.Project, error) {
	p, err := h.bank.Project(ctx, me, in.ID)
	return projectOf(p), err
}

func (h *projects) edit(ctx context.Context, me exambuddy.Admin, in operation.ByIDWith[contract.NewProject]) (contract.Project, error) {
	p, err := h.bank.Edit(ctx, me, in.ID, in.Body.Version, settingsOf(in.Body))
	return projectOf(p), err
}

func (h *projects) delete(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.bank.Delete(ctx, me, in.ID)
}

func (h *projects) editors(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.List[contract.Editor], error) {
	project, err := h.bank.Project(ctx, me, in.ID)
	if err != nil {
		return contract.List[contract.Editor]{}, err
	}
	all, err := h.bank.Editors(ctx, me, project)
	return contract.List[contract.Editor]{Items: each(all, func(e bank.Editor) contract.Editor {
		return contract.Editor{ID: e.EditorID, Email: e.Email, Name: e.Name}
	})}, err
}

func (h *projects) addEditor(ctx context.Context, me exambuddy.Admin, in operation.ByIDWith[contract.Address]) (contract.None, error) {
	editor, err := h.people.Admin(ctx, in.Body.Email)
	if err != nil {
		return contract.None{}, err
	}
	return contract.None{}, h.bank.AddEditor(ctx, me, in.ID, editor)
}

func (h *projects) removeEditor(ctx context.Context, me exambuddy.Admin, in contract.EditorOf) (contract.None, error) {
	return contract.None{}, h.bank.RemoveEditor(ctx, me, in.ID, in.Editor)
}
