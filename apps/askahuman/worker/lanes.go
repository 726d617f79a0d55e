package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// postponeTime is the minimum delay of jobs that are postponed in favour of other hosts.
const postponeTime = 5 * time.Minute

// dueJobs returns the next jobs of a lane: the longest due first, and at most perHost for
// one host. A slow host blocks only its own deliveries.
func (w *Worker) dueJobs(ctx context.Context, l lane) ([]askahumandb.Job, error) {
	var due []askahumandb.Job
	for _, kind := range l.kinds {
		some, err := w.dueOfKind(ctx, l, kind)
		if err != nil {
			return nil, err
		}
		due = append(due, some...)
	}
	slices.SortStableFunc(due, func(a, b askahumandb.Job) int { return a.DueAt.Compare(b.DueAt) })
	return due[:min(len(due), l.most)], nil
}

// dueOfKind returns the jobs of a kind that fit into one round.
func (w *Worker) dueOfKind(ctx context.Context, l lane, kind askahumandb.JobLane) ([]askahumandb.Job, error) {
	var due, tooMany []askahumandb.Job
	begun := make(map[string]int) // jobs of each host
	for job, err := range w.db.ListDueJobs(kind, w.now()).Limit(l.looked).All(ctx) {
		if err != nil {
			return nil, err
		}
		host := hostOf(job)
		if host != "" && begun[host] == l.perHost {
			tooMany = append(tooMany, job)
			continue
		}
		begun[host]++
		if due = append(due, job); len(due) == l.most {
			return due, nil
		}
	}
	if len(due)+len(tooMany) == l.looked {
		// Jobs of other hosts may be behind them and would not be read in the next round
		// either.
		return due, w.postpone(ctx, l, tooMany)
	}
	return due, nil
}

// hostOf returns the external host that a job calls; "" if there is none.
func hostOf(job askahumandb.Job) string {
	var payload askahuman.JobPayload
	if json.Unmarshal(job.Payload, &payload) != nil {
		return "" // running the job reports the error
	}
	return payload.Host
}

// callbackHost returns the host of a callback URL.
func callbackHost(callback *string) string {
	if callback == nil {
		return ""
	}
	address, err := url.Parse(*callback)
	if err != nil {
		return "" // the delivery reports the error
	}
	return strings.ToLower(address.Hostname())
}

// postpone delays jobs, each by a random time. Jobs that another worker has claimed are not
// changed.
func (w *Worker) postpone(ctx context.Context, l lane, jobs []askahumandb.Job) error {
	return inParallel(l.atOnce, jobs, func(job askahumandb.Job) error {
		now := w.now()
		due := now.Add(postponeTime + time.Duration(w.Random()*float64(postponeTime)))
		_, err := w.db.PostponeJob(ctx, job.Key(), due, askahumandb.PostponeJobParams{OldDueAt: job.DueAt, Now: now})
		if err != nil && !access.Refused(err) {
			return fmt.Errorf("postpone job %s: %w", job.JobID, err)
		}
		return nil
	})
}
