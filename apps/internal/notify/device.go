package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/refusal"
)

// MaxDevices is the maximum number of devices of a person. A new device replaces the oldest.
const MaxDevices = 10

// maxToken is the maximum length of a token of Firebase, in bytes.
const maxToken = 4096

// A NewDevice describes a device that subscribes.
type NewDevice struct {
	Channel Channel
	Target  Target
	// Replaces is the endpoint that the same browser had before, if it has a new one.
	Replaces string
}

// A Device is a subscribed device of a person.
type Device struct {
	ID       string
	Channel  Channel
	Created  time.Time
	Failures int // messages that failed in a row
}

// Channels returns the channels that are configured, in a fixed order.
func (n *Notifier) Channels() []Channel {
	var all []Channel
	for _, channel := range platformdb.DeviceChannelValues() {
		if n.o.Senders[channel] != nil {
			all = append(all, channel)
		}
	}
	return all
}

// Subscribe adds a device of a person, or renews it.
func (n *Notifier) Subscribe(ctx context.Context, recipient string, d NewDevice) (Device, error) {
	if err := n.checkDevice(d); err != nil {
		return Device{}, err
	}
	row := platformdb.Device{Recipient: recipient, Channel: d.Channel, Endpoint: d.Target.Endpoint, CreatedAt: n.p.Now()}
	if d.Channel == ChannelFCM {
		row.Endpoint = d.Target.Token
	} else {
		row.P256dh, row.Auth = &d.Target.P256DH, &d.Target.Auth
	}
	row.DeviceID = n.deviceID(row.Channel, row.Endpoint)
	replaced := row.DeviceID
	if d.Replaces != "" {
		replaced = n.deviceID(d.Channel, d.Replaces)
	}
	if err := n.makeRoom(ctx, row, replaced); err != nil {
		return Device{}, err
	}
	if _, err := n.p.DB.AddDevice(ctx, row); err != nil {
		return Device{}, fmt.Errorf("add a device: %w", err)
	}
	if replaced == row.DeviceID {
		return deviceOf(row), nil
	}
	return deviceOf(row), n.Unsubscribe(ctx, recipient, replaced)
}

func (n *Notifier) deviceID(channel Channel, endpoint string) string {
	return n.p.Box.Hash("device", string(channel), endpoint)
}

// checkDevice rejects devices to which nothing could be sent.
func (n *Notifier) checkDevice(d NewDevice) error {
	if n.o.Senders[d.Channel] == nil {
		allowed := make([]string, 0, len(n.o.Senders))
		for _, channel := range n.Channels() {
			allowed = append(allowed, string(channel))
		}
		return refusal.OfField(refusal.Field{Name: "channel", Constraint: "allowed", Allowed: allowed}, "This way to be notified is not available here.")
	}
	if d.Channel == ChannelFCM {
		if size := len(d.Target.Token); size == 0 || size > maxToken {
			return refusal.OutOfRange("token", "length", 1, maxToken, "A token has 1 to %d characters.", maxToken)
		}
		return nil
	}
	err := publichttp.Check(d.Target.Endpoint, n.o.HTTP)
	if unsafe, ok := errors.AsType[*publichttp.URLError](err); ok {
		return refusal.OfField(refusal.Field{Name: "endpoint", Constraint: "format"}, "%s", unsafe.Reason)
	}
	if err := checkBrowserKeys(d.Target); err != nil {
		return refusal.OfField(refusal.Field{Name: "keys", Constraint: "format"}, "This subscription cannot be used: %s.", err)
	}
	return nil
}

// makeRoom removes the oldest devices if there are too many for another one. The replaced device does
// not count, because it is removed after the other one is added.
func (n *Notifier) makeRoom(ctx context.Context, added platformdb.Device, replaced string) error {
	devices, err := n.p.DB.ListDevices(added.Recipient).Limit(0).Slice(ctx)
	if err != nil {
		return fmt.Errorf("list devices: %w", err)
	}
	devices = slices.DeleteFunc(devices, func(d platformdb.Device) bool {
		return d.DeviceID == added.DeviceID || d.DeviceID == replaced
	})
	slices.SortFunc(devices, func(a, b platformdb.Device) int { return a.CreatedAt.Compare(b.CreatedAt) })
	for len(devices) >= MaxDevices {
		if err := n.Unsubscribe(ctx, added.Recipient, devices[0].DeviceID); err != nil {
			return err
		}
		devices = devices[1:]
	}
	return nil
}

// Devices returns the devices of a person, the newest first.
func (n *Notifier) Devices(ctx context.Context, recipient string) ([]Device, error) {
	rows, err := n.p.DB.ListDevices(recipient).Limit(0).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list devices: %w", err)
	}
	slices.SortStableFunc(rows, func(a, b platformdb.Device) int { return b.CreatedAt.Compare(a.CreatedAt) })
	devices := make([]Device, len(rows))
	for i, row := range rows {
		devices[i] = deviceOf(row)
	}
	return devices, nil
}

func deviceOf(row platformdb.Device) Device {
	return Device{ID: row.DeviceID, Channel: row.Channel, Created: row.CreatedAt, Failures: int(row.Failures)}
}

// Unsubscribe removes a device of a person, if there is such a device.
func (n *Notifier) Unsubscribe(ctx context.Context, recipient, id string) error {
	err := n.p.DB.RemoveDevice(ctx, platformdb.DeviceKey{Recipient: recipient, DeviceID: id})
	if err != nil && !access.Refused(err) {
		return fmt.Errorf("remove device %s: %w", id, err)
	}
	return nil
}
