package cli

import (
	"cmp"
	"flag"
	"fmt"
	"net/url"
	"os"
	"runtime/debug"

	"sortkey.dev/apps/askahuman/client"
	"sortkey.dev/apps/askahuman/mcpserver"
)

// The environment variables of the tools of Ask-a-Human.
const (
	askAgentVariable = "ASK_A_HUMAN_AGENT_ID"
	askURLVariable   = "ASK_A_HUMAN_BASE_URL"
	askKeyVariable   = "ASK_A_HUMAN_KEY"
)

func mcpCommand() command {
	return command{
		name:    "mcp",
		summary: "run an MCP server that lets a language model ask people",
		about: `Speaks the Model Context Protocol on standard input and output, for programs that start their tools
themselves. Its tools ask_human and check_human_responses call an Ask-a-Human, such as one of
"sortkey run ask-a-human", which also serves them over HTTP, at /mcp.

` + askAgentVariable + `, ` + askURLVariable + ` and ` + askKeyVariable + ` set the agent, the URL and the agent's key, if it has one.`,
		setup: func(flags *flag.FlagSet) action {
			var agent, where string
			flags.StringVar(&agent, "agent", "", "submit questions as this `AGENT`")
			flags.StringVar(&where, "url", "", "the Ask-a-Human at this `URL` (default http://127.0.0.1:8080)")
			return func(_ streams, args []string) error {
				if err := noArguments("mcp", args); err != nil {
					return err
				}
				agent = cmp.Or(agent, os.Getenv(askAgentVariable))
				if agent == "" {
					return misuse("mcp: no agent given", "Give --agent NAME or set "+askAgentVariable+"; any name of your own will do.")
				}
				where = cmp.Or(where, os.Getenv(askURLVariable), "http://127.0.0.1:8080")
				if u, err := url.Parse(where); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
					return misuse(fmt.Sprintf("mcp: --url must be a URL, got %q", where), "For example --url http://127.0.0.1:8080")
				}
				ctx, stop := untilSignal()
				defer stop()
				info, _ := debug.ReadBuildInfo() // nil without module support, which buildOf handles
				asker := client.New(where, agent, client.WithKey(os.Getenv(askKeyVariable)))
				if err := mcpserver.Stdio(ctx, asker, buildOf(info).Version); err != nil && ctx.Err() == nil {
					return fmt.Errorf("mcp: %w", err)
				}
				return nil
			}
		},
	}
}
