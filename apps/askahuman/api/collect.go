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
	"sortkey.dev/apps/askahuman/contract"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/openapi"
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

func (h *collection) operations() []openapi.Operation {
	c := h.callers
	return []openapi.Operation{
		openapi.Handle(contract.ListQuestions, c.polling, h.listQuestions),
		openapi.HandleRaw(contract.GetQuestion, c.polling, h.question),
		openapi.Handle(contract.CloseQuestion, c.polling, h.closeQuestion),
		openapi.HandleRaw(contract.WatchQuestion, c.polling, h.events),
		openapi.Handle(contract.ListDeliveries, c.polling, h.deliveries),
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

// owned returns an agent's question. Questions of other agents do not exist for it.
func (h *collection) owned(ctx context.Context, agent, id string) (questions.Question, error) {
	q, err := h.questions.Question(ctx, id)
	if errors.Is(err, askahuman.ErrNoQuestion) || err == nil && q.AgentID != agent {
		err = errNotYours
	}
	return q, err
}

// view returns an agent's question with its answers.
func (h *collection) view(ctx context.Context, agent, id string) (contract.Question, error) {
	q, err := h.owned(ctx, agent, id)
	if err != nil {
		return contract.Question{}, err
	}
	results, err := h.questions.Results(ctx, q)
	if err != nil {
		return contract.Question{}, err
	}
	return questions.AgentView(q, results), nil
}

// viewAgain returns the question of a request that has waited, as view does. The agent may have got
// a key meanwhile, which the request does not have, or may have been banned.
func (h *collection) viewAgain(w http.ResponseWriter, r *http.Request, id string) (contract.Question, error) {
	agent, err := h.callers.agent(w, r)
	if err != nil {
		return contract.Question{}, err
	}
	return h.view(r.Context(), agent, id)
}

// deliveries shows an agent the attempts to call its webhook.
func (h *collection) deliveries(ctx context.Context, agent string, in contract.OfAgent) (contract.Deliveries, error) {
	q, err := h.owned(ctx, agent, in.ID)
	if err != nil {
		return contract.Deliveries{}, err
	}
	attempts, err := h.callbacks.Deliveries(ctx, q.QuestionID)
	if err != nil {
		return contract.Deliveries{}, err
	}
	out := make([]contract.Delivery, len(attempts))
	for i, d := range attempts {
		out[i] = contract.Delivery{Try: d.Try, At: d.At.UTC(), URL: d.URL, Status: d.Status, Error: d.Error}
	}
	return contract.Deliveries{Deliveries: out}, nil
}

// A known is the state of a question that a caller has seen.
type known struct {
	responses *int
	status    contract.Status
}

// readKnown checks the state that a caller has seen.
func readKnown(in contract.Waiting) (known, error) {
	if in.Status != "" && !questions.Status(in.Status).Valid() {
		refused := invalid("status", "allowed", "A status is OPEN, PARTIAL, CLOSED or EXPIRED.")
		for _, status := range questions.Statuses() {
			refused.Fields[0].Allowed = append(refused.Fields[0].Allowed, string(status))
		}
		return known{}, refused
	}
	return known{in.Since, in.Status}, nil
}

// isNews reports whether the question differs from the state the caller has seen. A caller
// without a state waits for the first change.
func (k *known) isNews(view contract.Question) bool {
	if k.responses == nil && k.status == "" {
		k.responses, k.status = &view.CurrentResponses, view.Status
	}
	return k.responses != nil && *k.responses != view.CurrentResponses || k.status != "" && k.status != view.Status
}

func (h *collection) question(w http.ResponseWriter, r *http.Request, agent string, in contract.Waiting) error {
	wait, err := within(in.Wait, "wait", 0, maxWait, 0)
	if err != nil {
		return err
	}
	seen, err := readKnown(in)
	if err != nil {
		return err
	}
	id := in.ID
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
		if !waiting || view.Status.Over() || seen.isNews(view) {
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
func (h *collection) await(ctx context.Context, l *live.Listener, view contract.Question, stop <-chan time.Time) bool {
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
func (h *collection) events(w http.ResponseWriter, r *http.Request, agent string, in contract.OfAgent) error {
	id := in.ID
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
		if view.Status.Over() {
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
func sendNews(stream *serve.Events, view contract.Question, last []byte) ([]byte, error) {
	text, err := json.Marshal(view)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(text, last) {
		return last, stream.KeepAlive()
	}
	return text, stream.SendJSON("question", "", json.RawMessage(text))
}

func (h *collection) listQuestions(ctx context.Context, agent string, in contract.Listing) (contract.QuestionList, error) {
	limit, err := within(in.Limit, "limit", 1, maxListed, usualListed)
	if err != nil {
		return contract.QuestionList{}, err
	}
	out := contract.QuestionList{Questions: []contract.ListedQuestion{}, Next: in.Cursor}
	for range 2 { // a page of the domain holds at most half of a list
		page, err := h.questions.Questions(ctx, agent, string(in.Status), limit-len(out.Questions), out.Next)
		if err != nil {
			return contract.QuestionList{}, err
		}
		for _, q := range page.Questions {
			listed := questions.AgentView(q, questions.Results{}).ListedQuestion
			out.Questions = append(out.Questions, listed)
		}
		if out.Next = page.Next; out.Next == "" || len(out.Questions) == limit {
			break
		}
	}
	return out, nil
}

func (h *collection) closeQuestion(ctx context.Context, agent string, in contract.OfAgent) (contract.Question, error) {
	_, err := h.questions.Close(ctx, agent, in.ID)
	if errors.Is(err, askahuman.ErrNoQuestion) {
		return contract.Question{}, errNotYours
	}
	if err != nil {
		return contract.Question{}, err
	}
	h.callers.changed(in.ID)
	return h.view(ctx, agent, in.ID)
}
