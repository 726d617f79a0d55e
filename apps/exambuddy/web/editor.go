package web

import (
	"context"
	"errors"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/images"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/web/questionform"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// editorView holds the data of admin-question.html.
type editorView struct {
	frame
	Title         string
	Back          webkit.Link
	Form          *webkit.Form
	ID            string // of a stored question; "" for a new question and for a draft
	Kind          questionform.Kind
	Kinds         []webkit.Option
	CanChangeKind bool
	CanAddAnother bool
	Rows, Spare   []int // those that are shown, and further ones
	Difficulties  []webkit.Option
	Schemes       []webkit.Option
	Box           []boxField
	Asked         asked
	Stale         *bank.Item // as it is now, if another admin changed it
	Limits        struct{ Text, Passage, Option, Explanation, Alt int }
}

// A boxField is a field of a region.
type boxField struct{ Name, Label string }

// Field returns the value of a field of a row.
func (v editorView) Field(name string, row int) string {
	return v.Form.Value(name + "-" + strconv.Itoa(row))
}

// Fields returns all values of a field of a row.
func (v editorView) Fields(name string, row int) []string {
	return v.Form.Values[name+"-"+strconv.Itoa(row)]
}

// Right reports whether a row is marked as right.
func (v editorView) Right(row int) bool { return contains(v.Form.Values["correct"], strconv.Itoa(row)) }

// Also reports whether a row is accepted besides the right one.
func (v editorView) Also(row int) bool { return contains(v.Form.Values["also"], strconv.Itoa(row)) }

// More reports whether the further fields of a row hold something.
func (v editorView) More(row int) bool {
	for _, name := range []string{"last", "other-last", "low", "high", "choices", "accents", "punctuation"} {
		if v.Field(name, row) != "" {
			return true
		}
	}
	n := strconv.Itoa(row)
	return v.Also(row) || v.Form.Value(questionform.SlotRow+n+"-id") != "" || v.Form.Value(questionform.SlotOther+n+"-id") != ""
}

// Images lists the slots of images to show: those that are filled, and an empty one.
func (v editorView) Images(slot string) []int {
	var all []int
	for i := range question.MaxImages {
		all = append(all, i)
		if v.Form.Value(slot+strconv.Itoa(i)+"-id") == "" {
			break
		}
	}
	return all
}

func kindOptions() []webkit.Option {
	var all []webkit.Option
	for _, k := range questionform.Kinds() {
		all = append(all, webkit.Option{Value: k.Name, Text: k.Label})
	}
	return all
}

func (h *questionPages) newQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	kind := questionform.KindOf(r.URL.Query().Get("kind"))
	form := webkit.NewForm(url.Values{"kind": {kind.Name}, "difficulty": {string(question.Medium)}})
	if kind.Type == question.TrueFalse {
		form.Values.Set("row-0", "True")
		form.Values.Set("row-1", "False")
	}
	return h.showEditor(w, r, me, http.StatusOK, form, nil)
}

func (h *questionPages) editQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	item, err := h.bank.Question(r.Context(), me, r.PathValue("id"), r.PathValue("question"))
	if err != nil {
		return err
	}
	return h.showEditor(w, r, me, http.StatusOK, itemForm(item), nil)
}

// itemForm returns the form of a stored question.
func itemForm(item bank.Item) *webkit.Form {
	form := webkit.NewForm(questionform.Values(item.Question, item.Key))
	form.Values.Set("version", strconv.FormatInt(item.Version, 10))
	return form
}

// showEditor renders the editor of a new or a stored question.
func (h *questionPages) showEditor(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form, stale *bank.Item) error {
	f, err := frameOf(r, h.bank, me, "")
	if err != nil {
		return err
	}
	view := editorView{frame: f, Title: "Edit a question", Back: webkit.Link{Href: projectPath(f.Project.ProjectID), Text: f.Project.Title}, Form: form, ID: r.PathValue("question"), Stale: stale}
	if view.ID == "" {
		view.Title, view.CanChangeKind, view.CanAddAnother = "New question", true, true
	}
	view.fill()
	h.site.Render(w, r, status, "admin-question.html", view)
	return nil
}

// fill fills in what follows from the form.
func (v *editorView) fill() {
	v.Kind, v.Kinds, v.Difficulties = questionform.KindOf(v.Form.Value("kind")), kindOptions(), difficultyOptions()
	v.Box = []boxField{{"x", "Left"}, {"y", "Top"}, {"w", "Width"}, {"h", "Height"}}
	q, _ := questionform.Read(v.Form.Values)
	v.Asked = ask(q, question.Answer{}, false)
	v.Limits.Text, v.Limits.Passage, v.Limits.Option = question.MaxText, question.MaxPassage, question.MaxOption
	v.Limits.Explanation, v.Limits.Alt = question.MaxExplanation, question.MaxAlt
	shown := questionform.Rows(v.Form.Values)
	for row := range v.Kind.Rows {
		if row < shown {
			v.Rows = append(v.Rows, row)
		} else {
			v.Spare = append(v.Spare, row)
		}
	}
	for _, scheme := range v.Kind.Type.Schemes() {
		option := webkit.Option{Value: string(scheme), Text: schemeNames[scheme]}
		if scheme == question.Exact {
			option.Value = "" // as it is stored
		}
		v.Schemes = append(v.Schemes, option)
	}
}

