package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	_ "time/tzdata" // people choose time zones, also where the host has no database of them

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

// A Digest says how often a person gets a mail that sums up unread notifications.
type Digest = platformdb.PreferenceDigest

// The values of Digest.
const (
	DigestNone   = platformdb.PreferenceDigestNone
	DigestDaily  = platformdb.PreferenceDigestDaily
	DigestWeekly = platformdb.PreferenceDigestWeekly
)

// maxMuted is the maximum number of muted kinds of a person.
const maxMuted = 50

// Preferences says how a person wants to be told.
type Preferences struct {
	Zone   string   // a name of the time zone database: Europe/Stockholm
	Quiet  *Quiet   // no push messages in these hours of each day; nil for none
	Digest Digest   // DigestNone if empty
	Muted  []string // kinds that reach the inbox only: no push messages, no mail

	digestAt time.Time // of the last digest
}

// Quiet is a time of each day, in minutes after midnight. It may go over midnight.
type Quiet struct{ From, Until int }

const dayMinutes = 24 * 60

// Preferences returns the preferences of a person; UTC and nothing else by default.
func (n *Notifier) Preferences(ctx context.Context, recipient string) (Preferences, error) {
	row, err := n.p.DB.GetPreference(ctx, recipient)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return Preferences{Zone: "UTC", Digest: DigestNone}, nil
	case err != nil:
		return Preferences{}, fmt.Errorf("read preferences: %w", err)
	}
	p := Preferences{Zone: row.Zone, Digest: row.Digest, Muted: row.Muted, digestAt: row.DigestAt}
	if row.QuietFrom != nil && row.QuietUntil != nil {
		p.Quiet = &Quiet{From: int(*row.QuietFrom), Until: int(*row.QuietUntil)}
	}
	return p, nil
}

// SetPreferences stores the preferences of a person.
func (n *Notifier) SetPreferences(ctx context.Context, recipient string, p Preferences) error {
	if p.Digest == "" {
		p.Digest = DigestNone
	}
	if err := n.checkPreferences(p); err != nil {
		return err
	}
	before, err := n.Preferences(ctx, recipient)
	if err != nil {
		return err
	}
	now := n.p.Now()
	p.digestAt = before.digestAt
	if before.Digest == DigestNone {
		p.digestAt = now // what came before is not news
	}
	if p.Digest != DigestNone {
		// The job comes first: without it, there would be no digest; without the preferences, it
		// does nothing.
		if err := n.queueDigest(ctx, recipient, p, p.digestAt); err != nil {
			return err
		}
	}
	row := platformdb.Preference{
		Recipient: recipient, Zone: p.Zone, Digest: p.Digest, Muted: slices.Compact(slices.Sorted(slices.Values(p.Muted))),
		DigestAt: p.digestAt, UpdatedAt: now,
	}
	if p.Quiet != nil {
		row.QuietFrom, row.QuietUntil = new(int64(p.Quiet.From)), new(int64(p.Quiet.Until))
	}
	if _, err := n.p.DB.SavePreference(ctx, row); err != nil {
		return fmt.Errorf("save preferences: %w", err)
	}
	return nil
}

func (n *Notifier) checkPreferences(p Preferences) error {
	if _, err := time.LoadLocation(p.Zone); err != nil || p.Zone == "" || p.Zone == "Local" {
		return refusal.OfField(refusal.Field{Name: "zone", Constraint: "format"}, "There is no time zone %q.", p.Zone)
	}
	if q := p.Quiet; q != nil {
		for name, minutes := range map[string]int{"quiet_from": q.From, "quiet_until": q.Until} {
			if minutes < 0 || minutes >= dayMinutes {
				return refusal.OutOfRange(name, "range", 0, dayMinutes-1, "Quiet hours begin and end at a time of the day.")
			}
		}
		if q.From == q.Until {
			return refusal.OfField(refusal.Field{Name: "quiet_until", Constraint: "range"}, "Quiet hours cannot begin and end at the same time.")
		}
	}
	switch {
	case !p.Digest.Valid():
		return refusal.OfField(refusal.Field{Name: "digest", Constraint: "allowed", Allowed: []string{"none", "daily", "weekly"}}, "There is no digest %q.", p.Digest)
	case p.Digest != DigestNone && n.o.Mail == nil:
		return refusal.OfField(refusal.Field{Name: "digest", Constraint: "allowed", Allowed: []string{"none"}}, "Mail is not available here.")
	case len(p.Muted) > maxMuted:
		return refusal.OutOfRange("muted", "count", 0, maxMuted, "At most %d kinds can be muted.", maxMuted)
	}
	for _, kind := range p.Muted {
		if kind == "" || len(n.o.Kinds) > 0 && !slices.Contains(n.o.Kinds, kind) {
			return refusal.OfField(refusal.Field{Name: "muted", Constraint: "allowed", Allowed: n.o.Kinds}, "There is no kind %q.", kind)
		}
	}
	return nil
}

func (p Preferences) mutes(kind string) bool { return slices.Contains(p.Muted, kind) }

// Location returns the time zone; UTC if the database does not have it any more.
func (p Preferences) Location() *time.Location {
	zone, err := time.LoadLocation(p.Zone)
	if err != nil {
		return time.UTC
	}
	return zone
}
