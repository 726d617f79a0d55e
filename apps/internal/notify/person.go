package notify

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// An Export holds all data about a person that the package keeps.
type Export struct {
	Notifications []Entry
	Devices       []Device
	Preferences   Preferences
}

// Export returns the data of a person.
func (n *Notifier) Export(ctx context.Context, recipient string) (Export, error) {
	rows, err := n.p.DB.ListNotifications(recipient).Limit(0).Slice(ctx)
	if err != nil {
		return Export{}, fmt.Errorf("list notifications: %w", err)
	}
	e := Export{Notifications: make([]Entry, len(rows))}
	for i, row := range rows {
		e.Notifications[i] = entryOf(row)
	}
	if e.Devices, err = n.Devices(ctx, recipient); err != nil {
		return Export{}, err
	}
	e.Preferences, err = n.Preferences(ctx, recipient)
	return e, err
}

// Erase deletes the data of a person. Jobs that are queued find nothing and end. It can be
// repeated, and must be if it fails.
func (n *Notifier) Erase(ctx context.Context, recipient string) error {
	rows, err := n.p.DB.ListNotifications(recipient).Limit(0).Slice(ctx)
	if err != nil {
		return fmt.Errorf("list notifications: %w", err)
	}
	notes := make([]platformdb.NotificationKey, len(rows))
	for i, row := range rows {
		notes[i] = row.Key()
	}
	devices, err := n.p.DB.ListDevices(recipient).Limit(0).Slice(ctx)
	if err != nil {
		return fmt.Errorf("list devices: %w", err)
	}
	keys := make([]platformdb.DeviceKey, len(devices))
	for i, device := range devices {
		keys[i] = device.Key()
	}
	preference := n.p.DB.DeletePreference(ctx, platformdb.PreferenceKey{Recipient: recipient})
	if access.Refused(preference) { // there was none
		preference = nil
	}
	err = errors.Join(n.p.DB.DeleteNotificationBatch(ctx, notes), n.p.DB.RemoveDeviceBatch(ctx, keys), preference)
	if err != nil {
		return fmt.Errorf("erase notifications of a person: %w", err)
	}
	n.hint(recipient)
	return nil
}
