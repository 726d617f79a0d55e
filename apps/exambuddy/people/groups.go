package people

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// CreateGroup creates a group without members. A repeated request creates it once.
func (s *Service) CreateGroup(ctx context.Context, admin exambuddy.Admin, name string, repeat exambuddy.Repeat) (exambuddydb.Group, error) {
	name, err := checkGroupName(name)
	if err != nil {
		return exambuddydb.Group{}, err
	}
	request := repeat.Request(admin.ID, "create group")
	id, _, err := receipt.Once(ctx, s.env.Receipts, request, func() (string, error) { return s.createGroup(ctx, admin, name, request) })
	if err != nil {
		return exambuddydb.Group{}, err
	}
	return s.Group(ctx, admin, id)
}

// createGroup stores a group with the receipt of the request. It returns its id.
func (s *Service) createGroup(ctx context.Context, admin exambuddy.Admin, name string, request receipt.Request) (string, error) {
	now := s.env.Now()
	group := exambuddydb.Group{GroupID: s.env.NewID(now), AdminID: admin.ID, Name: name, CreatedAt: now, UpdatedAt: now}
	tx := s.env.DB.Tx()
	tx.CreateGroup(group)
	s.env.Record(tx, admin.ID, "create group", group.GroupID, group.GroupID, map[string]string{"name": name})
	if err := s.env.Receipts.Add(tx, request, group.GroupID); err != nil {
		return "", err
	}
	if err := tx.Commit(ctx); err != nil {
		return "", fmt.Errorf("create group: %w", err)
	}
	return group.GroupID, nil
}

func checkGroupName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > exambuddy.MaxGroupName {
		return "", refusal.OutOfRange("name", "length", 1, exambuddy.MaxGroupName, "The name of a group has 1 to %d characters.", exambuddy.MaxGroupName)
	}
	return name, nil
}

// Group returns a group of an admin.
func (s *Service) Group(ctx context.Context, admin exambuddy.Admin, id string) (exambuddydb.Group, error) {
	if !exambuddy.IsID(id) {
		return exambuddydb.Group{}, exambuddy.ErrNoGroup
	}
	group, err := s.env.DB.GetGroup(ctx, admin.ID, id)
	return group, exambuddy.Missing(err, exambuddy.ErrNoGroup)
}

// Groups returns the groups of an admin, newest first.
func (s *Service) Groups(ctx context.Context, admin exambuddy.Admin) ([]exambuddydb.Group, error) {
	return s.env.DB.ListGroupsByAdmin(admin.ID).Slice(ctx)
}

// GroupsFor returns the groups from which an admin chooses those of an exam: the admin's own, and those
// of the owner of the exam that are chosen already.
func (s *Service) GroupsFor(ctx context.Context, admin exambuddy.Admin, owner string, chosen []string) ([]exambuddydb.Group, error) {
	all, err := s.Groups(ctx, admin)
	if err != nil || owner == admin.ID {
		return all, err
	}
	for _, id := range chosen {
		if slices.ContainsFunc(all, func(g exambuddydb.Group) bool { return g.GroupID == id }) {
			continue
		}
		group, err := s.env.DB.GetGroup(ctx, owner, id)
		if errors.Is(err, access.ErrNotFound) {
			group = exambuddydb.Group{GroupID: id, Name: "A group of another admin"}
		} else if err != nil {
			return nil, err
		}
		all = append(all, group)
	}
	return all, nil
}

// RenameGroup changes the name of a group.
func (s *Service) RenameGroup(ctx context.Context, admin exambuddy.Admin, id, name string) (exambuddydb.Group, error) {
	name, err := checkGroupName(name)
	if err != nil {
		return exambuddydb.Group{}, err
	}
	group, err := s.Group(ctx, admin, id)
	if err != nil {
		return exambuddydb.Group{}, err
	}
	group, err = s.env.DB.RenameGroup(ctx, group.Key(), exambuddydb.RenameGroupParams{Name: name, UpdatedAt: s.env.Now(), Version: group.Version})
	if exambuddy.Stale(err) {
		return exambuddydb.Group{}, exambuddy.ErrChanged
	}
	return group, err
}

// DeleteGroup removes the members of a group and deletes it.
func (s *Service) DeleteGroup(ctx context.Context, admin exambuddy.Admin, id string) error {
	group, err := s.Group(ctx, admin, id)
	if err != nil {
		return err
	}
	for member, err := range s.env.DB.ListGroupMembers(id).Limit(0).All(ctx) {
		if err == nil {
			err = s.RemoveMember(ctx, admin, id, member.CandidateID)
		}
		if err != nil {
			return err
		}
	}
	tx := s.env.DB.Tx()
	tx.DeleteGroup(group.Key(), exambuddydb.DeleteGroupParams{Version: group.Version})
	s.env.Record(tx, admin.ID, "delete group", id, id, map[string]string{"name": group.Name})
	switch err := tx.Commit(ctx); {
	case exambuddy.Changed[exambuddydb.Group](err), exambuddy.Stale(err):
		return exambuddy.ErrChanged
	default:
		return err
	}
}

