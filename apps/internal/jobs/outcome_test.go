package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/internal/jobs"
)

// outcome runs a job once with an outcome and returns its delay and its error.
func (f *fixture) outcome(p jobs.Policy, outcome error) (status jobs.Status, delay time.Duration, text string) {
	f.t.Helper()
	q, _ := f.other()
	q.Handle("send", "work", p, func(context.Context, jobs.Job) error { return outcome })
	if _, err := q.Add(f.t.Context(), jobs.Job{ID: "send-1", Kind: "send"}); err != nil {
		f.t.Fatal(err)
	}
	f.step(q, 1)
	job := f.job("send-1")
	return job.Status, job.DueAt.Sub(f.Now()), *job.LastError
}

func TestFailedJobsAreRetriedLater(t *testing.T) {
	down := errors.New("the host is down")
	for name, test := range map[string]struct {
		policy  jobs.Policy
		outcome error
		want    time.Duration // with half of a fifth on top of the backoff
	}{
		"default":              {jobs.Policy{}, down, 16500 * time.Millisecond},
		"own backoff":          {policy, down, 66 * time.Second},
		"the host asks":        {policy, jobs.RetryAfter(5*time.Minute, down), 5 * time.Minute},
		"it asks for less":     {policy, jobs.RetryAfter(time.Second, down), 66 * time.Second},
		"it asks for too much": {policy, jobs.RetryAfter(100*time.Hour, down), time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t)
			status, delay, text := f.outcome(test.policy, test.outcome)
			if status != jobs.Queued || delay != test.want || text != "the host is down" {
				t.Errorf("it is %s for %v: %s; want queued for %v", status, delay, text, test.want)
			}
		})
	}
}

func TestBackoffs(t *testing.T) {
	exponential, schedule := jobs.Exponential(15*time.Second, 2*time.Minute), jobs.Schedule(time.Second, time.Hour)
	var got [2][]time.Duration
	for tried := 1; tried <= 6; tried++ {
		got[0] = append(got[0], exponential(tried))
		got[1] = append(got[1], schedule(tried))
	}
	want := [2][]time.Duration{
		{15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 2 * time.Minute, 2 * time.Minute},
		{time.Second, time.Hour, time.Hour, time.Hour, time.Hour, time.Hour},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("backoffs (-want +got):\n%s", diff)
	}
	if got := exponential(100_000_000); got != 2*time.Minute {
		t.Errorf("the backoff after very many attempts is %v", got)
	}
}

// TestBackoffOfAPart: a handler retries a part of its work as the queue retries a job.
func TestBackoffOfAPart(t *testing.T) {
	f := open(t)
	f.Handle("send", "work", policy, func(context.Context, jobs.Job) error { return nil })
	down := errors.New("the host is down")
	for _, test := range []struct {
		tried   int
		outcome error
		want    time.Duration
	}{
		{1, down, 66 * time.Second},
		{2, down, 66 * time.Minute},
		{1, jobs.RetryAfter(5*time.Minute, down), 5 * time.Minute},
		{3, down, 0},
		{1, jobs.Final(down), 0},
		{1, nil, 0},
	} {
		if got, retried := f.Backoff("send", test.tried, test.outcome); got != test.want || retried != (test.want > 0) {
			t.Errorf("attempt %d with outcome %v: %v, %t; want %v", test.tried, test.outcome, got, retried, test.want)
		}
	}
}

func TestAJobHasSoManyTries(t *testing.T) {
	f := open(t)
	var tries []int
	f.Handle("send", "work", policy, func(_ context.Context, job jobs.Job) error {
		tries = append(tries, job.Tries)
		return errors.New("no")
	})
	f.add(jobs.Job{ID: "send-1", Kind: "send"})
	for range 10 {
		if _, err := f.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.Clock.Advance(3 * time.Hour)
	}
	if diff := cmp.Diff([]int{1, 2, 3}, tries); diff != "" {
		t.Errorf("tries (-want +got):\n%s", diff)
	}
	if job := f.job("send-1"); job.Status != jobs.Dead || job.Lane != "dead" || job.Tries != 3 {
		t.Errorf("the job is %+v", job)
	}
}

