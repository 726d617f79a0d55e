package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

// MaxName is the maximum length of a person's name, in characters.
const MaxName = 80

// SignUps creates accounts.
type SignUps struct {
	*desk
	addresses *Addresses
}

// A NewAccount holds the arguments of SignUp.
type NewAccount struct {
	Name     string
	Address  string
	Password string
	Roles    []string   // by decision of the system, not of the person
	Locale   string     // optional
	From     netip.Addr // the person's network; for limits
	// Invitation is a token of Invitations, which the sign-up uses; "" if there is none.
	Invitation string
	// ID is the account's id, if the system gives one.
	ID string
}

// With adds writes of the system to the transaction that creates or deletes an account, such as the
// person's profile. Data holds the data of the invitation; nil without one.
type With func(tx access.Tx, account platformdb.Account, data json.RawMessage) error

// SignUp creates an account and mails a link that verifies the address. With may be nil. If the address
// has an account, the error is ErrTaken; see AlreadyHere.
func (s *SignUps) SignUp(ctx context.Context, in NewAccount, with With) (platformdb.Account, error) {
	account, err := s.newAccount(&in)
	if err != nil {
		return platformdb.Account{}, err
	}
	if err := s.o.Allow(ctx, "sign-up", Network(in.From)); err != nil {
		return platformdb.Account{}, err
	}
	tx := s.db.Tx()
	data, err := s.invited(ctx, tx, in, &account)
	if err != nil {
		return platformdb.Account{}, err
	}
	hash, err := s.hasher.hash(ctx, in.Password)
	if err != nil {
		return platformdb.Account{}, err
	}
	account = tx.CreateAccount(account)
	key := s.identityOf(in.Address)
	tx.AddIdentity(platformdb.Identity{
		Provider: key.Provider, SubjectHash: key.SubjectHash, AccountID: account.AccountID, PasswordHash: &hash, CreatedAt: account.CreatedAt,
	})
	s.o.Record(tx, audit.Event{Actor: account.AccountID, Action: "sign up", Target: account.AccountID, About: account.AccountID})
	if err := s.commit(ctx, tx, account, data, with); err != nil {
		return platformdb.Account{}, err
	}
	if account.VerifiedAt != nil {
		return account, nil
	}
	// The mail is counted as that of AlreadyHere is, and sent in any case: an address is new once.
	if _, err := s.countMail(ctx, in.Address); err != nil {
		return account, err
	}
	return account, s.addresses.sendVerification(ctx, account)
}

// newAccount checks what a person typed, all of it, and returns the row.
func (s *SignUps) newAccount(in *NewAccount) (platformdb.Account, error) {
	name, nameErr := CheckName(in.Name)
	address, addressErr := CheckAddress(in.Address)
	passwordErr := s.checkPassword(in.Password, in.Address)
	if err := refusals(nameErr, addressErr, passwordErr); err != nil {
		return platformdb.Account{}, err
	}
	in.Address = address
	now := s.p.Now()
	account := platformdb.Account{
		AccountID: in.ID, Name: name, Email: &address, Roles: slices.Clone(in.Roles), CreatedAt: now, UpdatedAt: now,
	}
	if in.Locale != "" {
		account.Locale = &in.Locale
	}
	if account.AccountID == "" {
		account.AccountID = s.o.NewID(now)
	}
	return account, nil
}

// invited adds the use of an invitation, its role, and the verification of its address.
func (s *SignUps) invited(ctx context.Context, tx access.Tx, in NewAccount, account *platformdb.Account) (json.RawMessage, error) {
	if in.Invitation == "" {
		return nil, nil
	}
	invitation, err := lookInvitation(ctx, s.desk, in.Invitation)
	if err != nil {
		return nil, err
	}
	s.once.Use(tx, invitationPurpose, invitation.token)
	if invitation.Role != "" && !slices.Contains(account.Roles, invitation.Role) {
		account.Roles = append(account.Roles, invitation.Role)
	}
	if invitation.mailed && fold(invitation.Address) == fold(in.Address) {
		account.VerifiedAt = &account.CreatedAt
	}
	return invitation.Data, nil
}

