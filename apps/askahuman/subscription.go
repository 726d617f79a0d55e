package askahuman

import (
	"sortkey.dev/apps/askahuman/askahumandb"
)

// SubscriptionID derives the id from person and channel, so that a person has one subscription
// per channel.
func (e *Env) SubscriptionID(p Person, channel askahumandb.SubscriptionChannel) string {
	return "sub_" + e.Box.Hash("subscription", p.Hash, string(channel))
}

// SubscriptionKeys returns the keys of all subscriptions a person can have.
func (e *Env) SubscriptionKeys(p Person) []askahumandb.SubscriptionKey {
	var keys []askahumandb.SubscriptionKey
	for _, channel := range askahumandb.SubscriptionChannelValues() {
		keys = append(keys, askahumandb.SubscriptionKey{SubscriptionID: e.SubscriptionID(p, channel)})
	}
	return keys
}