func TestPoisonedJobsAreDeadAtOnce(t *testing.T) {
	for name, payload := range map[string]any{
		"a list": []int{1}, "a text": "x", "a number": 1e300, "a wrong field": map[string]any{"page": "two"},
		"deep": json.RawMessage(strings.Repeat(`{"to":`, 5000) + `1` + strings.Repeat(`}`, 5000)),
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t)
			f.Handle("send", "work", policy, func(_ context.Context, job jobs.Job) error {
				_, err := jobs.Payload[letter](job)
				return err
			})
			f.add(jobs.Job{ID: "send-1", Kind: "send", Payload: payload})
			f.step(f.Queue, 1)
			if job := f.job("send-1"); job.Status != jobs.Dead || !strings.HasPrefix(*job.LastError, "decode the payload: ") {
				t.Errorf("the job is %+v", job)
			}
		})
	}
}

func TestJobsWithoutAHandlerAreRetriedForAWhile(t *testing.T) {
	f := open(t)
	newer, _ := f.other()
	var ran record
	newer.Handle("fly", "work", policy, ran.handle)
	for _, id := range []string{"fly-1", "fly-2"} {
		if _, err := newer.Add(t.Context(), jobs.Job{ID: id, Kind: "fly"}); err != nil {
			t.Fatal(err)
		}
	}
	f.step(f.Queue, 2)
	if job := f.job("fly-1"); job.Status != jobs.Queued || *job.LastError != `there is no handler for jobs of kind "fly"` {
		t.Errorf("the job is %+v", job)
	}
	f.Clock.Advance(time.Minute)
	f.step(newer, 2)
	f.done("fly-1")

	if _, err := newer.Add(t.Context(), jobs.Job{ID: "fly-3", Kind: "fly"}); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		f.step(f.Queue, 1)
		f.Clock.Advance(time.Hour)
	}
	if job := f.job("fly-3"); job.Status != jobs.Dead {
		t.Errorf("the job is %+v", job)
	}
}

func TestAPanicIsAFailureOfItsJob(t *testing.T) {
	f := open(t)
	f.Handle("send", "work", policy, func(_ context.Context, job jobs.Job) error {
		if job.ID == "send-0001" {
			panic("out of bounds")
		}
		return nil
	})
	f.add(numbered(3, "send")...)
	f.step(f.Queue, 3)
	f.done("send-0000")
	f.done("send-0002")
	if job := f.job("send-0001"); job.Status != jobs.Queued || *job.LastError != "panic: out of bounds" {
		t.Errorf("the job is %+v", job)
	}
}

func TestFinalErrorsAreStoredAsPlainText(t *testing.T) {
	f := open(t)
	status, _, text := f.outcome(policy, jobs.Final(errors.New("answered \x1b[31mOh\x07 no\u202e\xff\tend\n"+strings.Repeat("ö", 1000))))
	if status != jobs.Dead || !strings.HasPrefix(text, "answered [31mOh no end ö") || len([]rune(text)) != 500 {
		t.Errorf("it is %s: %s", status, text)
	}
}

func TestAJobContinuesAsAnother(t *testing.T) {
	f := open(t, lanes(jobs.Lane{Name: "work"}, jobs.Lane{Name: "post"}))
	var ran record
	f.Handle("first", "post", policy, func(_ context.Context, job jobs.Job) error {
		_ = ran.handle(t.Context(), job)
		return jobs.Next(jobs.Job{ID: "second-1", Kind: "second", Payload: letter{To: "Bea"}})
	})
	f.Handle("second", "work", policy, func(_ context.Context, job jobs.Job) error {
		_ = ran.handle(t.Context(), job)
		if payload, err := jobs.Payload[letter](job); err != nil || payload.To != "Bea" {
			t.Errorf("the payload is %+v (%v)", payload, err)
		}
		return nil
	})
	f.Handle("lost", "work", policy, func(context.Context, jobs.Job) error {
		return jobs.Next(jobs.Job{ID: "x", Kind: "nothing"})
	})
	f.add(jobs.Job{ID: "first-1", Kind: "first"})
	f.step(f.Queue, 2) // also in a lane that was read before
	f.add(jobs.Job{ID: "first-2", Kind: "first"}, jobs.Job{ID: "second-1", Kind: "second", Payload: letter{To: "Bea"}, Due: f.Now().Add(time.Hour)})
	f.step(f.Queue, 1)
	f.done("first-2") // although the following job exists already
	f.Clock.Advance(time.Hour)
	f.step(f.Queue, 1)
	if diff := cmp.Diff([]string{"first-1", "second-1", "first-2", "second-1"}, ran.ids); diff != "" {
		t.Errorf("jobs (-want +got):\n%s", diff)
	}
	f.add(jobs.Job{ID: "lost-1", Kind: "lost"})
	f.step(f.Queue, 1)
	if job := f.job("lost-1"); job.Status != jobs.Dead {
		t.Errorf("a job that continues as nothing is %+v", job)
	}
}

