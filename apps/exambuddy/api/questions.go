package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
)

func (a *api) questionOperations() []openapi.Operation {
	return []openapi.Operation{
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}/questions", "The questions of an exam with their keys", http.StatusOK, a.questions),
		openapi.On(a.admin, http.MethodPost, "/v1/admin/projects/{id}/questions", "Add a question", http.StatusCreated, a.addQuestion),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}/table", "The questions of an exam without texts, of one type or all", http.StatusOK, a.questionTable),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}/counts", "How many questions there are by type, difficulty and source", http.StatusOK, a.questionCounts),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/questions/{id}", "A question with its key", http.StatusOK, a.question),
		openapi.On(a.admin, http.MethodPut, "/v1/admin/questions/{id}", "Change a question", http.StatusOK, a.changeQuestion),
		openapi.On(a.admin, http.MethodPatch, "/v1/admin/questions/{id}/type", "Change the type of a question", http.StatusOK, a.retypeQuestion),
		openapi.On(a.admin, http.MethodPost, "/v1/admin/questions/{id}/move", "Give a question another place", http.StatusNoContent, a.moveQuestion),
		openapi.On(a.admin, http.MethodDelete, "/v1/admin/questions/{id}", "Delete a question", http.StatusNoContent, a.removeQuestion),
	}
}

