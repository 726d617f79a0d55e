package host_test

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/host"
	"sortkey.dev/apps/internal/openid"
)

var everything = host.Uses{Mail: true, Providers: true, Push: true, Files: true, Callbacks: true}

// setting returns the settings of a map.
func setting(set map[string]string) func(string) string {
	return func(name string) string { return set[strings.TrimPrefix(name, "SMALL_")] }
}

func read(uses host.Uses, set map[string]string) (host.Chosen, error) {
	return host.Read(apps.Config{Setting: setting(set)}, "SMALL", uses)
}

// account returns a service account of Firebase.
func account(t *testing.T) []byte {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]string{
		"project_id": "small", "client_email": "push@small.example.org", "private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestSettingsAreReadAsTheyAreMeant(t *testing.T) {
	file, content := filepath.Join(t.TempDir(), "account.json"), account(t)
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	school := openid.Options{Name: "school", Title: "The School", Issuer: "https://id.example.org/realm", ClientID: "small", ClientSecret: "s@fe"}
	for name, test := range map[string]struct {
		set  map[string]string
		want host.Chosen
	}{
		"nothing":                {nil, host.Chosen{}},
		"the shortest secret":    {map[string]string{"OPERATOR_SECRET": "twelve chars"}, host.Chosen{OperatorSecret: "twelve chars"}},
		"the longest secret":     {map[string]string{"OPERATOR_SECRET": strings.Repeat("é", 200)}, host.Chosen{OperatorSecret: strings.Repeat("é", 200)}},
		"a proxy":                {map[string]string{"TRUST_PROXY": "1"}, host.Chosen{Proxies: 1}},
		"a proxy, said so":       {map[string]string{"TRUST_PROXY": "true"}, host.Chosen{Proxies: 1}},
		"parts":                  {map[string]string{"PARTS": "16"}, host.Chosen{Parts: 16}},
		"most parts":             {map[string]string{"PARTS": "1000"}, host.Chosen{Parts: 1000}},
		"no proxy":               {map[string]string{"TRUST_PROXY": "0"}, host.Chosen{}},
		"most proxies":           {map[string]string{"TRUST_PROXY": "9"}, host.Chosen{Proxies: 9}},
		"an address":             {map[string]string{"VAPID_CONTACT": "mailto:you@example.org"}, host.Chosen{Contact: "you@example.org"}},
		"an address with a name": {map[string]string{"VAPID_CONTACT": "Small <you@example.org>"}, host.Chosen{Contact: "you@example.org"}},
		"an account":             {map[string]string{"FCM_CREDENTIALS": file}, host.Chosen{FCM: content}},
		"a bucket":               {map[string]string{"FILES": "s3://b?region=x"}, host.Chosen{Files: "s3://b?region=x"}},
		"a directory":            {map[string]string{"FILES": "/srv/a b"}, host.Chosen{Files: "file:///srv/a%20b"}},
		"on":                     {map[string]string{"PRIVATE_CALLBACKS": "true"}, host.Chosen{PrivateCallbacks: true}},
		"off":                    {map[string]string{"PRIVATE_CALLBACKS": "0"}, host.Chosen{}},
		"providers": {
			map[string]string{"OIDC": "https://small:s%40fe@id.example.org/realm/?name=school&title=The+School  http://c@localhost:9000?name=dev"},
			host.Chosen{Providers: []openid.Options{school, {Name: "dev", Issuer: "http://localhost:9000", ClientID: "c"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(everything, test.set)
			if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
	got, err := read(everything, map[string]string{"SMTP": "smtps://me:pass@mail.example.org?from=a@example.org"})
	if err != nil || got.Mail == nil || got.Mail.Host != "mail.example.org" {
		t.Errorf("mail: %+v, %v", got.Mail, err)
	}
}

func TestSettingsThatCannotBeUsedAreRefusedWithAdvice(t *testing.T) {
	const hidden = "hunter2secret"
	for name, set := range map[string]map[string]string{
		"short":                     {"OPERATOR_SECRET": "eleven char"},
		"long":                      {"OPERATOR_SECRET": strings.Repeat("é", 201)},
		"with a space":              {"OPERATOR_SECRET": " " + hidden},
		"no parts":                  {"PARTS": "0"},
		"too many parts":            {"PARTS": "1001"},
		"parts of no number":        {"PARTS": "many"},
		"too many proxies":          {"TRUST_PROXY": "10"},
		"fewer than no proxies":     {"TRUST_PROXY": "-1"},
		"no number":                 {"TRUST_PROXY": "yes"},
		"no mail server":            {"SMTP": "https://me:" + hidden + "@mail.example.org"},
		"no mail URL":               {"SMTP": "smtps://me:" + hidden + "%@host"},
		"no contact":                {"VAPID_CONTACT": "you"},
		"no account":                {"FCM_CREDENTIALS": filepath.Join(t.TempDir(), "none")},
		"no file with an account":   {"FCM_CREDENTIALS": "settings_test.go"},
		"no store":                  {"FILES": "ftp://files.example.org"},
		"a directory on a host":     {"FILES": "file://srv/files"},
		"a bucket without region":   {"FILES": "s3://bucket"},
		"no switch":                 {"PRIVATE_CALLBACKS": "perhaps"},
		"a provider without https":  {"OIDC": "http://c:" + hidden + "@id.example.org?name=a"},
		"a provider without client": {"OIDC": "https://id.example.org?name=a"},
		"a provider without name":   {"OIDC": "https://c:" + hidden + "@id.example.org"},
		"a name twice":              {"OIDC": "https://c@id.example.org?name=a https://c:" + hidden + "@other.example.org?name=a"},
		"no provider URL":           {"OIDC": "https://c:" + hidden + "%@id"},
	} {
		_, err := read(everything, set)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for key := range set {
			wrong, ok := errors.AsType[*apps.SettingError](err)
			if !ok || wrong.Name != "SMALL_"+key || wrong.Advice == "" || wrong.Error() != wrong.Name+" "+wrong.Err.Error()+"\n  "+wrong.Advice {
				t.Errorf("%s: %v", name, err)
			}
		}
		if strings.Contains(err.Error(), hidden) {
			t.Errorf("%s shows the secret: %v", name, err)
		}
		// A system without the part does not look at its setting.
		if _, err := read(host.Uses{}, set); (err == nil) != (set["OPERATOR_SECRET"] == "" && set["TRUST_PROXY"] == "" && set["PARTS"] == "") {
			t.Errorf("%s without the part: %v", name, err)
		}
	}
}

func TestEverySettingIsListed(t *testing.T) {
	var names []string
	for _, s := range host.Settings("SMALL", everything) {
		names = append(names, strings.TrimPrefix(s.Name, "SMALL_"))
		if s.Doc == "" {
			t.Errorf("%s has no description", s.Name)
		}
	}
	want := []string{"OPERATOR_SECRET", "SMTP", "OIDC", "VAPID_CONTACT", "FCM_CREDENTIALS", "FILES", "TRUST_PROXY", "PARTS", "PRIVATE_CALLBACKS"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := host.Settings("SMALL", host.Uses{}); len(got) != 3 {
		t.Errorf("a system without parts has %+v", got)
	}
}
