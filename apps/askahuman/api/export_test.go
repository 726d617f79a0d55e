package api

import (
	"time"

	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
)

func init() { lookAgain = time.Hour }

// Document returns the document.
func Document() ([]byte, error) {
	all, _ := operations(Options{Domain: &domain.Domain{}}, jsonapi.Options{})
	return openapi.Document(describe(""), all)
}