// AddMember adds the candidate with an address to a group. It is no error if the candidate is in
// it. A person without an account is invited with Invite.
func (s *Service) AddMember(ctx context.Context, admin exambuddy.Admin, groupID, email string) (exambuddydb.GroupMember, error) {
	if _, err := s.Group(ctx, admin, groupID); err != nil {
		return exambuddydb.GroupMember{}, err
	}
	user, err := s.ByEmail(ctx, email)
	if err != nil {
		return exambuddydb.GroupMember{}, err
	}
	if user.Role != exambuddydb.UserRoleCandidate {
		return exambuddydb.GroupMember{}, refusal.OfField(refusal.Field{Name: "email", Constraint: "allowed"}, "Only candidates can be members of a group.")
	}
	mine, err := s.env.DB.ListGroupsByCandidate(user.UserID).Limit(0).Slice(ctx)
	if err != nil {
		return exambuddydb.GroupMember{}, err
	}
	if len(mine) >= exambuddy.MaxGroups {
		return exambuddydb.GroupMember{}, refusal.New(refusal.Conflict, "", "A candidate is in at most %d groups.", exambuddy.MaxGroups)
	}
	member := exambuddydb.GroupMember{GroupID: groupID, CandidateID: user.UserID, AdminID: admin.ID, Email: user.Email, Name: user.Name, JoinedAt: s.env.Now()}
	tx := s.env.DB.Tx()
	tx.AddGroupMember(exambuddydb.AddGroupMemberParams{GroupMember: member})
	s.env.Record(tx, admin.ID, "add member", user.UserID, groupID, nil)
	switch err := tx.Commit(ctx); {
	case err == nil, errors.Is(err, access.ErrExists):
		return member, nil
	case exambuddy.Changed[exambuddydb.Group](err):
		return exambuddydb.GroupMember{}, refusal.New(refusal.Conflict, "", "The group is full.")
	default:
		return exambuddydb.GroupMember{}, fmt.Errorf("add a member to group %s: %w", groupID, err)
	}
}

// Invite invites a person without an account to sign up and join a group. It returns the link. The same idempotency
// key, which may be "", invites the person once.
func (s *Service) Invite(ctx context.Context, admin exambuddy.Admin, groupID, email string, repeat exambuddy.Repeat) (string, error) {
	if _, err := s.Group(ctx, admin, groupID); err != nil {
		return "", err
	}
	data, err := json.Marshal(invited{GroupID: groupID, AdminID: admin.ID})
	if err != nil {
		return "", err
	}
	return s.accounts.Invitations.Invite(ctx, accounts.Invitation{Address: email, Role: string(exambuddy.RoleCandidate), Data: data, By: admin.Name, Author: admin.ID, Key: repeat.Key, Content: repeat.Content})
}

// RemoveMember removes a candidate from a group. It is no error if the candidate is not in it.
func (s *Service) RemoveMember(ctx context.Context, admin exambuddy.Admin, groupID, candidateID string) error {
	if _, err := s.Group(ctx, admin, groupID); err != nil {
		return err
	}
	tx := s.env.DB.Tx()
	tx.RemoveGroupMember(exambuddydb.RemoveGroupMemberParams{CandidateID: candidateID, GroupID: groupID, AdminID: admin.ID})
	s.env.Record(tx, admin.ID, "remove member", candidateID, groupID, nil)
	if err := tx.Commit(ctx); err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("remove a member of group %s: %w", groupID, err)
	}
	return nil
}

// Members returns the members of a group.
func (s *Service) Members(ctx context.Context, admin exambuddy.Admin, groupID string, limit int, cursor string) (access.Page[exambuddydb.GroupMember], error) {
	if _, err := s.Group(ctx, admin, groupID); err != nil {
		return access.Page[exambuddydb.GroupMember]{}, err
	}
	page, err := s.env.DB.ListGroupMembers(groupID).PageSize(exambuddy.Within(limit, exambuddy.PageSize)).Page(ctx, cursor)
	return page, exambuddy.BadCursor(err)
}

// GroupsOf returns the ids of the groups of a candidate.
func (s *Service) GroupsOf(ctx context.Context, candidateID string) ([]string, error) {
	var ids []string
	for member, err := range s.env.DB.ListGroupsByCandidate(candidateID).Limit(0).All(ctx) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, member.GroupID)
	}
	return ids, nil
}
