package host

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/openid"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webhook"
)

// Lanes and kinds of the rooms' jobs.
const (
	mailLane   = "mail"
	notifyLane = "notifications"
	hookLane   = "webhooks"
	mailJob    = "mail"
)

// Metrics that every system counts.
const (
	CountRequests = "requests" // answers to people and programs
	CountFailures = "failures" // of these, status 5xx
)

// openRooms opens the rooms in the order of their needs.
func (h *Host) openRooms(ctx context.Context) (err error) {
	h.Trail = audit.New(h.Platform, h.o.Audit)
	h.Limiter = limits.New(h.Platform)
	h.first = h.firstSecret()
	if h.Staff, err = staff.New(h.Platform, staff.Options{FirstSecret: h.first, Trail: h.Trail}); err != nil {
		return err
	}
	counted := h.o.Metrics
	counted.Counters = append([]string{CountRequests, CountFailures}, counted.Counters...)
	if h.Metrics, err = metrics.New(h.Platform, counted); err != nil {
		return err
	}
	if h.Queue, err = jobs.New(h.Platform, jobs.Options{Lanes: h.lanes(), Trail: h.Trail, KeepDead: h.o.KeepDead, Timer: h.o.Timer}); err != nil {
		return err
	}
	if h.o.Uses.Mail {
		h.openMail()
	}
	if err := h.openFiles(ctx); err != nil {
		return err
	}
	for _, open := range []func() error{h.openAccounts, h.openNotify, h.openHooks} {
		if err := open(); err != nil {
			return err
		}
	}
	return nil
}

// lanes returns the lanes of the rooms that are used and those of the system. Work that waits for
// other hosts has lanes of its own.
func (h *Host) lanes() []jobs.Lane {
	var lanes []jobs.Lane
	if h.o.Uses.Mail {
		lanes = append(lanes, jobs.Lane{Name: mailLane})
	}
	if h.o.Notify != nil {
		lanes = append(lanes, jobs.Lane{Name: notifyLane, AtOnce: 8})
	}
	if h.o.Webhooks != nil {
		lanes = append(lanes, jobs.Lane{Name: hookLane, AtOnce: 16, PerGroup: 4})
	}
	lanes = append(lanes, h.o.Lanes...)
	for i := range lanes {
		lanes[i].Parts = max(lanes[i].Parts, h.Chosen.Parts)
	}
	if len(lanes) == 0 {
		lanes = []jobs.Lane{{Name: "work"}}
	}
	return lanes
}

// openMail opens the outbox. With a mail server, mail is sent by jobs.
func (h *Host) openMail() {
	var options mail.Options
	if h.o.Uses.Mail && h.Chosen.Mail == nil && !h.Config.Demo {
		h.Config.Log.Warn("no mail server is set: mail is kept on a page instead of sent", slog.String("setting", h.o.Prefix+settingMail))
	}
	if h.Chosen.Mail != nil {
		options.Sender = mail.NewSMTP(*h.Chosen.Mail, mail.SMTPOptions{})
		options.Queue = func(tx access.Tx, key string) error {
			return h.Queue.AddTo(tx, jobs.Job{ID: "mail " + key, Kind: mailJob, Payload: key})
		}
	}
	h.Mail = mail.NewOutbox(h.Platform, options)
	h.Queue.Handle(mailJob, mailLane, jobs.Policy{Tries: 12}, func(ctx context.Context, job jobs.Job) error {
		key, err := jobs.Payload[string](job)
		if err != nil {
			return err
		}
		err = h.Mail.Deliver(ctx, key)
		if err != nil && mail.Permanent(err) {
			return jobs.Final(err)
		}
		return err
	})
}

