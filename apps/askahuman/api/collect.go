package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/callbacks"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/serve"
)

// collection shows agents their questions and the answers to them.
type collection struct {
	callbacks *callbacks.Service
	callers   *callers
	done      <-chan struct{}
	hub       *live.Hub
	now       func() time.Time
	questions *questions.Service
}

func (h *collection) routes() []jsonapi.Route {
	return []jsonapi.Route{
		{Pattern: "GET /agent/questions", Handler: h.listQuestions},
		{Pattern: "GET /agent/questions/{id}", Handler: h.question},
		{Pattern: "DELETE /agent/questions/{id}", Handler: h.closeQuestion},
		{Pattern: "GET /agent/questions/{id}/events", Handler: h.events},
		{Pattern: "GET /agent/questions/{id}/deliveries", Handler: h.deliveries},
	}
}

const (
	maxWait = 30 // seconds
	// maxStream is the maximum duration of a stream, which proxies may keep open without a
	// reader; callers reconnect.
	maxStream = time.Hour
	// maxListed is the maximum number of questions in a list; usualListed is the default.
	maxListed   = 100
	usualListed = 20
)

// lookAgain is the interval at which waiting callers poll in case hints are lost. Tests
// make it so long that only hints help.
var lookAgain = 15 * time.Second

// errNotYours is the error about a question that is deleted or belongs to another agent.
var errNotYours = refusal.New(refusal.NotFound, askahuman.CodeNoQuestion,
	"This agent has no such question. One that was closed is kept for %d days, one that expired for %d hours.",
	askahuman.KeepClosed/(24*time.Hour), askahuman.KeepExpired/time.Hour)

// view returns an agent's question with its answers. Questions of other agents do not
// exist for it.
func (h *collection) view(ctx context.Context, agent, id string) (questions.QuestionView, error) {
	q, err := h.questions.Question(ctx, id)
	if errors.Is(err, askahuman.ErrNoQuestion) || err == nil && q.AgentID != agent {
		err = errNotYours
	}
	if err != nil {
		return questions.QuestionView{}, err
	}
	results, err := h.questions.Results(ctx, q)
	if err != nil {
		return questions.QuestionView{}, err
	}
	return questions.AgentView(q, results), nil
}

// viewAgain returns the question of a request that has waited, as view does. The agent may have got
// a key meanwhile, which the request does not have, or may have been banned.
func (h *collection) viewAgain(w http.ResponseWriter, r *http.Request, id string) (questions.QuestionView, error) {
	agent, err := h.callers.agent(w, r)
	if err != nil {
		return questions.QuestionView{}, err
	}
	return h.view(r.Context(), agent, id)
}

// deliveryView is one attempt to deliver the end of a question to its callback URL.
type deliveryView struct {
	Try    int       `json:"try"`
	At     time.Time `json:"at"`
	URL    string    `json:"url"`
	Status int       `json:"status,omitempty"` // of the response
	Error  string    `json:"error,omitempty"`
}

// deliveries shows an agent the attempts to call its webhook.
func (h *collection) deliveries(w http.ResponseWriter, r *http.Request) error {
	agent, err := h.callers.polling(w, r)
	if err != nil {
		return err
	}
	q, err := h.questions.Question(r.Context(), r.PathValue("id"))
	if errors.Is(err, askahuman.ErrNoQuestion) || err == nil && q.AgentID != agent {
		err = errNotYours
	}
	if err != nil {
		return err
	}
	attempts, err := h.callbacks.Deliveries(r.Context(), q.QuestionID)
	if err != nil {
		return err
	}
	out := make([]deliveryView, len(attempts))
	for i, d := range attempts {
		out[i] = deliveryView{Try: d.Try, At: d.At.UTC(), URL: d.URL, Status: d.Status, Error: d.Error}
	}
	return jsonapi.Write(w, http.StatusOK, map[string]any{"deliveries": out})
}

func over(status questions.Status) bool {
	return status == questions.StatusClosed || status == questions.StatusExpired
}

