package api

import (
	"context"
	"net/http"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/internal/openapi"
)

func (a *api) projectOperations() []openapi.Operation {
	state := func(name, summary string, do func(ctx context.Context, me exambuddy.Admin, id string) (bank.Project, error)) openapi.Operation {
		return openapi.On(a.admin, http.MethodPost, "/v1/admin/projects/{id}/"+name, summary, http.StatusOK, func(ctx context.Context, me exambuddy.Admin, in byID) (Project, error) {
			p, err := do(ctx, me, in.ID)
			return projectOf(p), err
		})
	}
	return []openapi.Operation{
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects", "Own exams, newest first", http.StatusOK, a.projects),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/shared", "Exams of others that the caller edits", http.StatusOK, a.sharedProjects),
		openapi.On(a.admin, http.MethodPost, "/v1/admin/projects", "Create an exam as a draft", http.StatusCreated, a.createProject),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}", "An exam", http.StatusOK, a.project),
		openapi.On(a.admin, http.MethodPut, "/v1/admin/projects/{id}", "Change the settings of an exam", http.StatusOK, a.editProject),
		openapi.On(a.admin, http.MethodDelete, "/v1/admin/projects/{id}", "Delete an exam that was archived ten minutes ago", http.StatusNoContent, a.deleteProject),
		state("publish", "Show an exam to candidates", a.Domain.Bank.Publish),
		state("unpublish", "Make an exam a draft", a.Domain.Bank.Unpublish),
		state("archive", "Hide an exam", a.Domain.Bank.Archive),
		state("restore", "Make an archived exam a draft", a.Domain.Bank.Restore),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}/editors", "Who edits an exam besides its owner", http.StatusOK, a.editors),
		openapi.On(a.admin, http.MethodPost, "/v1/admin/projects/{id}/editors", "Let another admin edit an exam", http.StatusNoContent, a.addEditor),
		openapi.On(a.admin, http.MethodDelete, "/v1/admin/projects/{id}/editors/{editor}", "End the access of an editor", http.StatusNoContent, a.removeEditor),
	}
}

// Rules holds the rules of an exam.
type Rules struct {
	Practice       bool       `json:"practice"`
	Navigation     string     `json:"navigation" enum:"forward free"`
	Offline        string     `json:"offline" enum:"strict tolerant"`
	Reveal         string     `json:"reveal" enum:"submit close never"`
	Overdue        string     `json:"overdue" enum:"submit discard"`
	Certificates   bool       `json:"certificates"`
	ExamCount      *int64     `json:"examCount,omitempty"`
	ExamDifficulty *string    `json:"examDifficulty,omitempty"`
	MaxAttempts    *int64     `json:"maxAttempts,omitempty"`
	OpensAt        *time.Time `json:"opensAt,omitempty"`
	LastStartAt    *time.Time `json:"lastStartAt,omitempty"`
	ClosesAt       *time.Time `json:"closesAt,omitempty"`
	Groups         []string   `json:"groups,omitempty"`
}

// A Project is an exam.
type Project struct {
	ID            string     `json:"id"`
	AdminID       string     `json:"adminId"`
	Title         string     `json:"title"`
	Description   string     `json:"description"`
	Status        string     `json:"status"`
	Archived      bool       `json:"archived"`
	QuestionCount int64      `json:"questionCount"`
	KeyedCount    int64      `json:"keyedCount"` // questions with an answer key
	PassMark      int64      `json:"passMark"`   // per cent
	Rules         Rules      `json:"rules"`
	PublishedAt   *time.Time `json:"publishedAt,omitempty"`
	CreatedAt     time.Time  `json:"createdAt"`
	UpdatedAt     time.Time  `json:"updatedAt"`
	Version       int64      `json:"version"`
}

