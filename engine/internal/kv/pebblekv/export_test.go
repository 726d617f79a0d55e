package pebblekv

import "github.com/cockroachdb/pebble/v2"

// Tuned returns options whose store passes its Pebble options through tune.
func Tuned(o Options, tune func(*pebble.Options)) *Options {
	o.tune = tune
	return &o
}

// Small makes Pebble flush and compact after a few hundred kilobytes.
func Small(p *pebble.Options) {
	p.MemTableSize = 128 << 10
	p.TargetFileSizes[0] = 64 << 10
	p.LBaseMaxBytes = 256 << 10
}
