package httpload

import (
	"net/http"
	"testing"
	"time"
)

// TestFloorAnswersAsTheSystemDid checks the mixture of requests, and that each is answered with the
// status and size of its sample.
func TestFloorAnswersAsTheSystemDid(t *testing.T) {
	floor, err := OpenFloor()
	if err != nil {
		t.Fatal(err)
	}
	defer floor.Close()
	response, err := floor.http.Get(floor.url + "/a?" + sizeQuery + "=123&" + statusQuery + "=201")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusCreated || response.ContentLength != 123 {
		t.Errorf("the answer is %d with %d bytes", response.StatusCode, response.ContentLength)
	}
	samples := []Sample{
		{Endpoint: "GET /a", Method: http.MethodGet, Path: "/a?b=c", Requests: 9, Status: 200, Size: 10},
		{Endpoint: "POST /b", Method: http.MethodPost, Path: "/b", Body: []byte("{}"), Requests: 1, Status: 201, Size: 20},
		{Endpoint: "GET /never", Method: http.MethodGet, Path: "/never", Status: 200},
	}
	requests, _, err := floor.Run(t.Context(), samples, 4, 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	a, b := floor.Times("GET /a"), floor.Times("POST /b")
	if len(a)+len(b) != requests || len(a) <= len(b) || len(floor.Times("GET /never")) != 0 {
		t.Errorf("%d requests: %d and %d", requests, len(a), len(b))
	}
	if _, _, err := floor.Run(t.Context(), nil, 1, time.Second); err == nil {
		t.Error("a floor without samples runs")
	}
}

func TestFigures(t *testing.T) {
	times := Sorted([]time.Duration{3, 1, 2})
	if Quantile(times, .5) != 2 || Quantile(times, 1) != 3 || Quantile(nil, .5) != 0 {
		t.Errorf("quantiles of %v", times)
	}
	unsorted := []float64{4, 1, 3}
	if Median(unsorted) != 3 || unsorted[0] != 4 || Median([]float64{1, 2}) != 1.5 || Median(nil) != 0 {
		t.Error("medians")
	}
	if Brief(0) != "" || Brief(1500*time.Microsecond) != "1.50 ms" || Ratio(3, 2) != "1.5" || Ratio(1, 0) != "" {
		t.Error("texts")
	}
	for _, url := range []string{"https://ask.example.org", "http://192.0.2.1:8080", "http://localhost.example:80", "nonsense"} {
		if CheckLocal(url) == nil {
			t.Errorf("%s was accepted", url)
		}
	}
	if err := CheckLocal("http://127.0.0.1:8080"); err != nil {
		t.Error(err)
	}
}
