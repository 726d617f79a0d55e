package accounts

import (
	"context"
	"errors"
	"fmt"
	"net/netip"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// SignIns finds out whose account it is. Sessions and Tokens remember it.
type SignIns struct {
	*desk
	guard *guard
}

// Credentials holds the arguments of WithPassword.
type Credentials struct {
	Address  string
	Password string
	From     netip.Addr // the person's network; failures are counted for it
}

// WithPassword returns the account of an address and password. The errors are ErrWrong, ErrLocked,
// ErrDisabled and ErrUnverified. An unknown address takes as long as a wrong password.
func (s *SignIns) WithPassword(ctx context.Context, c Credentials) (platformdb.Account, error) {
	identity, err := s.guard.check(ctx, c.Address, c.Password, c.From)
	if err != nil {
		return platformdb.Account{}, err
	}
	account, err := s.admit(ctx, identity, s.o.RequireVerified)
	if err != nil {
		return account, err
	}
	if s.hasher.outdated(*identity.PasswordHash) {
		return account, s.rehash(ctx, identity, c.Password)
	}
	return account, nil
}

// admit returns the account of an identity, if it may sign in, and records the time.
func (s *SignIns) admit(ctx context.Context, identity platformdb.Identity, verified bool) (platformdb.Account, error) {
	account, err := s.account(ctx, identity.AccountID)
	switch {
	case errors.Is(err, ErrNoAccount): // erased just now
		return platformdb.Account{}, ErrWrong
	case err != nil:
		return platformdb.Account{}, err
	case account.Standing == platformdb.AccountStandingDisabled:
		return platformdb.Account{}, ErrDisabled
	case verified && account.VerifiedAt == nil:
		return account, ErrUnverified
	}
	now := s.p.Now()
	_, err = s.db.RecordLogin(ctx, identity.Key(), platformdb.RecordLoginParams{LastUsedAt: &now})
	if err != nil && !access.Refused(err) {
		return platformdb.Account{}, fmt.Errorf("record a sign-in: %w", err)
	}
	return account, nil
}

// rehash stores a password with the current parameters, unless it was changed meanwhile.
func (s *SignIns) rehash(ctx context.Context, identity platformdb.Identity, password string) error {
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	_, err = s.db.RehashPassword(ctx, identity.Key(), platformdb.RehashPasswordParams{PasswordHash: &hash, OldPasswordHash: *identity.PasswordHash})
	if err != nil && !access.Refused(err) {
		return fmt.Errorf("hash a password again: %w", err)
	}
	return nil
}

// An External is a person whom another provider has identified, such as package openid.
type External struct {
	Provider        string // its name in the system
	Subject         string // the person's id there
	Name            string
	Address         string // "" if unknown
	AddressVerified bool   // by the provider
}

// WithExternal returns the account of a person whom a provider has identified, and reports whether it
// was created. A person who comes for the first time gets the account of the same address if both
// sides have verified it, and a new account otherwise, or ErrNoAccount if sign-up is closed. With adds the
// system's writes to a new account.
func (s *SignIns) WithExternal(ctx context.Context, person External, closed bool, with With) (account platformdb.Account, created bool, err error) {
	key := platformdb.IdentityKey{Provider: person.Provider, SubjectHash: s.p.Box.Hash("identity", person.Provider, person.Subject)}
	if person.Provider == "" || person.Provider == passwordProvider || person.Subject == "" {
		return account, false, errors.New("accounts: an external identity needs a provider and a subject")
	}
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		identity, err := s.db.GetIdentity(ctx, key.Provider, key.SubjectHash)
		switch {
		case err == nil:
			account, err = s.admit(ctx, identity, false)
			return false, err
		case !errors.Is(err, access.ErrNotFound):
			return false, fmt.Errorf("read an identity: %w", err)
		}
		account, created, err = s.addExternal(ctx, key, person, closed, with)
		// Another sign-in of the same person was faster, or the account was changed or erased just now.
		var changed *access.ConditionError[platformdb.Account]
		return errors.Is(err, ErrTaken) || errors.As(err, &changed), err
	})
	return account, created, err
}

func (s *SignIns) addExternal(ctx context.Context, key platformdb.IdentityKey, person External, closed bool, with With) (platformdb.Account, bool, error) {
	now := s.p.Now()
	identity := platformdb.Identity{Provider: key.Provider, SubjectHash: key.SubjectHash, CreatedAt: now, LastUsedAt: &now}
	known, err := s.sameAddress(ctx, person)
	if err != nil {
		return platformdb.Account{}, false, err
	}
	tx := s.db.Tx()
	if known != nil {
		if known.Standing == platformdb.AccountStandingDisabled {
			return platformdb.Account{}, false, ErrDisabled
		}
		identity.AccountID = known.AccountID
		tx.AddIdentity(identity)
		linked := s.edit(tx, *known, func(*platformdb.Account) {}) // so that the account is not erased meanwhile
		s.o.Record(tx, audit.Event{Actor: known.AccountID, Action: "link " + person.Provider, Target: known.AccountID, About: known.AccountID})
		return linked, false, s.commit(ctx, tx, linked, nil, nil)
	}
	if closed {
		return platformdb.Account{}, false, ErrNoAccount
	}
	account := platformdb.Account{AccountID: s.o.NewID(now), Name: nameOf(person), CreatedAt: now, UpdatedAt: now}
	if address, err := CheckAddress(person.Address); err == nil {
		account.Email = &address
		if person.AddressVerified {
			account.VerifiedAt = &now
		}
	}
	identity.AccountID = account.AccountID
	account = tx.CreateAccount(account)
	tx.AddIdentity(identity)
	s.o.Record(tx, audit.Event{Actor: account.AccountID, Action: "sign up with " + person.Provider, Target: account.AccountID, About: account.AccountID})
	return account, true, s.commit(ctx, tx, account, nil, with)
}

// sameAddress returns the account with a password and the same address. Both sides must have verified
// the address: else a person could take the account of another, or prepare an account for another to
// fall into.
func (s *SignIns) sameAddress(ctx context.Context, person External) (*platformdb.Account, error) {
	if person.Address == "" || !person.AddressVerified {
		return nil, nil
	}
	key := s.identityOf(person.Address)
	identity, err := s.db.GetIdentity(ctx, key.Provider, key.SubjectHash)
	if errors.Is(err, access.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read an identity: %w", err)
	}
	account, err := s.account(ctx, identity.AccountID)
	if errors.Is(err, ErrNoAccount) || err == nil && account.VerifiedAt == nil {
		return nil, nil
	}
	return &account, err
}

func nameOf(person External) string {
	if name, err := CheckName(person.Name); err == nil {
		return name
	}
	return "New here"
}
