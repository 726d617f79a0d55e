// Package question holds the questions of exams: the eight types, what a candidate sees of a
// question, its answer key, answers, validation and grading.
//
// A Question never holds its key: a Key is a value of its own, so a response that is built from a
// Question cannot carry the right answer or the explanation.
//
// The package is pure. It knows no database, no transport and no clock; deadlines and late answers
// belong to the sitting. The rooms of ExamBuddy call it, and package exchange fills its types from
// files.
package question

// A Type says how a question is asked and graded.
type Type string

// The types.
const (
	SingleChoice     Type = "single_choice"     // one of several options
	TrueFalse        Type = "true_false"        // one of the options "true" and "false"
	MultipleResponse Type = "multiple_response" // any number of options
	FillInBlank      Type = "fill_in_blank"     // a text or a drop-down for each blank
	Ordering         Type = "ordering"          // all items, in order
	Matching         Type = "matching"          // a right side for each left side
	Hotspot          Type = "hotspot"           // a region of an image
	Scenario         Type = "scenario"          // a passage with one choice, or with statements to judge
)

// Types lists all types.
func Types() []Type {
	return []Type{SingleChoice, TrueFalse, MultipleResponse, FillInBlank, Ordering, Matching, Hotspot, Scenario}
}

// Label returns the name of a type for people.
func (t Type) Label() string { return labels[t] }

var labels = map[Type]string{
	SingleChoice: "Single choice", TrueFalse: "True or false", MultipleResponse: "Multiple response",
	FillInBlank: "Fill in the blank", Ordering: "Ordering", Matching: "Matching", Hotspot: "Hotspot", Scenario: "Scenario",
}

// A Difficulty sets the clock of a session, and filters questions.
type Difficulty string

// The difficulties.
const (
	Easy   Difficulty = "easy"
	Medium Difficulty = "medium"
	Hard   Difficulty = "hard"
	Expert Difficulty = "expert"
)

// Difficulties lists all difficulties, the easiest first.
func Difficulties() []Difficulty { return []Difficulty{Easy, Medium, Hard, Expert} }

// Seconds returns the time for one question of a session; 0 for an unknown difficulty.
func (d Difficulty) Seconds() int {
	return map[Difficulty]int{Easy: 120, Medium: 60, Hard: 30, Expert: 10}[d]
}

// A Question holds everything a candidate may see of a question. Which of its lists are filled
// depends on its type:
//
//   - SingleChoice, TrueFalse, MultipleResponse: Options
//   - Ordering: Options, the items to order
//   - FillInBlank: Blanks
//   - Matching: Options, the left sides, and Targets, the right sides
//   - Hotspot: Regions of the first image
//   - Scenario: Passage, and either Options or Statements
type Question struct {
	Type       Type
	Text       string
	Passage    string // the situation of a scenario
	Options    []Option
	Targets    []Option
	Blanks     []Blank
	Regions    []Region
	Statements []Option
	Images     []Image
	Tags       []string
	Difficulty Difficulty
	TimeLimit  int // in seconds; 0 for that of the session
}

// An Option is an answer that can be chosen, an item to order, a side of a pair or a statement.
type Option struct {
	ID    string // does not change when the question is edited or shuffled
	Text  string
	Image *Image
	Last  bool // keeps its place after the shuffled options, as in "All of the above"
}

// A Blank is a gap in the text. Its place is the run of underscores with its number; a question
// with one blank may leave the underscores out.
type Blank struct {
	ID      string
	Choices []Option // those of a drop-down; none if the candidate types a text
}

// A Region is a rectangle of an image. The unit is a thousandth of the width or the height.
type Region struct {
	ID                  string
	Label               string // neutral, for people who do not see the image, as in "top right"
	X, Y, Width, Height int
}

// An Image is a file and what it shows.
type Image struct {
	File string // the id of the stored file
	Alt  string
}

// A Key holds the right answer of a question, and what is shown after the question is over.
type Key struct {
	// Correct holds the ids of the right options or regions. A SingleChoice, a TrueFalse, a Hotspot
	// and a Scenario with options have one; those of an Ordering are in the right order.
	Correct []string
	// Also holds further options that earn the full mark where Correct holds one, as after a regrade.
	Also []string
	// Pairs holds the id of the right target for each option of a Matching, and Yes or No for each
	// statement of a Scenario.
	Pairs map[string]string
	// Blanks holds what is accepted for each blank.
	Blanks map[string]Accepted

	Scheme            Scheme // "" for Exact
	Explanation       string
	ExplanationImages []Image
}

// The values of a judged statement.
const (
	Yes = "yes"
	No  = "no"
)

// An Accepted says which answers of a blank are right. A drop-down has one choice in Texts, by its
// id.
type Accepted struct {
	Texts []string // any of them; the first one is shown as the answer
	Low   string   // a decimal number: numbers from Low to High are right; "" for none
	High  string

	IgnoreAccents     bool
	IgnorePunctuation bool
}

// An Answer holds what a candidate gave. The zero Answer is an unanswered question.
type Answer struct {
	// Chosen holds the ids of the chosen options or of the region; for an Ordering all items in the
	// candidate's order.
	Chosen []string
	// Parts holds the answer of each part: the target of an option of a Matching, Yes or No for a
	// statement, the text of a blank or the id of its choice.
	Parts map[string]string
}

// Empty reports whether the answer holds nothing that can be graded.
func (a Answer) Empty() bool {
	for _, part := range a.Parts {
		if Canonical(part) != "" {
			return false
		}
	}
	return len(a.Chosen) == 0
}
