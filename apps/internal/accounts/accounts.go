// Package accounts lets people and programs sign in: sign-up, e-mail addresses that are verified,
// passwords, sessions of browsers, tokens of programs, invitations, and sign-in through other
// providers. It is written on the platform's data; a system's own profile of a person is written in
// the same transaction through a function of the system.
//
// It knows no pages and no HTTP: package accountpages and the systems' fronts call it. It decides
// who a caller is, not what a caller may do, except that accounts carry roles.
package accounts

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// Options configures the accounts of a system. Name, PublicURL and Mail are required.
type Options struct {
	Name      string // of the system, as people know it
	PublicURL string // of the site; links in mail begin with it
	Paths     Paths
	// Mail sends the mail, such as an Outbox. An outbox with a queue sends in the background, so that
	// the time of a response does not tell whether an address has an account.
	Mail interface {
		Post(ctx context.Context, m mail.Message) error
	}

	Argon Argon // the work of hashing a password
	// RequireVerified refuses sign-in until the address is verified.
	RequireVerified bool

	// Attempts is the number of passwords that may be tried for one name from one network within
	// AttemptsIn; 10 in an hour by default. After the last of them, LockFor has to pass; 15 minutes
	// by default.
	Attempts            int
	AttemptsIn, LockFor time.Duration

	// A session of a browser ends when it was not used for Idle, and at the latest after Absolute;
	// by default 14 and 90 days. That it is used is recorded every TouchEvery; 5 minutes by default.
	Idle, Absolute, TouchEvery time.Duration
	// A program's access token is valid for AccessFor, and its refresh token for RefreshFor; by
	// default 60 minutes and 30 days. Its session ends after ProgramAbsolute; 365 days by default.
	AccessFor, RefreshFor, ProgramAbsolute time.Duration

	// VerifyFor, ResetFor and InviteFor are the lifetimes of links; by default one day, one hour and
	// seven days.
	VerifyFor, ResetFor, InviteFor time.Duration

	// NewID returns the id of an account that is created at a time; a ULID of that time by default.
	NewID func(at time.Time) string
	// Allow counts what is done and refuses what was done too often, such as by a limits.Limiter: limit
	// is "sign-up" or "failed sign-in", by network, "mail", by the hash of an address or the id of an
	// account, or "invitation", by the id of its author. Nil allows everything.
	Allow func(ctx context.Context, limit, subject string) error
	// Allows returns the refusal that Allow would return, and counts nothing. It is asked before a
	// password is checked, and Allow after a wrong one. Nil allows everything.
	Allows func(ctx context.Context, limit, subject string) error
	// Record adds an audit event to a transaction, such as the method of an audit.Trail. Nil records
	// nothing.
	Record func(tx access.Tx, event audit.Event)
}

// Paths lists the pages that links in mail lead to. Each gets the parameter token.
type Paths struct {
	Verify  string // "/verify" by default
	Reset   string // "/reset" by default
	Address string // "/account/address/confirm" by default
	Invited string // "/invitation" by default
	SignIn  string // "/sign-in" by default; without a token
}

// Accounts holds the services of a system's accounts, by subject. They are safe for use by many
// goroutines and processes.
type Accounts struct {
	SignUps     *SignUps
	SignIns     *SignIns
	Passwords   *Passwords
	Addresses   *Addresses
	Sessions    *Sessions
	Tokens      *Tokens
	Invitations *Invitations
	People      *People
	Paths       Paths // of the options, with the defaults
}

// A desk holds what the services share.
type desk struct {
	p        *platform.Platform
	db       *platformdb.DB
	o        Options
	hasher   *hasher
	once     *onetime.Tokens
	receipts *receipt.Receipts
}

// New returns the accounts of a platform.
func New(p *platform.Platform, options Options) (*Accounts, error) {
	if options.Name == "" || options.PublicURL == "" || options.Mail == nil {
		return nil, errors.New("accounts: Name, PublicURL and Mail are required")
	}
	o := withDefaults(options, p)
	hasher, err := newHasher(o.Argon)
	if err != nil {
		return nil, err
	}
	d := &desk{p: p, db: p.DB, o: o, hasher: hasher, once: onetime.New(p), receipts: receipt.New(p)}
	guard := &guard{d}
	addresses := &Addresses{d}
	return &Accounts{
		SignUps:     &SignUps{d, addresses},
		SignIns:     &SignIns{d, guard},
		Passwords:   &Passwords{d, guard},
		Addresses:   addresses,
		Sessions:    &Sessions{d},
		Tokens:      &Tokens{d},
		Invitations: &Invitations{d},
		People:      &People{d},
		Paths:       o.Paths,
	}, nil
}

