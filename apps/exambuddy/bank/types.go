package bank

import "sortkey.dev/apps/exambuddy/exambuddydb"

// The types of exams for doors, which do not import the database.
type (
	Project        = exambuddydb.Project
	Status         = exambuddydb.ProjectStatus
	Rules          = exambuddydb.Rules
	Editor         = exambuddydb.ProjectEditor
	Document       = exambuddydb.ProjectDocument
	DocumentStatus = exambuddydb.ProjectDocumentStatus
)

// The states of a project besides a draft.
const (
	StatusPublished = exambuddydb.ProjectStatusPublished
	StatusArchived  = exambuddydb.ProjectStatusArchived
)

// The states of a document.
const (
	DocumentUploaded   = exambuddydb.ProjectDocumentStatusUploaded
	DocumentProcessing = exambuddydb.ProjectDocumentStatusProcessing
	DocumentReady      = exambuddydb.ProjectDocumentStatusReady
	DocumentFailed     = exambuddydb.ProjectDocumentStatusFailed
	DocumentPublishing = exambuddydb.ProjectDocumentStatusPublishing
	DocumentCompleted  = exambuddydb.ProjectDocumentStatusCompleted
)
