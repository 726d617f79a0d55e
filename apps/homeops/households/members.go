package households

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/understanding"
)

// A Person is a person as Telegram names them.
type Person struct {
	ID       int64
	Name     string
	UserName string // "" if there is none
	Locale   understanding.Locale
	At       time.Time // when they wrote or came; zero if it does not matter
}

// Recognise returns the member who wrote in a household's chat, and the household with them. A
// person who was not a member becomes one if the household is open; otherwise the person is a
// visitor and ok is false. Ok is also false for a member who left after they wrote: Telegram delivers
// updates at the same time and again, and a late one brings no member back. The first member is the owner.
func (s *Service) Recognise(ctx context.Context, home Home, person Person) (found Home, ok bool, err error) {
	if m, ok := home.Member(person.ID); ok {
		if name := memberName(person); name != m.DisplayName {
			if _, err := s.env.DB.RenameMember(ctx, m.Key(), homeopsdb.RenameMemberParams{DisplayName: name}); err != nil {
				return Home{}, false, fmt.Errorf("rename a member: %w", err)
			}
			found, err := s.Get(ctx, home.HouseholdID)
			return found, err == nil, err
		}
		return home, true, nil
	}
	if home.Membership == homeopsdb.HouseholdMembershipClosed || !home.hasRoom(person.ID) || home.leftAfter(person) {
		return home, false, nil
	}
	found, err = s.Join(ctx, home.HouseholdID, person)
	return found, err == nil, err
}

// Join makes a person a member of a household. It does nothing if they are one.
func (s *Service) Join(ctx context.Context, householdID string, person Person) (home Home, err error) {
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		if home, err = s.Get(ctx, householdID); err != nil {
			return false, err
		}
		if _, ok := home.Member(person.ID); ok {
			return false, nil
		}
		err := s.join(ctx, home, person)
		if errors.Is(err, access.ErrExists) || homeops.Changed[homeopsdb.Member](err) {
			return true, err
		}
		if err != nil {
			return false, fmt.Errorf("add a member: %w", err)
		}
		home, err = s.Get(ctx, householdID)
		return false, err
	})
	return home, err
}

func (s *Service) join(ctx context.Context, home Home, person Person) error {
	tx := s.env.DB.Tx()
	s.joining(tx, home, person)
	return tx.Commit(ctx)
}

// joining adds the writes that make a person a member to a transaction.
func (s *Service) joining(tx *homeopsdb.Tx, home Home, person Person) {
	now := s.env.Now()
	if home.NameOf(person.ID) != "" { // came back
		tx.ReturnToHousehold(homeopsdb.ReturnToHouseholdParams{HouseholdID: home.HouseholdID, UserID: person.ID})
	} else {
		role := homeopsdb.MemberRoleMember
		if len(home.Active()) == 0 {
			role = homeopsdb.MemberRoleOwner
		}
		tx.AddMember(homeopsdb.AddMemberParams{Member: homeopsdb.Member{
			HouseholdID: home.HouseholdID, UserID: person.ID, DisplayName: memberName(person), Role: role, JoinedAt: now,
		}})
	}
	user := homeopsdb.User{
		UserID: person.ID, DisplayName: memberName(person), Locale: homeopsdb.UserLocale(home.Locale), CreatedAt: now, UpdatedAt: now,
	}
	if person.UserName != "" {
		user.UserName = &person.UserName
	}
	if person.Locale.Valid() {
		user.Locale = homeopsdb.UserLocale(person.Locale)
	}
	tx.SaveUser(user)
}

// Leave marks that a member left the chat now. It does nothing if they are no member.
func (s *Service) Leave(ctx context.Context, householdID string, userID int64) error {
	return s.LeaveAt(ctx, householdID, userID, s.env.Now())
}

// LeaveAt marks that a member left the chat at a time. It does nothing if they are no member.
func (s *Service) LeaveAt(ctx context.Context, householdID string, userID int64, at time.Time) error {
	err := s.env.DB.LeaveHousehold(ctx, homeopsdb.LeaveHouseholdParams{HouseholdID: householdID, UserID: userID, LeftAt: &at})
	if errors.Is(err, access.ErrNotFound) || homeops.Changed[homeopsdb.Member](err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("leave a household: %w", err)
	}
	return nil
}

// Move gives the household of a chat another chat id, when Telegram made the group a supergroup.
// The former id still finds the household. Telegram reports each move twice, and a message of the
// new chat may arrive before both: a household that this message created is dissolved.
func (s *Service) Move(ctx context.Context, from, to string) error {
	return access.RetryOnConflict(ctx, func() (bool, error) {
		home, err := s.ByChat(ctx, from)
		switch {
		case errors.Is(err, ErrNoHousehold) || err == nil && home.ChatID == to:
			return false, nil
		case err != nil:
			return false, err
		}
		now := s.env.Now()
		err = s.env.DB.MoveHouseholdChat(ctx, homeopsdb.MoveHouseholdChatParams{
			OldChat: homeopsdb.OldChat{HouseholdID: home.HouseholdID, MovedAt: now}, OldChatID: home.ChatID,
			ChatID: to, UpdatedAt: now, Version: home.Version,
		})
		var taken *access.TakenError
		switch {
		case errors.As(err, &taken):
			return true, s.dissolve(ctx, to)
		case errors.Is(err, access.ErrExists):
			return true, err
		case err != nil:
			return false, fmt.Errorf("move a household to another chat: %w", err)
		}
		return false, nil
	})
}

// dissolve removes the household of a chat; what was logged is found under the chat.
func (s *Service) dissolve(ctx context.Context, chatID string) error {
	home, err := s.ByChat(ctx, chatID)
	if errors.Is(err, ErrNoHousehold) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, m := range home.Members {
		if err := s.Leave(ctx, home.HouseholdID, m.UserID); err != nil {
			return err
		}
		if err := s.env.DB.RemoveMember(ctx, m.Key()); err != nil && !errors.Is(err, access.ErrNotFound) {
			return fmt.Errorf("remove a member: %w", err)
		}
	}
	now, err := s.env.DB.GetHousehold(ctx, home.HouseholdID)
	if err != nil {
		return fmt.Errorf("read the household of a new chat: %w", err)
	}
	err = s.env.DB.DissolveHousehold(ctx, now.Key(), homeopsdb.DissolveHouseholdParams{ChatID: chatID, Version: now.Version})
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("dissolve the household of a new chat: %w", err)
	}
	return nil
}

// SetBotAdmin records whether the bot is an administrator of a household's chat. Without it the
// bot sees no reactions.
func (s *Service) SetBotAdmin(ctx context.Context, chatID string, admin bool) error {
	return access.RetryOnConflict(ctx, func() (bool, error) {
		home, err := s.ByChat(ctx, chatID)
		if errors.Is(err, ErrNoHousehold) || err == nil && home.BotIsAdmin == admin {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		_, err = s.env.DB.SetBotAdmin(ctx, home.Household.Key(), homeopsdb.SetBotAdminParams{BotIsAdmin: admin, UpdatedAt: s.env.Now(), Version: home.Version})
		return false, err
	})
}

func memberName(p Person) string {
	name := homeops.Shorten(p.Name, homeops.MaxName)
	if name == "" {
		name = homeops.Shorten(p.UserName, homeops.MaxName)
	}
	if name == "" {
		name = MemberID(p.ID)
	}
	return name
}
