package engine

import "testing"

// TestDefaultCache checks the size that the comment of Options.CacheBytes and serve --cache promise.
func TestDefaultCache(t *testing.T) {
	for _, o := range []*Options{nil, {}} {
		if got := o.withDefaults().CacheBytes; got != 32<<20 {
			t.Errorf("the default of CacheBytes is %d MiB, want 32", got>>20)
		}
	}
}
