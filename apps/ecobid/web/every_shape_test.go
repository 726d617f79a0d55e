package web

import (
	"testing"

	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest/shapes"
)

func TestEveryPageInEveryShape(t *testing.T) {
	options := SiteOptions()
	options.More = []webkit.Pages{operator.Templates, accountpages.Templates}
	shapes.Check(t, options, shapes.Repair(func(view *pickupView) {
		if view.Status == ecobiddb.ReservationStatusConfirmed && view.PickupTime == nil {
			view.PickupTime = &view.CreatedAt // a confirmed pickup has a time
		}
	}), shapes.Repair(func(view *itemView) {
		if view.Form != nil {
			view.Report = nil // one form is sent at a time
		}
	}))
}