// A known is the state of a question that a caller has seen.
type known struct {
	responses *int
	status    questions.Status
}

// readKnown parses the state that a caller has seen.
func readKnown(r *http.Request) (known, error) {
	var k known
	var err error
	if k.responses, err = whole(r, "since"); err != nil {
		return k, err
	}
	k.status = questions.Status(r.URL.Query().Get("status"))
	if k.status != "" && !k.status.Valid() {
		refused := invalid("status", "allowed", "A status is OPEN, PARTIAL, CLOSED or EXPIRED.")
		for _, status := range questions.Statuses() {
			refused.Fields[0].Allowed = append(refused.Fields[0].Allowed, string(status))
		}
		return k, refused
	}
	return k, nil
}

// isNews reports whether the question differs from the state the caller has seen. A caller
// without a state waits for the first change.
func (k *known) isNews(view questions.QuestionView) bool {
	if k.responses == nil && k.status == "" {
		responses := int(view.CurrentResponses)
		k.responses, k.status = &responses, view.Status
	}
	return k.responses != nil && int64(*k.responses) != view.CurrentResponses || k.status != "" && k.status != view.Status
}

func (h *collection) question(w http.ResponseWriter, r *http.Request) error {
	agent, err := h.callers.polling(w, r)
	if err != nil {
		return err
	}
	wait, err := within(r, "wait", 0, maxWait, 0)
	if err != nil {
		return err
	}
	seen, err := readKnown(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	if wait == 0 {
		view, err := h.view(r.Context(), agent, id)
		if err != nil {
			return err
		}
		return jsonapi.Write(w, http.StatusOK, view)
	}
	if err := serve.Unhurried(w); err != nil {
		return err
	}
	leave, err := h.enter(r)
	if err != nil {
		return err
	}
	defer leave()
	listener := h.hub.Listen(questionTopic(id)) // before reading, so that no change is missed
	defer listener.Close()
	stop := time.NewTimer(time.Duration(wait) * time.Second)
	defer stop.Stop()
	view, err := h.view(r.Context(), agent, id)
	for waiting := true; err == nil; view, err = h.viewAgain(w, r, id) {
		if !waiting || over(view.Status) || seen.isNews(view) {
			return jsonapi.Write(w, http.StatusOK, view)
		}
		waiting = h.await(r.Context(), listener, view, stop.C)
	}
	return err
}

// enter admits a waiting caller, unless too many wait from the same address: each of them
// costs a connection.
func (h *collection) enter(r *http.Request) (leave func(), err error) {
	leave, ok := h.hub.Enter(jsonapi.ClientNetwork(r).String())
	if ok {
		return leave, nil
	}
	const soon = 10 * time.Second
	refused := refusal.New(refusal.TooMany, "", "%d requests from your address are waiting already. Let some of them end first.", live.MostFrom)
	refused.Wait = soon
	refused.Limit = &refusal.Limit{Name: "waiting", Most: live.MostFrom, Reset: h.now().Add(soon)}
	return nil, refused
}

// await waits until a question may have changed. It returns false when the time to wait is
// over.
func (h *collection) await(ctx context.Context, l *live.Listener, view questions.QuestionView, stop <-chan time.Time) bool {
	left := max(view.ExpiresAt.Sub(h.now()), 0) + time.Millisecond
	look := time.NewTimer(min(left, lookAgain))
	defer look.Stop()
	select {
	case <-l.C():
		l.Changed()
		return true
	case <-look.C:
		return true
	case <-stop:
	case <-h.done:
	case <-ctx.Done():
	}
	return false
}

// events streams the question whenever it changes, until it is over.
func (h *collection) events(w http.ResponseWriter, r *http.Request) error {
	agent, err := h.callers.polling(w, r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	leave, err := h.enter(r)
	if err != nil {
		return err
	}
	defer leave()
	listener := h.hub.Listen(questionTopic(id))
	defer listener.Close()
	view, err := h.view(r.Context(), agent, id)
	if err != nil {
		return err
	}
	stream, err := serve.NewEvents(w, r)
	if err != nil || r.Method == http.MethodHead {
		return nil // the client disconnected, or wanted no more than this
	}
	stop := time.NewTimer(maxStream)
	defer stop.Stop()
	var last []byte
	for {
		if last, err = sendNews(stream, view, last); err != nil {
			return nil // the caller left
		}
		if over(view.Status) {
			_ = stream.SendJSON("end", "", map[string]any{"question_id": id, "status": view.Status}) // the client may have disconnected
			return nil
		}
		if !h.await(r.Context(), listener, view, stop.C) {
			return nil
		}
		view, err = h.viewAgain(w, r, id)
		if _, refused := refusal.As(err); refused {
			return nil // the question was deleted, or the agent may not see it any more
		}
		if err != nil {
			return err
		}
	}
}

// sendNews sends a question if it has changed since it was last sent.
func sendNews(stream *serve.Events, view questions.QuestionView, last []byte) ([]byte, error) {
	text, err := json.Marshal(view)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(text, last) {
		return last, stream.KeepAlive()
	}
	return text, stream.SendJSON("question", "", json.RawMessage(text))
}

// listedView is a question in a list, without its answers.
type listedView struct {
	QuestionID        string           `json:"question_id"`
	Status            questions.Status `json:"status"`
	Prompt            string           `json:"prompt"`
	Context           string           `json:"context,omitempty"`
	Type              questions.Type   `json:"type"`
	Options           []string         `json:"options,omitempty"`
	Audience          []string         `json:"audience"`
	RequiredResponses int64            `json:"required_responses"`
	CurrentResponses  int64            `json:"current_responses"`
	CreatedAt         time.Time        `json:"created_at"`
	ExpiresAt         time.Time        `json:"expires_at"`
	ClosedAt          *time.Time       `json:"closed_at,omitempty"`
	ExpiredAt         *time.Time       `json:"expired_at,omitempty"`
}

func listed(q questions.Question) listedView {
	v := questions.AgentView(q, questions.Results{})
	return listedView{
		QuestionID: v.QuestionID, Status: v.Status, Prompt: v.Prompt, Context: v.Context, Type: v.Type, Options: v.Options,
		Audience: v.Audience, RequiredResponses: v.RequiredResponses, CurrentResponses: v.CurrentResponses,
		CreatedAt: v.CreatedAt, ExpiresAt: v.ExpiresAt, ClosedAt: v.ClosedAt, ExpiredAt: v.ExpiredAt,
	}
}

func (h *collection) listQuestions(w http.ResponseWriter, r *http.Request) error {
	agent, err := h.callers.polling(w, r)
	if err != nil {
		return err
	}
	limit, err := within(r, "limit", 1, maxListed, usualListed)
	if err != nil {
		return err
	}
	out := struct {
		Questions []listedView `json:"questions"`
		Next      string       `json:"next_cursor,omitempty"`
	}{Questions: []listedView{}, Next: r.URL.Query().Get("cursor")}
	for range 2 { // a page of the domain holds at most half of a list
		page, err := h.questions.Questions(r.Context(), agent, r.URL.Query().Get("status"), limit-len(out.Questions), out.Next)
		if err != nil {
			return err
		}
		for _, q := range page.Questions {
			out.Questions = append(out.Questions, listed(q))
		}
		if out.Next = page.Next; out.Next == "" || len(out.Questions) == limit {
			break
		}
	}
	return jsonapi.Write(w, http.StatusOK, out)
}

func (h *collection) closeQuestion(w http.ResponseWriter, r *http.Request) error {
	agent, err := h.callers.polling(w, r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	_, err = h.questions.Close(r.Context(), agent, id)
	if errors.Is(err, askahuman.ErrNoQuestion) {
		return errNotYours
	}
	if err != nil {
		return err
	}
	h.callers.changed(id)
	view, err := h.view(r.Context(), agent, id)
	if err != nil {
		return err
	}
	return jsonapi.Write(w, http.StatusOK, view)
}