func withDefaults(o Options, p *platform.Platform) Options {
	o.PublicURL = strings.TrimSuffix(o.PublicURL, "/")
	if o.Attempts == 0 {
		o.Attempts = 10
	}
	for _, lifetime := range []struct {
		of    *time.Duration
		usual time.Duration
	}{
		{&o.AttemptsIn, time.Hour}, {&o.LockFor, 15 * time.Minute},
		{&o.Idle, 14 * 24 * time.Hour}, {&o.Absolute, 90 * 24 * time.Hour}, {&o.TouchEvery, 5 * time.Minute},
		{&o.AccessFor, time.Hour}, {&o.RefreshFor, 30 * 24 * time.Hour}, {&o.ProgramAbsolute, 365 * 24 * time.Hour},
		{&o.VerifyFor, 24 * time.Hour}, {&o.ResetFor, time.Hour}, {&o.InviteFor, 7 * 24 * time.Hour},
	} {
		if *lifetime.of == 0 {
			*lifetime.of = lifetime.usual
		}
	}
	for _, path := range []struct {
		of    *string
		usual string
	}{
		{&o.Paths.Verify, "/verify"}, {&o.Paths.Reset, "/reset"}, {&o.Paths.Address, "/account/address/confirm"},
		{&o.Paths.Invited, "/invitation"}, {&o.Paths.SignIn, "/sign-in"},
	} {
		if *path.of == "" {
			*path.of = path.usual
		}
	}
	if o.NewID == nil {
		o.NewID = access.NewULID
	}
	if o.Allow == nil {
		o.Allow = func(context.Context, string, string) error { return nil }
	}
	if o.Allows == nil {
		o.Allows = func(context.Context, string, string) error { return nil }
	}
	if o.Record == nil {
		o.Record = func(access.Tx, audit.Event) {}
	}
	return o
}

// link returns the address of a page with a token.
func (d *desk) link(path, token string) string {
	if token == "" {
		return d.o.PublicURL + path
	}
	return d.o.PublicURL + path + "?token=" + url.QueryEscape(token)
}

// post sends a mail. What it belongs to has succeeded, so that a failure is only logged; the person
// can ask for another mail.
func (d *desk) post(ctx context.Context, m mail.Message) {
	if err := d.o.Mail.Post(ctx, m); err != nil {
		d.p.Log.Error("a mail was not sent", slog.String("subject", m.Subject), slog.Any("error", err))
	}
}

// account reads an account. There is none for an id that was erased.
func (d *desk) account(ctx context.Context, id string) (platformdb.Account, error) {
	account, err := d.db.GetAccount(ctx, id)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return account, ErrNoAccount
	case err != nil:
		return account, fmt.Errorf("read an account: %w", err)
	}
	return account, nil
}

// The refusals that callers tell apart. Others name the field that is wrong.
var (
	ErrNoAccount   = refusal.New(refusal.NotFound, "NO_ACCOUNT", "There is no such account.")
	ErrTaken       = refusal.New(refusal.Conflict, "ADDRESS_TAKEN", "This e-mail address has an account.")
	ErrWrong       = refusal.New(refusal.Unauthenticated, "SIGN_IN_FAILED", "The e-mail address or the password is wrong.")
	ErrLocked      = refusal.New(refusal.TooMany, "SIGN_IN_LOCKED", "There were too many attempts to sign in.")
	ErrDisabled    = refusal.New(refusal.Forbidden, "ACCOUNT_DISABLED", "This account is disabled. Ask an operator.")
	ErrUnverified  = refusal.New(refusal.Forbidden, "ADDRESS_UNVERIFIED", "Confirm your e-mail address first: open the link in the mail we sent you.")
	ErrSignedOut   = refusal.New(refusal.Unauthenticated, "SIGNED_OUT", "You are signed out. Sign in again.")
	ErrTokenReused = refusal.New(refusal.Unauthenticated, "REFRESH_TOKEN_REUSED", "This refresh token was used before, so the session was ended. Sign in again.")
)
