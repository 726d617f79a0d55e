package people

import "sortkey.dev/apps/askahuman/askahumandb"

// The stored values that this room returns.
type (
	UserStats = askahumandb.UserStats
	Standing  = askahumandb.UserStatsStanding
)

// Moderation statuses of a person.
const (
	StandingGood         = askahumandb.UserStatsStandingGood
	StandingBanned       = askahumandb.UserStatsStandingBanned
	StandingShadowBanned = askahumandb.UserStatsStandingShadowBanned
)
