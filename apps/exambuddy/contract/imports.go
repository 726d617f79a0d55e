package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of files, drafts and images.
var (
	UploadDocument = operation.Post[operation.ByIDKeyed[operation.Content], Document]("/v1/admin/projects/{id}/documents", "Upload a file with questions, as the field file of a form").Takes("multipart/form-data").Accepted()
	ListDocuments  = operation.Get[operation.ByID, List[Document]]("/v1/admin/projects/{id}/documents", "The newest uploaded files")
	GetIngestion   = operation.Get[operation.ByID, Document]("/v1/admin/projects/{id}/ingestion", "The state of the newest uploaded file")
	GetDocument    = operation.Get[DocumentOf, Document]("/v1/admin/projects/{id}/documents/{document}", "An uploaded file")
	DeleteDocument = operation.Delete[DocumentOf, None]("/v1/admin/projects/{id}/documents/{document}", "Delete an uploaded file and what was found in it; imported questions stay")
	ListDrafts     = operation.Get[DraftsOf, List[Draft]]("/v1/admin/projects/{id}/documents/{document}/drafts", "What was found in a file")
	EditDraft      = operation.Put[DraftEdit, Draft]("/v1/admin/projects/{id}/documents/{document}/drafts/{position}", "Change a found question, or choose what happens to it")
	PublishImport  = operation.Post[DocumentOf, Document]("/v1/admin/projects/{id}/documents/{document}/publish", "Import the chosen questions").Accepted()
	Export         = operation.Get[ExportOf, operation.File]("/v1/admin/projects/{id}/export/{format}", "All questions of an exam as a file: json, csv, gift, aiken or qti").Sends("*/*")
	UploadImage    = operation.Post[operation.With[operation.Content], UploadedImage]("/v1/admin/images", "Upload an image of a question").Takes("image/*").Created()
	GetImage       = operation.Get[UploadedImageFile, operation.File]("/v1/images/{file}", "An image of a question").Sends("*/*")
)

// A DocumentOf names an uploaded file of an exam.
type DocumentOf struct {
	ID       string `path:"id"`
	Document string `path:"document"`
}

// DraftsOf holds the arguments of ListDrafts.
type DraftsOf struct {
	ID       string `path:"id"`
	Document string `path:"document"`
	Limit    int    `query:"limit"`
	Cursor   string `query:"cursor"`
}

// A DraftEdit holds the arguments of EditDraft.
type DraftEdit struct {
	ID       string `path:"id"`
	Document string `path:"document"`
	Position int    `path:"position"`
	Body     DraftChange
}

// An ExportOf names an exam and the format of its file.
type ExportOf struct {
	ID     string `path:"id"`
	Format string `path:"format"`
}

// An UploadedImageFile names an image.
type UploadedImageFile struct {
	File string `path:"file"`
}

// A Document is an uploaded file.
type Document struct {
	ID          string     `json:"id"`
	ProjectID   string     `json:"projectId"`
	Format      string     `json:"format"`
	Name        string     `json:"name"`
	Size        int64      `json:"size"`
	Status      string     `json:"status"`
	Found       *int64     `json:"found,omitempty"`
	Valid       *int64     `json:"valid,omitempty"`
	Duplicates  *int64     `json:"duplicates,omitempty"`
	Imported    *int64     `json:"imported,omitempty"`
	Problems    []string   `json:"problems"`
	Error       *string    `json:"error,omitempty"`
	UploadedAt  time.Time  `json:"uploadedAt"`
	ProcessedAt *time.Time `json:"processedAt,omitempty"`
}

// A Draft is a question that was found in a file.
type Draft struct {
	Position    int      `json:"position"`
	Question    Question `json:"question"`
	Key         Key      `json:"key"`
	Complete    bool     `json:"complete"`
	Page        int      `json:"page,omitempty"`
	Line        int      `json:"line,omitempty"`
	Reason      string   `json:"reason"`
	Confidence  int      `json:"confidence"`
	Problems    []string `json:"problems"`
	DuplicateOf string   `json:"duplicateOf,omitempty"`
	Choice      string   `json:"choice" enum:"take skip overwrite"`
	State       string   `json:"state"`
	Version     int64    `json:"version"`
}

// A DraftChange replaces a draft.
type DraftChange struct {
	Question Question `json:"question"`
	Key      Key      `json:"key"`
	Choice   string   `json:"choice" enum:"take skip overwrite"`
	Version  int64    `json:"version"`
}

// An UploadedImage is a stored image.
type UploadedImage struct {
	File string `json:"file"`
}