// commit adds the system's writes and commits. An address that is taken is told from what the system's
// own writes collide with.
func (d *desk) commit(ctx context.Context, tx *platformdb.Tx, account platformdb.Account, data json.RawMessage, with With) error {
	if with != nil {
		if err := with(tx, account, data); err != nil {
			return err
		}
	}
	err := tx.Commit(ctx)
	switch {
	case err == nil:
		return nil
	case taken(err):
		return fmt.Errorf("%w: %w", ErrTaken, err) // with what the system's writes collide with besides
	case onetime.Refused(err):
		return onetime.ErrUsed
	}
	return fmt.Errorf("create an account: %w", err)
}

// taken reports whether a transaction failed because an identity exists.
func taken(err error) bool {
	var exists *access.ConditionError[platformdb.Identity]
	return errors.As(err, &exists) && errors.Is(exists, access.ErrExists)
}

// RegisterText describes, for callers of an API, a sign-up that answers by MustVerify.
const RegisterText = "Where addresses must be verified, the response says only that: the person opens the link in the mail and then signs in. " +
	"The response is the same if the address has an account, and its owner gets a mail that says so. " +
	"Where an account can be used at once, as in a demo, the response has tokens, and an address with an account is refused with ADDRESS_TAKEN."

// MustVerify reports whether a person must open a link in a mail before the person can sign in. It takes
// the address and the results of SignUp. Where addresses must be verified, it answers ErrTaken as it
// answers a new account, and calls AlreadyHere. Other errors are returned, and ErrTaken is where a new
// account can be used at once.
func (s *SignUps) MustVerify(ctx context.Context, address string, account platformdb.Account, err error) (bool, error) {
	switch {
	case errors.Is(err, ErrTaken) && s.o.RequireVerified:
		return true, s.AlreadyHere(ctx, address)
	case err != nil:
		return false, err
	}
	return s.o.RequireVerified && account.VerifiedAt == nil, nil
}

// AlreadyHere tells the owner of an address by mail that the address was used to sign up. A page that
// does not show who has an account calls it after ErrTaken, and shows what it shows after a sign-up. If
// the address got too many mails, none is sent; that is no error, because a sign-up with a new address
// gets none either.
func (s *SignUps) AlreadyHere(ctx context.Context, address string) error {
	address, err := CheckAddress(address)
	if err != nil {
		return err
	}
	allowed, err := s.countMail(ctx, address)
	if err != nil || !allowed {
		return err
	}
	s.alreadyHere(ctx, address)
	return nil
}

// AlreadyHereAgain is AlreadyHere for a person who asks for the mail again. It refuses too many mails, as
// SendVerification does.
func (s *SignUps) AlreadyHereAgain(ctx context.Context, address string) error {
	address, err := CheckAddress(address)
	if err != nil {
		return err
	}
	if err := s.o.Allow(ctx, "mail", s.hashOf(address)); err != nil {
		return err
	}
	s.alreadyHere(ctx, address)
	return nil
}

// countMail counts a mail of a sign-up to an address, and reports whether there were not too many.
func (s *SignUps) countMail(ctx context.Context, address string) (allowed bool, err error) {
	err = s.o.Allow(ctx, "mail", s.hashOf(address))
	if refused, ok := errors.AsType[*refusal.Error](err); ok && refused.Kind == refusal.TooMany {
		return false, nil
	}
	return err == nil, err
}

func (s *SignUps) alreadyHere(ctx context.Context, address string) {
	s.post(ctx, mail.Message{To: address, Subject: "You already have an account at " + s.o.Name, Text: lines(
		"Somebody, probably you, tried to sign up at "+s.o.Name+" with this address. It has an account already.",
		"Sign in, or reset your password if you have forgotten it:",
		s.link(s.o.Paths.SignIn, ""),
		"If it was not you, there is nothing to do.",
	)})
}

// CheckName returns a person's name as it is kept, or refuses it.
func CheckName(typed string) (string, error) {
	name := strings.Join(strings.Fields(typed), " ")
	if length := utf8.RuneCountInString(name); length < 1 || length > MaxName || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return "", refusal.OutOfRange("name", "length", 1, MaxName, "A name has 1 to %d characters.", MaxName)
	}
	return name, nil
}

// lines returns the text of a mail of several paragraphs.
func lines(paragraphs ...string) string { return strings.Join(paragraphs, "\n\n") + "\n" }
