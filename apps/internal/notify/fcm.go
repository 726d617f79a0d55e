package notify

import (
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/jwt"

	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/publichttp"
)

const (
	fcmBase  = "https://fcm.googleapis.com"
	fcmScope = "https://www.googleapis.com/auth/firebase.messaging"
)

// FCM sends by Firebase Cloud Messaging, HTTP v1.
type FCM struct {
	url    string
	tokens oauth2.TokenSource
	client *http.Client
}

// FCMOptions configures FCM for tests and other endpoints.
type FCMOptions struct {
	BaseURL string // Google's if ""
	Client  *http.Client
}

// NewFCM returns a sender with the JSON key file of a service account.
func NewFCM(credentials []byte, options FCMOptions) (*FCM, error) {
	var account struct {
		ProjectID    string `json:"project_id"`
		ClientEmail  string `json:"client_email"`
		PrivateKey   string `json:"private_key"`
		PrivateKeyID string `json:"private_key_id"`
		TokenURI     string `json:"token_uri"`
	}
	if err := json.Unmarshal(credentials, &account); err != nil {
		return nil, fmt.Errorf("notify: read the service account: %w", err)
	}
	if account.ProjectID == "" || account.ClientEmail == "" || account.PrivateKey == "" {
		return nil, errors.New("notify: the service account lacks project_id, client_email or private_key")
	}
	if err := checkPrivateKey(account.PrivateKey); err != nil {
		return nil, err
	}
	client := cmp.Or(options.Client, &http.Client{Timeout: publichttp.Timeout})
	config := &jwt.Config{
		Email: account.ClientEmail, PrivateKey: []byte(account.PrivateKey), PrivateKeyID: account.PrivateKeyID,
		Scopes: []string{fcmScope}, TokenURL: cmp.Or(account.TokenURI, "https://oauth2.googleapis.com/token"),
	}
	// Tokens outlive requests, so their source has a context of its own.
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, client)
	return &FCM{
		url:    cmp.Or(options.BaseURL, fcmBase) + "/v1/projects/" + url.PathEscape(account.ProjectID) + "/messages:send",
		tokens: config.TokenSource(ctx), client: client,
	}, nil
}

// checkPrivateKey rejects a broken key at the start, not at the first notification.
func checkPrivateKey(text string) error {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return errors.New("notify: the private_key of the service account is not in PEM")
	}
	_, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		if _, older := x509.ParsePKCS1PrivateKey(block.Bytes); older == nil {
			return nil
		}
		return fmt.Errorf("notify: read the private_key of the service account: %w", err)
	}
	return nil
}

type fcmMessage struct {
	Token        string            `json:"token"`
	Notification fcmNotification   `json:"notification"`
	Data         map[string]string `json:"data"`
	Android      fcmAndroid        `json:"android"`
	WebPush      fcmWebPush        `json:"webpush"`
}

type fcmNotification struct {
	Title string `json:"title"`
	Body  string `json:"body"`
}

// fcmAndroid lets a message replace an earlier one of the same tag. It has no collapse key,
// because Firebase keeps messages of only four keys for a device that is offline.
type fcmAndroid struct {
	TTL          string `json:"ttl"`
	Notification fcmTag `json:"notification"`
}

type fcmTag struct {
	Tag string `json:"tag"`
}

type fcmWebPush struct {
	Headers      map[string]string `json:"headers"`
	Notification fcmTag            `json:"notification"`
	Options      fcmWebPushOptions `json:"fcm_options"`
}

type fcmWebPushOptions struct {
	Link string `json:"link"`
}

// Send sends a message through Firebase.
func (f *FCM) Send(ctx context.Context, to Target, m Message) error {
	seconds := strconv.Itoa(int(m.TTL / time.Second))
	body, err := json.Marshal(map[string]fcmMessage{"message": {
		Token: to.Token, Notification: fcmNotification{Title: m.Title, Body: m.Body}, Data: m.data(),
		Android: fcmAndroid{TTL: seconds + "s", Notification: fcmTag{Tag: m.ID}},
		WebPush: fcmWebPush{
			Headers:      map[string]string{"TTL": seconds, "Topic": topic(m.ID)},
			Notification: fcmTag{Tag: m.ID}, Options: fcmWebPushOptions{Link: m.URL},
		},
	}})
	if err != nil {
		return jobs.Final(fmt.Errorf("encode the message: %w", err))
	}
	token, err := f.tokens.Token()
	if err != nil {
		return tokenFailure(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url, bytes.NewReader(body))
	if err != nil {
		return jobs.Final(err)
	}
	request.Header.Set("Content-Type", "application/json")
	token.SetAuthHeader(request)
	response, err := f.client.Do(request)
	if err != nil {
		return fmt.Errorf("reach Firebase: %w", err)
	}
	return fcmOutcome(response)
}

// tokenFailure classifies a failure to get an access token. A refused account is final;
// other failures may be retried.
func tokenFailure(err error) error {
	err = fmt.Errorf("get a token of the service account: %w", err)
	if denied, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		return refused(denied.Response, time.Now(), err.Error())
	}
	return err
}

// fcmFailure is the error body of Firebase.
type fcmFailure struct {
	Error struct {
		Status  string `json:"status"`
		Message string `json:"message"`
		Details []struct {
			ErrorCode       string `json:"errorCode"`
			FieldViolations []struct {
				Field string `json:"field"`
			} `json:"fieldViolations"`
		} `json:"details"`
	} `json:"error"`
}

func fcmOutcome(response *http.Response) error {
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	switch {
	case response.StatusCode == http.StatusOK:
		return nil
	case err != nil:
		return fmt.Errorf("read the answer of Firebase: %w", err)
	}
	var failure fcmFailure
	_ = json.Unmarshal(body, &failure) // without JSON, the status decides
	detail := failure.Error.Status + " " + failure.Error.Message
	for _, d := range failure.Error.Details {
		switch d.ErrorCode {
		case "UNREGISTERED", "SENDER_ID_MISMATCH": // uninstalled; of another project
			return &GoneError{Reason: d.ErrorCode + ": " + failure.Error.Message}
		}
		for _, violation := range d.FieldViolations {
			if violation.Field == "message.token" {
				return &GoneError{Reason: "the token is not valid: " + failure.Error.Message}
			}
		}
	}
	return refused(response, time.Now(), detail)
}
