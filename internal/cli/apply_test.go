package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/smithy-go"

	"sortkey.dev/access/provision"
	"sortkey.dev/engine"
)

// The tables of every design of this repository can be created, and then match the
// design.
func TestApplyAllDesigns(t *testing.T) {
	designs, err := filepath.Glob("../../apps/*/*.design.yaml")
	if err != nil || len(designs) < 4 {
		t.Fatalf("found %d designs: %v", len(designs), err)
	}
	for _, path := range designs {
		t.Run(filepath.Base(path), func(t *testing.T) {
			db, err := engine.Open("", nil)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			server := httptest.NewServer(db)
			defer server.Close()
			var first, second applied
			for _, result := range []*applied{&first, &second} {
				var out, errs bytes.Buffer
				if code := Run([]string{"apply", path, "--endpoint", server.URL, "--json"}, strings.NewReader(""), &out, &errs); code != exitOK {
					t.Fatalf("exit code %d: %s", code, &errs)
				}
				if err := json.Unmarshal(out.Bytes(), result); err != nil {
					t.Fatal(err)
				}
			}
			if len(first.Changes) == 0 || len(first.Unchanged) != 0 || first.Changes[0].Action != provision.CreateTable {
				t.Errorf("first: %+v", first)
			}
			for _, c := range second.Changes {
				if c.Skipped == "" {
					t.Errorf("the second time: %s", c)
				}
			}
		})
	}
}

func TestEndpointFailures(t *testing.T) {
	dial := fmt.Errorf("describe table: %w", &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED})
	for name, c := range map[string]struct {
		endpoint   string
		err        error
		want, next string
	}{
		"refused":     {"http://x:1", dial, "cannot connect to http://x:1", "sortkey serve"},
		"no network":  {"", dial, "AWS cannot be reached", "Check the network"},
		"old token":   {"", &smithy.GenericAPIError{Code: "ExpiredTokenException"}, "ExpiredTokenException", "AWS_SESSION_TOKEN"},
		"not allowed": {"", &smithy.GenericAPIError{Code: "AccessDeniedException", Message: "not authorized to perform: dynamodb:CreateTable"}, "dynamodb:CreateTable", "lack the permission"},
	} {
		var printed bytes.Buffer
		printError(&printed, endpointFailure(c.endpoint, c.err))
		first, rest, _ := strings.Cut(printed.String(), "\n")
		if !strings.Contains(first, c.want) || !strings.Contains(rest, c.next) {
			t.Errorf("%s: %s", name, &printed)
		}
	}
	other := errors.New("something else")
	if got := endpointFailure("", other); got != other {
		t.Errorf("got %v", got)
	}
}

// A postponed change is a failure: a pipeline must notice that it is not complete.
func TestApplyPostponed(t *testing.T) {
	r := applied{Changes: []provision.Change{{Text: "expire items", Skipped: "later", Later: true}}}
	var printed bytes.Buffer
	printError(&printed, r.next(newProgressLine(&printed)))
	if !strings.Contains(printed.String(), "again in an hour") {
		t.Error(&printed)
	}
}

func TestEndpointCredentials(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_SESSION_TOKEN", "token")
	t.Setenv("AWS_REGION", "eu-west-1")
	for _, endpoint := range []string{"", "http://127.0.0.1:8000"} {
		client, err := endpointClient(t.Context(), endpoint, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := client.Options().Credentials.Retrieve(t.Context())
		if err != nil || c.AccessKeyID != "id" || c.SecretAccessKey != "secret" || c.SessionToken != "token" || client.Options().Region != "eu-west-1" {
			t.Errorf("%q: %+v, %v, region %s", endpoint, c, err, client.Options().Region)
		}
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	client, err := endpointClient(t.Context(), "http://127.0.0.1:8000", "us-west-2", nil)
	if err != nil || client.Options().Region != "us-west-2" {
		t.Fatal(err)
	}
	if c, err := client.Options().Credentials.Retrieve(t.Context()); err != nil || !c.HasKeys() {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := endpointClient(t.Context(), "", "", nil); err == nil || !strings.Contains(err.Error(), "no credentials") {
		t.Errorf("got %v", err)
	}
}

// Each command that calls AWS reads the profiles of the shared files.
func TestProfiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"config":      "[profile team]\nregion = eu-north-1\n",
		"credentials": "[team]\naws_access_key_id = of-team\naws_secret_access_key = secret\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(dir, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(dir, "credentials"))
	for profile, want := range map[string]string{"team": "of-team", "others": ""} {
		t.Setenv("AWS_PROFILE", profile)
		client, err := endpointClient(t.Context(), "", "", nil)
		if want == "" {
			if err == nil || !strings.Contains(err.Error(), "others") {
				t.Errorf("an unknown profile: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		c, err := client.Options().Credentials.Retrieve(t.Context())
		if err != nil || c.AccessKeyID != want || client.Options().Region != "eu-north-1" {
			t.Errorf("%s: key %s, region %s, error %v", profile, c.AccessKeyID, client.Options().Region, err)
		}
	}
}
