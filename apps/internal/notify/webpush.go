package notify

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"strings"
	"time"

	"github.com/SherClockHolmes/webpush-go"

	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/secret"
)

// VAPIDKeys identify this system to push services. Browsers subscribe with the public key.
type VAPIDKeys struct {
	Public  string // base64url, as a browser's PushManager wants it
	private string
}

// NewVAPIDKeys derives the keys from a secret: the same secret and purpose always make the same
// keys, so subscriptions outlive the process and no key has to be stored. The purpose is "vapid"
// unless a system has used another one.
func NewVAPIDKeys(box *secret.Box, purpose string) (VAPIDKeys, error) {
	// 16 extra bytes make the reduction unbiased.
	wide := new(big.Int).SetBytes(box.Key(purpose, 48))
	below := new(big.Int).Sub(elliptic.P256().Params().N, big.NewInt(1))
	scalar := wide.Mod(wide, below).Add(wide, big.NewInt(1)).FillBytes(make([]byte, 32))
	key, err := ecdh.P256().NewPrivateKey(scalar)
	if err != nil {
		return VAPIDKeys{}, fmt.Errorf("notify: derive the VAPID keys: %w", err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	return VAPIDKeys{Public: encode(key.PublicKey().Bytes()), private: encode(scalar)}, nil
}

// WebPush sends to the push services of browsers.
type WebPush struct {
	keys    VAPIDKeys
	contact string
	client  *http.Client
}

// NewWebPush returns a sender. contact is a mail address or an https URL for the operators of
// push services. client must be safe for URLs that browsers send.
func NewWebPush(keys VAPIDKeys, contact string, client *http.Client) (*WebPush, error) {
	contact = strings.TrimPrefix(contact, "mailto:")
	if contact == "" {
		return nil, errors.New("notify: web push needs a contact, which push services ask for")
	}
	return &WebPush{keys: keys, contact: contact, client: client}, nil
}

// Send encrypts a message and sends it to the browser's push service.
func (w *WebPush) Send(ctx context.Context, to Target, m Message) error {
	if err := checkBrowserKeys(to); err != nil {
		return &GoneError{Reason: err.Error()}
	}
	body, err := encodeContent(m)
	if err != nil {
		return jobs.Final(fmt.Errorf("encode the message: %w", err))
	}
	response, err := webpush.SendNotificationWithContext(ctx, body, &webpush.Subscription{
		Endpoint: to.Endpoint, Keys: webpush.Keys{P256dh: to.P256DH, Auth: to.Auth},
	}, &webpush.Options{
		HTTPClient: w.client, Subscriber: w.contact, VAPIDPublicKey: w.keys.Public, VAPIDPrivateKey: w.keys.private,
		TTL: int(m.TTL / time.Second), Urgency: webpush.UrgencyNormal, Topic: topic(m.ID),
	})
	err = publichttp.Reason(err)
	switch {
	case errors.Is(err, publichttp.ErrNotPublic): // no push service is there
		return &GoneError{Reason: err.Error()}
	case err != nil:
		return fmt.Errorf("reach the push service: %w", err)
	}
	return webPushOutcome(response)
}

// maxContent is the maximum length of a message before it is encrypted: push services accept 4096 bytes.
const maxContent = 3993

// encodeContent encodes what a service worker gets. Characters that JSON escapes can make a text six times
// as long, so the body is shortened until the message fits.
func encodeContent(m Message) ([]byte, error) {
	for {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false) // no page contains the message as it is
		if err := e.Encode(content{Title: m.Title, Body: m.Body, Tag: m.ID, Data: m.data()}); err != nil {
			return nil, err
		}
		body := bytes.TrimSpace(b.Bytes())
		excess := len(body) - maxContent
		if excess <= 0 || m.Body == "" {
			return body, nil
		}
		m.Body = shorter(m.Body, excess)
	}
}

// shorter shortens a text by at most excess bytes of its JSON, and by one byte at least.
func shorter(text string, excess int) string {
	const longest = 6 // bytes of JSON for a byte of text
	left := len(text) - max(excess/longest, 4)
	if left < 4 {
		return ""
	}
	return cut(text, left)
}

// topic returns the Topic of a message: a message that waits at the push service is replaced by
// one of the same topic. It has at most 32 characters of base64url.
func topic(id string) string {
	hash := sha256.Sum256([]byte(id))
	return base64.RawURLEncoding.EncodeToString(hash[:24])
}

func webPushOutcome(response *http.Response) error {
	defer response.Body.Close()
	detail, _ := io.ReadAll(io.LimitReader(response.Body, 200)) // only for the error
	switch code := response.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code == http.StatusNotFound || code == http.StatusGone:
		return &GoneError{Reason: "the push service answered " + response.Status}
	}
	return refused(response, time.Now(), string(detail))
}

// checkBrowserKeys rejects subscriptions for which no message can be encrypted.
func checkBrowserKeys(to Target) error {
	if !strings.HasPrefix(to.Endpoint, "https://") && !strings.HasPrefix(to.Endpoint, "http://") {
		return errors.New("the endpoint is no URL")
	}
	point, err := decodeBase64(to.P256DH)
	if err != nil {
		return fmt.Errorf("the key p256dh: %w", err)
	}
	if _, err := ecdh.P256().NewPublicKey(point); err != nil {
		return fmt.Errorf("the key p256dh: %w", err)
	}
	auth, err := decodeBase64(to.Auth)
	if err != nil {
		return fmt.Errorf("the secret auth: %w", err)
	}
	if len(auth) != 16 {
		return fmt.Errorf("the secret auth has %d bytes, not 16", len(auth))
	}
	return nil
}

// decodeBase64 accepts both alphabets, with and without padding, because browsers differ.
func decodeBase64(text string) ([]byte, error) {
	text = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(text, "="))
	return base64.RawURLEncoding.DecodeString(text)
}
