package web_test

import (
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

// example returns the code under a label on the page of developers.
func example(t *testing.T, page answer, label string) string {
	t.Helper()
	_, code, found := strings.Cut(page.Page, `aria-label="`+label+`"><code>`)
	code, _, _ = strings.Cut(code, "</code>")
	if !found || code == "" {
		t.Fatalf("there is no example %q", label)
	}
	return html.UnescapeString(code)
}

// TestExamplesCanBePasted: they are whole, and none has a line that a screen cuts off.
func TestExamplesCanBePasted(t *testing.T) {
	s := open(t)
	page := s.visitor().get("/developers")
	main := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(main, []byte(example(t, page, "main.go")), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "vet", main).CombinedOutput(); err != nil {
		t.Errorf("the example in Go does not compile: %v\n%s", err, out)
	}
	for label, server := range map[string]string{"MCP over HTTP": `{"type":"http","url":"` + s.url + `/mcp","headers":{"X-Agent-Id":"my-agent"}}`,
		"MCP, started by your client": `{"command":"sortkey","args":["mcp"],"env":{"ASK_A_HUMAN_AGENT_ID":"my-agent","ASK_A_HUMAN_BASE_URL":"` + s.url + `"}}`} {
		var config struct {
			Servers map[string]json.RawMessage `json:"mcpServers"`
		}
		if err := json.Unmarshal([]byte(example(t, page, label)), &config); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(string(config.Servers["ask-a-human"])), ""); got != strings.ReplaceAll(server, " ", "") {
			t.Errorf("%s is %s", label, got)
		}
	}
	for line := range strings.Lines(example(t, page, "curl")) {
		if len(strings.Replace(line, s.url, "http://127.0.0.1:80", 1)) > 64 {
			t.Errorf("%d characters: %s", len(line), line)
		}
	}
}

func TestChoosingHowMCPIsReached(t *testing.T) {
	t.Parallel()
	s := open(t)
	tab := webtest.Open(t, s.url+"/developers", webtest.Phone, webtest.Dark)
	tab.Eval(`[...document.querySelectorAll("summary")].find((e) => e.textContent === "As an MCP server").click()`, nil)
	tab.See("region", "MCP over HTTP")
	tab.Choose("Started by your client")
	tab.See("region", "MCP, started by your client")
	if tab.Has("region", "MCP over HTTP") {
		t.Error("both ways are shown")
	}
}

func TestADemoSaysWhoAnswers(t *testing.T) {
	s := open(t)
	s.visitor().get("/developers").want(t, 200, "This asks real people.")
	demo := open(t, func(o *setup) { o.Demo = true })
	demo.visitor().get("/").want(t, 200, "This is a demo")
	demo.visitor().get("/developers").want(t, 200, "In this demo, simulated people answer.")
	demo.visitor().get("/developers").lacks(t, "real people")
}

// TestAQuestionOfAnotherAgent: who is signed in as the wrong one can become the right one.
func TestAQuestionOfAnotherAgent(t *testing.T) {
	s := open(t)
	q := s.ask("Which of these is friendlier?")
	v := s.visitor()
	v.get("/developers/agent")
	v.send("/developers/agent", "agent_id", "ux-agent")
	path := "/developers/questions/" + q.QuestionID
	v.get(path).want(t, 404, "This question is not one of ux-agent’s", "Another agent")
	v.last.lacks(t, "Next question", q.Prompt)
	_, link, _ := strings.Cut(v.last.Page, `href="/developers/agent?another`)
	link, _, _ = strings.Cut("/developers/agent?another"+link, `"`)
	v.get(link).want(t, 200, "Which agent is yours?", `name="back" value="`+path+`"`)
	v.send("/developers/agent", "agent_id", "agent", "back", path).want(t, 200, q.Prompt)
	if v.last.Path != path {
		t.Errorf("then the developer is on %s", v.last.Path)
	}
	v.get("/developers/questions/nosuchquestion").want(t, 404, "not one of agent’s")
}

// TestStatesHaveOneName: tabs and badges say the same, with the word of the API beside it, and
// only a question with all its answers has a tick.
func TestStatesHaveOneName(t *testing.T) {
	s := open(t)
	full, early, expired := s.ask("This one gets all its answers"), s.ask("This one is closed early"), s.ask("This one is too slow")
	s.answers(full, 3)
	s.answers(early, 1)
	s.closeEarly(early.QuestionID)
	v := s.visitor()
	v.get("/developers/agent")
	v.send("/developers/agent", "agent_id", "agent")
	v.get("/developers/questions/"+early.QuestionID).want(t, 200, `<span class="badge tone-neutral">Closed early</span> <code>CLOSED</code>`)
	v.get("/developers/questions/"+full.QuestionID).want(t, 200, `Closed</span> <code>CLOSED</code>`, `<span class="badge tone-good">`)
	v.last.lacks(t, "Closed early")
	v.get("/developers/agent?status=CLOSED").want(t, 200, "Closed early</span> <code>CLOSED</code>", "Closed</span> <code>CLOSED</code>")
	s.Clock.Advance(2 * 3600e9)
	v.get("/developers/agent?status=EXPIRED").want(t, 200, expired.Prompt, `Expired</span> <code>EXPIRED</code>`, ">Expired</a>")
	v.last.lacks(t, "Time was up")
}
