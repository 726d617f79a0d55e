// Package people is the room of ExamBuddy's domain for who takes part: profiles over the
// platform's accounts, roles, groups of candidates, and the time factor of a candidate.
//
// It does not sign people in: package accounts of the platform does. The doors call it for admins and
// operators, and package sitting for the groups and the time factor of a candidate.
package people

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

// A Service holds the rules about people.
type Service struct {
	env      *exambuddy.Env
	accounts *accounts.Accounts
}

// New returns the people of an environment with the accounts of its platform.
func New(env *exambuddy.Env, accounts *accounts.Accounts) *Service {
	return &Service{env: env, accounts: accounts}
}

// Caller returns who an account is.
func Caller(account platformdb.Account) exambuddy.Caller {
	c := exambuddy.Caller{ID: account.AccountID, Name: account.Name, Role: roleOf(account.Roles)}
	if account.Email != nil {
		c.Email = *account.Email
	}
	return c
}

// roleOf returns the role of an account. An account without a role is a candidate's.
func roleOf(roles []string) exambuddy.Role {
	for _, role := range []exambuddy.Role{exambuddy.RoleOperator, exambuddy.RoleAdmin} {
		if slices.Contains(roles, string(role)) {
			return role
		}
	}
	return exambuddy.RoleCandidate
}

// An invited is the data of an invitation.
type invited struct {
	GroupID string `json:"group_id,omitempty"`
	AdminID string `json:"admin_id,omitempty"`
}

// SignUp creates an account with its profile. Without an invitation that has a role, the person is
// a candidate; with one to a group, the person joins the group.
func (s *Service) SignUp(ctx context.Context, in accounts.NewAccount) (platformdb.Account, error) {
	return s.signUp(ctx, in, exambuddy.RoleCandidate)
}

// SignUpAs creates an account with a role by decision of the system, such as the first admin.
func (s *Service) SignUpAs(ctx context.Context, in accounts.NewAccount, role exambuddy.Role) (platformdb.Account, error) {
	return s.signUp(ctx, in, role)
}

func (s *Service) signUp(ctx context.Context, in accounts.NewAccount, role exambuddy.Role) (platformdb.Account, error) {
	in.Roles = []string{string(role)}
	if in.Invitation != "" {
		invitation, err := s.accounts.Invitations.Look(ctx, in.Invitation)
		if err != nil {
			return platformdb.Account{}, err
		}
		if invitation.Role != "" {
			in.Roles = []string{invitation.Role}
		}
	}
	account, err := s.accounts.SignUps.SignUp(ctx, in, s.With)
	return account, AddressTaken(err)
}

// AddressTaken returns accounts.ErrTaken if a sign-up failed because a profile has the address, such as
// that of a person who signs in through a provider, and the error itself otherwise.
func AddressTaken(err error) error {
	var exists *access.ConditionError[exambuddydb.User]
	if errors.As(err, &exists) && errors.Is(exists, access.ErrExists) {
		return accounts.ErrTaken
	}
	if taken, ok := errors.AsType[*access.TakenError](err); ok && taken.Entity == "User" {
		return accounts.ErrTaken
	}
	return err
}

// With adds the profile of a new account to the transaction that creates it. It is for sign-in
// through providers, too.
func (s *Service) With(tx access.Tx, account platformdb.Account, data json.RawMessage) error {
	if account.Email == nil {
		return refusal.New(refusal.Invalid, "", "An account of ExamBuddy needs an e-mail address.")
	}
	joined := s.env.DB.Join(tx)
	joined.RegisterUser(exambuddydb.User{
		UserID: account.AccountID, Email: *account.Email, Name: account.Name, Role: exambuddydb.UserRole(roleOf(account.Roles)),
		CreatedAt: account.CreatedAt, UpdatedAt: account.CreatedAt,
	})
	var to invited
	if len(data) > 0 {
		if err := json.Unmarshal(data, &to); err != nil {
			return fmt.Errorf("decode the data of an invitation: %w", err)
		}
	}
	if to.GroupID != "" {
		joined.AddGroupMember(exambuddydb.AddGroupMemberParams{GroupMember: exambuddydb.GroupMember{
			GroupID: to.GroupID, CandidateID: account.AccountID, AdminID: to.AdminID, Email: *account.Email, Name: account.Name, JoinedAt: account.CreatedAt,
		}})
	}
	return nil
}

