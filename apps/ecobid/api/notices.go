package api

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/events"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/refusal"
)

// notices serves the inbox, preferences and devices.
type notices struct {
	notifier *notify.Notifier
	pushKey  string
}

func (h *notices) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.ListNotifications, c.member, h.inbox),
		openapi.Handle(contract.ReadNotifications, c.member, h.readAll),
		openapi.Handle(contract.GetPreferences, c.member, h.preferences),
		openapi.Handle(contract.SetPreferences, c.member, h.setPreferences),
		openapi.Handle(contract.ListDevices, c.member, h.devices),
		openapi.Handle(contract.AddDevice, c.member, h.addDevice),
		openapi.Handle(contract.RemoveDevice, c.member, h.removeDevice),
	}
}

func (h *notices) inbox(ctx context.Context, c *call, in contract.Inbox) (contract.List[contract.Notification], error) {
	entries, next, err := h.notifier.Inbox(ctx, c.user(), in.Cursor)
	return contract.List[contract.Notification]{Items: each(entries, func(e notify.Entry) contract.Notification {
		return contract.Notification{ID: e.ID, Kind: e.Kind, Title: e.Title, Body: e.Body, Link: e.Link, At: e.At, Read: e.Read}
	}), Next: next}, err
}

func (h *notices) readAll(ctx context.Context, c *call, _ contract.None) (contract.None, error) {
	_, err := h.notifier.ReadAll(ctx, c.user())
	return contract.None{}, err
}

func (h *notices) preferences(ctx context.Context, c *call, _ contract.None) (contract.Preferences, error) {
	p, err := h.notifier.Preferences(ctx, c.user())
	if err != nil {
		return contract.Preferences{}, err
	}
	view := contract.Preferences{Zone: p.Zone, Digest: string(p.Digest), Muted: append([]string{}, p.Muted...), Kinds: slices.Clone(events.Kinds)}
	if p.Quiet != nil {
		view.Quiet = &contract.QuietHours{From: clock(p.Quiet.From), Until: clock(p.Quiet.Until)}
	}
	return view, nil
}

// clock formats minutes after midnight.
func clock(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }

// minutes parses a time of the day.
func minutes(field, text string) (int, error) {
	at, err := time.Parse("15:04", text)
	if err != nil {
		return 0, refusal.OfField(refusal.Field{Name: field, Constraint: "format"}, "Write a time of the day such as 22:00.")
	}
	return at.Hour()*60 + at.Minute(), nil
}

func (h *notices) setPreferences(ctx context.Context, c *call, in operation.With[contract.Preferences]) (contract.Preferences, error) {
	p := notify.Preferences{Zone: in.Body.Zone, Digest: notify.Digest(in.Body.Digest), Muted: in.Body.Muted}
	if q := in.Body.Quiet; q != nil {
		from, err := minutes("quiet_from", q.From)
		if err != nil {
			return contract.Preferences{}, err
		}
		until, err := minutes("quiet_until", q.Until)
		if err != nil {
			return contract.Preferences{}, err
		}
		p.Quiet = &notify.Quiet{From: from, Until: until}
	}
	if err := h.notifier.SetPreferences(ctx, c.user(), p); err != nil {
		return contract.Preferences{}, err
	}
	return h.preferences(ctx, c, contract.None{})
}

func (h *notices) devices(ctx context.Context, c *call, _ contract.None) (contract.Devices, error) {
	all, err := h.notifier.Devices(ctx, c.user())
	view := contract.Devices{Items: each(all, deviceOf), Channels: []string{}, PushKey: h.pushKey}
	for _, channel := range h.notifier.Channels() {
		view.Channels = append(view.Channels, string(channel))
	}
	return view, err
}

func deviceOf(d notify.Device) contract.Device {
	return contract.Device{ID: d.ID, Channel: string(d.Channel), CreatedAt: d.Created, Failures: d.Failures}
}

func (h *notices) addDevice(ctx context.Context, c *call, in operation.With[contract.NewDevice]) (contract.Device, error) {
	b := in.Body
	added, err := h.notifier.Subscribe(ctx, c.user(), notify.NewDevice{
		Channel: notify.Channel(b.Channel), Target: notify.Target{Token: b.Token, Endpoint: b.Endpoint, P256DH: b.P256DH, Auth: b.Auth},
	})
	return deviceOf(added), err
}

func (h *notices) removeDevice(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.notifier.Unsubscribe(ctx, c.user(), in.ID)
}
