package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/refusal"
)

// submissions takes the questions of agents.
type submissions struct {
	callers   *callers
	counts    func(name askahuman.Metric, amount int64)
	front     jsonapi.Options
	limit     func(ctx context.Context, limit askahuman.Limit, subject string) (askahuman.Allowance, error)
	log       *slog.Logger
	publicURL string
	questions *questions.Service
}

func (h *submissions) routes() []jsonapi.Route {
	return []jsonapi.Route{
		{Pattern: "POST /agent/questions", Handler: h.submit},
		{Pattern: "POST /agent/questions:batch", Handler: h.submitBatch},
		{Pattern: "POST /agent/key", Handler: h.protect},
	}
}

// maxBatch is the maximum number of questions in a batch.
const maxBatch = 25

// bearer returns the key a request was sent with; "" without one.
func bearer(r *http.Request) (string, error) {
	given := r.Header.Get("Authorization")
	if given == "" {
		return "", nil
	}
	scheme, key, _ := strings.Cut(given, " ")
	if key = strings.TrimSpace(key); !strings.EqualFold(scheme, "Bearer") || key == "" {
		return "", askahuman.ErrUnauthorized
	}
	return key, nil
}

// challenged adds the WWW-Authenticate header when a key was missing or wrong.
func challenged(w http.ResponseWriter, err error) error {
	if errors.Is(err, askahuman.ErrUnauthorized) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="agents"`)
	}
	return err
}

// inHeader makes an error about the agent's id name the header.
func inHeader(err error) error {
	refused, ok := errors.AsType[*refusal.Error](err)
	if !ok || refused.Field() != "agent_id" {
		return err
	}
	field := refused.Fields[0]
	field.Name = headerAgent
	return refusal.OfField(field, "%s", refused.Message)
}

// askBody is the request body of a question.
type askBody struct {
	Prompt         string   `json:"prompt"`
	Context        string   `json:"context"`
	Type           string   `json:"type"`
	Options        []string `json:"options"`
	Audience       []string `json:"audience"`
	MinResponses   *int     `json:"min_responses"`
	TimeoutSeconds *int     `json:"timeout_seconds"`
	Language       string   `json:"language"`
	IdempotencyKey string   `json:"idempotency_key"`
	CallbackURL    string   `json:"callback_url"`
}

func (b askBody) ask(agentID string) questions.Ask {
	ask := questions.Ask{
		AgentID: agentID, Prompt: b.Prompt, Context: b.Context, Type: b.Type, Options: b.Options, Audience: b.Audience,
		Required: b.MinResponses, Language: b.Language, IdempotencyKey: b.IdempotencyKey, CallbackURL: b.CallbackURL,
	}
	if b.TimeoutSeconds != nil {
		timeout := times(*b.TimeoutSeconds, time.Second)
		ask.Timeout = &timeout
	}
	return ask
}

// submittedView is the response to a submitted question.
type submittedView struct {
	QuestionID     string           `json:"question_id"`
	Status         questions.Status `json:"status"`
	PollURL        string           `json:"poll_url"`
	AnswerURL      string           `json:"answer_url"`
	ResultURL      string           `json:"result_url"`
	CreatedAt      time.Time        `json:"created_at"`
	ExpiresAt      time.Time        `json:"expires_at"`
	CallbackSecret string           `json:"callback_secret,omitempty"`
}

func pollURL(id string) string { return "/agent/questions/" + id }

func (h *submissions) submit(w http.ResponseWriter, r *http.Request) error {
	agent, err := h.callers.agent(w, r)
	if err != nil {
		return err
	}
	if err := h.mayAsk(w, r, agent); err != nil {
		return err
	}
	var body askBody
	if err := jsonapi.Read(r, &body); err != nil {
		return err
	}
	if key := r.Header.Get(headerKey); key != "" {
		if body.IdempotencyKey != "" && body.IdempotencyKey != key {
			return invalid("idempotency_key", "conflict", "The header X-Idempotency-Key and the body have different idempotency keys.")
		}
		body.IdempotencyKey = key
	}
	status, view, err := h.ask(r, agent, body)
	if err != nil {
		return err
	}
	w.Header().Set("Location", view.PollURL)
	return jsonapi.Write(w, status, view)
}

// mayAsk counts a question against the rate limits of the agent and of the address, because
// agent ids are free. The headers report the agent's limit.
func (h *submissions) mayAsk(w http.ResponseWriter, r *http.Request, agent string) error {
	if _, err := h.limit(r.Context(), askahuman.LimitAskFrom, jsonapi.ClientNetwork(r).String()); err != nil {
		return err
	}
	return h.callers.allow(w, r, askahuman.LimitAsk, agent)
}

// ask submits a question and returns the status of the response.
func (h *submissions) ask(r *http.Request, agent string, body askBody) (int, submittedView, error) {
	submitted, err := h.questions.Submit(r.Context(), body.ask(agent))
	if err != nil {
		return 0, submittedView{}, err
	}
	status := http.StatusOK
	if !submitted.Repeated {
		status = http.StatusCreated
		h.callers.changed(submitted.Question.QuestionID)
	}
	q := submitted.Question
	return status, submittedView{
		QuestionID: q.QuestionID, Status: q.Status, PollURL: pollURL(q.QuestionID),
		AnswerURL: h.publicURL + "/q/" + q.QuestionID, ResultURL: h.publicURL + "/developers/questions/" + q.QuestionID,
		CreatedAt: q.CreatedAt.UTC(), ExpiresAt: q.ExpiresAt.UTC(), CallbackSecret: submitted.CallbackSecret,
	}, nil
}

// batchEntry is the result of one question of a batch.
type batchEntry struct {
	Status   int            `json:"status"` // as if it had been sent alone
	Question *submittedView `json:"question,omitempty"`
	Error    *jsonapi.Error `json:"error,omitempty"`
}

func (h *submissions) submitBatch(w http.ResponseWriter, r *http.Request) error {
	agent, err := h.callers.agent(w, r)
	if err != nil {
		return err
	}
	if r.Header.Get(headerKey) != "" {
		return invalid(headerKey, "conflict", "Give each question of a batch its own idempotency_key, not the batch.")
	}
	var body struct {
		Questions []json.RawMessage `json:"questions"`
	}
	if err := jsonapi.Read(r, &body); err != nil {
		return err
	}
	if n := len(body.Questions); n < 1 || n > maxBatch {
		return refusal.OutOfRange("questions", "count", 1, maxBatch, "A batch has 1 to %d questions; this one has %d.", maxBatch, n)
	}
	entries := make([]batchEntry, len(body.Questions))
	for i, text := range body.Questions {
		entries[i] = h.batched(w, r, agent, text)
		if err := r.Context().Err(); err != nil {
			return err // the client disconnected
		}
	}
	return jsonapi.Write(w, http.StatusOK, map[string]any{"results": entries})
}

// batched submits one question of a batch. A failure does not stop the others.
func (h *submissions) batched(w http.ResponseWriter, r *http.Request, agent string, text []byte) batchEntry {
	status, view, err := h.askNext(w, r, agent, text)
	if err == nil {
		return batchEntry{Status: status, Question: &view}
	}
	refused := h.front.Refused(err)
	if refused == nil {
		h.counts(askahuman.MetricFailure, 1)
		h.log.Error("a question of a batch failed", "request", jsonapi.RequestID(r), "error", err)
		if refused = jsonapi.Failure(r); askahuman.Passing(err) {
			refused = jsonapi.Unavailable(r)
		}
	}
	if refused.Status == http.StatusTooManyRequests {
		maps.Copy(w.Header(), refused.Header)
	}
	return batchEntry{Status: refused.Status, Error: refused}
}

// askNext counts a question of a batch and submits it.
func (h *submissions) askNext(w http.ResponseWriter, r *http.Request, agent string, text []byte) (int, submittedView, error) {
	if err := h.mayAsk(w, r, agent); err != nil {
		return 0, submittedView{}, err
	}
	var body askBody
	if err := jsonapi.Decode(text, &body); err != nil {
		return 0, submittedView{}, err
	}
	return h.ask(r, agent, body)
}

func (h *submissions) protect(w http.ResponseWriter, r *http.Request) error {
	agent, err := h.callers.polling(w, r)
	if err != nil {
		return err
	}
	old, err := bearer(r)
	if err != nil {
		return err
	}
	key, err := h.questions.ProtectAgent(r.Context(), agent, old)
	if err != nil {
		return challenged(w, err)
	}
	return jsonapi.Write(w, http.StatusCreated, map[string]string{"agent_id": agent, "key": key})
}
