package bank

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// MaxDocument is the largest file that can be imported, in bytes.
const MaxDocument = 10 << 20

// An Upload is a file whose questions are to be imported. Upload fills in File and Size.
type Upload struct {
	Format      string // such as pdf, csv, gift
	File        string // the key of the stored file
	Name        string
	ContentType string
	Size        int64
	Repeat      exambuddy.Repeat
}

// A Found is a question that was found in a file.
type Found struct {
	Question   question.Question
	Key        question.Key
	Page, Line int
	Reason     string
	Confidence int
	Problems   []string
}

// A Draft is a found question that waits for the admin.
type Draft struct {
	Position    int
	Question    question.Question
	Key         question.Key
	Complete    bool // the key is complete
	Page, Line  int
	Reason      string
	Confidence  int
	Problems    []string
	DuplicateOf string // the id of the question of the bank with the same text; "" if there is none
	Choice      string // take, skip or overwrite
	State       string
	Version     int64
}

// The choices for a draft.
const (
	Take      = string(exambuddydb.ExtractedQuestionChoiceTake)
	Skip      = string(exambuddydb.ExtractedQuestionChoiceSkip)
	Overwrite = string(exambuddydb.ExtractedQuestionChoiceOverwrite)
)

// uploads limits the files of an admin: their number bounds the storage and the time that is spent on
// reading them. The papers of a course are far below it.
var uploads = limits.Limit{Name: "uploads", Most: exambuddy.MaxUploads, Window: 24 * time.Hour}

// AllowUpload counts an upload to a project. Upload calls it before it stores the file, so that a
// refusal leaves nothing behind.
func (s *Service) AllowUpload(ctx context.Context, admin exambuddy.Admin, projectID string) error {
	if _, err := s.Project(ctx, admin, projectID); err != nil {
		return err
	}
	_, err := s.env.Limits.Allow(ctx, uploads, admin.ID)
	return exambuddy.TooMany(err, "You have uploaded %d files within a day, and cannot upload more now. This file was not stored; your imports and drafts are as they were.", uploads.Most)
}

// Upload stores a file, records it as a document and queues its parsing. A repeated request returns the same document.
func (s *Service) Upload(ctx context.Context, admin exambuddy.Admin, projectID string, up Upload, content []byte) (exambuddydb.ProjectDocument, error) {
	if err := s.AllowUpload(ctx, admin, projectID); err != nil {
		return exambuddydb.ProjectDocument{}, err
	}
	up.File, up.Size = "uploads/"+exambuddy.NewFileID(), int64(len(content))
	if _, err := s.files.Put(ctx, up.File, up.ContentType, bytes.NewReader(content), up.Size); err != nil {
		return exambuddydb.ProjectDocument{}, err
	}
	document, err := s.AddDocument(ctx, admin, projectID, up)
	repeated := err == nil && document.ObjectKey != up.File
	if _, refused := refusal.As(err); refused || repeated { // after another error the document may exist
		err = errors.Join(err, s.files.Delete(ctx, up.File))
	}
	return document, err
}

// AddDocument records an uploaded file and queues its parsing. The same key returns the same document, whose file is
// that of the first call.
func (s *Service) AddDocument(ctx context.Context, admin exambuddy.Admin, projectID string, up Upload) (exambuddydb.ProjectDocument, error) {
	project, err := s.Project(ctx, admin, projectID)
	if err != nil {
		return exambuddydb.ProjectDocument{}, err
	}
	if up.Size < 1 || up.Size > MaxDocument {
		return exambuddydb.ProjectDocument{}, refusal.New(refusal.TooLarge, "FILE_TOO_LARGE", "The file has %d bytes. At most %d are accepted.", up.Size, MaxDocument)
	}
	request := up.Repeat.Request(admin.ID, "upload document to "+projectID)
	id, _, err := receipt.Once(ctx, s.env.Receipts, request, func() (string, error) { return s.addDocument(ctx, admin, project, up, request) })
	if err != nil {
		return exambuddydb.ProjectDocument{}, err
	}
	return s.document(ctx, projectID, id)
}

