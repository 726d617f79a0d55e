package stream_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/access/stream"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/engine"
)

// openExams opens a database in memory for the generated package exambuddydb. A program on
// AWS gives New a *dynamodb.Client instead.
func openExams() (*exambuddydb.DB, *engine.DB) {
	memory, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := provision.Apply(context.Background(), memory.API(), exambuddydb.Tables(), provision.Options{Poll: time.Millisecond}); err != nil {
		log.Fatal(err)
	}
	return exambuddydb.New(memory.API(), access.WithoutState()), memory
}

func createProject(db *exambuddydb.DB, title string) {
	now := time.Now()
	project := exambuddydb.Project{ProjectID: access.NewULID(now), AdminID: access.NewULID(now), Title: title, CreatedAt: now, UpdatedAt: now}
	if _, err := db.CreateProject(context.Background(), project); err != nil {
		log.Fatal(err)
	}
}

// A Consumer handles every change at least once, and resumes at its checkpoint after a
// restart.
func ExampleConsumer() {
	db, memory := openExams()
	defer memory.Close()
	ctx, stop := context.WithCancel(context.Background())
	createProject(db, "Go basics")

	if err := stream.EnsureTable(ctx, memory.API(), "checkpoints"); err != nil {
		log.Fatal(err)
	}
	consumer := stream.Consumer{
		Streams: memory.Streams(), DB: memory.API(), Table: "ExamBuddyTable",
		Name: "notifier", Checkpoints: "checkpoints",
		Handler: db.Stream(exambuddydb.Handlers{
			OnProject: stream.On[exambuddydb.Project]{
				Insert: func(_ context.Context, p exambuddydb.Project) error {
					fmt.Println("created:", p.Title)
					stop() // a service runs until it is shut down
					return nil
				},
			},
		}),
	}
	fmt.Println(consumer.Run(ctx))
	// Output:
	// created: Go basics
	// <nil>
}

// A Tail handles the changes from now on, in every process that runs one.
func ExampleTail() {
	db, memory := openExams()
	defer memory.Close()
	ctx, stop := context.WithCancel(context.Background())
	createProject(db, "before the tail")

	tail := stream.Tail{
		Streams: memory.Streams(), DB: memory.API(), Table: "ExamBuddyTable",
		Poll:    time.Millisecond,
		OnStart: func() { createProject(db, "after its start") },
		Handler: db.Stream(exambuddydb.Handlers{
			OnProject: stream.On[exambuddydb.Project]{
				Insert: func(_ context.Context, p exambuddydb.Project) error {
					fmt.Println("created:", p.Title)
					stop()
					return nil
				},
			},
		}),
	}
	fmt.Println(tail.Run(ctx))
	// Output:
	// created: after its start
	// <nil>
}

// A function of AWS Lambda is started with lambda.Start(stream.Lambda(handler)).
func ExampleLambda() {
	function := stream.Lambda(func(_ context.Context, r stream.Record) error {
		fmt.Println(r.Kind, r.Table)
		return nil
	})
	var event stream.Event
	if err := json.Unmarshal([]byte(`{"Records": [{
		"eventID": "1", "eventName": "INSERT",
		"eventSourceARN": "arn:aws:dynamodb:us-east-1:123456789012:table/Music/stream/2026-11-01T12:00:00.000",
		"dynamodb": {"SequenceNumber": "100", "Keys": {"Artist": {"S": "No One You Know"}}}
	}]}`), &event); err != nil {
		log.Fatal(err)
	}
	response, err := function(context.Background(), event)
	fmt.Println(len(response.BatchItemFailures), err)
	// Output:
	// INSERT Music
	// 0 <nil>
}
