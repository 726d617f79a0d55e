package otelaccess_test

import (
	"context"
	"fmt"
	"log"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"sortkey.dev/access"
	"sortkey.dev/access/otelaccess"
	"sortkey.dev/access/provision"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/engine"
)

func ExampleNew() {
	memory, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer memory.Close()
	ctx := context.Background()
	if _, err := provision.Apply(ctx, memory.API(), exambuddydb.Tables(), provision.Options{Poll: time.Millisecond}); err != nil {
		log.Fatal(err)
	}

	spans := tracetest.NewSpanRecorder() // a program exports its spans
	observer, err := otelaccess.New(otelaccess.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))))
	if err != nil {
		log.Fatal(err)
	}
	db := exambuddydb.New(memory.API(), access.WithObserver(observer), access.WithoutState())
	if _, err := db.GetProject(ctx, "admin", "unknown"); !access.Refused(err) {
		log.Fatal(err)
	}
	for _, span := range spans.Ended() {
		fmt.Println(span.Name(), span.Status().Code)
	}
	// Output: GetProject Unset
}
