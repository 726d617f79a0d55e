package appbench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/bench/internal/httpload"
)

// Head says when and where something was measured.
type Head struct {
	Started    time.Time `json:"started"`
	Machine    string    `json:"machine"`
	LoadBefore string    `json:"load_average_before"`
}

// NewHead returns the head of what is measured from now on.
func NewHead() Head {
	return Head{Started: time.Now().UTC(), Machine: httpload.Machine(), LoadBefore: httpload.LoadAverage()}
}

// Text returns the head for a terminal.
func (h Head) Text() string {
	return fmt.Sprintf("%s, %s, load average %s before", h.Started.Format(time.RFC3339), h.Machine, h.LoadBefore)
}

// Load holds the results of a load.
type Load struct {
	Where      string                 `json:"where"`
	Duration   time.Duration          `json:"duration_ns"` // of all rounds
	Rates      []float64              `json:"rates"`       // requests a second, of each round
	FloorRates []float64              `json:"floor_rates"` // of the server that does nothing
	Patterns   []access.PatternReport `json:"patterns,omitempty"`
	Measured   []Endpoint             `json:"-"`

	meter *access.Meter
}

// An Endpoint holds the results of an endpoint. Each command names sizes and refusals in its own JSON.
type Endpoint struct {
	Name     string         `json:"endpoint"`
	Requests int            `json:"requests"`
	Rate     float64        `json:"requests_per_second"`
	P50      time.Duration  `json:"p50_ns"`
	P95      time.Duration  `json:"p95_ns"`
	P99      time.Duration  `json:"p99_ns"`
	Bytes    int            `json:"-"` // mean of the responses
	FloorP50 time.Duration  `json:"floor_p50_ns"`
	FloorP99 time.Duration  `json:"floor_p99_ns"`
	Refusals map[string]int `json:"-"` // by status and code
}

// Measure puts load on the system and on a server that does nothing in turns. It calls play in each
// round, which returns how long the load took, and sends the record's requests to the other server
// from as many callers.
func (l *Load) Measure(ctx context.Context, cfg LoadConfig, target *System, record *httpload.Record, callers int, play func(context.Context, time.Duration) (time.Duration, error)) error {
	floor, err := httpload.OpenFloor()
	if err != nil {
		return err
	}
	defer floor.Close()
	for round := range cfg.Rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, cfg.Rounds)
		before := record.Requests()
		took, err := play(ctx, cfg.Duration/time.Duration(cfg.Rounds))
		if err != nil {
			return err
		}
		l.Duration += took
		l.Rates = append(l.Rates, float64(record.Requests()-before)/took.Seconds())
		requests, took, err := floor.Run(ctx, record.Samples(), callers, took/4)
		if err != nil {
			return err
		}
		l.FloorRates = append(l.FloorRates, float64(requests)/took.Seconds())
	}
	l.finish(record, floor, target)
	return nil
}

// finish computes what is reported.
func (l *Load) finish(record *httpload.Record, floor *httpload.Floor, target *System) {
	l.Where = "at " + target.URL
	if target.Meter != nil {
		l.Where, l.meter, l.Patterns = "in this process, data in a directory, every commit synced", target.Meter, target.Meter.Report()
	}
	total := record.Requests()
	for _, e := range record.Endpoints() {
		times, nothing := httpload.Sorted(e.Times), floor.Times(e.Name)
		l.Measured = append(l.Measured, Endpoint{
			Name: e.Name, Requests: len(times), Rate: httpload.Median(l.Rates) * float64(len(times)) / float64(total), Bytes: e.MeanSize(), Refusals: e.Refusals,
			P50: httpload.Quantile(times, .50), P95: httpload.Quantile(times, .95), P99: httpload.Quantile(times, .99),
			FloorP50: httpload.Quantile(nothing, .50), FloorP99: httpload.Quantile(nothing, .99),
		})
	}
}

// Table writes the results of a load for a terminal. Each line of an endpoint ends with the cells of the
// command, below its titles.
func (l *Load) Table(b *bytes.Buffer, titles string, cells func(Endpoint) string) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "requests\treq/s\tp50\tp95\tp99\tbytes\tno-op p50\tx no-op\tno-op p99\tx no-op\t"+titles)
	for _, e := range l.Measured {
		fmt.Fprintf(t, "%d\t%.0f\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", e.Requests, e.Rate, httpload.Brief(e.P50), httpload.Brief(e.P95), httpload.Brief(e.P99), e.Bytes,
			httpload.Brief(e.FloorP50), httpload.Ratio(e.P50, e.FloorP50), httpload.Brief(e.FloorP99), httpload.Ratio(e.P99, e.FloorP99), cells(e))
	}
	_ = t.Flush() // writes to memory
	ours, floor := httpload.Median(l.Rates), httpload.Median(l.FloorRates)
	fmt.Fprintf(b, "\nall endpoints: %.0f requests/s, %.0f of a server that does nothing: %.2f of it (medians of %d rounds)\n", ours, floor, ours/floor, len(l.Rates))
	if l.meter == nil {
		b.WriteString("\nThe units of access patterns are not known of a system in another process.\n")
		return
	}
	Patterns(b, l.meter)
}

// Patterns writes what each access pattern took against what the design estimates.
func Patterns(b *bytes.Buffer, meter *access.Meter) {
	b.WriteString("\nAccess patterns: units of one call, as the design estimates them and as they were\n\n")
	_ = meter.Text(b) // writes to memory
}
