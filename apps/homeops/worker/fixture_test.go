package worker_test

import (
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

// entry is an entry of the web.
func entry(id understanding.ActivityID, category homeopsdb.EventCategory, effort homeopsdb.EventEffort, at time.Time) ledger.Entry {
	return ledger.Entry{Activity: string(id), Category: category, Effort: effort, At: at, Description: string(id)}
}

// messageRef is the payload of the job of a message.
func messageRef(m *telegram.Message) homeops.MessageRef {
	return homeops.MessageRef{ChatID: homeopstest.ChatID(m.Chat.ID), MessageID: m.MessageID}
}