// addDocument stores a document and its job with the receipt of the request. It returns the id of the document.
func (s *Service) addDocument(ctx context.Context, admin exambuddy.Admin, project exambuddydb.Project, up Upload, request receipt.Request) (string, error) {
	now := s.env.Now()
	document := exambuddydb.ProjectDocument{
		DocumentID: s.env.NewID(now), ProjectID: project.ProjectID, AdminID: project.AdminID, Format: up.Format, ObjectKey: up.File, FileName: up.Name, ContentType: up.ContentType,
		FileSizeBytes: up.Size, Status: exambuddydb.ProjectDocumentStatusUploaded, UploadedBy: admin.ID, UploadedAt: now, TTL: now.Add(exambuddy.KeepDocument),
	}
	tx := s.env.DB.Tx()
	tx.CreateDocument(document)
	s.env.Record(tx, admin.ID, "upload document", document.DocumentID, project.ProjectID, map[string]string{"name": up.Name})
	if err := s.queue(tx, exambuddy.JobParse, document); err != nil {
		return "", err
	}
	if err := s.env.Receipts.Add(tx, request, document.DocumentID); err != nil {
		return "", err
	}
	if err := tx.Commit(ctx); err != nil {
		return "", s.refuse(err, "upload document")
	}
	return document.DocumentID, nil
}

func (s *Service) queue(tx *exambuddydb.Tx, kind string, d exambuddydb.ProjectDocument) error {
	return s.env.Jobs.AddTo(tx, jobs.Job{
		ID: kind + "/" + d.DocumentID, Kind: kind, Payload: exambuddy.JobPayload{ProjectID: d.ProjectID, AdminID: d.AdminID, DocumentID: d.DocumentID},
	})
}

// Document returns a document of a project.
func (s *Service) Document(ctx context.Context, admin exambuddy.Admin, projectID, id string) (exambuddydb.ProjectDocument, error) {
	if _, err := s.Project(ctx, admin, projectID); err != nil {
		return exambuddydb.ProjectDocument{}, err
	}
	return s.document(ctx, projectID, id)
}

func (s *Service) document(ctx context.Context, projectID, id string) (exambuddydb.ProjectDocument, error) {
	if !exambuddy.IsID(id) {
		return exambuddydb.ProjectDocument{}, exambuddy.ErrNoDocument
	}
	document, err := s.env.DB.GetDocument(ctx, projectID, id)
	return document, exambuddy.Missing(err, exambuddy.ErrNoDocument)
}

// Documents returns the newest documents of a project.
func (s *Service) Documents(ctx context.Context, admin exambuddy.Admin, projectID string) ([]exambuddydb.ProjectDocument, error) {
	if _, err := s.Project(ctx, admin, projectID); err != nil {
		return nil, err
	}
	return s.env.DB.ListDocumentsByProject(projectID).Slice(ctx)
}

// DeleteDocument deletes a document that is not being read or imported. Its drafts expire; what was
// imported stays in the bank. The file is deleted when the stream brings the change.
func (s *Service) DeleteDocument(ctx context.Context, admin exambuddy.Admin, projectID, id string) error {
	document, err := s.Document(ctx, admin, projectID, id)
	if err != nil {
		return err
	}
	tx := s.env.DB.Tx()
	tx.DeleteDocument(document.Key())
	s.env.Record(tx, admin.ID, "delete document", id, projectID, map[string]string{"name": document.FileName})
	err = tx.Commit(ctx)
	switch {
	case exambuddy.Changed[exambuddydb.ProjectDocument](err):
		return refusal.New(refusal.Conflict, exambuddy.CodeState, "The file is being worked on. Delete it when that has ended.")
	case err != nil:
		return s.refuse(err, "delete document")
	}
	return nil
}

// Begin marks a document as being parsed, and returns it. The worker calls it; a document that is
// being parsed by a worker that died is returned, too.
func (s *Service) Begin(ctx context.Context, projectID, id string) (document exambuddydb.ProjectDocument, parse bool, err error) {
	document, err = s.env.DB.BeginDocument(ctx, exambuddydb.ProjectDocumentKey{ProjectID: projectID, DocumentID: id})
	if !exambuddy.Changed[exambuddydb.ProjectDocument](err) {
		return document, err == nil, exambuddy.Missing(err, exambuddy.ErrNoDocument)
	}
	document, err = s.document(ctx, projectID, id)
	return document, document.Status == exambuddydb.ProjectDocumentStatusProcessing, err
}

