package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exchange"
	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/images"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/files/fileserve"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/refusal"
)

func (a *api) importOperations() []openapi.Operation {
	return []openapi.Operation{
		openapi.Raw[exambuddy.Admin, byID, Document](a.admin, http.MethodPost, "/v1/admin/projects/{id}/documents", "Upload a file with questions, as the field file of a form", http.StatusAccepted, "multipart/form-data", "", a.upload),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}/documents", "The newest uploaded files", http.StatusOK, a.documents),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}/ingestion", "The state of the newest uploaded file", http.StatusOK, a.ingestion),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}/documents/{document}", "An uploaded file", http.StatusOK, a.uploaded),
		openapi.On(a.admin, http.MethodDelete, "/v1/admin/projects/{id}/documents/{document}", "Delete an uploaded file and what was found in it; imported questions stay", http.StatusNoContent, a.deleteDocument),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}/documents/{document}/drafts", "What was found in a file", http.StatusOK, a.drafts),
		openapi.On(a.admin, http.MethodPut, "/v1/admin/projects/{id}/documents/{document}/drafts/{position}", "Change a found question, or choose what happens to it", http.StatusOK, a.editDraft),
		openapi.On(a.admin, http.MethodPost, "/v1/admin/projects/{id}/documents/{document}/publish", "Import the chosen questions", http.StatusAccepted, a.publishImport),
		openapi.Raw[exambuddy.Admin, exportArguments, None](a.admin, http.MethodGet, "/v1/admin/projects/{id}/export/{format}", "All questions of an exam as a file: json, csv, gift, aiken or qti", http.StatusOK, "", "*/*", a.export),
		openapi.Raw[exambuddy.Admin, None, UploadedImage](a.admin, http.MethodPost, "/v1/admin/images", "Upload an image of a question", http.StatusCreated, "image/*", "", a.uploadImage),
		openapi.Raw[exambuddy.Caller, imageArguments, None](a.signed, http.MethodGet, "/v1/images/{file}", "An image of a question", http.StatusOK, "", "*/*", a.image),
	}
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

func documentOf(d bank.Document) Document {
	return Document{
		ID: d.DocumentID, ProjectID: d.ProjectID, Format: d.Format, Name: d.FileName, Size: d.FileSizeBytes, Status: string(d.Status), Found: d.Found, Valid: d.Valid,
		Duplicates: d.Duplicates, Imported: d.Imported, Problems: texts(d.Problems), Error: d.ErrorMessage, UploadedAt: d.UploadedAt, ProcessedAt: d.ProcessedAt,
	}
}

// upload stores a file and queues its parsing.
func (a *api) upload(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, in byID) error {
	if _, err := a.Domain.Bank.Project(r.Context(), me, in.ID); err != nil {
		return err
	}
	name, kind, content, err := formFile(r)
	if err != nil {
		return err
	}
	format := exchange.Detect(name, content)
	switch {
	case len(content) > bank.MaxDocument:
		return refusal.New(refusal.TooLarge, "FILE_TOO_LARGE", "The file is larger than 10 MB.")
	case len(content) == 0 || format == "":
		return refusal.OfField(refusal.Field{Name: "file", Constraint: "format"}, "This is no PDF, Word, CSV, JSON, GIFT, Aiken or QTI file.")
	case strings.HasSuffix(strings.ToLower(name), ".pdf") && format != exchange.PDF:
		return refusal.OfField(refusal.Field{Name: "file", Constraint: "format"}, "The file has the name of a PDF, but is none.")
	}
	if err := a.Domain.Bank.AllowUpload(r.Context(), me, in.ID); err != nil {
		return err
	}
	key := "uploads/" + exambuddy.NewFileID()
	if _, err := a.Files.Put(r.Context(), key, kind, bytes.NewReader(content), int64(len(content))); err != nil {
		return err
	}
	document, err := a.Domain.Bank.AddDocument(r.Context(), me, in.ID, bank.Upload{Format: string(format), File: key, Name: name, ContentType: kind, Size: int64(len(content))})
	if _, refused := refusal.As(err); refused { // after another error the document may exist
		err = errors.Join(err, a.Files.Delete(r.Context(), key))
	}
	if err != nil {
		return err
	}
	return jsonapi.Write(w, http.StatusAccepted, documentOf(document))
}

// formFile returns the field file of a form.
func formFile(r *http.Request) (name, kind string, content []byte, err error) {
	refused := refusal.OfField(refusal.Field{Name: "file", Constraint: "required"}, "Send the file as the field file of a form (multipart/form-data).")
	form, err := r.MultipartReader()
	if err != nil {
		return "", "", nil, refused
	}
	for {
		part, err := form.NextPart()
		if err != nil {
			return "", "", nil, refused
		}
		if part.FormName() != "file" {
			continue
		}
		content, err := io.ReadAll(io.LimitReader(part, bank.MaxDocument+1))
		if err != nil {
			return "", "", nil, refusal.New(refusal.TooLarge, "FILE_TOO_LARGE", "The file is larger than 10 MB.")
		}
		return part.FileName(), part.Header.Get("Content-Type"), content, nil
	}
}

