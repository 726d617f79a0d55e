package web

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/webkit"
)

// guideView holds the data of guide.html. Limits come from the domain, so that the guide is
// correct.
type guideView struct {
	Chapters                         []webkit.Tab
	Examples                         examples
	Ask, Wait                        string // the two requests of the first example
	Fields                           []guideField
	AskLimit, PollLimit, OpenLimit   int
	SameKey, KeepClosed, KeepExpired string
}

// A guideField is a field of a question.
type guideField struct{ Name, Text, Without string }

// chapters lists the parts of the guide by their anchors.
var chapters = []webkit.Tab{
	{Href: "#ask", Text: "Ask"}, {Href: "#wait", Text: "Wait"}, {Href: "#read", Text: "Read"}, {Href: "#callback", Text: "Callbacks"},
	{Href: "#refused", Text: "Errors and limits"}, {Href: "#key", Text: "Keys"}, {Href: "#go", Text: "Go"}, {Href: "#model", Text: "MCP"},
}

func (p *developerPages) guide(w http.ResponseWriter, r *http.Request) error {
	shown := examplesFor(p.addresses.programBase(r))
	ask, wait, _ := strings.Cut(shown.Curl, betweenRequests)
	p.site.Render(w, r, http.StatusOK, "guide.html", guideView{
		Chapters: chapters, Examples: shown, Ask: ask, Wait: wait, Fields: askFields(),
		AskLimit: askahuman.LimitAsk.Most, PollLimit: askahuman.LimitPoll.Most, OpenLimit: askahuman.MaxOpenQuestions,
		SameKey: webkit.Duration(askahuman.IdempotencyTime), KeepClosed: webkit.Duration(askahuman.KeepClosed), KeepExpired: webkit.Duration(askahuman.KeepExpired),
	})
	return nil
}

// askFields returns the fields of a question as the API takes them.
func askFields() []guideField {
	seconds := func(d time.Duration) string { return webkit.Number(int(d / time.Second)) }
	between := func(low, high int) string { return webkit.Number(low) + " to " + webkit.Number(high) }
	return []guideField{
		{"prompt", "The question, " + between(askahuman.MinPrompt, askahuman.MaxPrompt) + " characters", "Needed."},
		{"type", "Either text or multiple_choice", "Needed."},
		{"options", fmt.Sprintf("%s answers to choose from, each of at most %d characters", between(askahuman.MinOptions, askahuman.MaxOptions), askahuman.MaxOption), ""},
		{"context", "What people should know, at most " + webkit.Number(askahuman.MaxContext) + " characters", ""},
		{"audience", "A list of " + strings.Join(askahuman.Audiences, ", "), "Without it: general."},
		{"min_responses", "How many answers you want, " + between(askahuman.MinResponses, askahuman.MaxResponses), "Without it: " + webkit.Number(askahuman.DefaultResponses) + "."},
		{"timeout_seconds", "How long it is open, " + seconds(askahuman.MinTimeout) + " to " + seconds(askahuman.MaxTimeout), "Without it: " + seconds(askahuman.DefaultTimeout) + "."},
		{"idempotency_key", fmt.Sprintf("At most %d characters", askahuman.MaxKey), ""},
		{"callback_url", fmt.Sprintf("Hears of the end; at most %d characters", askahuman.MaxCallbackURL), ""},
		{"language", "A tag such as en or pt-BR", ""},
	}
}
