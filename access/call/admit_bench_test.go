package call_test

import (
	"context"
	"testing"

	"sortkey.dev/access"
)

// BenchmarkAdmit measures what a lease adds to every attempt.
func BenchmarkAdmit(b *testing.B) {
	db := openShop(b)
	makeState(b, db.API())
	c := access.NewClient(db.API(), shopDesign())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Admit(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
