package cli

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// healthTimeout is the maximum duration of a health check.
const healthTimeout = 3 * time.Second

// maxHealth is the number of bytes of a response that are read for warnings.
const maxHealth = 64 << 10

func healthCommand() command {
	return command{
		name:    "health",
		summary: "report whether a server responds, for containers",
		args:    "URL",
		about: `Sends GET URL and exits with 0 if the status is 200, and with 1 otherwise. It is for images without
another program, as in HEALTHCHECK of a Dockerfile. sortkey serve is healthy at its address, a system
at /health. Warnings of the server, which is healthy all the same, are printed.`,
		setup: func(*flag.FlagSet) action {
			return func(s streams, args []string) error {
				if len(args) != 1 {
					return misuse("health takes a URL, got "+arguments(len(args)), "For example: sortkey health http://127.0.0.1:8000")
				}
				if u, err := url.Parse(args[0]); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
					return misuse(fmt.Sprintf("health: %q is not a URL", args[0]), "For example: sortkey health http://127.0.0.1:8000")
				}
				return health(context.Background(), s.out, args[0])
			}
		},
	}
}

// health returns an error unless a URL responds with status 200. It prints the lines of the
// response that are warnings.
func health(ctx context.Context, out io.Writer, at string) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("no response: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s responds with status %d", at, response.StatusCode)
	}
	for lines := bufio.NewScanner(io.LimitReader(response.Body, maxHealth)); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "warning: ") {
			fmt.Fprintln(out, lines.Text())
		}
	}
	return nil
}
