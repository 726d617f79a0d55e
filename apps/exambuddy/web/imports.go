package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strconv"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exchange"
	"sortkey.dev/apps/exambuddy/images"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/files/fileserve"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// importPages serves uploaded files and the drafts that are found in them.
type importPages struct {
	bank   *bank.Service
	images *images.Service
	files  files.Store
	site   *webkit.Site
}

func (h *importPages) pages() map[string]adminPage {
	return map[string]adminPage{
		"GET /admin/projects/{id}/import":                    h.imports,
		"POST /admin/projects/{id}/import":                   h.upload,
		"GET /admin/projects/{id}/import/{document}":         h.reviewImport,
		"POST /admin/projects/{id}/import/{document}":        h.saveImport,
		"POST /admin/projects/{id}/import/{document}/delete": h.discardImport,
		"GET /admin/projects/{id}/import/{document}/file":    h.importFile,
		"GET /admin/projects/{id}/import/{document}/{n}":     h.editDraft,
		"POST /admin/projects/{id}/import/{document}/{n}":    h.changeDraft,
	}
}

// importsView holds the data of admin-imports.html.
type importsView struct {
	frame
	Form      *webkit.Form
	Documents []bank.Document
}

func (h *importPages) imports(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	return h.showImports(w, r, me, http.StatusOK, webkit.NewForm(nil))
}

func (h *importPages) showImports(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form) error {
	f, err := frameOf(r, h.bank, me, "/import")
	if err != nil {
		return err
	}
	documents, err := h.bank.Documents(r.Context(), me, f.Project.ProjectID)
	if err != nil {
		return err
	}
	h.site.Render(w, r, status, "admin-imports.html", importsView{frame: f, Form: form, Documents: documents})
	return nil
}

// upload stores a file and queues its reading.
func (h *importPages) upload(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r)
	if _, err := h.bank.Project(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	name, kind, content, err := uploaded(r)
	if err != nil {
		return err
	}
	format := exchange.Detect(name, content)
	switch {
	case len(content) == 0:
		form.Fail("file", "Choose a file first.")
	case len(content) > bank.MaxDocument:
		form.Fail("file", "The file is larger than 10 MB.")
	case format == "":
		form.Fail("file", "This is no PDF, Word, CSV, JSON, GIFT, Aiken or QTI file.")
	}
	if !form.Valid() {
		return h.showImports(w, r, me, http.StatusUnprocessableEntity, form)
	}
	up := bank.Upload{Format: string(format), Name: name, ContentType: kind, Repeat: exambuddy.Repeat{Key: uploadKey(form, name, content)}}
	document, err := h.bank.Upload(r.Context(), me, r.PathValue("id"), up, content)
	status := http.StatusUnprocessableEntity
	if _, many := refusal.As(err, refusal.TooMany); many {
		status = http.StatusTooManyRequests
	}
	if failed := form.Refuse(err); failed != nil {
		return failed
	}
	if err != nil {
		return h.showImports(w, r, me, status, form)
	}
	h.site.Redirect(w, r, projectPath(document.ProjectID)+"/import/"+document.DocumentID)
	return nil
}

// uploadKey returns the idempotency key of a form with a file, which Form.Key leaves out; "" if the form has none.
func uploadKey(form *webkit.Form, name string, content []byte) string {
	key := form.Key()
	if key == "" {
		return ""
	}
	sum := sha256.Sum256(content)
	return key + hex.EncodeToString(sum[:]) + name
}

// uploaded returns the file of a form; no content if there is none.
func uploaded(r *http.Request) (name, kind string, content []byte, err error) {
	if r.MultipartForm == nil || len(r.MultipartForm.File["file"]) == 0 {
		return "", "", nil, nil
	}
	header := r.MultipartForm.File["file"][0]
	file, err := header.Open()
	if err != nil {
		return "", "", nil, err
	}
	content, err = io.ReadAll(io.LimitReader(file, bank.MaxDocument+1))
	return header.Filename, header.Header.Get("Content-Type"), content, errors.Join(err, file.Close())
}

// reviewView holds the data of admin-import.html.
type reviewView struct {
	frame
	Form     *webkit.Form
	Document bank.Document
	Drafts   []draftView
	Ready    int
	Needs    int
	Waiting  bool // it is being read or imported
	Beside   bool // the file has pages, which are shown beside the drafts
	Pager    webkit.Pager
}

// A draftView is a draft with what it needs.
type draftView struct {
	bank.Draft
	Right string
	Needs string // what the admin has to do; "" if it is ready
	// Letters reports whether the key can be set on the review page.
	Letters bool
	Many    bool
}

