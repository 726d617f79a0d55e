package notices

import "sortkey.dev/apps/askahuman/askahumandb"

// The stored values that this room returns.
type (
	Subscription = askahumandb.Subscription
	Channel      = askahumandb.SubscriptionChannel
)

// Channels of notifications.
const (
	ChannelInbox   = askahumandb.SubscriptionChannelInbox
	ChannelWebpush = askahumandb.SubscriptionChannelWebpush
	ChannelFCM     = askahumandb.SubscriptionChannelFCM
)
