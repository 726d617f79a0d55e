package accounts

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// Addresses verifies and changes e-mail addresses.
type Addresses struct{ *desk }

const (
	verifyPurpose = "verify an address"
	movePurpose   = "change an address"
)

type addressDetail struct {
	Address string `json:"address"`
}

// A moveDetail is the data of a token that changes an address. It belongs to the epoch of the account and
// to the address that it replaces, so that a change of the password or of the address makes earlier links
// invalid.
type moveDetail struct {
	Address string `json:"address"`
	Before  string `json:"before"` // "" if the account had none
	Epoch   int64  `json:"epoch"`
}

// SendVerification mails the link that verifies the address of an account. It does nothing if the
// address is verified.
func (a *Addresses) SendVerification(ctx context.Context, account platformdb.Account) error {
	if account.Email == nil || account.VerifiedAt != nil {
		return nil
	}
	if err := a.o.Allow(ctx, "mail", a.hashOf(*account.Email)); err != nil {
		return err
	}
	return a.sendVerification(ctx, account)
}

func (a *Addresses) sendVerification(ctx context.Context, account platformdb.Account) error {
	token, err := a.once.Issue(ctx, verifyPurpose, account.AccountID, addressDetail{*account.Email}, a.o.VerifyFor)
	if err != nil {
		return err
	}
	a.post(ctx, mail.Message{To: *account.Email, Subject: "Confirm your e-mail address for " + a.o.Name, Text: lines(
		greeting(account),
		"welcome to "+a.o.Name+". Open this link to confirm that this is your address:",
		a.link(a.o.Paths.Verify, token),
		"If you did not sign up, there is nothing to do.",
	)})
	return nil
}

// LookVerification returns the account whose address a link verifies, without using the link. The error
// is onetime.ErrUsed if the link does not work.
func (a *Addresses) LookVerification(ctx context.Context, token string) (platformdb.Account, error) {
	found, err := a.once.Look(ctx, verifyPurpose, token)
	if err != nil {
		return platformdb.Account{}, err
	}
	var detail addressDetail
	if err := found.Into(&detail); err != nil {
		return platformdb.Account{}, err
	}
	account, err := a.account(ctx, found.Subject)
	switch {
	case errors.Is(err, ErrNoAccount):
		return account, onetime.ErrUsed
	case err != nil:
		return account, err
	case account.Email == nil || fold(*account.Email) != fold(detail.Address): // it was changed
		return account, onetime.ErrUsed
	}
	return account, nil
}

// Verify verifies an address by a link of SendVerification, and returns the account.
func (a *Addresses) Verify(ctx context.Context, token string) (account platformdb.Account, err error) {
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		if account, err = a.LookVerification(ctx, token); err != nil {
			return false, err
		}
		now := a.p.Now()
		tx := a.db.Tx()
		a.once.Use(tx, verifyPurpose, token)
		account = a.edit(tx, account, func(row *platformdb.Account) { row.VerifiedAt = &now })
		err := tx.Commit(ctx)
		if onetime.Refused(err) {
			return false, onetime.ErrUsed
		}
		return false, err
	})
	return account, err
}

// edit adds a change of an account to a transaction, and returns the account as it will be then.
func (d *desk) edit(tx *platformdb.Tx, account platformdb.Account, change func(*platformdb.Account)) platformdb.Account {
	before := account.Version
	change(&account)
	account.UpdatedAt = d.p.Now()
	tx.EditAccount(account.Key(), platformdb.EditAccountParams{
		Name: account.Name, Email: account.Email, VerifiedAt: account.VerifiedAt, Locale: account.Locale, UpdatedAt: account.UpdatedAt, Version: before,
	})
	account.Version++
	return account
}

// RequestChange mails a link to a new address, which replaces the address of an account when the link is
// used, and tells the current address. It does not tell whether the new address has an account.
func (a *Addresses) RequestChange(ctx context.Context, account platformdb.Account, typed string) error {
	address, err := CheckAddress(typed)
	if err != nil {
		return err
	}
	if account.Email != nil && *account.Email == address {
		return addressRefusal("unique", "This is your address already.")
	}
	// Each request sends mail to two addresses. The current one is not limited by its own hash: others who
	// ask for links to it must not keep a person from changing it.
	for _, subject := range []string{account.AccountID, a.hashOf(address)} {
		if err := a.o.Allow(ctx, "mail", subject); err != nil {
			return err
		}
	}
	holder, err := a.byAddress(ctx, address)
	if err != nil && !errors.Is(err, ErrNoAccount) {
		return err
	}
	a.announceChange(ctx, account, address)
	if err == nil && holder.AccountID != account.AccountID {
		a.post(ctx, mail.Message{To: address, Subject: "This address has an account at " + a.o.Name, Text: lines(
			"Somebody, probably you, wanted to use this address for another account at " + a.o.Name + ". An address is for one account, so nothing was changed.",
		)})
		return nil
	}
	token, err := a.once.Issue(ctx, movePurpose, account.AccountID, moveDetail{address, emailOf(account), account.Epoch}, a.o.VerifyFor)
	if err != nil {
		return err
	}
	a.post(ctx, mail.Message{To: address, Subject: "Confirm your new e-mail address for " + a.o.Name, Text: lines(
		"Hello,", // without the name: the address may be that of another person
		"open this link to use this address at "+a.o.Name+" from now on:",
		a.link(a.o.Paths.Address, token),
		"If you did not ask for it, there is nothing to do.",
	)})
	return nil
}