func (a *api) documents(ctx context.Context, me exambuddy.Admin, in byID) (List[Document], error) {
	all, err := a.Domain.Bank.Documents(ctx, me, in.ID)
	return List[Document]{Items: each(all, documentOf)}, err
}

func (a *api) ingestion(ctx context.Context, me exambuddy.Admin, in byID) (Document, error) {
	all, err := a.Domain.Bank.Documents(ctx, me, in.ID)
	if err == nil && len(all) == 0 {
		err = exambuddy.ErrNoDocument
	}
	if err != nil {
		return Document{}, err
	}
	return documentOf(all[0]), nil
}

type documentArguments struct {
	ID       string `path:"id"`
	Document string `path:"document"`
}

func (a *api) deleteDocument(ctx context.Context, me exambuddy.Admin, in documentArguments) (None, error) {
	return None{}, a.Domain.Bank.DeleteDocument(ctx, me, in.ID, in.Document)
}

func (a *api) uploaded(ctx context.Context, me exambuddy.Admin, in documentArguments) (Document, error) {
	document, err := a.Domain.Bank.Document(ctx, me, in.ID, in.Document)
	return documentOf(document), err
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

func draftOf(d bank.Draft) Draft {
	return Draft{
		Position: d.Position, Question: questionOf(d.Question), Key: keyOf(d.Key), Complete: d.Complete, Page: d.Page, Line: d.Line, Reason: d.Reason, Confidence: d.Confidence,
		Problems: texts(d.Problems), DuplicateOf: d.DuplicateOf, Choice: d.Choice, State: d.State, Version: d.Version,
	}
}

func (a *api) drafts(ctx context.Context, me exambuddy.Admin, in struct {
	ID       string `path:"id"`
	Document string `path:"document"`
	Limit    int    `query:"limit"`
	Cursor   string `query:"cursor"`
}) (List[Draft], error) {
	page, err := a.Domain.Bank.Drafts(ctx, me, in.ID, in.Document, in.Limit, in.Cursor)
	return listOf(page, draftOf), err
}

// A DraftChange replaces a draft.
type DraftChange struct {
	Question Question `json:"question"`
	Key      Key      `json:"key"`
	Choice   string   `json:"choice" enum:"take skip overwrite"`
	Version  int64    `json:"version"`
}

func (a *api) editDraft(ctx context.Context, me exambuddy.Admin, in struct {
	ID       string `path:"id"`
	Document string `path:"document"`
	Position int    `path:"position"`
	Body     DraftChange
}) (Draft, error) {
	q, k := NewQuestion{Question: in.Body.Question, Key: in.Body.Key}.content()
	edited, err := a.Domain.Bank.EditDraft(ctx, me, in.ID, in.Document, in.Position, in.Body.Version, q, k, in.Body.Choice)
	return draftOf(edited), err
}

func (a *api) publishImport(ctx context.Context, me exambuddy.Admin, in documentArguments) (Document, error) {
	document, err := a.Domain.Bank.PublishImport(ctx, me, in.ID, in.Document)
	return documentOf(document), err
}

type exportArguments struct {
	ID     string `path:"id"`
	Format string `path:"format"`
}

// export sends all questions of an exam as a file.
func (a *api) export(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, in exportArguments) error {
	project, err := a.Domain.Bank.Project(r.Context(), me, in.ID)
	if err != nil {
		return err
	}
	var items []draft.Draft
	for cursor := ""; ; {
		page, err := a.Domain.Bank.Questions(r.Context(), me, in.ID, exambuddy.MaxPage, cursor)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			items = append(items, draft.Draft{Question: item.Question, Key: item.Key})
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	format := exchange.Format(in.Format)
	content, _, err := exchange.Export(format, items, func(id string) (string, []byte, error) { return a.Domain.Images.Get(r.Context(), id) })
	if err != nil {
		return err
	}
	ending, mediaType := format.File()
	return send(w, mediaType, project.Title+ending, content)
}

// send sends a file to keep.
func send(w http.ResponseWriter, mediaType, name string, content []byte) error {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Disposition", files.Disposition("attachment", name))
	if _, err := w.Write(content); err != nil {
		return fmt.Errorf("send a file: %w", err)
	}
	return nil
}

// An UploadedImage is a stored image.
type UploadedImage struct {
	File string `json:"file"`
}

// uploadImage stores the body of a request as an image.
func (a *api) uploadImage(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, _ None) error {
	content, err := io.ReadAll(io.LimitReader(r.Body, images.MaxBytes+1))
	if err != nil {
		return fmt.Errorf("read an image: %w", err)
	}
	id, err := a.Domain.Images.Add(r.Context(), me, content)
	if err != nil {
		return err
	}
	return jsonapi.Write(w, http.StatusCreated, UploadedImage{File: id})
}

type imageArguments struct {
	File string `path:"file"`
}

// image serves an image of a question. Its id cannot be guessed.
func (a *api) image(w http.ResponseWriter, r *http.Request, _ exambuddy.Caller, in imageArguments) error {
	key, err := images.Key(in.File)
	if err == nil {
		err = fileserve.Serve(w, r, a.Files, fileserve.File{Key: key, Cache: "private, max-age=86400"})
	}
	if errors.Is(err, files.ErrNotFound) {
		return refusal.New(refusal.NotFound, "", "There is no such image.")
	}
	return err
}
