// Package telegramtest is a local server that speaks the Bot API: the methods that package
// telegram calls, with their errors and rate limits, and chats in which simulated people write.
//
// Tests use it in place of Telegram, and the simulated chat page shows its chats. It keeps
// everything in memory and is not a complete Bot API.
package telegramtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"sortkey.dev/apps/homeops/telegram"
)

// Options configures a Server. Token is required.
type Options struct {
	Token string
	Bot   telegram.User    // the bot's account; a default if its id is 0
	Now   func() time.Time // time.Now if nil
	HTTP  *http.Client     // delivers webhooks; http.DefaultClient if nil

	// Limits are enforced with 429 answers; none if zero.
	Limits telegram.Limits

	// First is the first id of messages; 1 if zero. A server that begins again with an empty
	// memory begins behind the ids that were used before. Ids of updates begin at a thousand times
	// as much.
	First int64
	// Keep is the number of messages of a chat, and of calls, that are kept; all if zero.
	Keep int
	// Changed is called after a chat changed; may be nil.
	Changed func(chatID int64)
}

// A Server holds chats and answers the methods of the Bot API. It is an http.Handler, and safe for
// concurrent use.
type Server struct {
	token   string
	first   int64
	keep    int
	changed func(chatID int64)
	bot     telegram.User
	now     func() time.Time
	http    *http.Client
	limits  telegram.Limits
	mutex   sync.Mutex
	chats   map[int64]*chat
	updates []telegram.Update
	nextID  int64
	webhook telegram.Webhook
	polling bool
	arrived chan struct{} // closed when an update arrives
	faults  []Fault
	calls   []Call
	answers map[string]string // texts of answered callback queries, by id
	sent    []time.Time       // of messages to all chats
}

// A chat is a chat and what happened in it.
type chat struct {
	telegram.Chat
	members    map[int64]*telegram.ChatMember
	messages   []telegram.Message
	reactions  map[int64][]telegram.ReactionType // of the bot
	migratedTo int64
	sent       []time.Time
	nextID     int64
}

// A Call is a method call that the server received.
type Call struct {
	Method string
	Body   string
}

// A Fault makes the server answer the next call of a method wrongly, once.
type Fault struct {
	Method     string // any method if empty
	Status     int    // 429, 500, 502, …
	RetryAfter int    // seconds, for 429
	Malformed  bool   // an answer that is not JSON
	Hang       bool   // no answer until the client gives up
}

// New returns a server without chats.
func New(o Options) *Server {
	s := &Server{
		token: o.Token, bot: o.Bot, now: o.Now, http: o.HTTP, limits: o.Limits, chats: map[int64]*chat{},
		arrived: make(chan struct{}), answers: map[string]string{}, nextID: max(1000, 1000*o.First), first: max(1, o.First), keep: o.Keep, changed: o.Changed,
	}
	if s.bot.ID == 0 {
		s.bot = telegram.User{ID: 4000, IsBot: true, FirstName: "HomeOps", Username: "homeops_bot", CanJoinGroups: true, CanReadAllGroupMessages: true}
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.http == nil {
		s.http = http.DefaultClient
	}
	return s
}

// Bot returns the bot's account.
func (s *Server) Bot() telegram.User { return s.bot }

// Fail adds a fault.
func (s *Server) Fail(f Fault) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.faults = append(s.faults, f)
}

// Calls returns the calls of a method so far, or of all methods if method is "".
func (s *Server) Calls(method string) []Call {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var out []Call
	for _, c := range s.calls {
		if method == "" || c.Method == method {
			out = append(out, c)
		}
	}
	return out
}

// ServeHTTP answers a method call at /bot<token>/<method>.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, method, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/bot"), "/")
	if !ok || token != s.token {
		fail(w, &telegram.Error{Code: 401, Description: "Unauthorized"})
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		fail(w, badRequest("cannot read the request"))
		return
	}
	if f, ok := s.record(method, string(body)); ok {
		f.answer(w, r)
		return
	}
	result, refused := s.dispatch(r.Context(), method, body)
	if refused != nil {
		fail(w, refused)
		return
	}
	var about struct {
		ChatID int64 `json:"chat_id"`
	}
	if json.Unmarshal(body, &about) == nil {
		s.tell(about.ChatID)
	}
	write(w, http.StatusOK, map[string]any{"ok": true, "result": result})
}

// record keeps a call and returns the fault that it must answer with.
func (s *Server) record(method, body string) (Fault, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.calls = last(append(s.calls, Call{method, body}), s.keep)
	for i, f := range s.faults {
		if f.Method == "" || f.Method == method {
			s.faults = append(s.faults[:i:i], s.faults[i+1:]...)
			return f, true
		}
	}
	return Fault{}, false
}

