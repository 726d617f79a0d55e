package mcpserver

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"sortkey.dev/apps/askahuman/client"
)

// The schemas of the tools' arguments. They are written by hand so that models see limits
// and defaults.
var (
	//go:embed ask_human.schema.json
	askSchema json.RawMessage
	//go:embed check_human_responses.schema.json
	checkSchema json.RawMessage

	schemas = map[string]json.RawMessage{"ask_human": askSchema, "check_human_responses": checkSchema}
	// anyObject is the schema that arguments are validated against before a tool runs. The
	// service reports invalid arguments in sentences that are clearer than a validator's.
	anyObject = json.RawMessage(`{"type": "object"}`)
)

// showSchemas lists the tools with their full schemas.
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

// asking holds the arguments of ask_human.
type asking struct {
	Question       string   `json:"question"`
	Context        string   `json:"context"`
	Type           string   `json:"type"`
	Options        []string `json:"options"`
	Audience       []string `json:"audience"`
	MinResponses   *int     `json:"min_responses"`
	TimeoutSeconds *int     `json:"timeout_seconds"`
}

// checking holds the arguments of check_human_responses.
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
		MinResponses: a.MinResponses, TimeoutSeconds: a.TimeoutSeconds,
	}
}

// read decodes arguments. Its errors are written for models.
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
	case isType && (wrong.Field == "options" || wrong.Field == "audience") && wrong.Type.Kind() == reflect.String:
		return fmt.Errorf("%s is a list of texts, and one of them is a %s. (%[1]s)", wrong.Field, wrong.Value)
	case isType && wrong.Field != "":
		return fmt.Errorf("%s is %s, not a %s. (%[1]s)", wrong.Field, kindOf(wrong), wrong.Value)
	}
	if _, name, found := strings.Cut(err.Error(), "unknown field "); found {
		return fmt.Errorf("There is no argument %s.", name)
	}
	return errors.New("The arguments are no JSON object.")
}

// kindOf returns the expected type of an argument in words.
func kindOf(e *json.UnmarshalTypeError) string {
	switch e.Type.String() {
	case "int":
		return "a whole number"
	case "[]string":
		return "a list of texts"
	}
	return "a text"
}