// announceChange tells the current address of an account that another was asked for. It says the same
// whether the other has an account or not.
func (a *Addresses) announceChange(ctx context.Context, account platformdb.Account, address string) {
	if account.Email == nil {
		return
	}
	other := address
	if account.VerifiedAt == nil { // it can be chosen to be read, as a name can; see greeting
		other = "another address"
	}
	a.post(ctx, mail.Message{To: *account.Email, Subject: "Another e-mail address was asked for at " + a.o.Name, Text: lines(
		greeting(account),
		"somebody, probably you, asked to use "+other+" instead of this address for your account at "+a.o.Name+". It is changed when the link in the mail to the new address is opened.",
		"If it was not you, change your password now. Then the link no longer works, and everybody else is signed out:",
		a.link(a.o.Paths.SignIn, ""),
	)})
}

func emailOf(account platformdb.Account) string {
	if account.Email == nil {
		return ""
	}
	return *account.Email
}

// LookChange returns the new address of a link of RequestChange, without using the link. The error is
// onetime.ErrUsed if the link does not work: also if the password or the address was changed, or all
// sessions were ended, since it was mailed.
func (a *Addresses) LookChange(ctx context.Context, token string) (address string, account platformdb.Account, err error) {
	found, err := a.once.Look(ctx, movePurpose, token)
	if err != nil {
		return "", account, err
	}
	var detail moveDetail
	if err := found.Into(&detail); err != nil {
		return "", account, err
	}
	account, err = a.account(ctx, found.Subject)
	if errors.Is(err, ErrNoAccount) || err == nil && (account.Epoch != detail.Epoch || emailOf(account) != detail.Before) {
		err = onetime.ErrUsed
	}
	return detail.Address, account, err
}

// ConfirmChange replaces the address of an account by a link of RequestChange. The error is ErrTaken if
// another account got the address meanwhile.
func (a *Addresses) ConfirmChange(ctx context.Context, token string) (account platformdb.Account, err error) {
	var before platformdb.Account
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		var address string
		if address, account, err = a.LookChange(ctx, token); err != nil {
			return false, err
		}
		before = account
		tx := a.db.Tx()
		a.once.Use(tx, movePurpose, token)
		if err := a.move(ctx, tx, account, address); err != nil {
			return false, err
		}
		now := a.p.Now()
		account = a.edit(tx, account, func(row *platformdb.Account) { row.Email, row.VerifiedAt = &address, &now })
		a.o.Record(tx, audit.Event{Actor: account.AccountID, Action: "change address", Target: account.AccountID, About: account.AccountID})
		err := tx.Commit(ctx)
		switch {
		case onetime.Refused(err):
			return false, onetime.ErrUsed
		case taken(err):
			return false, ErrTaken
		}
		return false, err
	})
	if err == nil && before.Email != nil {
		a.post(ctx, mail.Message{To: *before.Email, Subject: "Your e-mail address at " + a.o.Name + " was changed", Text: lines(
			greeting(before),
			"your account at "+a.o.Name+" has another e-mail address now, and this one is no longer used.",
			"If it was not you, tell us at once.",
		)})
	}
	return account, err
}

// move adds the new key of an identity with a password. The password is read after the account: if it was
// changed in between, the version of the account does not match.
func (a *Addresses) move(ctx context.Context, tx *platformdb.Tx, account platformdb.Account, address string) error {
	if account.Email == nil {
		return nil
	}
	from, to := a.identityOf(*account.Email), a.identityOf(address)
	identity, err := a.db.GetIdentity(ctx, from.Provider, from.SubjectHash)
	switch {
	case errors.Is(err, access.ErrNotFound) || err == nil && identity.AccountID != account.AccountID:
		return nil // an account of another provider
	case err != nil:
		return fmt.Errorf("read an identity: %w", err)
	case from == to: // another spelling
		return nil
	}
	tx.RemoveIdentity(from)
	identity.SubjectHash = to.SubjectHash
	tx.AddIdentity(identity)
	return nil
}
