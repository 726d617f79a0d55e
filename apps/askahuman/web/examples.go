package web

import (
	"strconv"
	"strings"

	"sortkey.dev/apps/askahuman"
)

// examples holds code to paste for a first agent. Its lines are short enough for a phone.
type examples struct {
	Curl, Go, MCPOverHTTP, MCPStarted string
}

// examplesFor returns the examples for the server at an address.
func examplesFor(base string) examples {
	fill := strings.NewReplacer("{url}", base, "{wanted}", strconv.Itoa(askahuman.DefaultResponses))
	return examples{
		Curl:        fill.Replace(curlExample),
		Go:          fill.Replace(goExample),
		MCPOverHTTP: fill.Replace(mcpOverHTTPExample),
		MCPStarted:  fill.Replace(mcpStartedExample),
	}
}

// betweenRequests stands between the two requests of the example.
const betweenRequests = "\n\n# then, with the question_id of the answer:\n"

const curlExample = `curl {url}/agent/questions \
  -H 'X-Agent-Id: my-agent' \
  -H 'Content-Type: application/json' \
  -d '{
    "prompt": "Which headline is better?",
    "type": "multiple_choice",
    "options": ["Save time", "Save money"],
    "min_responses": {wanted}
  }'` + betweenRequests + `curl -H 'X-Agent-Id: my-agent' \
  '{url}/agent/questions/QUESTION_ID?wait=30'`

const goExample = `package main

import (
	"context"
	"fmt"
	"log"

	"sortkey.dev/apps/askahuman/client"
)

func main() {
	ctx := context.Background()
	agent := client.New("{url}", "my-agent")
	question, err := agent.SubmitAndWait(ctx, client.Ask{
		Prompt:       "Which headline is better?",
		Type:         client.MultipleChoice,
		Options:      []string{"Save time", "Save money"},
		MinResponses: new({wanted}),
	}, client.AwaitOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(question.Summary)
}`

const mcpOverHTTPExample = `{
  "mcpServers": {
    "ask-a-human": {
      "type": "http",
      "url": "{url}/mcp",
      "headers": {"X-Agent-Id": "my-agent"}
    }
  }
}`

const mcpStartedExample = `{
  "mcpServers": {
    "ask-a-human": {
      "command": "sortkey",
      "args": ["mcp"],
      "env": {
        "ASK_A_HUMAN_AGENT_ID": "my-agent",
        "ASK_A_HUMAN_BASE_URL": "{url}"
      }
    }
  }
}`
