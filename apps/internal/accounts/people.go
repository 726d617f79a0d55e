package accounts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// People finds, changes and erases accounts.
type People struct{ *desk }

// Get returns an account. The error is ErrNoAccount if there is none.
func (p *People) Get(ctx context.Context, accountID string) (platformdb.Account, error) {
	return p.account(ctx, accountID)
}

// ByAddress returns the account that signs in with an address and a password. The error is ErrNoAccount
// if there is none.
func (p *People) ByAddress(ctx context.Context, address string) (platformdb.Account, error) {
	return p.byAddress(ctx, address)
}

// Rename changes the name of a person.
func (p *People) Rename(ctx context.Context, accountID, typed string) (platformdb.Account, error) {
	name, err := CheckName(typed)
	if err != nil {
		return platformdb.Account{}, err
	}
	return p.change(ctx, accountID, func(tx *platformdb.Tx, account platformdb.Account) {
		p.edit(tx, account, func(row *platformdb.Account) { row.Name = name })
	})
}

// SetLocale changes the language of a person; "" is the language of the system.
func (p *People) SetLocale(ctx context.Context, accountID, locale string) (platformdb.Account, error) {
	return p.change(ctx, accountID, func(tx *platformdb.Tx, account platformdb.Account) {
		p.edit(tx, account, func(row *platformdb.Account) {
			row.Locale = nil
			if locale != "" {
				row.Locale = &locale
			}
		})
	})
}

// SetRoles replaces the roles of an account. Actor is recorded as the one who did it.
func (p *People) SetRoles(ctx context.Context, actor, accountID string, roles []string) (platformdb.Account, error) {
	roles = slices.Compact(slices.Sorted(slices.Values(roles)))
	return p.change(ctx, accountID, func(tx *platformdb.Tx, account platformdb.Account) {
		tx.SetRoles(account.Key(), platformdb.SetRolesParams{Roles: roles, UpdatedAt: p.p.Now(), Version: account.Version})
		p.o.Record(tx, audit.Event{
			Actor: actor, Action: "set roles", Target: accountID, About: accountID, Detail: map[string]string{"roles": strings.Join(roles, " ")},
		})
	})
}

// Disable refuses sign-in to an account and ends its sessions. It is no error if the account is disabled.
func (p *People) Disable(ctx context.Context, actor, accountID, reason string) (platformdb.Account, error) {
	return p.change(ctx, accountID, func(tx *platformdb.Tx, account platformdb.Account) {
		if account.Standing != platformdb.AccountStandingActive {
			return
		}
		tx.DisableAccount(account.Key(), platformdb.DisableAccountParams{UpdatedAt: p.p.Now(), Version: account.Version})
		p.o.Record(tx, audit.Event{Actor: actor, Action: "disable account", Target: accountID, About: accountID, Detail: map[string]string{"reason": reason}})
	})
}

// Enable permits sign-in again. It is no error if the account is enabled.
func (p *People) Enable(ctx context.Context, actor, accountID string) (platformdb.Account, error) {
	return p.change(ctx, accountID, func(tx *platformdb.Tx, account platformdb.Account) {
		if account.Standing != platformdb.AccountStandingDisabled {
			return
		}
		tx.EnableAccount(account.Key(), platformdb.EnableAccountParams{UpdatedAt: p.p.Now(), Version: account.Version})
		p.o.Record(tx, audit.Event{Actor: actor, Action: "enable account", Target: accountID, About: accountID})
	})
}

// change changes an account and returns it as it is then.
func (p *People) change(ctx context.Context, accountID string, add func(tx *platformdb.Tx, account platformdb.Account)) (platformdb.Account, error) {
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		account, err := p.account(ctx, accountID)
		if err != nil {
			return false, err
		}
		tx := p.db.Tx()
		add(tx, account)
		if tx.Len() == 0 {
			return false, nil
		}
		err = tx.Commit(ctx)
		if errors.Is(err, access.ErrNotFound) { // erased just now
			return false, ErrNoAccount
		}
		return false, err
	})
	if err != nil {
		return platformdb.Account{}, fmt.Errorf("change an account: %w", err)
	}
	return p.account(ctx, accountID)
}

// Erase deletes an account with its identities and sessions. With adds the system's own deletions to the
// transaction; it may be nil. Mail that was sent and audit events are deleted by their own time. It is no
// error if there is no account.
func (p *People) Erase(ctx context.Context, actor, accountID string, with With) error {
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		account, err := p.account(ctx, accountID)
		if err != nil {
			return false, err
		}
		keys, err := p.identities(ctx, account)
		if err != nil {
			return false, err
		}
		tx := p.db.Tx()
		tx.DeleteAccount(account.Key(), platformdb.DeleteAccountParams{Version: account.Version})
		for _, key := range keys {
			tx.RemoveIdentity(key)
		}
		p.o.Record(tx, audit.Event{Actor: actor, Action: "erase account", Target: accountID, About: accountID})
		if with != nil {
			if err := with(tx, account, nil); err != nil {
				return false, err
			}
		}
		return false, tx.Commit(ctx)
	})
	if err != nil && !errors.Is(err, ErrNoAccount) {
		return fmt.Errorf("erase an account: %w", err)
	}
	return p.eraseSessions(ctx, accountID) // none of which opens anything any more
}

// identities returns the keys of an account's identities. The index may lack a new one, so that the one
// of the address is found by itself.
func (p *People) identities(ctx context.Context, account platformdb.Account) ([]platformdb.IdentityKey, error) {
	rows, err := p.db.ListIdentities(account.AccountID).Limit(0).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the identities of an account: %w", err)
	}
	keys := make([]platformdb.IdentityKey, 0, len(rows)+1)
	for _, row := range rows {
		keys = append(keys, row.Key())
	}
	if account.Email == nil || slices.Contains(keys, p.identityOf(*account.Email)) {
		return keys, nil
	}
	key := p.identityOf(*account.Email)
	row, err := p.db.GetIdentity(ctx, key.Provider, key.SubjectHash)
	switch {
	case err == nil && row.AccountID == account.AccountID:
		keys = append(keys, key)
	case err != nil && !errors.Is(err, access.ErrNotFound):
		return nil, fmt.Errorf("read an identity: %w", err)
	}
	return keys, nil
}

func (p *People) eraseSessions(ctx context.Context, accountID string) error {
	rows, err := p.db.ListSessions(accountID).Limit(0).Slice(ctx)
	if err != nil {
		return fmt.Errorf("list the sessions of an erased account: %w", err)
	}
	keys := make([]platformdb.SessionKey, len(rows))
	for i, row := range rows {
		keys[i] = row.Key()
	}
	if len(keys) == 0 {
		return nil
	}
	if err := p.db.EndSessionBatch(ctx, keys); err != nil {
		return fmt.Errorf("delete the sessions of an erased account: %w", err)
	}
	return nil
}
