// Command contentwriter is an example of a program that leaves taste to people: it asks an
// Ask-a-Human for the tone and the headline of a short post, shows how the answers come in,
// and writes the post with what people chose.
//
//	sortkey run ask-a-human --demo
//	go run ./docs/examples/contentwriter --url http://127.0.0.1:8080
//
// It is for reading and for trying things out; nothing imports it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"time"

	"sortkey.dev/apps/askahuman/client"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "contentwriter:", err)
		os.Exit(1)
	}
}

// run asks, waits and writes. The options are for tests.
func run(ctx context.Context, args []string, out io.Writer, options ...client.Option) error {
	flags := flag.NewFlagSet("contentwriter", flag.ContinueOnError)
	base := flags.String("url", "http://127.0.0.1:8080", "the `URL` of an Ask-a-Human")
	agent := flags.String("agent", "content-writer", "the `name` to ask under")
	people := flags.Int("people", 3, "how many answers each question wants")
	patience := flags.Duration("patience", 10*time.Minute, "how long to wait for them")
	if err := flags.Parse(args); err != nil {
		return err
	}
	w := writer{asking: client.New(*base, *agent, options...), out: out, people: *people, patience: *patience}
	taste, err := w.ask(ctx)
	if connection, ok := errors.AsType[*url.Error](err); ok && ctx.Err() == nil {
		return fmt.Errorf("nobody answers at %s: %w\n  Start one with: sortkey run ask-a-human --demo", *base, connection.Err)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, "\n"+post(taste))
	return err
}

// A writer asks people what it cannot know.
type writer struct {
	asking   *client.Client
	out      io.Writer
	people   int
	patience time.Duration
}

// ask asks both questions and waits for them together. When the patience is over, the
// answers that are there have to do.
func (w writer) ask(ctx context.Context) (taste, error) {
	var ids []string
	for _, question := range []struct {
		name, prompt string
		options      []string
	}{
		{"tone", "Which tone suits a short post about bread that bakes itself overnight?", toneNames()},
		{"headline", "Which headline would make you read a short post about bread that bakes itself overnight?", headlines},
	} {
		submitted, err := w.asking.Submit(ctx, client.Ask{
			Prompt: question.prompt, Type: client.MultipleChoice, Options: question.options,
			Audience: []string{"creative"}, MinResponses: &w.people,
		})
		if err != nil {
			return taste{}, fmt.Errorf("ask for the %s: %w", question.name, err)
		}
		ids = append(ids, submitted.QuestionID)
		fmt.Fprintf(w.out, "Asked for the %s: %s\n", question.name, submitted.AnswerURL)
	}
	questions, err := w.asking.Await(ctx, ids, client.AwaitOptions{
		Min: w.people, Timeout: w.patience, FirstPause: 2 * time.Second, Progress: w.show(),
	})
	if err != nil {
		return taste{}, err
	}
	if len(questions) != len(ids) {
		return taste{}, fmt.Errorf("the server was away until the patience of %s was over", w.patience)
	}
	return taste{tone: choose(questions[0]), headline: choose(questions[1])}, nil
}

// show is a progress that writes a line whenever there is something new.
func (w writer) show() func([]client.Question) {
	last := ""
	return func(questions []client.Question) {
		line := "  waiting for the server"
		if len(questions) == 2 {
			line = "  tone " + bar(questions[0]) + "   headline " + bar(questions[1])
		}
		if line != last {
			fmt.Fprintln(w.out, line)
		}
		last = line
	}
}
