package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/exchange"
	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/images"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/files/fileserve"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/refusal"
)

// imports serves the operations on files, drafts and images.
type imports struct {
	bank   *bank.Service
	images *images.Service
	files  files.Store
}

func (h *imports) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.HandleRaw(contract.UploadDocument, c.admin, h.upload),
		openapi.Handle(contract.ListDocuments, c.admin, h.list),
		openapi.Handle(contract.GetIngestion, c.admin, h.newest),
		openapi.Handle(contract.GetDocument, c.admin, h.get),
		openapi.Handle(contract.DeleteDocument, c.admin, h.delete),
		openapi.Handle(contract.ListDrafts, c.admin, h.drafts),
		openapi.Handle(contract.EditDraft, c.admin, h.editDraft),
		openapi.Handle(contract.PublishImport, c.admin, h.publish),
		openapi.HandleRaw(contract.Export, c.admin, h.export),
		openapi.HandleRaw(contract.UploadImage, c.admin, h.uploadImage),
		openapi.HandleRaw(contract.GetImage, c.signed, h.image),
	}
}

func documentOf(d bank.Document) contract.Document {
	return contract.Document{
		ID: d.DocumentID, ProjectID: d.ProjectID, Format: d.Format, Name: d.FileName, Size: d.FileSizeBytes, Status: string(d.Status), Found: d.Found, Valid: d.Valid,
		Duplicates: d.Duplicates, Imported: d.Imported, Problems: texts(d.Problems), Error: d.ErrorMessage, UploadedAt: d.UploadedAt, ProcessedAt: d.ProcessedAt,
	}
}

// upload stores a file and queues its parsing.
func (h *imports) upload(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, in operation.ByIDKeyed[operation.Content]) error {
	if _, err := h.bank.Project(r.Context(), me, in.ID); err != nil {
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
	sum := sha256.Sum256(content)
	repeat := repeatOf(in.Key, []string{in.ID, name, hex.EncodeToString(sum[:])})
	document, err := h.bank.Upload(r.Context(), me, in.ID, bank.Upload{Format: string(format), Name: name, ContentType: kind, Repeat: repeat}, content)
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

func (h *imports) list(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.List[contract.Document], error) {
	all, err := h.bank.Documents(ctx, me, in.ID)
	return contract.List[contract.Document]{Items: each(all, documentOf)}, err
}

func (h *imports) newest(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.Document, error) {
	all, err := h.bank.Documents(ctx, me, in.ID)
	if err == nil && len(all) == 0 {
		err = exambuddy.ErrNoDocument
	}
	if err != nil {
		return contract.Document{}, err
	}
	return documentOf(all[0]), nil
}

func (h *imports) delete(ctx context.Context, me exambuddy.Admin, in contract.DocumentOf) (contract.None, error) {
	return contract.None{}, h.bank.DeleteDocument(ctx, me, in.ID, in.Document)
}

func (h *imports) get(ctx context.Context, me exambuddy.Admin, in contract.DocumentOf) (contract.Document, error) {
	document, err := h.bank.Document(ctx, me, in.ID, in.Document)
	return documentOf(document), err
}

func draftOf(d bank.Draft) contract.Draft {
	return contract.Draft{
		Position: d.Position, Question: questionOf(d.Question), Key: keyOf(d.Key), Complete: d.Complete, Page: d.Page, Line: d.Line, Reason: d.Reason, Confidence: d.Confidence,
		Problems: texts(d.Problems), DuplicateOf: d.DuplicateOf, Choice: d.Choice, State: d.State, Version: d.Version,
	}
}

func (h *imports) drafts(ctx context.Context, me exambuddy.Admin, in contract.DraftsOf) (contract.List[contract.Draft], error) {
	page, err := h.bank.Drafts(ctx, me, in.ID, in.Document, in.Limit, in.Cursor)
	return listOf(page, draftOf), err
}

func (h *imports) editDraft(ctx context.Context, me exambuddy.Admin, in contract.DraftEdit) (contract.Draft, error) {
	q, k := contentOf(contract.NewQuestion{Question: in.Body.Question, Key: in.Body.Key})
	edited, err := h.bank.EditDraft(ctx, me, in.ID, in.Document, in.Position, in.Body.Version, q, k, in.Body.Choice)
	return draftOf(edited), err
}

func (h *imports) publish(ctx context.Context, me exambuddy.Admin, in contract.DocumentOf) (contract.Document, error) {
	document, err := h.bank.PublishImport(ctx, me, in.ID, in.Document)
	return documentOf(document), err
}

// export sends all questions of an exam as a file.
func (h *imports) export(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, in contract.ExportOf) error {
	project, err := h.bank.Project(r.Context(), me, in.ID)
	if err != nil {
		return err
	}
	var items []draft.Draft
	for cursor := ""; ; {
		page, err := h.bank.Questions(r.Context(), me, in.ID, exambuddy.MaxPage, cursor)
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
	content, _, err := exchange.Export(format, items, func(id string) (string, []byte, error) { return h.images.Get(r.Context(), id) })
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

// uploadImage stores the body of a request as an image.
func (h *imports) uploadImage(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, _ operation.With[operation.Content]) error {
	content, err := io.ReadAll(io.LimitReader(r.Body, images.MaxBytes+1))
	if err != nil {
		return fmt.Errorf("read an image: %w", err)
	}
	id, err := h.images.Add(r.Context(), me, content)
	if err != nil {
		return err
	}
	return jsonapi.Write(w, http.StatusCreated, contract.UploadedImage{File: id})
}

// image serves an image of a question. Its id cannot be guessed.
func (h *imports) image(w http.ResponseWriter, r *http.Request, _ exambuddy.Caller, in contract.UploadedImageFile) error {
	key, err := images.Key(in.File)
	if err == nil {
		err = fileserve.Serve(w, r, h.files, fileserve.File{Key: key, Cache: "private, max-age=86400"})
	}
	if errors.Is(err, files.ErrNotFound) {
		return refusal.New(refusal.NotFound, "", "There is no such image.")
	}
	return err
}