// StoreDrafts keeps what was found in a document for the admin's review. The bank does not change.
func (s *Service) StoreDrafts(ctx context.Context, document exambuddydb.ProjectDocument, found []Found, problems []string) error {
	hashes, err := s.hashes(ctx, document.ProjectID)
	if err != nil {
		return err
	}
	var valid, duplicates int64
	seen := map[string]bool{}
	for i, f := range found {
		draft, ok, err := s.draftOf(document, i+1, f, hashes)
		if err != nil {
			return err
		}
		if ok {
			valid++
		}
		if draft.DuplicateOf != nil || seen[draft.TextHash] {
			duplicates++
			draft.Choice = exambuddydb.ExtractedQuestionChoiceSkip
		}
		seen[draft.TextHash] = true
		if _, err := s.env.DB.SaveDraft(ctx, draft); err != nil && !errors.Is(err, access.ErrExists) {
			return fmt.Errorf("save draft %d of document %s: %w", i+1, document.DocumentID, err)
		}
	}
	now, count := s.env.Now(), int64(len(found))
	_, err = s.env.DB.CompleteDocument(ctx, document.Key(), exambuddydb.CompleteDocumentParams{Found: &count, Valid: &valid, Duplicates: &duplicates, Problems: problems, ProcessedAt: &now})
	if err != nil && !exambuddy.Changed[exambuddydb.ProjectDocument](err) {
		return fmt.Errorf("complete document %s: %w", document.DocumentID, err)
	}
	return nil
}

// hashes returns the questions of a project by the hash of their text.
func (s *Service) hashes(ctx context.Context, projectID string) (map[string]string, error) {
	all := map[string]string{}
	for row, err := range s.env.DB.ListQuestionTable(projectID).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list the questions of project %s: %w", projectID, err)
		}
		all[row.TextHash] = row.QuestionID
	}
	return all, nil
}

func (s *Service) draftOf(document exambuddydb.ProjectDocument, position int, f Found, hashes map[string]string) (exambuddydb.ExtractedQuestion, bool, error) {
	f.Question, f.Key = question.Tidy(f.Question, f.Key)
	question.Identify(&f.Question)
	stored, complete, problems, err := encodeDraft(f.Question, f.Key)
	if err != nil {
		return exambuddydb.ExtractedQuestion{}, false, err
	}
	draft := exambuddydb.ExtractedQuestion{
		DocumentID: document.DocumentID, Position: int64(position), ProjectID: document.ProjectID, Page: int64(f.Page), Line: int64(f.Line), Question: stored.question,
		Solution: stored.solution, Complete: complete, TextHash: question.Hash(f.Question), Confidence: int64(f.Confidence), Reason: f.Reason,
		Problems: append(f.Problems, problems...), Choice: exambuddydb.ExtractedQuestionChoiceTake, State: exambuddydb.ExtractedQuestionStateFound,
		TTL: s.env.Now().Add(exambuddy.KeepDraft),
	}
	if id, ok := hashes[draft.TextHash]; ok {
		draft.DuplicateOf = &id
	}
	valid := question.Check(f.Question) == nil
	if !valid {
		draft.Choice = exambuddydb.ExtractedQuestionChoiceSkip
	}
	return draft, valid, nil
}

type encodedDraft struct{ question, solution json.RawMessage }

type draftKey struct {
	Solution    json.RawMessage `json:"solution"`
	Explanation string          `json:"explanation,omitempty"`
}

type draftQuestion struct {
	exambuddy.Content
	Difficulty question.Difficulty
}

func encodeDraft(q question.Question, k question.Key) (encodedDraft, bool, []string, error) {
	content, err := exambuddy.EncodeQuestion(q)
	if err != nil {
		return encodedDraft{}, false, nil, err
	}
	solution, err := exambuddy.EncodeKey(k)
	if err != nil {
		return encodedDraft{}, false, nil, err
	}
	var out encodedDraft
	if out.question, err = json.Marshal(draftQuestion{content, q.Difficulty}); err != nil {
		return encodedDraft{}, false, nil, err
	}
	if out.solution, err = json.Marshal(draftKey{solution, k.Explanation}); err != nil {
		return encodedDraft{}, false, nil, err
	}
	var problems []string
	for _, err := range []error{question.Check(q), question.CheckKey(q, k)} {
		if refused, ok := refusal.As(err); ok {
			problems = append(problems, refused.Message)
		}
	}
	return out, question.Check(q) == nil && question.CheckKey(q, k) == nil, problems, nil
}

// Fail records that a document could not be parsed. Nothing of it is kept.
func (s *Service) Fail(ctx context.Context, document exambuddydb.ProjectDocument, message string, problems []string) error {
	now := s.env.Now()
	_, err := s.env.DB.FailDocument(ctx, document.Key(), exambuddydb.FailDocumentParams{ErrorMessage: &message, Problems: problems, ProcessedAt: &now})
	if err != nil && !exambuddy.Changed[exambuddydb.ProjectDocument](err) {
		return fmt.Errorf("fail document %s: %w", document.DocumentID, err)
	}
	return nil
}

