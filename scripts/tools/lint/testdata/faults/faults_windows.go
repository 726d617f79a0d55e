package faults

import "log"

// OnWindows has a fault that only Windows sees.
func OnWindows(s string) {
	log.Printf("%d", s) // want printf
}
