package server_test

import (
	"net/http"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/webtest"
)

// TestIdsThatCannotExistAreNotFound asks for ids that no key of a table can hold: they are not text, or
// too long.
func TestIdsThatCannotExistAreNotFound(t *testing.T) {
	base := start(t)
	b := webtest.NewVisitor(t, base)
	for _, id := range []string{"unknown", "%ff", strings.Repeat("a", 600), strings.Repeat("a", 3000), strings.Repeat("%F0%9F%98%80", 600)} {
		for _, path := range []string{"/items/", "/people/", "/photos/", "/live/items/", "/v1/items/", "/v1/users/", "/v1/auctions/", "/v1/photos/"} {
			b.Do(http.MethodGet, path+id, "", nil, nil)
			if b.Code != http.StatusNotFound {
				t.Errorf("GET %s%.12s: %d", path, id, b.Code)
			}
		}
	}
}

// TestImpactOfNoCity asks for cities that no key of a table can hold.
func TestImpactOfNoCity(t *testing.T) {
	b := webtest.NewVisitor(t, start(t))
	for city, want := range map[string]int{"Atlantis": http.StatusOK, "%ff": http.StatusOK, strings.Repeat("a", 61): http.StatusBadRequest, strings.Repeat("a", 3000): http.StatusBadRequest} {
		for _, path := range []string{"/impact?city=", "/v1/impact?city="} {
			b.Do(http.MethodGet, path+city, "", nil, nil)
			if b.Code != want {
				t.Errorf("GET %s%.12s: %d, want %d", path, city, b.Code, want)
			}
		}
	}
}
