package accounts

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// Passwords changes passwords.
type Passwords struct {
	*desk
	guard *guard
}

const resetPurpose = "reset a password"

// A resetDetail is the data of a token that resets a password. It belongs to the epoch of the account, so
// that a change of the password makes earlier links invalid.
type resetDetail struct {
	Address string `json:"address"`
	Epoch   int64  `json:"epoch"`
}

// Forgot mails a link that resets the password of an address. It does not tell whether the address has
// an account.
func (p *Passwords) Forgot(ctx context.Context, typed string) error {
	address, err := CheckAddress(typed)
	if err != nil {
		return err
	}
	if err := p.o.Allow(ctx, "mail", p.hashOf(address)); err != nil {
		return err
	}
	account, err := p.byAddress(ctx, address)
	if err != nil && !errors.Is(err, ErrNoAccount) {
		return err
	}
	// For an unknown address a token is issued, too, and never sent: the work is the same.
	token, issueErr := p.once.Issue(ctx, resetPurpose, account.AccountID, resetDetail{address, account.Epoch}, p.o.ResetFor)
	if issueErr != nil || err != nil {
		return issueErr
	}
	p.post(ctx, mail.Message{To: *account.Email, Subject: "Reset your password at " + p.o.Name, Text: lines(
		greeting(account),
		"open this link to choose a new password at "+p.o.Name+":",
		p.link(p.o.Paths.Reset, token),
		"It works once, until "+p.p.Now().Add(p.o.ResetFor).Format("15:04 MST")+". If you did not ask for it, there is nothing to do: your password stays as it is.",
	)})
	return nil
}

// byAddress returns the account that signs in with an address and a password.
func (d *desk) byAddress(ctx context.Context, address string) (platformdb.Account, error) {
	key := d.identityOf(address)
	identity, err := d.db.GetIdentity(ctx, key.Provider, key.SubjectHash)
	if errors.Is(err, access.ErrNotFound) {
		return platformdb.Account{}, ErrNoAccount
	}
	if err != nil {
		return platformdb.Account{}, fmt.Errorf("read an identity: %w", err)
	}
	return d.account(ctx, identity.AccountID)
}

// Has reports whether an account signs in with a password. Others sign in through a provider.
func (p *Passwords) Has(ctx context.Context, account platformdb.Account) (bool, error) {
	if account.Email == nil {
		return false, nil
	}
	holder, err := p.byAddress(ctx, *account.Email)
	if errors.Is(err, ErrNoAccount) {
		return false, nil
	}
	return err == nil && holder.AccountID == account.AccountID, err
}

// LookReset returns the account whose password a link resets, without using the link. The error is
// onetime.ErrUsed if the link does not work, and ErrDisabled if its owner may not sign in.
func (p *Passwords) LookReset(ctx context.Context, token string) (platformdb.Account, error) {
	account, _, err := p.reset(ctx, token)
	return account, err
}

func (p *Passwords) reset(ctx context.Context, token string) (account platformdb.Account, detail resetDetail, err error) {
	found, err := p.once.Look(ctx, resetPurpose, token)
	if err != nil {
		return account, detail, err
	}
	if err := found.Into(&detail); err != nil {
		return account, detail, err
	}
	account, err = p.account(ctx, found.Subject)
	if errors.Is(err, ErrNoAccount) || err == nil && account.Epoch != detail.Epoch {
		return account, detail, onetime.ErrUsed
	}
	if err == nil && account.Standing == platformdb.AccountStandingDisabled {
		err = ErrDisabled
	}
	return account, detail, err
}

// Reset sets a new password by a link of Forgot. It ends all sessions of the account, verifies its
// address, and forgets failed attempts from the caller's network.
func (p *Passwords) Reset(ctx context.Context, token, password string, from netip.Addr) (platformdb.Account, error) {
	account, detail, err := p.reset(ctx, token)
	if err != nil {
		return platformdb.Account{}, err
	}
	if err := p.checkPassword(password, detail.Address); err != nil {
		return platformdb.Account{}, err
	}
	hash, err := p.hasher.hash(ctx, password)
	if err != nil {
		return platformdb.Account{}, err
	}
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		if account, _, err = p.reset(ctx, token); err != nil {
			return false, err
		}
		tx := p.db.Tx()
		p.once.Use(tx, resetPurpose, token)
		now := p.p.Now()
		p.set(tx, &account, p.identityOf(detail.Address), hash, &now, "reset password")
		err := tx.Commit(ctx)
		if onetime.Refused(err) || errors.Is(err, access.ErrNotFound) { // the address was changed
			return false, onetime.ErrUsed
		}
		return false, err
	})
	if err != nil {
		return platformdb.Account{}, err
	}
	return account, p.guard.clear(ctx, p.guard.key(detail.Address, from))
}

// set adds the writes of a new password to a transaction, and makes account as it will be then.
func (p *Passwords) set(tx *platformdb.Tx, account *platformdb.Account, key platformdb.IdentityKey, hash string, verified *time.Time, action string) {
	now := p.p.Now()
	tx.SetPassword(key, platformdb.SetPasswordParams{PasswordHash: &hash})
	tx.EndSessions(account.Key(), platformdb.EndSessionsParams{VerifiedAt: verified, UpdatedAt: now, Version: account.Version})
	p.o.Record(tx, audit.Event{Actor: account.AccountID, Action: action, Target: account.AccountID, About: account.AccountID})
	account.VerifiedAt, account.UpdatedAt = verified, now
	account.Epoch++
	account.Version++
}

// Change sets a new password, given the current one. It ends all sessions of the account; the caller
// opens a new one with the account that it returns. The errors are ErrWrong and ErrLocked, too.
func (p *Passwords) Change(ctx context.Context, accountID, current, next string, from netip.Addr) (platformdb.Account, error) {
	account, err := p.account(ctx, accountID)
	if err != nil {
		return account, err
	}
	if account.Email == nil {
		return account, ErrWrong
	}
	if err := p.checkPassword(next, *account.Email); err != nil {
		return account, err
	}
	identity, err := p.guard.check(ctx, *account.Email, current, from)
	if err != nil {
		return account, err
	}
	if identity.AccountID != accountID {
		return account, ErrWrong
	}
	hash, err := p.hasher.hash(ctx, next)
	if err != nil {
		return account, err
	}
	epoch := account.Epoch
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		if account, err = p.account(ctx, accountID); err != nil {
			return false, err
		}
		if account.Epoch != epoch { // the password was changed meanwhile, and current is no longer it
			return false, ErrWrong
		}
		tx := p.db.Tx()
		p.set(tx, &account, identity.Key(), hash, account.VerifiedAt, "change password")
		return false, tx.Commit(ctx)
	})
	if err != nil {
		return platformdb.Account{}, err
	}
	p.post(ctx, mail.Message{To: *account.Email, Subject: "Your password at " + p.o.Name + " was changed", Text: lines(
		greeting(account),
		"your password at "+p.o.Name+" was changed just now, and you were signed out everywhere else.",
		"If it was not you, reset it:",
		p.link(p.o.Paths.SignIn, ""),
	)})
	return account, nil
}
