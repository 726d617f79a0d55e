package operation_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/internal/operation"
)

type thing struct{ Name string }

func TestRequestPutsArgumentsInTheirPlaces(t *testing.T) {
	type arguments struct {
		ID   string  `path:"id"`
		Part int     `path:"part"`
		Lat  float64 `query:"lat" required:"true"`
		Past *bool   `query:"past"`
		Text string  `query:"text"`
		Most int     `query:"most"`
		Key  string  `header:"Idempotency-Key"`
		Body thing
	}
	change := operation.Put[arguments, operation.None]("/v1/things/{id}/parts/{part}", "Change a thing")
	for name, c := range map[string]struct {
		in   arguments
		want operation.Request
	}{
		"all": {
			arguments{ID: "a/b?c", Part: 3, Lat: -0.5, Past: new(false), Text: "x&y", Most: 7, Key: "k", Body: thing{"n"}},
			operation.Request{Path: "/v1/things/a%2Fb%3Fc/parts/3?lat=-0.5&most=7&past=false&text=x%26y", Header: http.Header{"Idempotency-Key": {"k"}}, Body: thing{"n"}},
		},
		"zero": {
			arguments{ID: "{part}"},
			operation.Request{Path: "/v1/things/%7Bpart%7D/parts/0?lat=0", Header: http.Header{}, Body: thing{}, Keyed: true},
		},
	} {
		if diff := cmp.Diff(c.want, change.Request(c.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOperationsRespondWithTheirStatus(t *testing.T) {
	for want, got := range map[int]int{
		http.StatusOK:        operation.Get[operation.ByID, thing]("/", "").Status,
		http.StatusNoContent: operation.Delete[operation.ByID, operation.None]("/", "").Status,
		http.StatusCreated:   operation.Post[operation.With[thing], thing]("/", "").Created().Status,
		http.StatusAccepted:  operation.Post[operation.With[thing], thing]("/", "").Accepted().Status,
	} {
		if got != want {
			t.Errorf("the status is %d, want %d", got, want)
		}
	}
}
