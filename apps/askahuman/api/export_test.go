package api

import (
	"time"

	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/internal/jsonapi"
)

func init() { lookAgain = time.Hour }

// Routes returns the patterns of all routes, for the test that compares them with the
// document.
func Routes() []jsonapi.Route { return routes(Options{Domain: &domain.Domain{}}, jsonapi.Options{}) }
