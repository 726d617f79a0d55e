package exambuddy

import "sortkey.dev/apps/internal/receipt"

// A Repeat identifies a request that its client may send twice, so that it acts once: the second one gets the answer
// of the first as it is now. The zero Repeat acts each time.
type Repeat struct {
	Key string // the idempotency key
	// Content is the content of the request as text: another content with the key is refused. It is "" if the key
	// stands for the content, as that of a form does.
	Content string
}

// Request returns the request of a caller for package receipt.
func (r Repeat) Request(by, action string) receipt.Request {
	return receipt.Request{By: by, Key: r.Key, Content: r.Content, Action: action}
}
