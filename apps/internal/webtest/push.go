package webtest

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"fmt"
)

// pushService takes the place of the browser's push service, which needs the Internet. As in a browser, a
// second subscription is the first one, until that ends.
const pushService = `
	Notification.requestPermission = async () => "granted";
	const subscription = () => localStorage.push && {
		endpoint: localStorage.push,
		unsubscribe: async () => delete localStorage.push,
		toJSON: () => ({ endpoint: localStorage.push, keys: { p256dh: %q, auth: %q } }),
	};
	PushManager.prototype.getSubscription = async () => subscription() ?? null;
	PushManager.prototype.subscribe = async () => {
		localStorage.push ??= "https://push.example.org/" + crypto.randomUUID();
		return subscription();
	};`

// AllowPush lets the pages that the tab opens from now on subscribe to push messages, none of which arrives.
func (p *Tab) AllowPush() {
	p.t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		p.t.Fatalf("webtest: %v", err)
	}
	text := base64.RawURLEncoding.EncodeToString
	p.Before(fmt.Sprintf(pushService, text(key.PublicKey().Bytes()), text(make([]byte, 16))))
}

// PushEndpoint returns the address of the browser's subscription to push messages; "": it has none.
func (p *Tab) PushEndpoint() (endpoint string) {
	p.t.Helper()
	p.Eval(`localStorage.push ?? ""`, &endpoint)
	return endpoint
}