// last returns the last n elements; all if n is 0.
func last[T any](all []T, n int) []T {
	if n == 0 || len(all) <= n {
		return all
	}
	return slices.Clone(all[len(all)-n:])
}

// tell calls Changed. The caller does not hold the lock.
func (s *Server) tell(chatID int64) {
	if s.changed != nil && chatID != 0 {
		s.changed(chatID)
	}
}

// answer writes the wrong answer.
func (f Fault) answer(w http.ResponseWriter, r *http.Request) {
	switch {
	case f.Hang:
		<-r.Context().Done()
	case f.Malformed:
		w.WriteHeader(http.StatusBadGateway)
		fmt.Fprint(w, "<html>502 Bad Gateway</html>")
	default:
		fail(w, &telegram.Error{Code: f.Status, Description: http.StatusText(f.Status), RetryAfter: time.Duration(f.RetryAfter) * time.Second})
	}
}

// dispatch runs a method.
func (s *Server) dispatch(ctx context.Context, method string, body []byte) (any, *telegram.Error) {
	methods := map[string]func([]byte) (any, *telegram.Error){
		"getMe":                    func([]byte) (any, *telegram.Error) { return s.bot, nil },
		"sendMessage":              s.sendMessage,
		"editMessageText":          s.editMessageText,
		"editEphemeralMessageText": s.editEphemeral,
		"setMessageReaction":       s.setMessageReaction,
		"answerCallbackQuery":      s.answerCallbackQuery,
		"getChatMember":            s.getChatMember,
		"setWebhook":               s.setWebhook,
		"deleteWebhook":            s.deleteWebhook,
		"getWebhookInfo":           s.getWebhookInfo,
	}
	if method == "getUpdates" {
		return s.getUpdates(ctx, body)
	}
	run, ok := methods[method]
	if !ok {
		return nil, &telegram.Error{Code: 404, Description: "Not Found"}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return run(body)
}

func badRequest(text string) *telegram.Error {
	return &telegram.Error{Code: 400, Description: "Bad Request: " + text}
}

// fail writes an error in the form of the Bot API.
func fail(w http.ResponseWriter, e *telegram.Error) {
	parameters := map[string]any{}
	if e.RetryAfter > 0 {
		parameters["retry_after"] = int(e.RetryAfter / time.Second)
	}
	if e.MigrateTo != 0 {
		parameters["migrate_to_chat_id"] = e.MigrateTo
	}
	answer := map[string]any{"ok": false, "error_code": e.Code, "description": e.Description}
	if len(parameters) > 0 {
		answer["parameters"] = parameters
	}
	write(w, e.Code, answer)
}

func write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(value)
}

// deliver hands an update to the webhook, if there is one, and queues it otherwise or if the
// webhook refuses it. It returns the status of the webhook, 0 without one.
func (s *Server) deliver(ctx context.Context, u telegram.Update) (int, error) {
	s.mutex.Lock()
	s.nextID++
	u.UpdateID = s.nextID
	hook := s.webhook
	if hook.URL == "" {
		s.queue(u)
	}
	s.mutex.Unlock()
	if hook.URL == "" {
		return 0, nil
	}
	status, err := s.post(ctx, hook, u)
	if err != nil || status/100 != 2 {
		s.mutex.Lock()
		s.queue(u)
		s.mutex.Unlock()
	}
	return status, err
}

// queue appends an update and wakes long polling. The caller holds the lock.
func (s *Server) queue(u telegram.Update) {
	s.updates = append(s.updates, u)
	close(s.arrived)
	s.arrived = make(chan struct{})
}

// post sends an update to a webhook.
func (s *Server) post(ctx context.Context, hook telegram.Webhook, u telegram.Update) (int, error) {
	body, err := json.Marshal(u)
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, hook.URL, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(telegram.SecretHeader, hook.SecretToken)
	response, err := s.http.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// Redeliver sends the updates that the webhook refused again, in order, and returns how many are
// left.
func (s *Server) Redeliver(ctx context.Context) (left int, err error) {
	s.mutex.Lock()
	pending, hook := s.updates, s.webhook
	s.mutex.Unlock()
	for i, u := range pending {
		status, err := s.post(ctx, hook, u)
		if err != nil || status/100 != 2 {
			return len(pending) - i, err
		}
		s.mutex.Lock()
		s.updates = s.updates[1:]
		s.mutex.Unlock()
	}
	return 0, nil
}
