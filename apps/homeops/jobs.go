package homeops

import (
	"strconv"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/jobs"
)

// The kinds of jobs.
const (
	JobMessage = "message" // understand a message
	JobUpdate  = "update"  // a reaction, a pressed button, a change of the bot's own membership
	JobSend    = "send"    // send what the bot decided to say
	JobSettle  = "settle"  // was a message of the bot answered?
	JobPromise = "promise" // a promise is due
	JobDay     = "day"     // a day of a household is over
	JobWeek    = "week"    // a week of a household is over
	JobSweep   = "sweep"   // overdue promises whose job was lost
	JobErase   = "erase"   // delete what is known of a member
)

// Lanes returns the parts of the queue. Sending depends on Telegram and must not delay
// understanding. A process handles the messages of a chat one after another; the worker also waits
// for those that other processes handle. A process sends one message of a chat at a time, so that
// they arrive in the order in which they were planned.
func Lanes(parts int) []jobs.Lane {
	return []jobs.Lane{
		{Name: "messages", Parts: max(parts, 1), InOrder: true, Every: time.Second},
		{Name: "sending", Parts: max(parts, 1), PerGroup: 1, Every: time.Second},
		{Name: "schedule", Parts: max(parts, 1)},
	}
}

// kinds says how jobs are run. A message is received three times before it is a dead letter.
var kinds = map[string]struct {
	lane   string
	policy jobs.Policy
}{
	JobMessage: {"messages", jobs.Policy{Tries: 3, Lease: 6 * time.Minute, Timeout: time.Minute}},
	JobUpdate:  {"messages", jobs.Policy{Tries: 3, Lease: 6 * time.Minute, Timeout: time.Minute}},
	JobSend:    {"sending", jobs.Policy{Tries: 3, Timeout: 2 * time.Minute}},
	JobSettle:  {"schedule", jobs.Policy{}},
	JobPromise: {"schedule", jobs.Policy{}},
	JobDay:     {"schedule", jobs.Policy{}},
	JobWeek:    {"schedule", jobs.Policy{}},
	JobSweep:   {"schedule", jobs.Policy{}},
	JobErase:   {"schedule", jobs.Policy{Tries: 20}},
}

// A MessageRef is the payload of jobs about a message: one of a member, or one of the bot by its
// key. WaitsSince is when the job began to wait for an earlier message; zero if it did not.
type MessageRef struct {
	ChatID     string    `json:"chat_id"`
	MessageID  int64     `json:"message_id,omitempty"`
	Revision   int64     `json:"revision,omitempty"`
	OutKey     string    `json:"out_key,omitempty"`
	WaitsSince time.Time `json:"waits_since,omitzero"`
}

// A PromiseRef is the payload of jobs about a promise.
type PromiseRef struct {
	UserID    int64  `json:"user_id"`
	PromiseID string `json:"promise_id"`
}

// A HouseholdRef is the payload of jobs about a household. From is the first week that the job of a
// week closes, FromDay the first day that the job of a day closes.
type HouseholdRef struct {
	HouseholdID string      `json:"household_id"`
	From        access.Week `json:"from,omitempty"`
	FromDay     access.Date `json:"from_day,omitempty"`
}

// A UserRef is the payload of jobs about a person.
type UserRef struct {
	UserID int64 `json:"user_id"`
}

// MessageJob returns the job that understands a revision of a message.
func MessageJob(chatID string, messageID, revision int64) jobs.Job {
	id := "message-" + chatID + "-" + strconv.FormatInt(messageID, 10)
	if revision > 0 {
		id += "-r" + strconv.FormatInt(revision, 10)
	}
	return jobs.Job{ID: id, Kind: JobMessage, Group: chatID, Payload: MessageRef{ChatID: chatID, MessageID: messageID, Revision: revision}}
}

// UpdateJob returns the job of an update that is no message; its payload is the update.
func UpdateJob(updateID int64, update any) jobs.Job {
	return jobs.Job{ID: "update-" + strconv.FormatInt(updateID, 10), Kind: JobUpdate, Payload: update}
}

// SendJob returns the job that sends a planned message of the bot.
func SendJob(chatID, outKey string) jobs.Job {
	return jobs.Job{ID: "send-" + chatID + "-" + outKey, Kind: JobSend, Group: chatID, Payload: MessageRef{ChatID: chatID, OutKey: outKey}}
}

// SettleJob returns the job that looks whether a message of the bot was answered.
func SettleJob(chatID, outKey string, due time.Time) jobs.Job {
	return jobs.Job{ID: "settle-" + chatID + "-" + outKey, Kind: JobSettle, Payload: MessageRef{ChatID: chatID, OutKey: outKey}, Due: due}
}

// PromiseJob returns the job of a promise that is due.
func PromiseJob(userID int64, promiseID string, due time.Time) jobs.Job {
	return jobs.Job{ID: "promise-" + promiseID, Kind: JobPromise, Payload: PromiseRef{UserID: userID, PromiseID: promiseID}, Due: due}
}

// DayJob returns the job that closes the days of a household from a day on, and follows itself. It
// is due on the next morning.
func DayJob(householdID string, from access.Date, now time.Time, zone *time.Location) jobs.Job {
	return jobs.Job{ID: "day-" + householdID, Kind: JobDay, Payload: HouseholdRef{HouseholdID: householdID, FromDay: from}, Due: NextAt(now, zone, DayCloseHour, -1)}
}

// WeekJob returns the job that closes the weeks of a household from a week on, and follows itself.
// It is due at the next time of insights.
func WeekJob(householdID string, from access.Week, now time.Time, zone *time.Location) jobs.Job {
	return jobs.Job{ID: "week-" + householdID, Kind: JobWeek, Payload: HouseholdRef{HouseholdID: householdID, From: from}, Due: NextAt(now, zone, InsightHour, InsightDay)}
}

// SweepJob returns the job that looks for overdue promises and follows itself.
func SweepJob(due time.Time) jobs.Job {
	return jobs.Job{ID: "sweep", Kind: JobSweep, Due: due}
}

// EraseJob returns the job that deletes what is known of a person.
func EraseJob(userID int64, due time.Time) jobs.Job {
	return jobs.Job{ID: "erase-" + strconv.FormatInt(userID, 10), Kind: JobErase, Payload: UserRef{UserID: userID}, Due: due}
}
