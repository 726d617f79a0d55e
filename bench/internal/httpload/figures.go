package httpload

import (
	"bytes"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"runtime"
	"slices"
	"time"
)

// CheckLocal returns an error for the URL of a target that is not on this machine. An empty URL is
// right: the bench starts the system itself.
func CheckLocal(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil {
		return fmt.Errorf("--url: %w", err)
	}
	if address, err := netip.ParseAddr(u.Hostname()); u.Scheme != "http" || err != nil || !address.IsLoopback() {
		return fmt.Errorf("--url wants a system on this machine, such as http://127.0.0.1:8080, got %q", text)
	}
	return nil
}

// Sorted returns a sorted copy of times.
func Sorted(times []time.Duration) []time.Duration { return slices.Sorted(slices.Values(times)) }

// Quantile returns the time that the share q of sorted times does not exceed; 0 if there are none.
func Quantile(times []time.Duration, q float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	return times[min(int(q*float64(len(times))), len(times)-1)]
}

// Median returns the middle of values, or the mean of the two in the middle; 0 if there are none.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// Ratio returns a as a multiple of b; "" if b is unknown.
func Ratio(a, b time.Duration) string {
	if b == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", float64(a)/float64(b))
}

// Brief returns a time with three digits; "" for 0, which means unknown.
func Brief(d time.Duration) string {
	switch us := float64(d) / 1e3; {
	case d == 0:
		return ""
	case us < 1000:
		return fmt.Sprintf("%.0f us", us)
	case us < 10_000:
		return fmt.Sprintf("%.2f ms", us/1e3)
	case us < 100_000:
		return fmt.Sprintf("%.1f ms", us/1e3)
	default:
		return fmt.Sprintf("%.0f ms", us/1e3)
	}
}

// Machine describes this machine.
func Machine() string {
	return fmt.Sprintf("%s/%s, %d CPUs, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}

// LoadAverage returns how many processes wanted to run in the last minute.
func LoadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := bytes.Cut(text, []byte(" "))
	return string(one)
}