// A Question holds all that a candidate may see of a question. It cannot hold a key.
type Question struct {
	Type       string   `json:"type"`
	Text       string   `json:"text"`
	Passage    string   `json:"passage,omitempty"`
	Options    []Option `json:"options,omitempty"`
	Targets    []Option `json:"targets,omitempty"`
	Blanks     []Blank  `json:"blanks,omitempty"`
	Regions    []Region `json:"regions,omitempty"`
	Statements []Option `json:"statements,omitempty"`
	Images     []Image  `json:"images,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Difficulty string   `json:"difficulty,omitempty"`
	TimeLimit  int      `json:"timeLimitSeconds,omitempty"`
}

// An Option can be chosen, ordered, matched or judged.
type Option struct {
	ID    string `json:"id,omitempty"`
	Text  string `json:"text"`
	Image *Image `json:"image,omitempty"`
	Last  bool   `json:"last,omitempty"`
}

// A Blank is a gap; with choices it is a drop-down.
type Blank struct {
	ID      string   `json:"id,omitempty"`
	Choices []Option `json:"choices,omitempty"`
}

// A Region is a rectangle of the first image, in thousandths of its width and height.
type Region struct {
	ID     string `json:"id,omitempty"`
	Label  string `json:"label"`
	X      int    `json:"x"`
	Y      int    `json:"y"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// An Image is an uploaded image.
type Image struct {
	File string `json:"file"`
	Alt  string `json:"alt,omitempty"`
}

// A Key is the right answer of a question.
type Key struct {
	Correct           []string            `json:"correct,omitempty"`
	Also              []string            `json:"also,omitempty"`
	Pairs             map[string]string   `json:"pairs,omitempty"`
	Blanks            map[string]Accepted `json:"blanks,omitempty"`
	Scheme            string              `json:"scheme,omitempty"`
	Explanation       string              `json:"explanation,omitempty"`
	ExplanationImages []Image             `json:"explanationImages,omitempty"`
}

// An Accepted says which answers of a blank are right.
type Accepted struct {
	Texts             []string `json:"texts,omitempty"`
	Low               string   `json:"low,omitempty"`
	High              string   `json:"high,omitempty"`
	IgnoreAccents     bool     `json:"ignoreAccents,omitempty"`
	IgnorePunctuation bool     `json:"ignorePunctuation,omitempty"`
}

// An Answer holds the reply of a candidate.
type Answer struct {
	Chosen []string          `json:"chosen,omitempty"`
	Parts  map[string]string `json:"parts,omitempty"`
}

// An Item is a question with its key, for admins.
type Item struct {
	ID        string    `json:"id"`
	ProjectID string    `json:"projectId"`
	Question  Question  `json:"question"`
	Key       Key       `json:"key"`
	Complete  bool      `json:"complete"` // the key is complete
	Order     int       `json:"order"`
	Source    string    `json:"source"`
	Revision  int64     `json:"revision"`
	Version   int64     `json:"version"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

func itemOf(i bank.Item) Item {
	return Item{
		ID: i.ID, ProjectID: i.ProjectID, Question: questionOf(i.Question), Key: keyOf(i.Key), Complete: i.Complete, Order: i.Order, Source: i.Source, Revision: i.Revision,
		Version: i.Version, CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
	}
}

func (a *api) questions(ctx context.Context, me exambuddy.Admin, in pagesOf) (List[Item], error) {
	page, err := a.Domain.Bank.Questions(ctx, me, in.ID, in.Limit, in.Cursor)
	return listOf(page, itemOf), err
}

// A NewQuestion is a question with its key. Options without ids get some; the key names options by
// id, or by their text if they have no id. Without a key the question keeps the exam a draft.
type NewQuestion struct {
	Question Question `json:"question"`
	Key      Key      `json:"key"`
	// Version is the version that the caller has read; it is required for a change.
	Version int64 `json:"version,omitempty"`
}

func (a *api) addQuestion(ctx context.Context, me exambuddy.Admin, in struct {
	ID   string `path:"id"`
	Body NewQuestion
}) (Item, error) {
	q, k := in.Body.content()
	item, err := a.Domain.Bank.Add(ctx, me, in.ID, q, k, "")
	return itemOf(item), err
}

func (a *api) question(ctx context.Context, me exambuddy.Admin, in byID) (Item, error) {
	item, err := a.Domain.Bank.QuestionByID(ctx, me, in.ID)
	return itemOf(item), err
}

func (a *api) changeQuestion(ctx context.Context, me exambuddy.Admin, in struct {
	ID   string `path:"id"`
	Body NewQuestion
}) (Item, error) {
	current, err := a.Domain.Bank.QuestionByID(ctx, me, in.ID)
	if err != nil {
		return Item{}, err
	}
	q, k := in.Body.content()
	item, err := a.Domain.Bank.Change(ctx, me, current.ProjectID, in.ID, in.Body.Version, q, k)
	return itemOf(item), stale(err)
}

// A Stale holds the question as it is now, for a caller whose version is old.
type Stale struct {
	Current Item `json:"current"`
}

// stale adds the current question to the refusal of an edit, to compare.
func stale(err error) error {
	changed, ok := errors.AsType[*bank.StaleError](err)
	if !ok {
		return err
	}
	return &jsonapi.Error{
		Status: http.StatusConflict, Code: exambuddy.ErrChanged.Code, Message: exambuddy.ErrChanged.Message, Details: Stale{Current: itemOf(changed.Current)},
	}
}

// A NewType changes the type of a question, with what the new type needs.
type NewType struct {
	Type       string   `json:"type"`
	Targets    []Option `json:"targets,omitempty"`
	Blanks     []Blank  `json:"blanks,omitempty"`
	Statements []Option `json:"statements,omitempty"`
	Key        Key      `json:"key"`
	Version    int64    `json:"version"`
}

func (a *api) retypeQuestion(ctx context.Context, me exambuddy.Admin, in struct {
	ID   string `path:"id"`
	Body NewType
}) (Item, error) {
	current, err := a.Domain.Bank.QuestionByID(ctx, me, in.ID)
	if err != nil {
		return Item{}, err
	}
	asked := questionOf(current.Question)
	asked.Type, asked.Targets, asked.Blanks, asked.Statements = in.Body.Type, in.Body.Targets, in.Body.Blanks, in.Body.Statements
	if question.Type(in.Body.Type) == question.FillInBlank {
		asked.Options = nil
	}
	q, k := NewQuestion{Question: asked, Key: in.Body.Key}.content()
	item, err := a.Domain.Bank.Change(ctx, me, current.ProjectID, in.ID, in.Body.Version, q, k)
	return itemOf(item), stale(err)
}

// A Place is the place of a question in its exam.
type Place struct {
	Order   int   `json:"order"`
	Version int64 `json:"version"`
}

func (a *api) moveQuestion(ctx context.Context, me exambuddy.Admin, in struct {
	ID   string `path:"id"`
	Body Place
}) (None, error) {
	current, err := a.Domain.Bank.QuestionByID(ctx, me, in.ID)
	if err != nil {
		return None{}, err
	}
	return None{}, a.Domain.Bank.Move(ctx, me, current.ProjectID, in.ID, in.Body.Version, in.Body.Order)
}

func (a *api) removeQuestion(ctx context.Context, me exambuddy.Admin, in byID) (None, error) {
	current, err := a.Domain.Bank.QuestionByID(ctx, me, in.ID)
	if err != nil {
		return None{}, err
	}
	return None{}, a.Domain.Bank.Remove(ctx, me, current.ProjectID, in.ID)
}

// A Row is a question without its text and its key.
type Row struct {
	ID         string    `json:"id"`
	Order      int64     `json:"order"`
	Type       string    `json:"type"`
	Difficulty string    `json:"difficulty"`
	Source     string    `json:"source"`
	Tags       []string  `json:"tags"`
	Revision   int64     `json:"revision"`
	UpdatedAt  time.Time `json:"updatedAt"`
}

func (a *api) questionTable(ctx context.Context, me exambuddy.Admin, in struct {
	ID   string `path:"id"`
	Type string `query:"type"`
}) (List[Row], error) {
	rows, err := a.Domain.Bank.Table(ctx, me, in.ID)
	out := List[Row]{Items: []Row{}}
	for _, r := range rows {
		if in.Type == "" || string(r.QuestionType) == in.Type {
			out.Items = append(out.Items, Row{r.QuestionID, r.Order, string(r.QuestionType), string(r.Difficulty), string(r.Source), texts(r.Tags), r.Revision, r.UpdatedAt})
		}
	}
	return out, err
}

// Counts says how many questions an exam has.
type Counts struct {
	Total      int            `json:"total"`
	Type       map[string]int `json:"type"`
	Difficulty map[string]int `json:"difficulty"`
	Source     map[string]int `json:"source"`
}

func (a *api) questionCounts(ctx context.Context, me exambuddy.Admin, in byID) (Counts, error) {
	rows, err := a.Domain.Bank.Table(ctx, me, in.ID)
	out := Counts{Total: len(rows), Type: map[string]int{}, Difficulty: map[string]int{}, Source: map[string]int{}}
	for _, r := range rows {
		out.Type[string(r.QuestionType)]++
		out.Difficulty[string(r.Difficulty)]++
		out.Source[string(r.Source)]++
	}
	return out, err
}

// texts returns a list that is never nil.
func texts(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
