package mcpserver

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

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

	schemas = map[string]json.RawMessage{"ask_human": askSchema, "check_human_responses": checkSchema}
	// anyObject is what arguments are held against before a tool sees them. The service
	// refuses what is wrong with them in sentences; a validator does it in terms of schemas.
	anyObject = json.RawMessage(`{"type": "object"}`)
)

// showSchemas shows models what the arguments may be.
func showSchemas(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, request)
		if listed, ok := result.(*mcp.ListToolsResult); ok && err == nil {
			for i, tool := range listed.Tools {
				shown := *tool
				shown.InputSchema = schemas[tool.Name]
				listed.Tools[i] = &shown
			}
		}
		return result, err
	}
}

// asking are the arguments of ask_human.
type asking struct {
	Question       string   `json:"question"`
	Context        string   `json:"context"`
	Type           string   `json:"type"`
	Options        []string `json:"options"`
	Audience       []string `json:"audience"`
	MinResponses   *int     `json:"min_responses"`
	TimeoutSeconds *int     `json:"timeout_seconds"`
}

// checking are the arguments of check_human_responses.
type checking struct {
	QuestionID string `json:"question_id"`
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
		MinResponses: given(a.MinResponses), TimeoutSeconds: given(a.TimeoutSeconds),
	}
}

// given returns a number as the client takes it, for whom 0 is one that was not given. A
// model that says 0 is refused as one is that says -1.
func given(n *int) int {
	switch {
	case n == nil:
		return 0
	case *n == 0:
		return -1
	}
	return *n
}

// read takes arguments apart. Its errors are for models.
func read(arguments json.RawMessage, into any) error {
	if len(arguments) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	wrong, isType := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case err == nil:
		return nil
	case isType && wrong.Field != "":
		return fmt.Errorf("%s is %s, not a %s. (%[1]s)", wrong.Field, kindOf(wrong), wrong.Value)
	}
	if _, name, found := strings.Cut(err.Error(), "unknown field "); found {
		return fmt.Errorf("There is no argument %s.", name)
	}
	return errors.New("The arguments are no JSON object.")
}

// kindOf is what an argument has to be, in words.
func kindOf(e *json.UnmarshalTypeError) string {
	switch e.Type.String() {
	case "int":
		return "a whole number"
	case "[]string":
		return "a list of texts"
	}
	return "a text"
}
