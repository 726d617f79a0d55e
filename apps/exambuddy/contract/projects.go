package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of exams.
var (
	ListProjects       = operation.Get[ProjectFilter, List[Project]]("/v1/admin/projects", "Own exams, newest first")
	ListSharedProjects = operation.Get[None, List[Project]]("/v1/admin/projects/shared", "Exams of others that the caller edits")
	CreateProject      = operation.Post[operation.Keyed[NewProject], Project]("/v1/admin/projects", "Create an exam as a draft").Created()
	GetProject         = operation.Get[operation.ByID, Project]("/v1/admin/projects/{id}", "An exam")
	EditProject        = operation.Put[operation.ByIDWith[NewProject], Project]("/v1/admin/projects/{id}", "Change the settings of an exam")
	DeleteProject      = operation.Delete[operation.ByID, None]("/v1/admin/projects/{id}", "Delete an exam that was archived ten minutes ago")
	Publish            = operation.Post[operation.ByID, Project]("/v1/admin/projects/{id}/publish", "Show an exam to candidates")
	Unpublish          = operation.Post[operation.ByID, Project]("/v1/admin/projects/{id}/unpublish", "Make an exam a draft")
	Archive            = operation.Post[operation.ByID, Project]("/v1/admin/projects/{id}/archive", "Hide an exam")
	Restore            = operation.Post[operation.ByID, Project]("/v1/admin/projects/{id}/restore", "Make an archived exam a draft")
	ListEditors        = operation.Get[operation.ByID, List[Editor]]("/v1/admin/projects/{id}/editors", "Who edits an exam besides its owner")
	AddEditor          = operation.Post[operation.ByIDWith[Address], None]("/v1/admin/projects/{id}/editors", "Let another admin edit an exam")
	RemoveEditor       = operation.Delete[EditorOf, None]("/v1/admin/projects/{id}/editors/{editor}", "End the access of an editor")
)

// A ProjectFilter holds the arguments of ListProjects.
type ProjectFilter struct {
	Archived *bool  `query:"archived"`
	Limit    int    `query:"limit"`
	Cursor   string `query:"cursor"`
}

// An EditorOf names an editor of an exam.
type EditorOf struct {
	ID     string `path:"id"`
	Editor string `path:"editor"`
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

// A NewProject holds the settings of an exam. Without rules it has those of a new exam.
type NewProject struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	PassMark    *int   `json:"passMark,omitempty"`
	Rules       *Rules `json:"rules,omitempty"`
	// Version is the version that the caller has read; it is required for a change.
	Version int64 `json:"version,omitempty"`
}

// An Editor is an admin who edits an exam of another one.
type Editor struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
}

// An Address names a person.
type Address struct {
	Email string `json:"email"`
}
