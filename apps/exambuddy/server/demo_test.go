package server_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy/client"
	"sortkey.dev/apps/exambuddy/demo"
	"sortkey.dev/apps/internal/webtest"
)

// play runs the demo for a number of steps after its opening.
func play(t *testing.T, base, memory string, steps int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	err := demo.Play(ctx, demo.Options{BaseURL: base, Log: log, Seed: 1, Memory: memory, Sleep: func(ctx context.Context, _ time.Duration) error {
		if steps--; steps < 0 {
			stop()
		}
		return ctx.Err()
	}, Think: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the demo ended with %v", err)
	}
}

// TestTheDemoAsksNobodyToSignInTwice: its notice is for visitors who are not signed in.
func TestTheDemoAsksNobodyToSignInTwice(t *testing.T) {
	base, _ := startAs(t, nil, true)
	webtest.NewVisitor(t, base).Open("/").Says("This is a demo")
	for name, role := range map[string]string{"Cleo": "sit", "Ada": "build"} {
		person := signUp(t, base, name, role)
		person.Open("/").Hides("This is a demo")
		if role == "build" {
			person.Open("/admin").Hides("This is a demo")
		}
	}
}

// TestDemoFillsTheSystemOnce plays the demo twice on one database.
func TestDemoFillsTheSystemOnce(t *testing.T) {
	base, _ := startAs(t, nil, true)
	webtest.NewVisitor(t, base).Open("/").Says("the people and their results are invented", demo.Admin, demo.Candidate, demo.Password)
	memory := filepath.Join(t.TempDir(), "demo.json")
	play(t, base, memory, 3)
	dana := client.New(base)
	if err := dana.Login(t.Context(), demo.Admin, demo.Password); err != nil {
		t.Fatal(err)
	}
	look := func() (exams, attempts, questions, passed int) {
		t.Helper()
		projects, err := dana.Projects(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range projects.Items {
			list, err := dana.Attempts(t.Context(), client.Filter{ProjectID: p.ID})
			if err != nil {
				t.Fatal(err)
			}
			exams, attempts, questions = exams+1, attempts+len(list.Items), questions+int(p.QuestionCount)
			for _, a := range list.Items {
				if a.Passed {
					passed++
				}
			}
		}
		return exams, attempts, questions, passed
	}
	exams, attempts, questions, passed := look()
	if exams != 3 || attempts != 31 || questions != 20 || passed < 8 || passed > 28 {
		t.Errorf("%d exams, %d attempts (%d passed), %d questions", exams, attempts, passed, questions)
	}
	play(t, base, memory, 2)
	play(t, base, "", 0) // a database that is kept without its memory
	again, more, same, _ := look()
	if again != exams || more != attempts || same != questions {
		t.Errorf("a second run makes %d exams, %d attempts, %d questions", again, more, same)
	}
	play(t, base, memory, 120) // those who sit now come to an end
	if _, more, _, _ = look(); more <= attempts {
		t.Errorf("no candidate has handed in after %d attempts", more)
	}
}
