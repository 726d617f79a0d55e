package apps_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/engine"
)

// greeter is a system that answers every request and has no work of its own.
type greeter struct{ name string }

func (g greeter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, "hello "+g.name)
}

func (g greeter) Run(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// A Kind opens a system with a Config. Command sortkey run does this for the systems of this
// module.
func ExampleKind() {
	kind := apps.Kind{
		Name: "greeter", Title: "Greeter", Summary: "Greets its visitors",
		Settings: []apps.Setting{{Name: "GREETER_NAME", Doc: "whom to greet"}},
		Open: func(_ context.Context, config apps.Config) (apps.System, error) {
			return greeter{name: config.Setting("GREETER_NAME")}, nil
		},
	}

	memory, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer memory.Close()
	system, err := kind.Open(context.Background(), apps.Config{
		DynamoDB: memory.API(), Streams: memory.Streams(),
		Setting: func(string) string { return "Ann" },
		Log:     slog.New(slog.DiscardHandler), Now: time.Now,
	})
	if err != nil {
		log.Fatal(err)
	}
	answer := httptest.NewRecorder()
	system.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
	fmt.Println(answer.Body)
	// Output: hello Ann
}
