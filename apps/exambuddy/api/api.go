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
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/domain"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/sessionapi"
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
	operations := operations(options)
	document, err := openapi.Document(openapi.Info{
		Title: "ExamBuddy", URL: options.PublicURL,
		Description: "Build exams, sit them, and learn from the results. Answer keys are shown to admins, after the final answer to a practice question, and in the review of an attempt whose exam shows its answers.",
	}, operations)
	if err != nil {
		return nil, err
	}
	front := jsonapi.Options{
		Log: options.Log, Now: options.Domain.Now, Passing: access.Unavailable, Counted: options.Traffic.Note, Field: camel,
		MaxBody: MaxBody, Edge: options.Edge, Proxies: options.Proxies,
		AllowHeaders: []string{"Content-Type", "Authorization", operation.HeaderKey}, ExposeHeaders: []string{"Retry-After", "X-Request-Id", "Content-Disposition"},
	}
	return jsonapi.NewFront(front, append(openapi.Routes(operations), openapi.DocumentRoute(document))), nil
}

// operations returns all operations of the API, by subject.
func operations(o Options) []openapi.Operation {
	d := o.Domain
	c := &callers{sessions: sessionapi.Sessions{Accounts: o.Accounts}}
	return slices.Concat(
		(&signUps{people: d.People, sessions: c.sessions, openAdmins: o.OpenAdmins}).operations(c),
		(&projects{bank: d.Bank, people: d.People}).operations(c),
		(&questions{bank: d.Bank}).operations(c),
		(&imports{bank: d.Bank, images: d.Images, files: o.Files}).operations(c),
		(&groups{people: d.People}).operations(c),
		(&sessions{sitting: d.Sitting, results: d.Results}).operations(c),
		(&attempts{results: d.Results, now: d.Now}).operations(c),
		(&statistics{results: d.Results, bank: d.Bank}).operations(c),
		(&operators{people: d.People, results: d.Results}).operations(c),
		[]openapi.Operation{openapi.Handle(contract.GetHealth, c.anyone, health(d))},
	)
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

// health reports whether the system works.
func health(d *domain.Domain) func(ctx context.Context, _ *http.Request, _ contract.None) (contract.Health, error) {
	return func(ctx context.Context, _ *http.Request, _ contract.None) (contract.Health, error) {
		if err := d.Writable(ctx); err != nil {
			return contract.Health{}, &jsonapi.Error{Status: http.StatusServiceUnavailable, Code: "UNAVAILABLE", Message: "The database cannot be written now."}
		}
		return contract.Health{Status: "ok"}, nil
	}
}

// repeatOf returns the identity of a request with an idempotency key and its content.
func repeatOf(key string, content any) exambuddy.Repeat {
	if key == "" {
		return exambuddy.Repeat{}
	}
	text, err := json.Marshal(content)
	if err != nil {
		panic(fmt.Sprintf("api: the content of a request cannot be encoded: %v", err)) // it was decoded from JSON
	}
	return exambuddy.Repeat{Key: key, Content: string(text)}
}

func listOf[From, To any](page access.Page[From], view func(From) To) contract.List[To] {
	return contract.List[To]{Items: each(page.Items, view), Next: page.Next}
}

func each[From, To any](from []From, view func(From) To) []To {
	all := make([]To, len(from))
	for i, one := range from {
		all[i] = view(one)
	}
	return all
}
