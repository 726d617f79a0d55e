// Package mcpserver lets a language model ask people: it offers the two tools ask_human
// and check_human_responses by the Model Context Protocol, over standard input and output
// or over HTTP. It knows nothing of how answers come about; it calls the agent API through
// package client, so it runs beside the model as well as beside the system.
package mcpserver

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"sortkey.dev/apps/askahuman/client"
)

// The schemas of the tools' arguments. They are written by hand, since limits and
// defaults are what a model needs to see.
var (
	//go:embed ask_human.schema.json
	askSchema json.RawMessage
	//go:embed check_human_responses.schema.json
	checkSchema json.RawMessage
)

const instructions = `Ask people when a matter needs human judgement: taste, tone, ethics, a hunch about users.
ask_human returns at once with a question_id; people answer within minutes. Go on with other work and call
check_human_responses later. Answers so far can be used before a question is CLOSED: CLOSED means high confidence,
PARTIAL with three or more answers medium, anything less low.`

// asking are the arguments of ask_human.
type asking struct {
	Question       string   `json:"question"`
	Context        string   `json:"context,omitempty"`
	Type           string   `json:"type,omitempty"`
	Options        []string `json:"options,omitempty"`
	Audience       []string `json:"audience,omitempty"`
	MinResponses   int      `json:"min_responses,omitempty"`
	TimeoutSeconds int      `json:"timeout_seconds,omitempty"`
}

// checking are the arguments of check_human_responses.
type checking struct {
	QuestionID string `json:"question_id"`
}

// New is a server whose tools ask through a client.
func New(asker *client.Client, version string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "ask-a-human", Title: "Ask-a-Human", Version: version},
		&mcp.ServerOptions{Instructions: instructions})
	mcp.AddTool(server, &mcp.Tool{
		Name:        "ask_human",
		Title:       "Ask people",
		Description: "Ask people a question that needs human judgement. Returns a question_id at once; answers arrive within minutes and are read with check_human_responses.",
		InputSchema: askSchema,
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in asking) (*mcp.CallToolResult, client.Submitted, error) {
		submitted, err := asker.Submit(ctx, in.ask())
		if err != nil {
			return nil, submitted, forModel(err)
		}
		return text(describeSubmitted(submitted)), submitted, nil
	})
	mcp.AddTool(server, &mcp.Tool{
		Name:        "check_human_responses",
		Title:       "Read people's answers",
		Description: "Read the answers to a question of ask_human so far, with its status: OPEN, PARTIAL, CLOSED (enough answers) or EXPIRED (its time is up).",
		InputSchema: checkSchema,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true},
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in checking) (*mcp.CallToolResult, client.Question, error) {
		question, err := asker.Get(ctx, in.QuestionID)
		if err != nil {
			return nil, question, forModel(err)
		}
		return text(describeQuestion(question)), question, nil
	})
	return server
}

// Stdio serves a client on standard input and output until it goes away or ctx is done.
func Stdio(ctx context.Context, asker *client.Client, version string) error {
	return New(asker, version).Run(ctx, &mcp.StdioTransport{})
}

// Handler serves clients over HTTP. asker gives the client for a request, or nil if the
// request does not say who asks. There are no sessions, so that any process can answer any request.
func Handler(asker func(*http.Request) *client.Client, version string) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		if c := asker(r); c != nil {
			return New(c, version)
		}
		return nil
	}, &mcp.StreamableHTTPOptions{Stateless: true})
}

func (a asking) ask() client.Ask {
	kind := client.Type(a.Type)
	if kind == "" {
		kind = client.Text
		if len(a.Options) > 0 {
			kind = client.MultipleChoice
		}
	}
	return client.Ask{
		Prompt: a.Question, Context: a.Context, Type: kind, Options: a.Options, Audience: a.Audience,
		MinResponses: a.MinResponses, TimeoutSeconds: a.TimeoutSeconds,
	}
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

// forModel says what a model can do about a refusal.
func forModel(err error) error {
	refused, ok := errors.AsType[*client.Error](err)
	switch {
	case !ok:
		return fmt.Errorf("the service cannot be reached: %w", err)
	case refused.RetryAfter > 0:
		return fmt.Errorf("%s Try again in %s", refused.Message, refused.RetryAfter)
	case refused.Details.Field != "":
		return fmt.Errorf("%s (%s)", refused.Message, refused.Details.Field)
	}
	return errors.New(refused.Message)
}

func describeSubmitted(s client.Submitted) string {
	return fmt.Sprintf("Question %s is asked. People can answer it until %s. Read the answers with check_human_responses, first in about half a minute.",
		s.QuestionID, s.ExpiresAt.UTC().Format(time.RFC3339))
}

// describeQuestion is a question and its answers as a text that a model reads.
func describeQuestion(q client.Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Status: %s, %d of %d answers", q.Status, q.CurrentResponses, q.RequiredResponses)
	if q.Confidence != "" {
		fmt.Fprintf(&b, ", confidence %s", q.Confidence)
	}
	fmt.Fprintf(&b, "\nQuestion: %s\n", q.Prompt)
	if q.Consensus != nil {
		fmt.Fprintf(&b, "Consensus: %s (%.0f %%)\n", q.Consensus.Option, 100*q.Consensus.Share)
	}
	for _, option := range q.Options {
		fmt.Fprintf(&b, "- %s: %d\n", option, q.Summary[option])
	}
	for i, response := range q.Responses {
		if q.Type == client.MultipleChoice {
			break // the votes say it
		}
		fmt.Fprintf(&b, "%d. %s", i+1, response.Answer)
		if response.Confidence != nil {
			fmt.Fprintf(&b, " (confidence %d of 5)", *response.Confidence)
		}
		b.WriteString("\n")
	}
	if len(q.Responses) == 0 {
		b.WriteString("Nobody has answered yet.\n")
	}
	return b.String()
}
