package openapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/openapi/openapitest"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/refusal"
)

type thing struct {
	ID    string            `json:"id"`
	Count *int              `json:"count,omitempty"`
	Names map[string]string `json:"names,omitempty"`
}

type list[T any] struct {
	Items []T `json:"items"`
}

func who(_ http.ResponseWriter, r *http.Request) (string, error) {
	if name := r.Header.Get("Authorization"); name != "" {
		return name, nil
	}
	return "", refusal.New(refusal.Unauthenticated, "", "Say who you are.")
}

// The arguments of operations.
type (
	counted struct {
		ID    string `path:"id"`
		Count *int   `query:"count"`
	}
	deletion struct {
		ID   string `path:"id"`
		Sure bool   `query:"sure" required:"true"`
	}
)

var (
	getThing    = operation.Get[counted, thing]("/things/{id}", "A thing")
	makeThing   = operation.Post[operation.With[thing], list[thing]]("/things", "Make a thing").Created()
	deleteThing = operation.Delete[deletion, operation.None]("/things/{id}", "Delete a thing")
	upload      = operation.Put[operation.With[operation.Content], thing]("/files", "Upload").Takes("text/plain")
)

func operations(lie bool) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(getThing, who, func(_ context.Context, _ string, in counted) (thing, error) {
			return thing{ID: in.ID, Count: in.Count}, nil
		}),
		openapi.Handle(makeThing, who, func(_ context.Context, _ string, in operation.With[thing]) (list[thing], error) {
			return list[thing]{[]thing{in.Body}}, nil
		}),
		openapi.Handle(deleteThing, who, func(context.Context, string, deletion) (operation.None, error) {
			return operation.None{}, nil
		}),
		openapi.HandleRaw(upload, who, func(w http.ResponseWriter, r *http.Request, _ string, _ operation.With[operation.Content]) error {
			content, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			if lie {
				return jsonapi.Write(w, http.StatusOK, map[string]string{"name": string(content)})
			}
			return jsonapi.Write(w, http.StatusOK, thing{ID: string(content)})
		}),
	}
}

func serve(t *testing.T, lie bool) string {
	t.Helper()
	all := operations(lie)
	document, err := openapi.Document(openapi.Info{Title: "Things"}, all)
	if err != nil {
		t.Fatal(err)
	}
	routes := append(openapi.Routes(all), jsonapi.Route{Pattern: "GET /openapi.json", Handler: func(w http.ResponseWriter, _ *http.Request) error {
		_, err := w.Write(document)
		return err
	}})
	server := httptest.NewServer(jsonapi.NewFront(jsonapi.Options{Log: slog.New(slog.DiscardHandler), Now: time.Now, MaxBody: 1 << 10, Edge: jsonapi.Bucket{PerSecond: 100, Burst: 100}}, routes))
	t.Cleanup(server.Close)
	return server.URL
}

func send(t *testing.T, url, method, path, media, body string) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", media)
	if !strings.HasPrefix(path, "/things/stranger") {
		r.Header.Set("Authorization", "ada")
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, text
}

func TestOperationsAreServedAsTheDocumentSays(t *testing.T) {
	url := serve(t, false)
	document := openapitest.Read(t, url+"/openapi.json")
	if got := document.Operations(); len(got) != 4 || !slices.Equal(got, document.Unseen()) {
		t.Fatalf("the operations are %v", got)
	}
	for _, c := range []struct {
		method, path, media, body string
		status                    int
		want                      string
	}{
		{"GET", "/things/a?count=3", "", "", 200, `{"id":"a","count":3}`},
		{"GET", "/things/a?count=many", "", "", 400, `"count"`},
		{"GET", "/things/stranger?count=many", "", "", 401, "Say who you are."}, // before the arguments
		{"POST", "/things", "application/json", `{"id":"b","names":{"x":"y"}}`, 201, `{"items":[{"id":"b","names":{"x":"y"}}]}`},
		{"POST", "/things", "application/json", `{"idd":"b"}`, 400, `did you mean`},
		{"DELETE", "/things/a", "", "", 400, `"required"`},
		{"DELETE", "/things/a?sure=true", "", "", 204, ``},
		{"PUT", "/files", "text/plain", "hello", 200, `{"id":"hello"}`},
	} {
		response, text := send(t, url, c.method, c.path, c.media, c.body)
		if response.StatusCode != c.status || !bytes.Contains(text, []byte(c.want)) {
			t.Errorf("%s %s: %d %s", c.method, c.path, response.StatusCode, text)
		}
		if err := document.Check(c.method, response.Request.URL.Path, response, text); err != nil {
			t.Errorf("%s %s: %v", c.method, c.path, err)
		}
	}
	if left := document.Unseen(); len(left) != 0 {
		t.Errorf("unseen: %v", left)
	}
	var root map[string]any
	_, text := send(t, url, "GET", "/openapi.json", "", "")
	if err := json.Unmarshal(text, &root); err != nil || !bytes.Contains(text, []byte(`"listOfthing"`)) {
		t.Errorf("the document is %s: %v", text, err)
	}
}

// TestCheckFindsLies: a response of another form is found.
func TestCheckFindsLies(t *testing.T) {
	url := serve(t, true)
	document := openapitest.Read(t, url+"/openapi.json")
	response, text := send(t, url, "PUT", "/files", "text/plain", "hello")
	if err := document.Check("PUT", "/files", response, text); err == nil {
		t.Error("a response without the required field passes")
	}
}
