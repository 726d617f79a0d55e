package operator_test

import (
	"context"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/webtest"
)

// standing is data that stands somewhere.
type standing struct{ stand apps.DataStand }

func (s *standing) Stand(context.Context) (*apps.DataStand, error) { return &s.stand, nil }
func (s *standing) Continue(context.Context) error                 { return nil }

func TestDataInEveryState(t *testing.T) {
	data := &standing{apps.DataStand{Design: "Small", Program: 2, Versions: []string{"0001-baseline", "0002-by-name"}, Version: 2}}
	w := open(t, func(o *operator.Options) { o.Data = []apps.Data{data} })
	b := w.operator(t)
	b.see("/operator/data", "Small", "Up to date", "2, by-name")
	b.Hides("Migration</dt>", "Phases", "Conflicts")

	data.stand.Version, data.stand.Migration = 1, "0002-by-name"
	b.see("/operator/data", "Older than this program", "1, baseline", "0002-by-name")
	data.stand.Waits = "run code of version 2 everywhere first"
	b.see("/operator/data", "Waits for you", "run code of version 2 everywhere first", "--resume")
	data.stand.Waits, data.stand.Under, data.stand.Phase, data.stand.Step = "", true, access.PhaseWrite, "fill"
	data.stand.Parts = []apps.DataPart{{Name: "Note.by_name", Segments: 8, Done: 3, Seen: 1234, Changed: 1200}}
	b.see("/operator/data", "until no request of the phase before", `aria-current="step"`)
	data.stand.Settled = true
	b.see("/operator/data", "Under way", "fill Note.by_name", "1,234 items read, 1,200 written", `aria-valuenow="3"`)
	data.stand.Paused = "by an operator"
	b.see("/operator/data", "Paused: by an operator")
	data.stand.Paused, data.stand.Back = "", true
	b.see("/operator/data", "Going back")
	data.stand.Conflicts, data.stand.More = []apps.DataConflict{{Part: "Note.by_name", Table: "notes", Key: `PK = "NOTE#<7>"`, Reason: "its owner is missing"}}, 3
	b.see("/operator/data", `NOTE#<7>`, "its owner is missing", "and 3 more conflicts")
	data.stand.Program = 1
	b.see("/operator/data", "Newer than this program", "Update this one")
	data.stand.Version, data.stand.Program, data.stand.Versions = 7, 1, nil
	b.see("/operator/data", "Newer than this program", "7")
}

func TestDataWhoseVersionsAreNotKnown(t *testing.T) {
	w := open(t)
	w.operator(t).see("/operator/data", "Versions are not known")
}

// TestDataInABrowser looks at data that is up to date beside data that is on its way with conflicts.
func TestDataInABrowser(t *testing.T) {
	versions := []string{"0001-baseline", "0002-by-name"}
	under := apps.DataStand{
		Design: "Small", Program: 2, Versions: versions, Version: 1, Migration: "0002-by-name", Under: true, Settled: true, Phase: access.PhaseWrite, Step: "fill",
		Parts: []apps.DataPart{
			{Name: "Note.by_name", Segments: 8, Done: 3, Seen: 1234567, Changed: 1200000},
			{Name: "Person.by_name", Segments: 8, Done: 8, Seen: 40, Changed: 40},
		},
	}
	refused := under
	refused.Design, refused.More = "Smaller", 3
	refused.Conflicts = []apps.DataConflict{
		{Part: "Note.by_name", Table: "small-notes", Key: `PK = "NOTE#01J9ZK4T5MWQ0000000000000", SK = "NOTE"`, Reason: "its owner is missing, so that the key by name cannot be made"},
		{Part: "Note.by_name", Table: "small-notes", Key: `PK = "NOTE#7", SK = "NOTE"`, Reason: "its owner is missing"},
	}
	w := open(t, func(o *operator.Options) {
		o.Data = []apps.Data{&standing{under}, &standing{refused}, &standing{apps.DataStand{Design: "Platform", Program: 2, Versions: versions, Version: 2}}}
	})
	tab := webtest.Open(t, w.url+"/operator/data", webtest.Phone, webtest.Light)
	tab.Fill("Your name", "operator")
	tab.Fill("Your secret", firstSecret)
	tab.Click("button", "Sign in")
	tab.WaitFor("Up to date")
	tab.LookAround("operator-data")
}
