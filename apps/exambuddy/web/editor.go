package web

import (
	"bytes"
	"errors"
	"image"
	_ "image/gif" // formats of images
	_ "image/jpeg"
	_ "image/png"
	"io"
	"net/http"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webkit"
)

// editorView holds the data of admin-question.html.
type editorView struct {
	frame
	Form         *webkit.Form
	ID           string // "" for a new question
	Kind         kind
	Kinds        []webkit.Option
	Rows         []int
	Difficulties []webkit.Option
	Schemes      []webkit.Option
	Asked        asked
	Stale        *bank.Item // as it is now, if another admin changed it
	Limits       struct{ Text, Passage, Option, Explanation int }
}

// Field returns the value of a field of a row.
func (v editorView) Field(name string, row int) string {
	return v.Form.Value(name + "-" + strconv.Itoa(row))
}

// Right reports whether a row is marked as right.
func (v editorView) Right(row any) bool {
	text, _ := row.(string)
	if n, ok := row.(int); ok {
		text = strconv.Itoa(n)
	}
	return contains(v.Form.Values["correct"], text)
}

func (web *Web) newQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.NewForm(map[string][]string{"kind": {r.URL.Query().Get("kind")}, "difficulty": {string(question.Medium)}})
	return web.showEditor(w, r, me, http.StatusOK, form, nil)
}

func (web *Web) editQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	item, err := web.Domain.Bank.Question(r.Context(), me, r.PathValue("id"), r.PathValue("question"))
	if err != nil {
		return err
	}
	return web.showEditor(w, r, me, http.StatusOK, itemForm(item), nil)
}

func (web *Web) showEditor(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form, stale *bank.Item) error {
	f, err := web.frame(r, me, "")
	if err != nil {
		return err
	}
	k := kindOf(form.Value("kind"))
	q, _ := readQuestion(form, k)
	view := editorView{frame: f, Form: form, ID: r.PathValue("question"), Kind: k, Kinds: kindOptions(), Difficulties: difficultyOptions(), Asked: ask(q, question.Answer{}, false), Stale: stale}
	view.Limits.Text, view.Limits.Passage, view.Limits.Option, view.Limits.Explanation = question.MaxText, question.MaxPassage, question.MaxOption, question.MaxExplanation
	for row := range k.rows {
		view.Rows = append(view.Rows, row)
	}
	for _, scheme := range k.Type.Schemes() {
		view.Schemes = append(view.Schemes, webkit.Option{Value: string(scheme), Text: schemeNames[scheme]})
	}
	web.Site.Render(w, r, status, "admin-question.html", view)
	return nil
}

var schemeNames = map[question.Scheme]string{
	question.Exact: "All or nothing", question.RightMinusWrong: "Right minus wrong parts", question.EveryDecision: "Share of right decisions",
	question.Halves: "Half for one error, a quarter for two", question.ByPosition: "Share of items at their place", question.ByNeighbours: "Share of neighbours in order",
}

// preview shows the question of a form as candidates see it.
func (web *Web) preview(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	f, err := web.frame(r, me, "")
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	q, _ := readQuestion(form, kindOf(form.Value("kind")))
	web.Site.Render(w, r, http.StatusOK, "admin-preview.html", editorView{frame: f, Asked: ask(q, question.Answer{}, false)})
	return nil
}

func (web *Web) addQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r)
	q, k, err := web.readEditor(r, form)
	if err != nil {
		return err
	}
	if form.Valid() {
		_, err := web.Domain.Bank.Add(r.Context(), me, r.PathValue("id"), q, k)
		if failed := refuseForm(form, err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return web.showEditor(w, r, me, http.StatusUnprocessableEntity, form, nil)
	}
	return web.questionSaved(w, r, form, q, k)
}

// questionSaved says what was saved, and goes back to the exam or to another new question.
func (web *Web) questionSaved(w http.ResponseWriter, r *http.Request, form *webkit.Form, q question.Question, k question.Key) error {
	if question.CheckKey(q, k) != nil {
		web.Site.Flash(w, r, webkit.Warn, "Saved without a complete answer key. The exam cannot be published until it has one.")
	} else {
		web.Site.Flash(w, r, webkit.Good, "Saved.")
	}
	to := projectPath(r.PathValue("id"))
	if form.Value("do") == "another" {
		to += "/questions/new?kind=" + kindOf(form.Value("kind")).Name
	}
	web.Site.Redirect(w, r, to)
	return nil
}

func (web *Web) changeQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r)
	q, k, err := web.readEditor(r, form)
	if err != nil {
		return err
	}
	if form.Valid() {
		version, _ := strconv.ParseInt(form.Value("version"), 10, 64)
		_, err = web.Domain.Bank.Change(r.Context(), me, r.PathValue("id"), r.PathValue("question"), version, q, k)
		if stale, ok := errors.AsType[*bank.StaleError](err); ok {
			form.Fail("", exambuddy.ErrChanged.Message)
			form.Values.Set("version", strconv.FormatInt(stale.Current.Version, 10))
			return web.showEditor(w, r, me, http.StatusConflict, form, &stale.Current)
		}
		if failed := refuseForm(form, err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return web.showEditor(w, r, me, http.StatusUnprocessableEntity, form, nil)
	}
	return web.questionSaved(w, r, form, q, k)
}

func (web *Web) deleteQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	if err := web.Domain.Bank.Remove(r.Context(), me, r.PathValue("id"), r.PathValue("question")); err != nil {
		return err
	}
	web.Site.Flash(w, r, webkit.Good, "Deleted. Results that had it keep their copy.")
	web.Site.Redirect(w, r, projectPath(r.PathValue("id")))
	return nil
}

// readEditor reads the question and the key of a form. An uploaded image is stored first.
func (web *Web) readEditor(r *http.Request, form *webkit.Form) (question.Question, question.Key, error) {
	id, err := web.storeImage(r)
	if failed := refuseForm(form, err); failed != nil {
		return question.Question{}, question.Key{}, failed
	}
	if id != "" {
		form.Values.Set("image-id", id)
	}
	q, k := readQuestion(form, kindOf(form.Value("kind")))
	return q, k, nil
}

// Limits of an image.
const (
	maxImage  = 4 << 20
	maxPixels = 40_000_000
)

// storeImage stores the uploaded image of a form, and returns its id; "" if there is none.
func (web *Web) storeImage(r *http.Request) (string, error) {
	if r.MultipartForm == nil || len(r.MultipartForm.File["image"]) == 0 || r.MultipartForm.File["image"][0].Size == 0 {
		return "", nil
	}
	header := r.MultipartForm.File["image"][0]
	refuse := func(text string) error {
		return refusal.OfField(refusal.Field{Name: "image", Message: text}, "%s", text)
	}
	if header.Size > maxImage {
		return "", refuse("An image has at most 4 MB.")
	}
	file, err := header.Open()
	if err != nil {
		return "", err
	}
	content, err := io.ReadAll(io.LimitReader(file, maxImage+1))
	if err := errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil || config.Width*config.Height > maxPixels {
		return "", refuse("The image must be a PNG, JPEG or GIF of at most 40 megapixels.")
	}
	id := newFileID()
	_, err = web.Files.Put(r.Context(), "images/"+id, header.Header.Get("Content-Type"), bytes.NewReader(content), int64(len(content)))
	return id, err
}

// newFileID returns an id that cannot be guessed, of characters that keys of files may have.
func newFileID() string { return "f" + strings.ToLower(secret.NewID()) }
