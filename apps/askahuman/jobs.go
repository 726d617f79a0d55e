package askahuman

import (
	"time"

	"sortkey.dev/apps/internal/jobs"
)

// Kinds of background jobs.
const (
	JobDispatch = "dispatch" // notifies people of a new question
	JobCatchUp  = "catch_up" // notifies more people of a question that lacks answers
	JobPush     = "push"     // retries the notification of one person
	JobWebhook  = "webhook"  // delivers the end of a question to its agent
)

// Lanes of background jobs. Webhooks have a lane of their own, because external hosts can make
// each of them slow.
const (
	LanePeople   = "people"
	LaneWebhooks = "webhooks"
)

// A JobPayload holds the arguments of a job.
type JobPayload struct {
	QuestionID     string `json:"question_id,omitempty"`
	SubscriptionID string `json:"subscription_id,omitempty"` // of JobPush
}

// Lanes returns the lanes of the job queue.
func Lanes() []jobs.Lane {
	return []jobs.Lane{
		{Name: LanePeople, AtOnce: 4, Most: 25, Every: 5 * time.Second},
		{Name: LaneWebhooks, AtOnce: 16, Most: 64, PerGroup: 4, Every: 5 * time.Second},
	}
}