// ByEmail returns the profile of an address, in any spelling.
func (s *Service) ByEmail(ctx context.Context, email string) (exambuddydb.User, error) {
	address, err := accounts.CheckAddress(email)
	if err != nil {
		return exambuddydb.User{}, err
	}
	user, err := s.env.DB.GetUserByEmail(ctx, address)
	return user, exambuddy.Missing(err, accounts.ErrNoAccount)
}

// Names returns the names of people by their ids, for an admin who sees them sit an exam. People
// who no longer have a profile are left out.
func (s *Service) Names(ctx context.Context, _ exambuddy.Admin, ids []string) (map[string]string, error) {
	names := map[string]string{}
	for _, id := range ids {
		if _, known := names[id]; known {
			continue
		}
		user, err := s.env.DB.GetUserByID(ctx, id)
		if errors.Is(err, access.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the name of %s: %w", id, err)
		}
		names[id] = user.Name
	}
	return names, nil
}

// Admin returns the admin with an address.
func (s *Service) Admin(ctx context.Context, email string) (exambuddy.Admin, error) {
	user, err := s.ByEmail(ctx, email)
	if err != nil {
		return exambuddy.Admin{}, err
	}
	if user.Role != exambuddydb.UserRoleAdmin {
		return exambuddy.Admin{}, accounts.ErrNoAccount
	}
	return exambuddy.Admin{ID: user.UserID, Name: user.Name, Email: user.Email}, nil
}

// Users returns the people of a role, newest first.
func (s *Service) Users(ctx context.Context, _ exambuddy.Operator, role exambuddy.Role, limit int, cursor string) (access.Page[exambuddydb.User], error) {
	if !exambuddydb.UserRole(role).Valid() {
		return access.Page[exambuddydb.User]{}, refusal.OfField(refusal.Field{Name: "role", Constraint: "allowed", Allowed: []string{string(exambuddy.RoleAdmin), string(exambuddy.RoleCandidate), string(exambuddy.RoleOperator)}}, "There is no such role.")
	}
	page, err := s.env.DB.ListUsersByRole(exambuddydb.UserRole(role)).PageSize(exambuddy.Within(limit, exambuddy.PageSize)).Page(ctx, cursor)
	return page, exambuddy.BadCursor(err)
}

// InviteAdmin invites a person to sign up as an admin, and returns the link. The same idempotency key, which may be "",
// invites the person once.
func (s *Service) InviteAdmin(ctx context.Context, operator exambuddy.Operator, email string, repeat exambuddy.Repeat) (string, error) {
	address, err := accounts.CheckAddress(email)
	if err != nil {
		return "", err
	}
	if _, err := s.env.DB.GetUserByEmail(ctx, address); err == nil {
		return "", refusal.OfField(refusal.Field{Name: "email", Constraint: "unique"}, "This address has an account. Change its role in the list.")
	} else if !errors.Is(err, access.ErrNotFound) {
		return "", err
	}
	return s.accounts.Invitations.Invite(ctx, accounts.Invitation{Address: address, Role: string(exambuddy.RoleAdmin), By: operator.Name, Author: operator.ID, Key: repeat.Key, Content: repeat.Content})
}

// SetRole changes the role of a person. The account and the profile follow each other; the role of
// the account decides.
func (s *Service) SetRole(ctx context.Context, operator exambuddy.Operator, email string, role exambuddy.Role) error {
	if !exambuddydb.UserRole(role).Valid() {
		return refusal.OfField(refusal.Field{Name: "role", Constraint: "allowed"}, "There is no such role.")
	}
	user, err := s.ByEmail(ctx, email)
	if err != nil {
		return err
	}
	if _, err := s.accounts.People.SetRoles(ctx, operator.ID, user.UserID, []string{string(role)}); err != nil {
		return err
	}
	_, err = s.env.DB.SetUserRole(ctx, user.Key(), exambuddydb.UserRole(role), user.UserID, exambuddydb.SetUserRoleParams{UpdatedAt: s.env.Now(), Version: user.Version})
	if exambuddy.Stale(err) {
		return exambuddy.ErrChanged
	}
	return err
}
