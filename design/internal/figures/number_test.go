package figures

import (
	"testing"

	"sortkey.dev/design/internal/exact"
)

func TestMoney(t *testing.T) {
	for amount, want := range map[string]string{
		"0":       "$0",
		"0.00001": "<$0.0001",
		"0.0001":  "$0.0001",
		"0.05":    "$0.05",
		"0.12345": "$0.1235",
		"0.5":     "$0.50",
		"1":       "$1.00",
		"1.749":   "$1.75",
		"1234567": "$1,234,567.00",
		"-2.5":    "-$2.50",
	} {
		if got := Money(exact.MustParse(amount)); got != want {
			t.Errorf("%s is written %s, want %s", amount, got, want)
		}
	}
}

func TestQuantity(t *testing.T) {
	for n, want := range map[string]string{
		"0":        "0",
		"12":       "12",
		"1234":     "1,234",
		"0.5":      "0.5",
		"2.3456":   "2.346",
		"304.1667": "304.2",
		"1234.5":   "1,235",
		"0.00025":  "0.00025",
	} {
		if got := Quantity(exact.MustParse(n)); got != want {
			t.Errorf("%s is written %s, want %s", n, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for n, want := range map[string]string{"0": "0 %", "0.289": "28.9 %", "0.25": "25 %", "1": "100 %", "12.5": "1,250 %"} {
		if got := Percent(exact.MustParse(n)); got != want {
			t.Errorf("%s is written %s, want %s", n, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1 KB", 1536: "1.5 KB", 3 << 20: "3 MB", 5 << 30: "5 GB", 2 << 40: "2 TB"} {
		if got := Bytes(exact.Int(n)); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
}
