package accounts

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

// A guard limits how many passwords are tried for one name from one network, and how many wrong ones for
// all names from one network. A stranger elsewhere cannot lock a person out, and names without an account
// behave like others.
type guard struct{ *desk }

// Network returns the network of an address, as text: the address itself, or the first half of an
// IPv6 address, of which one person has all.
func Network(from netip.Addr) string {
	from = from.Unmap().WithZone("")
	if from.Is6() {
		return netip.PrefixFrom(from, 64).Masked().String()
	}
	return from.String()
}

func (g *guard) key(name string, from netip.Addr) platformdb.LockoutKey {
	return platformdb.LockoutKey{Scope: g.p.Box.Hash("lockout", fold(name), Network(from))}
}

// begin counts an attempt, before the password is checked: parallel attempts are all counted. It
// refuses an attempt too many and says how long to wait.
func (g *guard) begin(ctx context.Context, key platformdb.LockoutKey) error {
	return access.RetryOnConflict(ctx, func() (retry bool, err error) {
		now := g.p.Now()
		_, err = g.db.CountAttempt(ctx, key, platformdb.CountAttemptParams{Most: int64(g.o.Attempts), Now: now})
		if err == nil {
			return false, nil
		}
		var refused *access.ConditionError[platformdb.Lockout]
		switch {
		case errors.Is(err, access.ErrNotFound):
			until := now.Add(g.o.AttemptsIn)
			_, err = g.db.OpenLockout(ctx, platformdb.Lockout{Scope: key.Scope, Attempts: 1, ValidUntil: until, TTL: until})
			return errors.Is(err, access.ErrExists), err
		case !errors.As(err, &refused) || refused.Current == nil:
			return false, fmt.Errorf("count an attempt to sign in: %w", err)
		case refused.Current.ValidUntil.After(now):
			return false, locked(refused.Current.ValidUntil.Sub(now))
		}
		until := now.Add(g.o.AttemptsIn)
		_, err = g.db.RestartLockout(ctx, key, platformdb.RestartLockoutParams{
			ValidUntil: until, TTL: until, OldValidUntil: refused.Current.ValidUntil, OldAttempts: refused.Current.Attempts,
		})
		return access.Refused(err), err
	})
}

// locked returns the refusal of an attempt too many.
func locked(wait time.Duration) error {
	e := *ErrLocked
	minutes := int((wait + time.Minute - 1) / time.Minute)
	e.Message = fmt.Sprintf("There were too many attempts to sign in. Wait %d minutes, then try again, or reset your password.", minutes)
	if minutes == 1 {
		e.Message = "There were too many attempts to sign in. Wait a minute, then try again, or reset your password."
	}
	e.Wait = wait
	return &e
}

// failed starts the time to wait, if the attempt was the last one.
func (g *guard) failed(ctx context.Context, key platformdb.LockoutKey) error {
	until := g.p.Now().Add(g.o.LockFor)
	_, err := g.db.ExtendLockout(ctx, key, platformdb.ExtendLockoutParams{ValidUntil: until, TTL: until, Most: int64(g.o.Attempts)})
	if err != nil && !access.Refused(err) {
		return fmt.Errorf("lock sign-in: %w", err)
	}
	return nil
}

// clear forgets the attempts after one succeeded.
func (g *guard) clear(ctx context.Context, key platformdb.LockoutKey) error {
	if err := g.db.ClearLockout(ctx, key); err != nil {
		return fmt.Errorf("forget failed attempts to sign in: %w", err)
	}
	return nil
}

// failedSignIn is the limit of wrong passwords for all names from one network. Only failures count, so
// that many people can sign in from one network.
const failedSignIn = "failed sign-in"

// asLocked returns the refusal of the limit of a network as that of an attempt too many.
func asLocked(err error) error {
	if refused, ok := errors.AsType[*refusal.Error](err); ok && refused.Kind == refusal.TooMany {
		return locked(refused.Wait)
	}
	return err
}

// check tries a password for a name: it counts the attempt, and returns the identity. The error is
// ErrWrong if there is none or the password is wrong.
func (g *guard) check(ctx context.Context, name, password string, from netip.Addr) (platformdb.Identity, error) {
	key, network := g.key(name, from), Network(from)
	if err := g.o.Allows(ctx, failedSignIn, network); err != nil {
		return platformdb.Identity{}, asLocked(err)
	}
	if err := g.begin(ctx, key); err != nil {
		return platformdb.Identity{}, err
	}
	identity, right, err := g.compare(ctx, name, password)
	if err != nil {
		return platformdb.Identity{}, err
	}
	if !right {
		if err := g.failed(ctx, key); err != nil {
			return platformdb.Identity{}, err
		}
		if err := g.o.Allow(ctx, failedSignIn, network); err != nil {
			return platformdb.Identity{}, asLocked(err)
		}
		return platformdb.Identity{}, ErrWrong
	}
	// Of many attempts at once, those that end after the last allowed failure tell nothing.
	if err := g.o.Allows(ctx, failedSignIn, network); err != nil {
		return platformdb.Identity{}, asLocked(err)
	}
	return identity, g.clear(ctx, key)
}

// compare returns the identity of a name and whether the password is right. It does the work of hashing
// for unknown names as well.
func (g *guard) compare(ctx context.Context, name, password string) (platformdb.Identity, bool, error) {
	where := g.identityOf(name)
	identity, err := g.db.GetIdentity(ctx, where.Provider, where.SubjectHash)
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return identity, false, fmt.Errorf("read an identity: %w", err)
	}
	stored := ""
	if err == nil && identity.PasswordHash != nil {
		stored = *identity.PasswordHash
	}
	right, err := g.hasher.matches(ctx, stored, password)
	return identity, right, err
}

// refusals joins the refusals of several fields into one. Any other error is returned as it is.
func refusals(all ...error) error {
	var joined *refusal.Error
	for _, err := range all {
		if err == nil {
			continue
		}
		one, ok := errors.AsType[*refusal.Error](err)
		if !ok {
			return err
		}
		fields := make([]refusal.Field, len(one.Fields))
		for i, field := range one.Fields {
			if field.Message == "" {
				field.Message = one.Message
			}
			fields[i] = field
		}
		if joined == nil {
			whole := *one
			whole.Fields = fields
			joined = &whole
			continue
		}
		joined.Message += " " + one.Message
		joined.Fields = append(joined.Fields, fields...)
	}
	if joined == nil {
		return nil
	}
	return joined
}
