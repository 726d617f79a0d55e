package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// maxTTL is the longest time for which a push service keeps a message for a device.
const maxTTL = 24 * time.Hour

// MaxFailures is the number of failed messages in a row after which a device is removed.
const MaxFailures = 20

// sendPolicy is the retry policy of push messages: they are news, so they are given up after
// about an hour.
var sendPolicy = jobs.Policy{Tries: 6, Backoff: jobs.Exponential(30*time.Second, 30*time.Minute)}

// An errand is the payload of jobPush, and of jobSend with a device.
type errand struct {
	Recipient    string    `json:"recipient"`
	Notification string    `json:"notification"`
	Device       string    `json:"device,omitempty"`
	Until        time.Time `json:"until,omitzero"`
}

// due returns the notification of an errand if it is to be pushed now. Otherwise done is true,
// and the outcome is that of the job: nil if it is not to be pushed at all, or the same job at the
// end of the recipient's quiet hours.
func (n *Notifier) due(ctx context.Context, job jobs.Job, e errand) (row platformdb.Notification, done bool, outcome error) {
	row, err := n.p.DB.GetNotification(ctx, e.Recipient, e.Notification)
	switch {
	case errors.Is(err, access.ErrNotFound): // deleted with its recipient
		return row, true, nil
	case err != nil:
		return row, true, fmt.Errorf("read notification %s: %w", e.Notification, err)
	}
	preferences, err := n.Preferences(ctx, e.Recipient)
	if err != nil {
		return row, true, err
	}
	now := n.p.Now()
	end, quiet := preferences.quietUntil(now)
	switch {
	case row.State == platformdb.NotificationStateRead || preferences.mutes(row.Kind):
		return row, true, nil
	case e.over(now) || quiet && e.over(end):
		return row, true, nil
	case quiet:
		return row, true, jobs.Next(jobs.Job{ID: job.ID, Kind: job.Kind, Payload: e, Due: end})
	}
	return row, false, nil
}

// over reports whether a push message is useless at a time.
func (e errand) over(at time.Time) bool { return !e.Until.IsZero() && !at.Before(e.Until) }

// runPush queues a message for each device of the recipient. The notification records it in the
// same transaction, so that the messages are queued once.
func (n *Notifier) runPush(ctx context.Context, job jobs.Job) error {
	e, err := jobs.Payload[errand](job)
	if err != nil {
		return err
	}
	row, done, outcome := n.due(ctx, job, e)
	if done || row.PushedAt != nil {
		return outcome
	}
	devices, err := n.p.DB.ListDevices(e.Recipient).Limit(0).Slice(ctx)
	if err != nil {
		return fmt.Errorf("list devices: %w", err)
	}
	tx := n.p.DB.Tx()
	tx.MarkPushed(row.Key(), platformdb.MarkPushedParams{PushedAt: new(n.p.Now())})
	for _, device := range devices {
		if n.o.Senders[device.Channel] == nil {
			continue
		}
		e.Device = device.DeviceID
		err := n.o.Queue.AddTo(tx, jobs.Job{ID: "send-" + row.NotificationID + "-" + device.DeviceID, Kind: jobSend, Payload: e})
		if err != nil {
			return err
		}
	}
	if err := tx.Commit(ctx); err != nil && !access.Refused(err) { // refused: another worker was faster, or it was deleted
		return fmt.Errorf("queue the messages of notification %s: %w", row.NotificationID, err)
	}
	return nil
}

// runSend sends a notification to a device.
func (n *Notifier) runSend(ctx context.Context, job jobs.Job) error {
	e, err := jobs.Payload[errand](job)
	if err != nil {
		return err
	}
	row, done, outcome := n.due(ctx, job, e)
	if done {
		return outcome
	}
	device, err := n.p.DB.GetDevice(ctx, e.Recipient, e.Device)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return nil
	case err != nil:
		return fmt.Errorf("read device %s: %w", e.Device, err)
	}
	sender := n.o.Senders[device.Channel]
	if sender == nil { // the channel was configured when the message was queued
		return nil
	}
	return n.settle(ctx, job, device, sender.Send(ctx, targetOf(device), n.message(row, e)))
}

// message returns the push message of a notification.
func (n *Notifier) message(row platformdb.Notification, e errand) Message {
	ttl := maxTTL
	if !e.Until.IsZero() {
		ttl = min(ttl, e.Until.Sub(n.p.Now()))
	}
	return Message{ID: row.NotificationID, Kind: row.Kind, Title: row.Title, Body: row.Body, URL: n.absolute(row.Link), TTL: ttl}
}

// absolute returns a link as people outside the system's pages need it.
func (n *Notifier) absolute(link string) string {
	if strings.HasPrefix(link, "/") {
		return strings.TrimSuffix(n.o.PublicURL, "/") + link
	}
	return link
}

// settle records the outcome of a message with its device and returns the outcome of the job. A
// device that does not exist is removed, and so is a device that has failed too often. A message counts once,
// however often it is tried: an outage of a push service must not remove the devices of everyone. Firebase names the
// tokens that are dead, so its other failures, such as of a service account that expired, do not count at all.
func (n *Notifier) settle(ctx context.Context, job jobs.Job, device platformdb.Device, outcome error) error {
	var err error
	_, gone := errors.AsType[*GoneError](outcome)
	log := n.p.Log.With(slog.String("device", device.DeviceID), slog.String("channel", string(device.Channel)))
	switch {
	case outcome == nil && device.Failures == 0:
		return nil
	case outcome == nil:
		_, err = n.p.DB.ClearPushFailures(ctx, device.Key())
	case !gone && (job.Tries > 1 || device.Channel == ChannelFCM):
		log.Warn("push message failed", slog.Any("error", outcome))
	case gone || device.Failures+1 >= MaxFailures:
		log.Info("device removed", slog.Any("error", outcome))
		err = n.p.DB.RemoveDevice(ctx, device.Key())
		outcome = nil
	default:
		log.Warn("push message failed", slog.Any("error", outcome))
		_, err = n.p.DB.RecordPushFailure(ctx, device.Key())
	}
	if err != nil && !access.Refused(err) { // refused: it was removed meanwhile
		return errors.Join(outcome, fmt.Errorf("update device %s: %w", device.DeviceID, err))
	}
	return outcome
}

func targetOf(d platformdb.Device) Target {
	if d.Channel == ChannelFCM {
		return Target{Token: d.Endpoint}
	}
	to := Target{Endpoint: d.Endpoint}
	if d.P256dh != nil && d.Auth != nil {
		to.P256DH, to.Auth = *d.P256dh, *d.Auth
	}
	return to
}
