package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
)

type letter struct {
	To   string `json:"to"`
	Page int    `json:"page"`
}

func TestAJobRunsWhenItIsDue(t *testing.T) {
	f := open(t)
	var got []jobs.Job
	f.Handle("send", "work", policy, func(_ context.Context, job jobs.Job) error {
		payload, err := jobs.Payload[letter](job)
		job.Payload = payload
		got = append(got, job)
		return err
	})
	due := platformtest.Start.Add(time.Hour)
	f.add(jobs.Job{ID: "send-1", Kind: "send", Group: "post", Payload: letter{To: "Ann", Page: 2}, Due: due})
	f.Clock.Advance(time.Hour - time.Millisecond)
	f.step(f.Queue, 0)
	f.Clock.Advance(time.Millisecond)
	f.step(f.Queue, 1)
	want := []jobs.Job{{
		ID: "send-1", Kind: "send", Group: "post", Payload: letter{To: "Ann", Page: 2}, Due: due.Add(lease),
		Lane: "work", Status: jobs.Running, Tries: 1, Created: platformtest.Start,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("jobs (-want +got):\n%s", diff)
	}
	f.done("send-1")
}

func TestQueueingTwiceIsQueueingOnce(t *testing.T) {
	f := open(t)
	var ran record
	f.Handle("send", "work", policy, ran.handle)
	f.add(jobs.Job{ID: "send-1", Kind: "send"})
	if added, err := f.Add(t.Context(), jobs.Job{ID: "send-1", Kind: "send"}); added || err != nil {
		t.Errorf("the second is new: %t, error %v", added, err)
	}
	f.step(f.Queue, 1)
	f.add(jobs.Job{ID: "send-1", Kind: "send"}) // the first is done
	f.step(f.Queue, 1)
}

func TestJobIsQueuedWithItsTransaction(t *testing.T) {
	f := open(t)
	var ran record
	f.Handle("send", "work", policy, ran.handle)
	commit := func(also func(*platformdb.Tx), want error) {
		t.Helper()
		tx := f.DB.Tx()
		also(tx)
		if err := f.AddTo(tx, jobs.Job{ID: "send-1", Kind: "send"}); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(t.Context()); !errors.Is(err, want) {
			t.Fatalf("commit: %v, want %v", err, want)
		}
	}
	commit(func(tx *platformdb.Tx) { tx.DropJob(platformdb.JobKey{JobID: "none"}) }, access.ErrNotFound)
	f.step(f.Queue, 0)
	works := func(tx *platformdb.Tx) { tx.PutHeartbeat(platformdb.Heartbeat{Name: "x", At: f.Now()}) }
	commit(works, nil)
	commit(works, access.ErrExists)
	f.step(f.Queue, 1)
}

func TestJobsRunInTheOrderOfTheirDueTimes(t *testing.T) {
	f := open(t, lanes(jobs.Lane{Name: "work", AtOnce: 1, Most: 2, Parts: 4}))
	var ran record
	f.Handle("send", "work", policy, ran.handle)
	var want []string
	for i := range 20 {
		id := fmt.Sprintf("send-%02d", i)
		want = append(want, id)
		f.add(jobs.Job{ID: id, Kind: "send", Due: platformtest.Start.Add(time.Duration(i*7%20) * time.Second)})
	}
	slices.SortFunc(want, func(a, b string) int { return f.job(a).DueAt.Compare(f.job(b).DueAt) })
	f.Clock.Advance(time.Minute)
	f.step(f.Queue, 20)
	if diff := cmp.Diff(want, ran.ids); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestALaneGrowsWithItsParts(t *testing.T) {
	f := open(t)
	var ran record
	f.Handle("send", "work", policy, ran.handle)
	f.add(numbered(40, "send")...)
	grown, _ := f.other(lanes(jobs.Lane{Name: "work", Parts: 4}))
	grown.Handle("send", "work", policy, ran.handle)
	grown.Handle("later", "work", policy, ran.handle)
	for _, job := range numbered(40, "later") {
		if _, err := grown.Add(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	parts := make(map[string]bool)
	for job, err := range f.DB.ScanJob().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		parts[job.Lane] = true
	}
	if diff := cmp.Diff([]string{"work", "work/0", "work/1", "work/2", "work/3"}, slices.Sorted(maps.Keys(parts))); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	page, err := grown.Waiting(t.Context(), "work", 0, "")
	if err != nil || len(page.Items) != 80 || page.Items[79].Lane != "work" {
		t.Errorf("%d jobs are waiting (%v), want 80", len(page.Items), err)
	}
	f.step(grown, 80)
}

func TestManyWorkersRunEveryJobOnce(t *testing.T) {
	f := open(t)
	const workers, all = 8, 1000
	var mu sync.Mutex
	ran := make(map[string]int)
	queues := make([]*jobs.Queue, workers)
	for i := range queues {
		queues[i], _ = f.other(lanes(jobs.Lane{Name: "work", Parts: 2}))
		queues[i].Handle("send", "work", policy, func(_ context.Context, job jobs.Job) error {
			mu.Lock()
			defer mu.Unlock()
			ran[job.ID]++
			return nil
		})
	}
	for _, job := range numbered(all, "send") {
		if _, err := queues[0].Add(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	var together sync.WaitGroup
	for _, q := range queues {
		together.Go(func() {
			if _, err := q.Step(t.Context()); err != nil {
				t.Errorf("step: %v", err)
			}
		})
	}
	together.Wait()
	if len(ran) != all {
		t.Errorf("%d jobs ran, want %d", len(ran), all)
	}
	for id, times := range ran {
		if times != 1 {
			t.Errorf("job %s ran %d times", id, times)
		}
	}
	for job, err := range f.DB.ScanJob().All(t.Context()) {
		t.Fatalf("a job is left: %+v (%v)", job, err)
	}
}

func TestPayloads(t *testing.T) {
	job := jobs.Job{ID: "x", Payload: letter{To: "Ann"}}
	if got, err := jobs.Payload[letter](job); err != nil || got.To != "Ann" {
		t.Errorf("a payload that is not stored yet: %+v (%v)", got, err)
	}
	if got, err := jobs.Payload[letter](jobs.Job{ID: "x"}); err != nil || got != (letter{}) {
		t.Errorf("no payload: %+v (%v)", got, err)
	}
	if _, err := jobs.Payload[letter](jobs.Job{ID: "x", Payload: json.RawMessage(`[1]`)}); err == nil {
		t.Error("a list is a letter")
	}
}

func TestJobsThatCannotBeQueuedAreRefused(t *testing.T) {
	f := open(t)
	var ran record
	f.Handle("send", "work", policy, ran.handle)
	for name, job := range map[string]jobs.Job{
		"no id":          {Kind: "send"},
		"unknown kind":   {ID: "a", Kind: "fly"},
		"bad payload":    {ID: "b", Kind: "send", Payload: func() {}},
		"no JSON":        {ID: "c", Kind: "send", Payload: json.RawMessage(`{`)},
		"too large":      {ID: "d", Kind: "send", Payload: strings.Repeat("x", 500_000)},
		"id of 2,100 ös": {ID: strings.Repeat("ö", 2100), Kind: "send"},
	} {
		if added, err := f.Add(t.Context(), job); added || err == nil {
			t.Errorf("%s: it was queued", name)
		}
	}
	tx := f.DB.Tx()
	if err := f.AddTo(tx, jobs.Job{ID: "a", Kind: "fly"}); err == nil || tx.Len() != 0 {
		t.Errorf("an unknown kind was added to a transaction: %v", err)
	}
}

func TestQueuesThatCannotWorkAreRefused(t *testing.T) {
	w := platformtest.Open(t)
	for name, declared := range map[string][]jobs.Lane{
		"no lane":    nil,
		"no name":    {{}},
		"dead":       {{Name: "dead"}},
		"a slash":    {{Name: "work/1"}},
		"two alike":  {{Name: "a"}, {Name: "a"}},
		"one of two": {{Name: "a"}, {Name: ""}},
	} {
		if _, err := jobs.New(w.Platform, jobs.Options{Lanes: declared}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := jobs.New(nil, jobs.Options{Lanes: []jobs.Lane{{Name: "a"}}}); err == nil {
		t.Error("no platform: no error")
	}
	f := open(t)
	var ran record
	f.Handle("send", "work", policy, ran.handle)
	for name, register := range map[string]func(){
		"twice":      func() { f.Handle("send", "work", policy, ran.handle) },
		"no lane":    func() { f.Handle("fly", "air", policy, ran.handle) },
		"no name":    func() { f.Handle("", "work", policy, ran.handle) },
		"no handler": func() { f.Handle("fly", "work", policy, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			register()
		}()
	}
}