// Chosen reports whether an option is in the key.
func (d draftView) Chosen(id string) bool { return contains(d.Key.Correct, id) }

const sure = 70

func viewDraft(d bank.Draft) draftView {
	v := draftView{Draft: d, Right: question.DescribeKey(d.Question, d.Key), Many: d.Question.Type == question.MultipleResponse}
	switch d.Question.Type {
	case question.SingleChoice, question.MultipleResponse, question.TrueFalse:
		v.Letters = true
	}
	switch {
	case d.Choice == bank.Skip:
	case !d.Complete:
		v.Needs = "No answer key"
	case d.DuplicateOf != "" && d.Choice != bank.Overwrite:
		v.Needs = "Duplicate"
	case d.Confidence < sure:
		v.Needs = "Unsure"
	}
	return v
}

func (h *importPages) reviewImport(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	return h.showReview(w, r, me, http.StatusOK, webkit.NewForm(nil))
}

func (h *importPages) showReview(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form) error {
	f, err := frameOf(r, h.bank, me, "/import")
	if err != nil {
		return err
	}
	view := reviewView{frame: f, Form: form}
	if view.Document, err = h.bank.Document(r.Context(), me, f.Project.ProjectID, r.PathValue("document")); err != nil {
		return err
	}
	view.Beside = exchange.Format(view.Document.Format) == exchange.PDF
	switch view.Document.Status {
	case bank.DocumentUploaded, bank.DocumentProcessing, bank.DocumentPublishing:
		view.Waiting = true
	case bank.DocumentReady:
		page, err := h.bank.Drafts(r.Context(), me, f.Project.ProjectID, view.Document.DocumentID, exambuddy.MaxPage, r.URL.Query().Get("cursor"))
		if err != nil {
			return err
		}
		for _, d := range page.Items {
			v := viewDraft(d)
			view.Drafts = append(view.Drafts, v)
			if v.Needs != "" {
				view.Needs++
			} else {
				view.Ready++
			}
		}
		if page.Next != "" {
			view.Pager = webkit.Pager{Next: r.URL.Path + "?cursor=" + page.Next}
		}
	}
	h.site.Render(w, r, status, "admin-import.html", view)
	return nil
}

// discardImport deletes an uploaded file and its drafts.
func (h *importPages) discardImport(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r)
	err := h.bank.DeleteDocument(r.Context(), me, r.PathValue("id"), r.PathValue("document"))
	if failed := form.Refuse(err); failed != nil {
		return failed
	}
	if err != nil {
		return h.showReview(w, r, me, http.StatusConflict, form)
	}
	h.site.Flash(w, r, webkit.Good, "Deleted. Questions that were imported stay in the exam.")
	h.site.Redirect(w, r, projectPath(r.PathValue("id"))+"/import")
	return nil
}

// saveImport stores the choices for the drafts of a page, and imports them if the admin says so.
func (h *importPages) saveImport(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r)
	project, document := r.PathValue("id"), r.PathValue("document")
	page, err := h.bank.Drafts(r.Context(), me, project, document, exambuddy.MaxPage, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	for _, d := range page.Items {
		n := "-" + strconv.Itoa(d.Position)
		choice, key := form.Value("choice"+n), d.Key
		if viewDraft(d).Letters && form.Has("version"+n) {
			key.Correct = form.Values["key"+n]
		}
		if choice == "" || choice == d.Choice && equal(key.Correct, d.Key.Correct) {
			continue
		}
		version, _ := strconv.ParseInt(form.Value("version"+n), 10, 64)
		_, err := h.bank.EditDraft(r.Context(), me, project, document, d.Position, version, d.Question, key, choice)
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
	}
	if form.Valid() && form.Value("do") == "publish" {
		_, err := h.bank.PublishImport(r.Context(), me, project, document)
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return h.showReview(w, r, me, http.StatusUnprocessableEntity, form)
	}
	h.site.Redirect(w, r, r.URL.RequestURI())
	return nil
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for _, one := range a {
		if !contains(b, one) {
			return false
		}
	}
	return true
}

// importFile shows the uploaded file in the browser's own viewer.
func (h *importPages) importFile(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	document, err := h.bank.Document(r.Context(), me, r.PathValue("id"), r.PathValue("document"))
	if err != nil {
		return err
	}
	return fileserve.Serve(w, r, h.files, fileserve.File{Key: document.ObjectKey, Name: document.FileName, Viewer: true})
}
