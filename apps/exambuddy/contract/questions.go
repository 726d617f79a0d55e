package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of questions.
var (
	ListQuestions  = operation.Get[operation.PageOf, List[Item]]("/v1/admin/projects/{id}/questions", "The questions of an exam with their keys")
	AddQuestion    = operation.Post[operation.ByIDKeyed[NewQuestion], Item]("/v1/admin/projects/{id}/questions", "Add a question").Created()
	QuestionTable  = operation.Get[TableFilter, List[Row]]("/v1/admin/projects/{id}/table", "The questions of an exam without texts, of one type or all")
	CountQuestions = operation.Get[operation.ByID, Counts]("/v1/admin/projects/{id}/counts", "How many questions there are by type, difficulty and source")
	GetQuestion    = operation.Get[operation.ByID, Item]("/v1/admin/questions/{id}", "A question with its key")
	ChangeQuestion = operation.Put[operation.ByIDWith[NewQuestion], Item]("/v1/admin/questions/{id}", "Change a question")
	RetypeQuestion = operation.Patch[operation.ByIDWith[NewType], Item]("/v1/admin/questions/{id}/type", "Change the type of a question")
	MoveQuestion   = operation.Post[operation.ByIDWith[Place], None]("/v1/admin/questions/{id}/move", "Give a question another place")
	RemoveQuestion = operation.Delete[operation.ByID, None]("/v1/admin/questions/{id}", "Delete a question")
)

// A TableFilter holds the arguments of QuestionTable.
type TableFilter struct {
	ID   string `path:"id"`
	Type string `query:"type"`
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

// A NewQuestion is a question with its key. Options without ids get some; the key names options by
// id, or by their text if they have no id. Without a key the question keeps the exam a draft.
type NewQuestion struct {
	Question Question `json:"question"`
	Key      Key      `json:"key"`
	// Version is the version that the caller has read; it is required for a change.
	Version int64 `json:"version,omitempty"`
}

// A Stale holds the question as it is now, for a caller whose version is old.
type Stale struct {
	Current Item `json:"current"`
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

// A Place is the place of a question in its exam.
type Place struct {
	Order   int   `json:"order"`
	Version int64 `json:"version"`
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

// Counts says how many questions an exam has.
type Counts struct {
	Total      int            `json:"total"`
	Type       map[string]int `json:"type"`
	Difficulty map[string]int `json:"difficulty"`
	Source     map[string]int `json:"source"`
}