// Drafts returns the drafts of a document, in the order of the file.
func (s *Service) Drafts(ctx context.Context, admin exambuddy.Admin, projectID, documentID string, limit int, cursor string) (access.Page[Draft], error) {
	if _, err := s.Document(ctx, admin, projectID, documentID); err != nil {
		return access.Page[Draft]{}, err
	}
	page, err := s.env.DB.ListDrafts(documentID).PageSize(exambuddy.Within(limit, exambuddy.MaxPage)).Page(ctx, cursor)
	if err != nil {
		return access.Page[Draft]{}, exambuddy.BadCursor(err)
	}
	out := access.Page[Draft]{Next: page.Next}
	for _, stored := range page.Items {
		draft, err := decodeDraft(stored)
		if err != nil {
			return access.Page[Draft]{}, err
		}
		out.Items = append(out.Items, draft)
	}
	return out, nil
}

// Draft returns a draft of a document by its position.
func (s *Service) Draft(ctx context.Context, admin exambuddy.Admin, projectID, documentID string, position int) (Draft, error) {
	if _, err := s.Document(ctx, admin, projectID, documentID); err != nil {
		return Draft{}, err
	}
	stored, err := s.env.DB.GetDraft(ctx, documentID, int64(position))
	if err != nil {
		return Draft{}, exambuddy.Missing(err, exambuddy.ErrNoDocument)
	}
	return decodeDraft(stored)
}

func decodeDraft(stored exambuddydb.ExtractedQuestion) (Draft, error) {
	d := Draft{
		Position: int(stored.Position), Complete: stored.Complete, Page: int(stored.Page), Line: int(stored.Line), Reason: stored.Reason, Confidence: int(stored.Confidence),
		Problems: stored.Problems, Choice: string(stored.Choice), State: string(stored.State), Version: stored.Version,
	}
	if stored.DuplicateOf != nil {
		d.DuplicateOf = *stored.DuplicateOf
	}
	var q draftQuestion
	var k draftKey
	if err := errors.Join(json.Unmarshal(stored.Question, &q), json.Unmarshal(stored.Solution, &k)); err != nil {
		return Draft{}, fmt.Errorf("decode draft %d: %w", stored.Position, err)
	}
	var err error
	if d.Question, err = q.Question(); err != nil {
		return Draft{}, err
	}
	d.Question.Difficulty = q.Difficulty
	d.Key, err = exambuddy.DecodeKey(k.Solution, k.Explanation)
	return d, err
}

// EditDraft replaces a draft and the choice for it, if the stored version is the one that the admin
// has read.
func (s *Service) EditDraft(ctx context.Context, admin exambuddy.Admin, projectID, documentID string, position int, version int64, q question.Question, k question.Key, choice string) (Draft, error) {
	document, err := s.Document(ctx, admin, projectID, documentID)
	if err != nil {
		return Draft{}, err
	}
	if document.Status != exambuddydb.ProjectDocumentStatusReady {
		return Draft{}, refusal.New(refusal.Conflict, exambuddy.CodeState, "The drafts of this document cannot be changed now.")
	}
	chosen := exambuddydb.ExtractedQuestionChoice(choice)
	if !chosen.Valid() {
		return Draft{}, refusal.OfField(refusal.Field{Name: "choice", Constraint: "allowed", Allowed: []string{Take, Skip, Overwrite}}, "Choose take, skip or overwrite.")
	}
	q, k = question.Tidy(q, k)
	question.Identify(&q)
	if err := question.Check(q); err != nil && chosen != exambuddydb.ExtractedQuestionChoiceSkip {
		return Draft{}, err
	}
	stored, complete, problems, err := encodeDraft(q, k)
	if err != nil {
		return Draft{}, err
	}
	hashes, err := s.hashes(ctx, projectID)
	if err != nil {
		return Draft{}, err
	}
	params := exambuddydb.EditDraftParams{Question: stored.question, Solution: stored.solution, Complete: complete, TextHash: question.Hash(q), Problems: problems, Choice: chosen, Version: version}
	if id, ok := hashes[params.TextHash]; ok {
		params.DuplicateOf = &id
	}
	edited, err := s.env.DB.EditDraft(ctx, exambuddydb.ExtractedQuestionKey{DocumentID: documentID, Position: int64(position)}, params)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return Draft{}, refusal.New(refusal.NotFound, "", "There is no such draft.")
	case err != nil:
		return Draft{}, s.refuse(err, "edit draft")
	}
	return decodeDraft(edited)
}
