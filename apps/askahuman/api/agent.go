package api

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/contract"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
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

func (h *submissions) operations() []openapi.Operation {
	return []openapi.Operation{
		openapi.HandleRaw(contract.SubmitQuestion, h.asking, h.submit),
		openapi.HandleRaw(contract.SubmitQuestions, h.batching, h.submitBatch),
		openapi.HandleRaw(contract.ProtectAgent, h.callers.polling, h.protect),
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

func askOf(agentID string, b contract.Ask) questions.Ask {
	ask := questions.Ask{
		AgentID: agentID, Prompt: b.Prompt, Context: b.Context, Type: string(b.Type), Options: b.Options, Audience: b.Audience,
		Required: b.MinResponses, Language: b.Language, IdempotencyKey: b.IdempotencyKey, CallbackURL: b.CallbackURL,
	}
	if b.TimeoutSeconds != nil {
		ask.Timeout = new(times(*b.TimeoutSeconds, time.Second))
	}
	return ask
}

func pollURL(id string) string { return "/agent/questions/" + id }

// asking authenticates an agent that asks, and counts the question.
func (h *submissions) asking(w http.ResponseWriter, r *http.Request) (string, error) {
	agent, err := h.callers.agent(w, r)
	if err != nil {
		return "", err
	}
	return agent, h.mayAsk(w, r, agent)
}

func (h *submissions) submit(w http.ResponseWriter, r *http.Request, agent string, in contract.Submission) error {
	if in.Key != "" {
		if in.Body.IdempotencyKey != "" && in.Body.IdempotencyKey != in.Key {
			return invalid("idempotency_key", "conflict", "The header X-Idempotency-Key and the body have different idempotency keys.")
		}
		in.Body.IdempotencyKey = in.Key
	}
	status, view, err := h.ask(r, agent, in.Body)
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
func (h *submissions) ask(r *http.Request, agent string, body contract.Ask) (int, contract.Submitted, error) {
	submitted, err := h.questions.Submit(r.Context(), askOf(agent, body))
	if err != nil {
		return 0, contract.Submitted{}, err
	}
	status := http.StatusOK
	if !submitted.Repeated {
		status = http.StatusCreated
		h.callers.changed(submitted.Question.QuestionID)
	}
	q := submitted.Question
	return status, contract.Submitted{
		QuestionID: q.QuestionID, Status: contract.Status(q.Status), PollURL: pollURL(q.QuestionID),
		AnswerURL: h.publicURL + "/q/" + q.QuestionID, ResultURL: h.publicURL + "/developers/questions/" + q.QuestionID,
		CreatedAt: q.CreatedAt.UTC(), ExpiresAt: q.ExpiresAt.UTC(), CallbackSecret: submitted.CallbackSecret,
	}, nil
}

// batching authenticates an agent that sends a batch.
func (h *submissions) batching(w http.ResponseWriter, r *http.Request) (string, error) {
	agent, err := h.callers.agent(w, r)
	if err == nil && r.Header.Get(headerKey) != "" {
		err = invalid(headerKey, "conflict", "Give each question of a batch its own idempotency_key, not the batch.")
	}
	return agent, err
}

func (h *submissions) submitBatch(w http.ResponseWriter, r *http.Request, agent string, in contract.Submissions) error {
	if n := len(in.Body.Questions); n < 1 || n > maxBatch {
		return refusal.OutOfRange("questions", "count", 1, maxBatch, "A batch has 1 to %d questions; this one has %d.", maxBatch, n)
	}
	entries := make([]contract.BatchEntry, len(in.Body.Questions))
	for i, text := range in.Body.Questions {
		entries[i] = h.batched(w, r, agent, text)
		if err := r.Context().Err(); err != nil {
			return err // the client disconnected
		}
	}
	return jsonapi.Write(w, http.StatusOK, contract.BatchResult{Results: entries})
}

// batched submits one question of a batch. A failure does not stop the others.
func (h *submissions) batched(w http.ResponseWriter, r *http.Request, agent string, text []byte) contract.BatchEntry {
	status, view, err := h.askNext(w, r, agent, text)
	if err == nil {
		return contract.BatchEntry{Status: status, Question: &view}
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
	return contract.BatchEntry{Status: refused.Status, Error: &contract.ErrorBody{Code: refused.Code, Message: refused.Message, Details: refused.Details}}
}

// askNext counts a question of a batch and submits it.
func (h *submissions) askNext(w http.ResponseWriter, r *http.Request, agent string, text []byte) (int, contract.Submitted, error) {
	if err := h.mayAsk(w, r, agent); err != nil {
		return 0, contract.Submitted{}, err
	}
	var body contract.Ask
	if err := jsonapi.Decode(text, &body); err != nil {
		return 0, contract.Submitted{}, err
	}
	return h.ask(r, agent, body)
}

func (h *submissions) protect(w http.ResponseWriter, r *http.Request, agent string, _ contract.Agent) error {
	old, err := bearer(r)
	if err != nil {
		return err
	}
	key, err := h.questions.ProtectAgent(r.Context(), agent, old)
	if err != nil {
		return challenged(w, err)
	}
	return jsonapi.Write(w, http.StatusCreated, contract.AgentKey{AgentID: agent, Key: key})
}
