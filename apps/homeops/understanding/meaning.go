package understanding

import "time"

// A Meaning is the output of a Classifier. The zero Meaning says that the message means nothing
// for the household.
type Meaning struct {
	Language    Locale // of the message
	Activities  []Activity
	Promises    []Promise
	Questions   []Question
	Corrections []Correction
	Requests    []Request
	Disputes    []Dispute

	// Mentions lists activities that the message names without reporting them, with the reason.
	// Nothing may be stored for a mention. The sandbox page shows them.
	Mentions []Mention

	// Classifier names the implementation that decided: "rules", "model" or "recorded".
	Classifier string
	// Usage holds the tokens that a model counted; zero for other classifiers.
	Usage Usage
}

// Empty reports whether the message reports, promises, asks, corrects and requests nothing.
func (m Meaning) Empty() bool {
	return len(m.Activities) == 0 && len(m.Promises) == 0 && len(m.Questions) == 0 &&
		len(m.Corrections) == 0 && len(m.Requests) == 0 && len(m.Disputes) == 0
}

// Usage counts the tokens of a model call.
type Usage struct {
	PromptTokens, CompletionTokens int
}

// A Person says who did or promised something.
type Person struct {
	Role   Role
	Member string // the member's id, set for RoleMember
}

// A Role relates a person to the author of a message.
type Role string

// The roles. Only RoleAuthor and RoleWe credit the author; RoleOther credits no member.
const (
	RoleAuthor Role = "author" // "jag", or left out
	RoleWe     Role = "we"     // the author with others
	RoleMember Role = "member" // another member, by name
	RoleOther  Role = "other"  // a person outside the household, or unknown
)

// An Activity is finished housework or recovery that a message reports.
type Activity struct {
	Activity   ActivityID // Free if the household has no name for it yet
	Name       string     // as displayed: the catalogue's noun, or the words of the message for Free
	Kind       Kind
	Who        Person
	When       When
	Effort     Effort
	EffortSaid bool // the message says how heavy it was; otherwise Effort is the usual one
	Confidence float64
	Surface    string // the words that named the activity; aliases are learned from them
	Span       Span   // of Surface in the text
	Reasons    []Reason
}

// A When says when something took place.
type When struct {
	At    time.Time // in the household's zone
	Exact bool      // a clock time was said; otherwise only the day is meant, and At is a usual hour of it
	Said  bool      // the message has a time word; otherwise At is when it was sent
}

// A Promise is a commitment of the author to an activity.
type Promise struct {
	Activity   ActivityID
	Name       string
	Kind       Kind
	Deadline   time.Time // in the household's zone
	Said       bool      // the message has a time word; otherwise Deadline is the default
	TimeWords  string    // the words that set the deadline; "" if Said is false
	Confidence float64
	Surface    string
	Span       Span
	Reasons    []Reason
}

// A Question asks the household's log.
type Question struct {
	Kind       QuestionKind
	Activity   ActivityID
	Name       string
	Who        Person // of whom it asks; the zero Person asks of all members
	Confidence float64
	Span       Span
	Reasons    []Reason
}

// A QuestionKind says what a question wants to know.
type QuestionKind string

// The kinds of questions.
const (
	WhoLast  QuestionKind = "who_last"  // who did the dishes last?
	WhenLast QuestionKind = "when_last" // when did Anna vacuum last?
	HowOften QuestionKind = "how_often" // how often did I cook this week?
	HasDone  QuestionKind = "has_done"  // has anyone taken out the bins?
)

// A Correction changes what was stored before: usually the author's last entry, or the entry of
// the message that it replies to.
type Correction struct {
	Kind       CorrectionKind
	Who        Person     // for CreditPerson: who did it
	Activity   ActivityID // for ChangeActivity: the right one; otherwise the one named, or ""
	Name       string
	Effort     Effort // for ChangeEffort
	Confidence float64
	Span       Span
	Reasons    []Reason
}

// A CorrectionKind says what a correction changes.
type CorrectionKind string

// The kinds of corrections.
const (
	Undo           CorrectionKind = "undo"            // "ta bort", "ångra", "undo that"
	CreditPerson   CorrectionKind = "credit_person"   // "det var Anna"
	DenyAuthor     CorrectionKind = "deny_author"     // "det var inte jag"
	ChangeActivity CorrectionKind = "change_activity" // "nej, jag menade tvätten"
	ChangeEffort   CorrectionKind = "change_effort"   // "det var tungt"
)

// A Request asks the bot to do something about the author's own data or the bot's talk.
type Request struct {
	Kind       RequestKind
	Confidence float64
	Span       Span
	Reasons    []Reason
}

// A RequestKind says what a request asks for.
type RequestKind string

// The kinds of requests.
const (
	Pause   RequestKind = "pause"   // stop recording the author
	Resume  RequestKind = "resume"  // record the author again
	Quiet   RequestKind = "quiet"   // stop talking
	Erase   RequestKind = "erase"   // delete the author's data
	Summary RequestKind = "summary" // send the author's week
	Help    RequestKind = "help"
)

// A Dispute is a disagreement about who does or did an activity. The caller answers with entries
// of the log, or not at all.
type Dispute struct {
	Activity   ActivityID
	Name       string
	Confidence float64
	Span       Span
	Reasons    []Reason
}

// A Mention is an activity that a message names without reporting it as finished.
type Mention struct {
	Activity ActivityID
	Why      MentionReason
	Span     Span
	Reasons  []Reason
}

// A MentionReason says why a mention is neither an activity nor a promise.
type MentionReason string

// The reasons.
const (
	Negated      MentionReason = "negated"      // "jag har inte diskat"
	Asked        MentionReason = "asked"        // "har du diskat?"
	Requested    MentionReason = "requested"    // "kan du diska?", "diska!"
	Planned      MentionReason = "planned"      // a future that commits the author to nothing
	Hypothetical MentionReason = "hypothetical" // "om jag hade diskat", "borde diska"
	Reported     MentionReason = "reported"     // "Anna säger att hon har diskat"
	OtherPerson  MentionReason = "other_person" // done by a person outside the household
	Ironic       MentionReason = "ironic"       // "jaha, då har jag väl diskat igen då 🙄"
	Unfinished   MentionReason = "unfinished"   // "håller på och diskar"
	NoStatement  MentionReason = "no_statement" // "disken luktar"
	Repeated     MentionReason = "repeated"     // the same activity twice in one message
	Retracted    MentionReason = "retracted"    // "jag har diskat, nej skojar"
)

// A Reason names a rule that took part in a decision, and the words it matched.
type Reason struct {
	Rule string // for example "sv.frame.supine" or "sv.lexicon.dishes"
	Span Span
}
