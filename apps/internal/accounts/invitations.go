package accounts

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/receipt"
)

// Invitations invites people to sign up, with a role and data of the system.
type Invitations struct{ *desk }

const invitationPurpose = "invitation"

// An Invitation lets a person sign up with a role.
type Invitation struct {
	// Address is the address that the invitation is mailed to; "" if the caller passes the link on
	// itself. The person may sign up with another.
	Address string `json:"address,omitempty"`
	Role    string `json:"role,omitempty"`
	// Data is passed to the function that writes the person's profile; see With.
	Data json.RawMessage `json:"data,omitempty"`
	// By holds the name of the author. The mail leaves it out if it could be taken for a link.
	By string `json:"by,omitempty"`
	// Author is the id of the author. The mails of an author are limited.
	Author string `json:"-"`
	// Key is the idempotency key for Invite; "" if there is none. The same author and key invite an address once, and
	// only one address if the request has a content.
	Key string `json:"-"`
	// Content is the content of the request as text; "" if the key stands for it, as that of a form does.
	Content string `json:"-"`
	// ValidUntil is set by Look.
	ValidUntil time.Time `json:"-"`

	token  string // works once, with or without its proof
	mailed bool   // the link is that of the mail
}

// Invite returns the link of an invitation, which works once, and mails it if there is an address. Only
// the link of the mail verifies the address of the person who signs up with it.
func (i *Invitations) Invite(ctx context.Context, invitation Invitation) (link string, err error) {
	if invitation.Address != "" {
		if invitation.Address, err = CheckAddress(invitation.Address); err != nil {
			return "", err
		}
	}
	request := receipt.Request{By: invitation.Author, Key: invitation.Key, Content: invitation.Content, Action: "invite " + invitation.Address}
	if request.Key != "" && request.Content == "" { // a form invites several addresses
		request.Key += " " + invitation.Address
	}
	token, _, err := receipt.Once(ctx, i.receipts, request, func() (string, error) { return i.invite(ctx, invitation, request) })
	if err != nil {
		return "", err
	}
	return i.link(i.o.Paths.Invited, token), nil
}

// invite issues the token of an invitation with the receipt of the request, and mails the invitation.
func (i *Invitations) invite(ctx context.Context, invitation Invitation, request receipt.Request) (token string, err error) {
	if invitation.Address != "" {
		if err := i.allow(ctx, invitation); err != nil {
			return "", err
		}
	}
	tx := i.db.Tx()
	if token, err = i.once.IssueIn(tx, invitationPurpose, invitation.Role, invitation, i.o.InviteFor); err != nil {
		return "", err
	}
	if err := i.receipts.Add(tx, request, token); err != nil {
		return "", err
	}
	if err := tx.Commit(ctx); err != nil {
		return "", fmt.Errorf("issue an invitation: %w", err)
	}
	if invitation.Address != "" {
		by := "You are"
		name := mailableName(invitation.By)
		if name != "" {
			by = name + " has"
		}
		i.post(ctx, mail.Message{To: invitation.Address, Subject: "You are invited to " + i.o.Name, Text: lines(
			fmt.Sprintf("%s invited %sto %s. Open this link to sign up:", by, you(name), i.o.Name),
			i.link(i.o.Paths.Invited, token+"."+i.mailProof(token)),
			"It works once, for "+days(i.o.InviteFor)+".",
		)})
	}
	return token, nil
}

// allow counts the mail of an invitation. The author comes first: one with too many invitations must not
// use up the mails of an address.
func (i *Invitations) allow(ctx context.Context, invitation Invitation) error {
	if err := i.o.Allow(ctx, "invitation", invitation.Author); err != nil {
		return err
	}
	return i.o.Allow(ctx, "mail", i.hashOf(invitation.Address))
}

// mailProof returns what the link of the mail has behind the token of an invitation: who has it reads the
// mail of the address. The author of the invitation knows the token, too.
func (d *desk) mailProof(token string) string { return d.p.Box.Hash("mailed invitation", token) }

func you(by string) string {
	if by == "" {
		return ""
	}
	return "you "
}

func days(d time.Duration) string {
	if n := int(d.Hours()+12) / 24; n != 1 {
		return fmt.Sprintf("%d days", n)
	}
	return "a day"
}

// Look returns an invitation without using it; SignUp uses it. The error is onetime.ErrUsed if it does
// not work.
func (i *Invitations) Look(ctx context.Context, token string) (Invitation, error) {
	return lookInvitation(ctx, i.desk, token)
}

func lookInvitation(ctx context.Context, d *desk, given string) (Invitation, error) {
	token, proof, _ := strings.Cut(given, ".")
	found, err := d.once.Look(ctx, invitationPurpose, token)
	if err != nil {
		return Invitation{}, err
	}
	var invitation Invitation
	if err := found.Into(&invitation); err != nil {
		return Invitation{}, err
	}
	invitation.ValidUntil, invitation.token = found.ValidUntil, token
	invitation.mailed = subtle.ConstantTimeCompare([]byte(proof), []byte(d.mailProof(token))) == 1
	return invitation, nil
}
