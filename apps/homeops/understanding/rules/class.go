package rules

// A class is a set of word classes of the frame. The tables list their words.
type class uint64

const (
	me class = 1 << iota
	we
	you
	other // pronouns of other people
	have  // perfect: "har diskat"
	had   // pluperfect, which reports nothing
	copula
	will
	can
	must // obligation, wish, attempt: not done
	managed
	promise
	negation
	fail // verbs that deny their infinitive: "glömde"
	hedge
	report // reported speech
	irony
	laugh
	retract
	praise
	polite
	habit
	wh
	now
	and
	or
	but
	so
	sub // subordinate clauses
	harmless
	interjection
	adverbial
	det
	prep
	particle
	onTheWay // "på vägen hem": a future without a time
	last
	anyone
	often
	always
	never
	week
	state
	with
	heavy
	easy
	elsewhere // "på jobbet": not the household
	tidy      // "städat och fint": an adjective, not a report
)

// classNames gives the name of each class in the tables.
var classNames = map[string]class{
	"me": me, "we": we, "you": you, "other": other, "have": have, "had": had, "copula": copula, "will": will, "can": can,
	"must": must, "managed": managed, "promise": promise, "negation": negation, "fail": fail, "hedge": hedge, "report": report,
	"irony": irony, "laugh": laugh, "retract": retract, "praise": praise, "polite": polite, "habit": habit, "wh": wh, "now": now,
	"and": and, "or": or, "but": but, "so": so, "sub": sub, "free": harmless, "interjection": interjection, "adverbial": adverbial,
	"det": det, "prep": prep, "particle": particle, "context": onTheWay, "last": last, "anyone": anyone, "often": often,
	"always": always, "never": never, "week": week, "state": state, "with": with, "heavy": heavy, "easy": easy, "tidy": tidy, "elsewhere": elsewhere,
}

// person is the set of classes that can be a subject.
const person = me | we | you | other

// auxiliary is the set of classes that can stand in front of a verb and change its tense or mood.
const auxiliary = have | had | will | can | must | managed | copula

// filler is the set of classes that may stand in front of a verb whose subject is left out.
const filler = interjection | adverbial | laugh | irony | hedge | negation | and | or | but | so | polite | harmless | onTheWay | now | heavy | easy | with | elsewhere
