package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSettingsThatCannotBeUsed starts systems, and all of them, with one setting that is wrong: nothing is opened, the exit
// code is that of a wrong command line, and the message names the setting and says what to do.
func TestSettingsThatCannotBeUsed(t *testing.T) {
	const hidden = "hunter2"
	wrong := map[string][][2]string{
		"ask-a-human": {{"_VAPID_CONTACT", "nobody"}, {"_FCM_CREDENTIALS", "setting_test.go"}, {"_PRIVATE_CALLBACKS", "perhaps"}},
		"ecobid": {
			{"_SMTP", "https://me:" + hidden + "@host"}, {"_OIDC", "https://c:" + hidden + "@id.example.org"}, {"_FCM_CREDENTIALS", "/nowhere"},
			{"_FILES", "ftp://x"}, {"_HEIC", "no-such-command-of-sortkey"},
		},
		"exambuddy": {{"_ADMINS", "anyone"}, {"_FILES", "s3://bucket"}},
		"homeops": {
			{"_ZONE", "Mars/X"}, {"_WEBHOOK_SECRET", hidden}, {"_TELEGRAM_TOKEN", "1:" + hidden + "/"}, {"_MODEL_URL", "https://models.example.org/v1"},
		},
	}
	for system, own := range wrong {
		for _, setting := range append(own, [2]string{"_PARTS", "abc"}, [2]string{"_OPERATOR_SECRET", hidden}, [2]string{"_TRUST_PROXY", "10"}) {
			name := strings.ToUpper(strings.ReplaceAll(system, "-", "_")) + setting[0]
			for _, command := range []string{"run " + system, "demo"} {
				t.Run(command+" "+name, func(t *testing.T) {
					t.Setenv(name, setting[1])
					data := filepath.Join(t.TempDir(), "data")
					code, out, errs := runAlone(append(strings.Fields(command), "--addr", "127.0.0.1:0", "--data", data)...)
					if code != exitUsage || out != "" || !strings.HasPrefix(errs, "sortkey: "+name+" ") || !strings.Contains(errs, "\n  ") || strings.Contains(errs, hidden) {
						t.Errorf("exit code %d, %q, %s", code, out, errs)
					}
					if _, err := os.Stat(data); err == nil {
						t.Error("the directory was made")
					}
				})
			}
		}
	}
}

// TestSettingsThatCannotBeUsedInJSON shows the message and the next step to programs.
func TestSettingsThatCannotBeUsedInJSON(t *testing.T) {
	t.Setenv("ECOBID_PARTS", "abc")
	code, out, _ := runAlone("run", "ecobid", "--addr", "127.0.0.1:0", "--json")
	want := `{"error":{"message":"ECOBID_PARTS is not a number of partitions: \"abc\"","hints":["Say a number from 1 to 1000."]}}` + "\n"
	if diff := cmp.Diff(want, out); code != exitUsage || diff != "" {
		t.Errorf("exit code %d (-want +got):\n%s", code, diff)
	}
}