func projectOf(p bank.Project) Project {
	return Project{
		ID: p.ProjectID, AdminID: p.AdminID, Title: p.Title, Description: p.Description, Status: string(p.Status), Archived: p.Archived, QuestionCount: p.QuestionCount,
		KeyedCount: p.KeyedCount, PassMark: p.PassMark, Rules: Rules(p.Rules), PublishedAt: p.PublishedAt, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt, Version: p.Version,
	}
}

func (a *api) projects(ctx context.Context, me exambuddy.Admin, in struct {
	Archived *bool  `query:"archived"`
	Limit    int    `query:"limit"`
	Cursor   string `query:"cursor"`
}) (List[Project], error) {
	page, err := a.Domain.Bank.List(ctx, me, in.Archived, in.Limit, in.Cursor)
	return listOf(page, projectOf), err
}

func (a *api) sharedProjects(ctx context.Context, me exambuddy.Admin, _ None) (List[Project], error) {
	all, err := a.Domain.Bank.Shared(ctx, me)
	return List[Project]{Items: each(all, projectOf)}, err
}

// A NewProject holds the settings of an exam. Without rules it has those of a new exam.
type NewProject struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	PassMark    *int   `json:"passMark,omitempty"`
	Rules       *Rules `json:"rules,omitempty"`
	// Version is the version that the caller has read; it is required for a change.
	Version int64 `json:"version,omitempty"`
}

func (in NewProject) settings() bank.Settings {
	s := bank.Settings{Title: in.Title, Description: in.Description, PassMark: exambuddy.DefaultPassMark, Rules: bank.DefaultRules()}
	if in.PassMark != nil {
		s.PassMark = *in.PassMark
	}
	if in.Rules != nil {
		s.Rules = bank.Rules(*in.Rules)
	}
	return s
}

func (a *api) createProject(ctx context.Context, me exambuddy.Admin, in struct{ Body NewProject }) (Project, error) {
	p, err := a.Domain.Bank.Create(ctx, me, in.Body.settings())
	return projectOf(p), err
}

func (a *api) project(ctx context.Context, me exambuddy.Admin, in byID) (Project, error) {
	p, err := a.Domain.Bank.Project(ctx, me, in.ID)
	return projectOf(p), err
}

func (a *api) editProject(ctx context.Context, me exambuddy.Admin, in struct {
	ID   string `path:"id"`
	Body NewProject
}) (Project, error) {
	p, err := a.Domain.Bank.Edit(ctx, me, in.ID, in.Body.Version, in.Body.settings())
	return projectOf(p), err
}

func (a *api) deleteProject(ctx context.Context, me exambuddy.Admin, in byID) (None, error) {
	return None{}, a.Domain.Bank.Delete(ctx, me, in.ID)
}

// An Editor is an admin who edits an exam of another one.
type Editor struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
}

func (a *api) editors(ctx context.Context, me exambuddy.Admin, in byID) (List[Editor], error) {
	project, err := a.Domain.Bank.Project(ctx, me, in.ID)
	if err != nil {
		return List[Editor]{}, err
	}
	all, err := a.Domain.Bank.Editors(ctx, me, project)
	return List[Editor]{Items: each(all, func(e bank.Editor) Editor { return Editor{e.EditorID, e.Email, e.Name} })}, err
}

// An Address names a person.
type Address struct {
	Email string `json:"email"`
}

type addressOf struct {
	ID   string `path:"id"`
	Body Address
}

func (a *api) addEditor(ctx context.Context, me exambuddy.Admin, in addressOf) (None, error) {
	editor, err := a.Domain.People.Admin(ctx, in.Body.Email)
	if err != nil {
		return None{}, err
	}
	return None{}, a.Domain.Bank.AddEditor(ctx, me, in.ID, editor)
}

func (a *api) removeEditor(ctx context.Context, me exambuddy.Admin, in struct {
	ID     string `path:"id"`
	Editor string `path:"editor"`
}) (None, error) {
	return None{}, a.Domain.Bank.RemoveEditor(ctx, me, in.ID, in.Editor)
}