var schemeNames = map[question.Scheme]string{
	question.Exact: "All or nothing", question.RightMinusWrong: "Right minus wrong parts", question.EveryDecision: "Share of right decisions",
	question.Halves: "Half for one error, a quarter for two", question.ByPosition: "Share of items at their place", question.ByNeighbours: "Share of neighbours in order",
}

// preview shows the question of a form as candidates see it.
func (h *questionPages) preview(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	f, err := frameOf(r, h.bank, me, "")
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	q, _ := questionform.Read(form.Values)
	h.site.Render(w, r, http.StatusOK, "admin-preview.html", editorView{frame: f, Asked: ask(q, question.Answer{}, false)})
	return nil
}

func (h *questionPages) addQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r)
	q, k, err := readEditor(r, h.images, me, form)
	if err != nil {
		return err
	}
	if form.Valid() {
		_, err := h.bank.Add(r.Context(), me, r.PathValue("id"), q, k, exambuddy.Repeat{Key: form.Key()})
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return h.showEditor(w, r, me, http.StatusUnprocessableEntity, form, nil)
	}
	return h.questionSaved(w, r, form, q, k)
}

// questionSaved says what was saved, and goes back to the exam or to another new question.
func (h *questionPages) questionSaved(w http.ResponseWriter, r *http.Request, form *webkit.Form, q question.Question, k question.Key) error {
	if question.CheckKey(q, k) != nil {
		h.site.Flash(w, r, webkit.Warn, "Saved without a complete answer key. The exam cannot be published until it has one.")
	} else {
		h.site.Flash(w, r, webkit.Good, "Saved.")
	}
	to := projectPath(r.PathValue("id"))
	if form.Value("do") == "another" {
		to += "/questions/new?kind=" + questionform.KindOf(form.Value("kind")).Name
	}
	h.site.Redirect(w, r, to)
	return nil
}

func (h *questionPages) changeQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r)
	q, k, err := readEditor(r, h.images, me, form)
	if err != nil {
		return err
	}
	if form.Valid() {
		version, _ := strconv.ParseInt(form.Value("version"), 10, 64)
		_, err = h.bank.Change(r.Context(), me, r.PathValue("id"), r.PathValue("question"), version, q, k)
		if stale, ok := errors.AsType[*bank.StaleError](err); ok {
			form.Fail("", exambuddy.ErrChanged.Message)
			form.Values.Set("version", strconv.FormatInt(stale.Current.Version, 10))
			return h.showEditor(w, r, me, http.StatusConflict, form, &stale.Current)
		}
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return h.showEditor(w, r, me, http.StatusUnprocessableEntity, form, nil)
	}
	return h.questionSaved(w, r, form, q, k)
}

func (h *questionPages) deleteQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	if err := h.bank.Remove(r.Context(), me, r.PathValue("id"), r.PathValue("question")); err != nil {
		return err
	}
	h.site.Flash(w, r, webkit.Good, "Deleted. Results that had it keep their copy.")
	h.site.Redirect(w, r, projectPath(r.PathValue("id")))
	return nil
}

// readEditor reads the question and the key of a form. Uploaded images are stored first.
func readEditor(r *http.Request, store *images.Service, me exambuddy.Admin, form *webkit.Form) (question.Question, question.Key, error) {
	if r.MultipartForm != nil {
		for _, name := range slices.Sorted(maps.Keys(r.MultipartForm.File)) {
			slot, ok := strings.CutSuffix(name, questionform.FileSuffix)
			if header := r.MultipartForm.File[name]; ok && len(header) > 0 && header[0].Size > 0 {
				id, err := storeImage(r.Context(), store, me, name, header[0])
				if failed := form.Refuse(err); failed != nil {
					return question.Question{}, question.Key{}, failed
				}
				if err == nil {
					questionform.Uploaded(form.Values, slot, id)
				}
			}
		}
	}
	q, k := questionform.Read(form.Values)
	return q, k, nil
}

// storeImage stores an uploaded image, and returns its id. A refusal is one of the form's field.
func storeImage(ctx context.Context, store *images.Service, me exambuddy.Admin, field string, header *multipart.FileHeader) (string, error) {
	file, err := header.Open()
	if err != nil {
		return "", err
	}
	content, err := io.ReadAll(io.LimitReader(file, images.MaxBytes+1))
	if err := errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	id, err := store.Add(ctx, me, content)
	if refused, ok := refusal.As(err); ok {
		err = refusal.OfField(refusal.Field{Name: field}, "%s", refused.Message)
	}
	return id, err
}

// imageFile returns the function that reads stored images for an export.
func (h *questionPages) imageFile(ctx context.Context) func(id string) (string, []byte, error) {
	return func(id string) (string, []byte, error) { return h.images.Get(ctx, id) }
}
