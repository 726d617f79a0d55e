package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid/client"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/bench/internal/appbench"
	"sortkey.dev/bench/internal/httpload"
)

// results holds everything that is reported.
type results struct {
	appbench.Head
	Items  int    `json:"items"`
	AtOnce int    `json:"at_once"`
	Kinds  []kind `json:"kinds"`
	Scan   scan   `json:"scan"`
}

// A kind is a kind of search with its measurements. Queries, cards and units are those of one search.
type kind struct {
	Radius   int    `json:"radius_km"`
	Category string `json:"category,omitempty"`
	Sort     string `json:"sort"`

	Searches  int           `json:"searches"`
	P50       time.Duration `json:"p50_ns"`
	P99       time.Duration `json:"p99_ns"`
	Found     float64       `json:"found"`
	Queries   float64       `json:"queries"`
	Cards     float64       `json:"cards_read"`
	Units     float64       `json:"units"`
	Patterns  string        `json:"patterns"`
	Estimated float64       `json:"units_estimated"` // for the calls that were made
}

// A scan is the plain way: read every item, keep those within the circle.
type scan struct {
	Took     time.Duration `json:"took_ns"`
	Requests float64       `json:"requests"`
	Units    float64       `json:"units"`
	Items    int           `json:"items"`
}

func newResults(cfg config) *results {
	return &results{Head: appbench.NewHead(), Items: cfg.items, AtOnce: cfg.atOnce}
}

// measure searches in every way, and scans.
func (r *results) measure(ctx context.Context, cfg config, target *appbench.System) error {
	for _, sort := range []string{"newest", "distance"} {
		for _, radius := range []int{1, 5, 10, 25} {
			r.Kinds = append(r.Kinds, kind{Radius: radius, Sort: sort})
		}
	}
	for _, radius := range []int{1, 5, 10, 25} {
		r.Kinds = append(r.Kinds, kind{Radius: radius, Sort: "newest", Category: "books"})
	}
	record := httpload.NewRecorder() // keeps connections from one kind to the next
	for i := range r.Kinds {
		if err := r.Kinds[i].measure(ctx, cfg, target, record); err != nil {
			return fmt.Errorf("search within %d km: %w", r.Kinds[i].Radius, err)
		}
	}
	return r.Scan.measure(ctx, target)
}

func (k *kind) measure(ctx context.Context, cfg config, target *appbench.System, record *httpload.Recorder) error {
	before := totals(target.Meter.Report())
	times := make([]time.Duration, cfg.searches)
	found := make([]int, cfg.searches)
	failures := make([]error, cfg.searches)
	slots := make(chan struct{}, cfg.atOnce)
	chance := rand.New(rand.NewPCG(cfg.seed, 2))
	var group sync.WaitGroup
	for i := range times {
		at := somewhere(chance)
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			c := client.New(target.URL, client.WithHTTPClient(record.From(httpload.Address(i))))
			began := time.Now()
			page, err := c.Nearby(ctx, client.Query{Lat: at.Lat, Lon: at.Lon, Radius: k.Radius, Category: k.Category, Sort: k.Sort})
			times[i], found[i], failures[i] = time.Since(began), len(page.Items), err
		})
	}
	group.Wait()
	n := float64(cfg.searches)
	for i, err := range failures {
		if err != nil {
			return err
		}
		k.Found += float64(found[i]) / n
	}
	times = httpload.Sorted(times)
	k.Searches, k.P50, k.P99 = cfg.searches, httpload.Quantile(times, 0.5), httpload.Quantile(times, 0.99)
	var names []string
	for name, after := range totals(target.Meter.Report()) {
		calls := float64(after.Calls - before[name].Calls)
		if calls == 0 || !strings.HasPrefix(name, "List") {
			continue
		}
		names = append(names, fmt.Sprintf("%s ×%.1f", name, calls/n))
		k.Queries += float64(after.Requests-before[name].Requests) / n
		k.Cards += float64(after.Items-before[name].Items) / n
		k.Units += (after.Units - before[name].Units) / n
		k.Estimated += after.Estimated * calls / n
	}
	slices.Sort(names)
	k.Patterns = strings.Join(names, ", ")
	return nil
}

// totals returns the reports of a meter by pattern.
func totals(reports []access.PatternReport) map[string]access.PatternReport {
	all := make(map[string]access.PatternReport, len(reports))
	for _, r := range reports {
		all[r.Pattern] = r
	}
	return all
}

// measure scans the table once, for a circle of five kilometres. The radius makes no difference.
func (s *scan) measure(ctx context.Context, target *appbench.System) error {
	meter := new(access.Meter)
	db := ecobiddb.New(target.DB.API(), access.WithObserver(meter), access.WithoutState())
	began := time.Now()
	for item, err := range db.ScanItem().All(ctx) {
		if err != nil {
			return err
		}
		if item.Status == ecobiddb.ItemStatusAvailable && geo.Distance(center, geo.Point{Lat: item.Lat, Lon: item.Lon}) <= 5 {
			s.Items++
		}
	}
	s.Took = time.Since(began)
	for _, r := range meter.Report() {
		s.Requests, s.Units = s.Requests+float64(r.Requests), s.Units+r.Units
	}
	return nil
}

// text returns the results for a terminal.
func (r *results) text() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\necobid: searches among %d items in a city, %s\n", r.Items, r.Head.Text())
	fmt.Fprintf(&b, "%d searches of each kind, %d at once, pages of 20, over HTTP in this process, data in a directory; numbers are those of one search\n\n", r.Kinds[0].Searches, r.AtOnce)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "radius\torder\tcategory\tp50\tp99\tfound\tqueries\tcards read\tunits\testimated\tscan costs\t  patterns and calls")
	for _, k := range r.Kinds {
		category := k.Category
		if category == "" {
			category = "all"
		}
		fmt.Fprintf(t, "%d km\t%s\t%s\t%s\t%s\t%.1f\t%.1f\t%.0f\t%.1f\t%.1f\t%.0f×\t  %s\n",
			k.Radius, k.Sort, category, httpload.Brief(k.P50), httpload.Brief(k.P99), k.Found, k.Queries, k.Cards, k.Units, k.Estimated, r.Scan.Units/max(k.Units, 0.5), k.Patterns)
	}
	_ = t.Flush() // writes to memory
	fmt.Fprintf(&b, "\na scan of the table finds %d items within 5 km of the middle: %.0f requests, %.0f units, %s\n", r.Scan.Items, r.Scan.Requests, r.Scan.Units, r.Scan.Took.Round(time.Millisecond))
	return b.String()
}
