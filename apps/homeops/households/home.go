package households

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/understanding"
)

// A Home is a household with its members, its words and its chats, as one query returns them.
type Home struct {
	homeopsdb.Household
	OldChats []homeopsdb.OldChat
	Members  []homeopsdb.Member // with those who left
	Aliases  []homeopsdb.Alias
}

// Zone returns the time zone of the household.
func (h Home) Zone() *time.Location { return homeops.Zone(h.TimeZone) }

// Language returns the language in which the bot speaks.
func (h Home) Language() understanding.Locale { return understanding.Locale(h.Locale) }

// Quiet returns the quiet hours of the household.
func (h Home) Quiet() homeops.QuietHours {
	return homeops.QuietHours{From: int(h.QuietFrom), To: int(h.QuietTo)}
}

// Cooldown returns the least time between two messages of the bot.
func (h Home) Cooldown() time.Duration { return time.Duration(h.CooldownMinutes) * time.Minute }

// Chats returns the id of the household's chat and those that it had before.
func (h Home) Chats() []string {
	chats := []string{h.ChatID}
	for _, old := range h.OldChats {
		chats = append(chats, old.ChatID)
	}
	return chats
}

// Active returns the members who have not left.
func (h Home) Active() []homeopsdb.Member {
	return slices.DeleteFunc(slices.Clone(h.Members), func(m homeopsdb.Member) bool { return m.Status != homeopsdb.MemberStatusActive })
}

// ActiveIDs returns the ids of the members who have not left.
func (h Home) ActiveIDs() []int64 {
	var ids []int64
	for _, m := range h.Active() {
		ids = append(ids, m.UserID)
	}
	return ids
}

// Member returns a member who has not left.
func (h Home) Member(userID int64) (homeopsdb.Member, bool) {
	for _, m := range h.Members {
		if m.UserID == userID && m.Status == homeopsdb.MemberStatusActive {
			return m, true
		}
	}
	return homeopsdb.Member{}, false
}

// IsOwner reports whether a member who has not left owns the household. If the owner left, the
// present member who joined first does.
func (h Home) IsOwner(userID int64) bool {
	active := h.Active()
	for _, m := range active {
		if m.Role == homeopsdb.MemberRoleOwner {
			me, ok := h.Member(userID)
			return ok && me.Role == homeopsdb.MemberRoleOwner
		}
	}
	return len(active) > 0 && userID == slices.MinFunc(active, func(a, b homeopsdb.Member) int {
		return cmp.Or(a.JoinedAt.Compare(b.JoinedAt), cmp.Compare(a.UserID, b.UserID))
	}).UserID
}

// hasRoom reports whether a person who is no member can become one. The log keeps the names of those
// who left, and they are read with the household, so their number has a limit, too.
func (h Home) hasRoom(userID int64) bool {
	return len(h.Active()) < homeops.MaxMembers && (len(h.Members) < homeops.MaxKnown || h.NameOf(userID) != "")
}

// leftAfter reports whether a person left the household after they wrote or came.
func (h Home) leftAfter(person Person) bool {
	return !person.At.IsZero() && slices.ContainsFunc(h.Members, func(m homeopsdb.Member) bool {
		return m.UserID == person.ID && m.LeftAt != nil && person.At.Before(*m.LeftAt)
	})
}

// NameOf returns the name of a present or former member; "" if there is none.
func (h Home) NameOf(userID int64) string {
	for _, m := range h.Members {
		if m.UserID == userID {
			return m.DisplayName
		}
	}
	return ""
}

// Names returns the names of all members, for the tone gate.
func (h Home) Names() []string {
	var names []string
	for _, m := range h.Members {
		names = append(names, m.DisplayName)
	}
	return names
}

// MemberID returns the id of a member as classifiers know it.
func MemberID(userID int64) string { return strconv.FormatInt(userID, 10) }

// UserID returns the member of a classifier's id; 0 if it is none.
func UserID(memberID string) int64 {
	id, err := strconv.ParseInt(memberID, 10, 64)
	if err != nil {
		return 0
	}
	return id
}
