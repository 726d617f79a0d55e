package notify

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// firebase behaves like Google: it gives tokens for assertions of the service account and
// takes messages that carry one.
type firebase struct {
	*httptest.Server
	key      *rsa.PrivateKey
	tokens   atomic.Int32 // how many were given
	messages chan []byte
	// tokenStatus and answer replace the successful responses.
	tokenStatus int
	status      int
	answer      string
}

// accountKey takes a while to make, so there is one for all tests.
var accountKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

func newFirebase(t *testing.T) *firebase {
	t.Helper()
	key, err := accountKey()
	if err != nil {
		t.Fatal(err)
	}
	f := &firebase{key: key, messages: make(chan []byte, 10), status: 200, tokenStatus: 200, answer: `{"name":"projects/p/messages/1"}`}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		if err := f.checkAssertion(r.FormValue("grant_type"), r.FormValue("assertion")); err != nil {
			t.Errorf("the request for a token: %v", err)
		}
		f.tokens.Add(1)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(f.tokenStatus)
		fmt.Fprint(w, `{"access_token":"open sesame","token_type":"Bearer","expires_in":3600}`)
	})
	mux.HandleFunc("POST /v1/projects/ask-a-human/messages:send", func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer open sesame" {
			t.Errorf("the message came with %q", got)
		}
		body, _ := io.ReadAll(r.Body)
		f.messages <- body
		w.WriteHeader(f.status)
		fmt.Fprint(w, f.answer)
	})
	f.Server = httptest.NewServer(mux)
	t.Cleanup(f.Close)
	return f
}

// checkAssertion verifies the signed claim of a service account.
func (f *firebase) checkAssertion(grant, assertion string) error {
	parts := strings.Split(assertion, ".")
	if grant != "urn:ietf:params:oauth:grant-type:jwt-bearer" || len(parts) != 3 {
		return fmt.Errorf("grant %q with assertion %q", grant, assertion)
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return err
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err := rsa.VerifyPKCS1v15(&f.key.PublicKey, crypto.SHA256, digest[:], signature); err != nil {
		return err
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return err
	}
	var claims struct{ Iss, Scope, Aud string }
	if err := json.Unmarshal(payload, &claims); err != nil {
		return err
	}
	if claims.Iss != "push@ask-a-human.example" || claims.Scope != fcmScope || claims.Aud != f.URL+"/token" {
		return fmt.Errorf("the claims are %+v", claims)
	}
	return nil
}

func (f *firebase) sender(t *testing.T) *FCM {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(f.key)
	if err != nil {
		t.Fatal(err)
	}
	account, err := json.Marshal(map[string]string{
		"type": "service_account", "project_id": "ask-a-human", "client_email": "push@ask-a-human.example",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "token_uri": f.URL + "/token",
	})
	if err != nil {
		t.Fatal(err)
	}
	sender, err := NewFCM(account, FCMOptions{BaseURL: f.URL})
	if err != nil {
		t.Fatal(err)
	}
	return sender
}

func TestFirebaseGetsTheMessage(t *testing.T) {
	google := newFirebase(t)
	sender := google.sender(t)
	for range 3 {
		if err := sender.Send(t.Context(), Target{Token: "device-1"}, example); err != nil {
			t.Fatal(err)
		}
	}
	if got := google.tokens.Load(); got != 1 {
		t.Errorf("%d tokens were asked for, want 1 for three messages", got)
	}
	var got any
	if err := json.Unmarshal(<-google.messages, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"message": map[string]any{
		"token":        "device-1",
		"notification": map[string]any{"title": "Help an AI decide", "body": "It takes about 30 seconds."},
		"data":         map[string]any{"id": "01", "url": "https://ask.example/q/01", "kind": "question", "topic": "ethics"},
		"android":      map[string]any{"ttl": "2400s", "notification": map[string]any{"tag": "01"}},
		"webpush": map[string]any{
			"headers":      map[string]any{"TTL": "2400", "Topic": topic("01")},
			"notification": map[string]any{"tag": "01"}, "fcm_options": map[string]any{"link": "https://ask.example/q/01"},
		},
	}}
	if diff := cmp.Diff(any(want), got); diff != "" {
		t.Errorf("the message (-want +got):\n%s", diff)
	}
}

// fcmAnswer returns an error as Firebase writes it.
func fcmAnswer(code int, status, errorCode string) string {
	return fmt.Sprintf(`{"error":{"code":%d,"message":"because","status":%q,"details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":%q}]}}`,
		code, status, errorCode)
}

func TestWhatFirebaseAnswers(t *testing.T) {
	google := newFirebase(t)
	sender := google.sender(t)
	for _, test := range []struct {
		name   string
		status int
		answer string
		want   string
	}{
		{"unregistered", 404, fcmAnswer(404, "NOT_FOUND", "UNREGISTERED"), "gone"},
		{"of another project", 403, fcmAnswer(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"), "gone"},
		{"token not valid", 400, `{"error":{"status":"INVALID_ARGUMENT","message":"m","details":[{"errorCode":"INVALID_ARGUMENT"},{"fieldViolations":[{"field":"message.token"}]}]}}`, "gone"},
		{"message not valid", 400, fcmAnswer(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"), "final"},
		{"quota", 429, fcmAnswer(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"), "retry 15s"},
		{"unavailable", 503, fcmAnswer(503, "UNAVAILABLE", "UNAVAILABLE"), "retry 15s"},
		{"internal", 500, fcmAnswer(500, "INTERNAL", "INTERNAL"), "retry 15s"},
		{"auth", 401, fcmAnswer(401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"), "final"},
		{"no JSON", 502, "<html>bad gateway", "retry 15s"},
		{"no such project", 404, "not here", "final"},
	} {
		google.status, google.answer = test.status, test.answer
		if got := fate(t, sender.Send(t.Context(), Target{Token: "device-1"}, example)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestWithoutATokenNothingIsSent(t *testing.T) {
	for status, want := range map[int]string{400: "final", 401: "final", 503: "retry 15s"} {
		google := newFirebase(t)
		google.tokenStatus = status
		if got := fate(t, google.sender(t).Send(t.Context(), Target{Token: "device-1"}, example)); got != want {
			t.Errorf("token request answered with %d: %s, want %s", status, got, want)
		}
		if len(google.messages) > 0 {
			t.Errorf("a message was sent without a token")
		}
	}
}

func TestAServiceAccountIsChecked(t *testing.T) {
	for name, account := range map[string]string{
		"no JSON": "x", "nothing in it": "{}",
		"no key":       `{"project_id":"p","client_email":"e","private_key":"no key"}`,
		"a broken key": `{"project_id":"p","client_email":"e","private_key":"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"}`,
	} {
		if _, err := NewFCM([]byte(account), FCMOptions{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
