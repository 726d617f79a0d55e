// Package api is the JSON API of ExamBuddy: admins build exams and read results, candidates sit
// them, programs import and export questions. It translates requests into calls of the domain's
// rooms and identifies callers by bearer tokens. It holds no rules of its own. Its OpenAPI document
// is made from the same declarations as its routes, and tests compare every response with it.
//
// The types of an open question have no field for a key: only the response to the final answer of a
// practice question, reviews and what admins read hold one.
//
// Package server mounts it.
package api

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/domain"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/refusal"
)

// MaxBody is the maximum size of a request body in bytes: a file that is too large still gets a
// precise refusal.
const MaxBody = bank.MaxDocument + 1<<20

// Edge is the rate limit of requests from one address. A whole class may sit behind one address.
var Edge = jsonapi.Bucket{PerSecond: 200, Burst: 2000}

// Options configures the API.
type Options struct {
	Domain   *domain.Domain
	Accounts *accounts.Accounts
	Files    files.Store
	Log      *slog.Logger // may be nil
	// PublicURL is the public URL of the API, without a trailing slash; "" if it is not known.
	PublicURL string
	// OpenAdmins lets everyone sign up as an admin. Otherwise operators invite admins.
	OpenAdmins bool
	// Proxies is the number of trusted proxies before the API.
	Proxies int
	// Traffic counts the responses; may be nil.
	Traffic *jsonapi.Traffic
	// Edge limits the requests from one address; that of the package by default.
	Edge jsonapi.Bucket
}

type api struct {
	Options
	document []byte
}

// None is the type of operations without arguments or without a response.
type None = openapi.None

// New returns the handler of the API. It serves /v1/ and /openapi.json.
func New(options Options) (http.Handler, error) {
	if options.Domain == nil || options.Accounts == nil || options.Files == nil {
		return nil, errors.New("api: a domain, accounts and a store of files are required")
	}
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	options.Traffic = cmp.Or(options.Traffic, new(jsonapi.Traffic))
	options.Edge = cmp.Or(options.Edge, Edge)
	a := &api{Options: options}
	operations := a.operations()
	var err error
	if a.document, err = openapi.Document(openapi.Info{
		Title: "ExamBuddy", URL: options.PublicURL,
		Description: "Build exams, sit them, and learn from the results. Answer keys are shown to admins, after the final answer to a practice question, and in the review of an attempt whose exam shows its answers.",
	}, operations); err != nil {
		return nil, err
	}
	front := jsonapi.Options{
		Log: options.Log, Now: options.Domain.Now, Passing: access.Unavailable, Counted: options.Traffic.Note, Field: camel,
		MaxBody: MaxBody, Edge: options.Edge, Proxies: options.Proxies,
		AllowHeaders: []string{"Content-Type", "Authorization"}, ExposeHeaders: []string{"Retry-After", "X-Request-Id", "Content-Disposition"},
	}
	return jsonapi.NewFront(front, append(openapi.Routes(operations), jsonapi.Route{Pattern: "GET /openapi.json", Handler: a.openapi})), nil
}

// operations returns all operations of the API, by subject.
func (a *api) operations() []openapi.Operation {
	return slices.Concat(a.authOperations(), a.projectOperations(), a.questionOperations(), a.importOperations(), a.groupOperations(),
		a.sessionOperations(), a.resultOperations(), a.statisticOperations(), a.operatorOperations(),
		[]openapi.Operation{openapi.On(a.anyone, http.MethodGet, "/v1/health", "Whether the database can be used", http.StatusOK, a.health).Open()})
}

// camel returns the API's name of a value of the domain: pass_mark is passMark.
func camel(name string) string {
	words := strings.Split(name, "_")
	for i, word := range words[1:] {
		if word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// ErrToken refuses a request without a valid token.
var ErrToken = refusal.New(refusal.Unauthenticated, "", "Send a valid access token in the header Authorization: Bearer TOKEN.")

// anyone lets every caller pass.
func (a *api) anyone(_ http.ResponseWriter, r *http.Request) (*http.Request, error) { return r, nil }

// signed returns the caller of a request with a token.
func (a *api) signed(_ http.ResponseWriter, r *http.Request) (exambuddy.Caller, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return exambuddy.Caller{}, ErrToken
	}
	signed, err := a.Accounts.Tokens.Verify(r.Context(), token)
	if _, refused := refusal.As(err, refusal.Unauthenticated); refused {
		return exambuddy.Caller{}, ErrToken
	}
	if err != nil {
		return exambuddy.Caller{}, err
	}
	return people.Caller(signed.Account), nil
}

func (a *api) admin(w http.ResponseWriter, r *http.Request) (exambuddy.Admin, error) {
	caller, err := a.signed(w, r)
	if err != nil {
		return exambuddy.Admin{}, err
	}
	return caller.Admin()
}

func (a *api) candidate(w http.ResponseWriter, r *http.Request) (exambuddy.Candidate, error) {
	caller, err := a.signed(w, r)
	if err != nil {
		return exambuddy.Candidate{}, err
	}
	return caller.Candidate()
}

func (a *api) operator(w http.ResponseWriter, r *http.Request) (exambuddy.Operator, error) {
	caller, err := a.signed(w, r)
	if err != nil {
		return exambuddy.Operator{}, err
	}
	return caller.Operator()
}

func (a *api) openapi(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(a.document) // a disconnected client does not matter
	return nil
}

// Health says whether the system works.
type Health struct {
	Status string `json:"status"`
}

func (a *api) health(ctx context.Context, _ *http.Request, _ None) (Health, error) {
	if err := a.Domain.Writable(ctx); err != nil {
		return Health{}, &jsonapi.Error{Status: http.StatusServiceUnavailable, Code: "UNAVAILABLE", Message: "The database cannot be written now."}
	}
	return Health{Status: "ok"}, nil
}

// A List is a page of a list.
type List[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"cursor,omitempty"`
}

func listOf[From, To any](page access.Page[From], view func(From) To) List[To] {
	return List[To]{Items: each(page.Items, view), Next: page.Next}
}

func each[From, To any](from []From, view func(From) To) []To {
	all := make([]To, len(from))
	for i, one := range from {
		all[i] = view(one)
	}
	return all
}

// byID holds the arguments of operations about one thing.
type byID struct {
	ID string `path:"id"`
}

// pages holds the arguments of lists.
type pages struct {
	Limit  int    `query:"limit"`
	Cursor string `query:"cursor"`
}

// pagesOf holds the arguments of lists about one thing.
type pagesOf struct {
	ID     string `path:"id"`
	Limit  int    `query:"limit"`
	Cursor string `query:"cursor"`
}
