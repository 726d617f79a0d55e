package webhook_test

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/webhook"
)

// The vector of the Standard Webhooks libraries.
const (
	vectorSecret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	vectorID        = "msg_p5jXN8AQM9LWM0D4loKWxJek"
	vectorBody      = `{"test": 2432232314}`
	vectorSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
)

var vectorTime = time.Unix(1614265330, 0)

func vectorHeader(signature string) http.Header {
	header := http.Header{}
	header.Set("webhook-id", vectorID)
	header.Set("webhook-timestamp", "1614265330")
	header.Set("webhook-signature", signature)
	return header
}

func TestSignMatchesTheVectorOfTheSpecification(t *testing.T) {
	got, err := webhook.Sign(vectorID, vectorTime, []byte(vectorBody), vectorSecret)
	if err != nil || got != vectorSignature {
		t.Errorf("got %q (%v), want %q", got, err, vectorSignature)
	}
	id, err := webhook.Verify(vectorHeader(vectorSignature), []byte(vectorBody), vectorTime, vectorSecret)
	if err != nil || id != vectorID {
		t.Errorf("verified as %q (%v)", id, err)
	}
}

func TestSeveralSecretsMakeSeveralSignatures(t *testing.T) {
	other := webhook.NewSecret()
	both, err := webhook.Sign(vectorID, vectorTime, []byte(vectorBody), other, vectorSecret)
	if err != nil || !strings.HasSuffix(both, " "+vectorSignature) {
		t.Fatalf("got %q (%v)", both, err)
	}
	for _, secret := range []string{other, vectorSecret} {
		if _, err := webhook.Verify(vectorHeader(both), []byte(vectorBody), vectorTime, secret); err != nil {
			t.Errorf("a receiver with one of the secrets: %v", err)
		}
	}
	if _, err := webhook.Verify(vectorHeader(vectorSignature), []byte(vectorBody), vectorTime, other, vectorSecret); err != nil {
		t.Errorf("a receiver with both secrets: %v", err)
	}
}

func TestVerifyRefusesWhatWasNotSigned(t *testing.T) {
	good := vectorHeader(vectorSignature)
	without := func(name string) http.Header {
		header := good.Clone()
		header.Del(name)
		return header
	}
	with := func(name, value string) http.Header {
		header := good.Clone()
		header.Set(name, value)
		return header
	}
	for name, test := range map[string]struct {
		header http.Header
		body   string
		now    time.Time
		secret string
		want   error
	}{
		"changed body":            {good, vectorBody + " ", vectorTime, vectorSecret, webhook.ErrSignature},
		"another secret":          {good, vectorBody, vectorTime, webhook.NewSecret(), webhook.ErrSignature},
		"no secret":               {good, vectorBody, vectorTime, "", webhook.ErrSignature},
		"secret not in base64":    {good, vectorBody, vectorTime, "whsec_!", webhook.ErrSignature},
		"another id":              {with("webhook-id", "msg_other"), vectorBody, vectorTime, vectorSecret, webhook.ErrSignature},
		"no id":                   {without("webhook-id"), vectorBody, vectorTime, vectorSecret, webhook.ErrSignature},
		"another timestamp":       {with("webhook-timestamp", "1614265331"), vectorBody, vectorTime, vectorSecret, webhook.ErrSignature},
		"no timestamp":            {without("webhook-timestamp"), vectorBody, vectorTime, vectorSecret, webhook.ErrSignature},
		"no signature":            {without("webhook-signature"), vectorBody, vectorTime, vectorSecret, webhook.ErrSignature},
		"another version":         {with("webhook-signature", "v2"+vectorSignature[2:]), vectorBody, vectorTime, vectorSecret, webhook.ErrSignature},
		"too old":                 {good, vectorBody, vectorTime.Add(webhook.Tolerance + time.Second), vectorSecret, webhook.ErrTimestamp},
		"just not too old":        {good, vectorBody, vectorTime.Add(webhook.Tolerance), vectorSecret, nil},
		"from the future":         {good, vectorBody, vectorTime.Add(-webhook.Tolerance - time.Second), vectorSecret, webhook.ErrTimestamp},
		"from the near future":    {good, vectorBody, vectorTime.Add(-webhook.Tolerance), vectorSecret, nil},
		"secret without a prefix": {good, vectorBody, vectorTime, strings.TrimPrefix(vectorSecret, "whsec_"), nil},
	} {
		if _, err := webhook.Verify(test.header, []byte(test.body), test.now, test.secret); !errors.Is(err, test.want) || (test.want == nil) != (err == nil) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

func TestSecretsAreRandomAndLong(t *testing.T) {
	first, second := webhook.NewSecret(), webhook.NewSecret()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(first, "whsec_"))
	if first == second || !strings.HasPrefix(first, "whsec_") || err != nil || len(key) != 32 {
		t.Errorf("secrets %q and %q (%v)", first, second, err)
	}
	if _, err := webhook.Sign("id", vectorTime, nil, "whsec_not base64"); err == nil {
		t.Error("a broken secret signs")
	}
}
