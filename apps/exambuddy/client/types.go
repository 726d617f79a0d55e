package client

import "time"

// A List is a page of a list.
type List[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"cursor,omitempty"`
}

// A Registration holds the arguments of a sign-up.
type Registration struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Name     string `json:"name"`
	// Role is admin or candidate; candidate by default. The role of an invitation comes first.
	Role string `json:"role,omitempty"`
	// Invitation is the token of an invitation to a group.
	Invitation string `json:"invitation,omitempty"`
}

// A Registered is the result of a sign-up: the person and the tokens, or only that the address must be
// verified first with the link that was mailed. The service then does not tell whether the address has an
// account already.
type Registered struct {
	UserID        string  `json:"userId,omitempty"`
	VerifyAddress bool    `json:"verifyAddress"`
	Tokens        *Tokens `json:"tokens,omitempty"`
}

// A User is a person. An API never returns credentials.
type User struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
	Role  string `json:"role"`
}

// Rules holds the rules of an exam.
type Rules struct {
	Practice       bool       `json:"practice"`
	Navigation     string     `json:"navigation"`
	Offline        string     `json:"offline"`
	Reveal         string     `json:"reveal"`
	Overdue        string     `json:"overdue"`
	Certificates   bool       `json:"certificates"`
	ExamCount      *int64     `json:"examCount,omitempty"`
	ExamDifficulty *string    `json:"examDifficulty,omitempty"`
	MaxAttempts    *int64     `json:"maxAttempts,omitempty"`
	OpensAt        *time.Time `json:"opensAt,omitempty"`
	LastStartAt    *time.Time `json:"lastStartAt,omitempty"`
	ClosesAt       *time.Time `json:"closesAt,omitempty"`
	Groups         []string   `json:"groups,omitempty"`
}

// A Project is an exam.
type Project struct {
	ID            string     `json:"id"`
	AdminID       string     `json:"adminId"`
	Title         string     `json:"title"`
	Description   string     `json:"description"`
	Status        string     `json:"status"`
	Archived      bool       `json:"archived"`
	QuestionCount int64      `json:"questionCount"`
	KeyedCount    int64      `json:"keyedCount"` // questions with an answer key
	PassMark      int64      `json:"passMark"`   // per cent
	Rules         Rules      `json:"rules"`
	PublishedAt   *time.Time `json:"publishedAt,omitempty"`
	CreatedAt     time.Time  `json:"createdAt"`
	UpdatedAt     time.Time  `json:"updatedAt"`
	Version       int64      `json:"version"`
}

// A NewProject holds the settings of an exam. Without rules it has those of a new exam.
type NewProject struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	PassMark    *int   `json:"passMark,omitempty"`
	Rules       *Rules `json:"rules,omitempty"`
	// Version is the version that the caller has read; it is required for a change.
	Version int64 `json:"version,omitempty"`
}

// An Editor is an admin who edits an exam of another one.
type Editor struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
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
	Choice      string   `json:"choice"`
	State       string   `json:"state"`
	Version     int64    `json:"version"`
}

// A DraftChange replaces a draft.
type DraftChange struct {
	Question Question `json:"question"`
	Key      Key      `json:"key"`
	Choice   string   `json:"choice"`
	Version  int64    `json:"version"`
}

// A Group is a group of candidates, such as a class.
type Group struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Members   int64     `json:"members"`
	CreatedAt time.Time `json:"createdAt"`
}

// A Member is a candidate in a group.
type Member struct {
	ID       string    `json:"id"`
	Email    string    `json:"email"`
	Name     string    `json:"name"`
	JoinedAt time.Time `json:"joinedAt"`
}

// A TimeFactor multiplies the time limits of a candidate, in the exams that the calling admin owns, or in
// all exams if an operator calls. 100 per cent removes it.
type TimeFactor struct {
	Email   string     `json:"email"`
	Percent int        `json:"percent"`
	Note    string     `json:"note,omitempty"`
	Until   *time.Time `json:"until,omitempty"`
}