// openFiles opens the store of files; without a setting in the directory of the system's data, and
// without that in one that is deleted when Run returns, or when ctx is done for a system that does not
// run.
func (h *Host) openFiles(ctx context.Context) (err error) {
	if !h.o.Uses.Files {
		return nil
	}
	place := h.Chosen.Files
	if place == "" && h.Config.FilesDir != "" {
		if place, err = readFiles(h.Config.FilesDir); err != nil {
			return fmt.Errorf("the directory of files %w", err)
		}
	}
	if place == "" {
		directory, err := os.MkdirTemp("", h.o.System+"-files-")
		if err != nil {
			return fmt.Errorf("make a directory for files: %w", err)
		}
		h.removeFiles = func() { _ = os.RemoveAll(directory) } // what is left is in the directory for temporary files
		context.AfterFunc(ctx, h.removeFiles)
		place = (&url.URL{Scheme: "file", Path: filepath.ToSlash(directory)}).String()
	}
	if h.Files, err = files.Open(place, files.Options{Now: h.Config.Now}); err != nil {
		return fmt.Errorf("%s%s cannot be used: %w", h.o.Prefix, settingFiles, err)
	}
	return nil
}

// Limits of the accounts, by what they are counted.
var accountLimits = map[string]limits.Limit{
	"sign-up": {Name: "sign-up", Most: 60, Window: time.Hour},
	"mail":    {Name: "account mail", Most: 5, Window: time.Hour},
	// A lecture has some hundred people, who are invited on one day.
	"invitation": {Name: "invitation", Most: 1000, Window: 24 * time.Hour},
	// A school has one network. Its people may mistype this often; those who do not are not counted.
	"failed sign-in": {Name: "failed sign-in", Most: 300, Window: time.Hour},
}

func (h *Host) openAccounts() (err error) {
	if h.o.Accounts == nil {
		return nil
	}
	if h.Mail == nil {
		return fmt.Errorf("host: accounts of %s need Uses.Mail", h.o.System)
	}
	o := *h.o.Accounts
	o.Name, o.PublicURL, o.Mail, o.Record = h.o.Title, h.Config.PublicURL, h.Mail, h.Trail.Record
	if h.Config.CheapPasswords {
		o.Argon = accounts.Cheap
	}
	if o.Allow == nil {
		o.Allow = func(ctx context.Context, limit, subject string) error {
			_, err := h.Limiter.Allow(ctx, accountLimits[limit], subject)
			return err
		}
		o.Allows = func(ctx context.Context, limit, subject string) error {
			_, err := h.Limiter.Allows(ctx, accountLimits[limit], subject)
			return err
		}
	}
	if h.Accounts, err = accounts.New(h.Platform, o); err != nil {
		return err
	}
	for _, provider := range h.Chosen.Providers {
		provider.Now = h.Config.Now
		p, err := openid.New(provider)
		if err != nil {
			return fmt.Errorf("%s%s cannot be used: %w", h.o.Prefix, settingProviders, err)
		}
		h.Sign = append(h.Sign, p)
	}
	return nil
}

// openNotify opens notifications with the channels that the settings enable.
func (h *Host) openNotify() (err error) {
	if h.o.Notify == nil {
		return nil
	}
	o := *h.o.Notify
	o.Queue, o.Lane, o.Hub, o.HTTP, o.Name, o.PublicURL = h.Queue, notifyLane, h.Hub, h.HTTP, h.o.Title, h.Config.PublicURL
	if o.Address != nil {
		o.Mail = h.Mail
	}
	o.Senders = make(map[notify.Channel]notify.Sender)
	if h.Chosen.Contact != "" {
		keys, err := notify.NewVAPIDKeys(h.Box, h.o.System)
		if err != nil {
			return err
		}
		push, err := notify.NewWebPush(keys, h.Chosen.Contact, publichttp.NewClient(h.HTTP))
		if err != nil {
			return fmt.Errorf("%s%s cannot be used: %w", h.o.Prefix, settingVAPID, err)
		}
		o.Senders[notify.ChannelWebPush], h.VAPIDKey = push, keys.Public
	}
	if h.Chosen.FCM != nil {
		fcm, err := notify.NewFCM(h.Chosen.FCM, notify.FCMOptions{})
		if err != nil {
			return fmt.Errorf("%s%s cannot be used: %w", h.o.Prefix, settingFCM, err)
		}
		o.Senders[notify.ChannelFCM] = fcm
	}
	h.Notifier, err = notify.New(h.Platform, o)
	return err
}

func (h *Host) openHooks() (err error) {
	if h.o.Webhooks == nil {
		return nil
	}
	o := *h.o.Webhooks
	o.Queue, o.Lane, o.HTTP = h.Queue, hookLane, h.HTTP
	h.Hooks, err = webhook.New(h.Platform, o)
	return err
}
