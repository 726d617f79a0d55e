package households

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// ErrFull is the refusal of a household that has as many members as it may have.
var ErrFull = refusal.New(refusal.Conflict, "HOUSEHOLD_FULL", "This household has as many members as it can have.")

// Of links that invite a person to a household.
const (
	invitePurpose = "homeops invitation"
	InviteValid   = 7 * 24 * time.Hour
)

// An Invitation is a valid invitation to a household.
type Invitation struct {
	Home  Home
	By    string // the name of the member who invites
	Until time.Time
}

// invitedBy is the data of the token of an invitation.
type invitedBy struct {
	UserID int64 `json:"user_id"`
}

// Invite returns the token of a link by which one person joins a household. Only its owner invites. The same
// idempotency key, which may be "", returns the same token.
func (s *Service) Invite(ctx context.Context, userID int64, householdID, key string) (string, error) {
	home, err := s.ForMember(ctx, householdID, userID)
	if err != nil {
		return "", err
	}
	if !home.IsOwner(userID) {
		return "", ErrNotOwner
	}
	if len(home.Active()) >= homeops.MaxMembers {
		return "", ErrFull
	}
	request := receipt.Request{By: MemberID(userID), Key: key, Action: "invite to " + householdID}
	token, _, err := receipt.Once(ctx, s.env.Receipts, request, func() (string, error) {
		tx := s.env.DB.Tx()
		token, err := s.env.Tokens.IssueIn(tx, invitePurpose, householdID, invitedBy{userID}, InviteValid)
		if err != nil {
			return "", err
		}
		s.env.Audit.Record(tx, audit.Event{Actor: MemberID(userID), Action: "invite", Target: householdID, About: householdID})
		if err := s.env.Receipts.Add(tx, request, token); err != nil {
			return "", err
		}
		if err := tx.Commit(ctx); err != nil {
			return "", fmt.Errorf("invite to a household: %w", err)
		}
		return token, nil
	})
	return token, err
}

// LookInvitation returns an invitation without using it. The error is onetime.ErrUsed if it does
// not work: also if its author is no longer a member.
func (s *Service) LookInvitation(ctx context.Context, token string) (Invitation, error) {
	found, err := s.env.Tokens.Look(ctx, invitePurpose, token)
	if err != nil {
		return Invitation{}, err
	}
	var by invitedBy
	if err := found.Into(&by); err != nil {
		return Invitation{}, err
	}
	home, err := s.ForMember(ctx, found.Subject, by.UserID)
	if errors.Is(err, ErrNoHousehold) || errors.Is(err, ErrNoMember) {
		return Invitation{}, onetime.ErrUsed
	}
	return Invitation{Home: home, By: home.NameOf(by.UserID), Until: found.ValidUntil}, err
}

// Accept makes a person a member by an invitation, which is used up, and makes further writes in
// the same transaction. A person who is a member already does not use the invitation up. The error
// is onetime.ErrUsed if the invitation does not work, and ErrFull if the household has no room.
func (s *Service) Accept(ctx context.Context, token string, person Person, also func(access.Tx, Home) error) (home Home, err error) {
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		invitation, err := s.LookInvitation(ctx, token)
		if err != nil {
			return false, err
		}
		home = invitation.Home
		tx := s.env.DB.Tx()
		_, member := home.Member(person.ID)
		if !member {
			if !home.hasRoom(person.ID) {
				return false, ErrFull
			}
			s.joining(tx, home, person)
			s.env.Tokens.Use(tx, invitePurpose, token)
			s.env.Audit.Record(tx, audit.Event{Actor: MemberID(person.ID), Action: "join by invitation", Target: home.HouseholdID, About: home.HouseholdID})
		}
		if err := also(tx, home); err != nil || tx.Len() == 0 {
			return false, err
		}
		err = tx.Commit(ctx)
		if onetime.Refused(err) {
			return false, onetime.ErrUsed
		}
		return !member && (errors.Is(err, access.ErrExists) || homeops.Changed[homeopsdb.Member](err)), err
	})
	return home, err
}

// MarkInvited records that a person was asked to open the private channel. It reports whether this
// is the first time: a person is asked once.
func (s *Service) MarkInvited(ctx context.Context, userID int64) (bool, error) {
	if _, err := s.Channel(ctx, userID); err != nil {
		return false, err
	}
	now := s.env.Now()
	_, err := s.env.DB.MarkInvited(ctx, homeopsdb.DirectChannelKey{UserID: userID}, homeopsdb.MarkInvitedParams{InvitedAt: &now, UpdatedAt: now})
	if homeops.Changed[homeopsdb.DirectChannel](err) {
		return false, nil
	}
	return err == nil, err
}
