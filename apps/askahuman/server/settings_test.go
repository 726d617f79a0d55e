package server

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps"
)

func TestSettingsAreReadAsTheyAreMeant(t *testing.T) {
	for name, test := range map[string]struct {
		set  map[string]string
		want chosen
	}{
		"nothing": {nil, chosen{}},
		"on":      {map[string]string{settingProxy: "1", settingCallbacks: "true"}, chosen{proxies: 1, privateCallbacks: true}},
		"off":     {map[string]string{settingProxy: "0", settingCallbacks: "false"}, chosen{}},
		"the shortest secret": {
			map[string]string{settingOperator: "twelve chars"}, chosen{operatorSecret: "twelve chars"},
		},
		"the longest secret": {
			map[string]string{settingOperator: strings.Repeat("é", 200)}, chosen{operatorSecret: strings.Repeat("é", 200)},
		},
		"an address":             {map[string]string{settingVAPID: "you@example.org"}, chosen{contact: "you@example.org"}},
		"an address of a link":   {map[string]string{settingVAPID: "mailto:you@example.org"}, chosen{contact: "you@example.org"}},
		"an address with a name": {map[string]string{settingVAPID: "Ask <you@example.org>"}, chosen{contact: "you@example.org"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readSettings(apps.Config{Setting: func(name string) string { return test.set[name] }})
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(chosen{})); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}