func TestAJobContinuesAsItself(t *testing.T) {
	f := open(t)
	var pages []int
	f.Handle("send", "work", policy, func(_ context.Context, job jobs.Job) error {
		payload, err := jobs.Payload[letter](job)
		if err != nil {
			return err
		}
		pages = append(pages, payload.Page)
		switch {
		case len(pages) == 2:
			return errors.New("not now")
		case payload.Page < 2:
			payload.Page++
			return jobs.Next(jobs.Job{ID: job.ID, Kind: job.Kind, Payload: payload})
		case payload.Page == 2:
			payload.Page++
			return jobs.Next(jobs.Job{ID: job.ID, Kind: job.Kind, Payload: payload, Due: f.Now().Add(24 * time.Hour)})
		}
		return nil
	})
	f.add(jobs.Job{ID: "send-1", Kind: "send"})
	f.step(f.Queue, 2)
	f.Clock.Advance(2 * time.Minute)
	f.step(f.Queue, 2)
	if job := f.job("send-1"); job.Tries != 0 || job.LastError != nil || !job.DueAt.Equal(f.Now().Add(24*time.Hour)) {
		t.Errorf("the job is %+v", job)
	}
	f.Clock.Advance(24 * time.Hour)
	f.step(f.Queue, 1)
	f.done("send-1")
	if diff := cmp.Diff([]int{0, 1, 1, 2, 3}, pages); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestAttemptsAreObserved(t *testing.T) {
	var mu sync.Mutex
	got := make(map[string]jobs.Result)
	f := open(t, func(o *jobs.Options) {
		o.Observe = func(a jobs.Attempt) {
			mu.Lock()
			defer mu.Unlock()
			got[a.Job.Kind] = a.Result
			if a.Job.Kind == "lose" && a.Took != lease {
				t.Errorf("it took %v, want %v", a.Took, lease)
			}
		}
	})
	other, _ := f.other()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	handlers := map[string]func(jobs.Job) error{
		"succeed":  func(jobs.Job) error { return nil },
		"fail":     func(jobs.Job) error { return errors.New("not now") },
		"die":      func(jobs.Job) error { return jobs.Final(errors.New("never")) },
		"continue": func(job jobs.Job) error { return jobs.Next(jobs.Job{ID: job.ID, Due: f.Now().Add(time.Hour)}) },
		"lose": func(jobs.Job) error {
			f.Clock.Advance(lease)
			f.step(other, 1)
			return nil
		},
		"stop and continue": func(job jobs.Job) error {
			stop()
			return jobs.Next(jobs.Job{ID: job.ID, Due: f.Now().Add(time.Hour)})
		},
		"stop": func(jobs.Job) error {
			stop()
			return ctx.Err()
		},
	}
	other.Handle("lose", "work", policy, func(context.Context, jobs.Job) error { return nil })
	for _, kind := range []string{"lose", "succeed", "fail", "die", "continue", "stop and continue", "stop"} {
		f.Handle(kind, "work", policy, func(_ context.Context, job jobs.Job) error { return handlers[kind](job) })
		ctx, stop = context.WithCancel(t.Context())
		f.add(jobs.Job{ID: kind, Kind: kind})
		if _, err := f.Step(ctx); err != nil {
			t.Fatal(err)
		}
		stop()
	}
	want := map[string]jobs.Result{
		"succeed": jobs.Succeeded, "fail": jobs.Failed, "die": jobs.Died, "continue": jobs.Succeeded,
		"lose": jobs.Lost, "stop and continue": jobs.Succeeded, "stop": jobs.Released,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}
