package main

import (
	"slices"
	"time"
)

// A target is a ratio that has to be reached. Ratios are of operations a second
// inside one row, so they hold on slow and on fast machines.
type target struct {
	section   string
	workloads []string // none: all
	callers   []int    // none: all
	system    string   // none: all
	against   string   // a system's name, or anyPeer
	atLeast   float64

	fewerAllocs float64 // the other must need this many times as many allocations; 0: no matter
}

// anyPeer stands for every system given by --peer.
const anyPeer = "*"

// targets lists the performance targets of the engine. Those against peers were set with an
// engine in mind that syncs every commit to a disk.
var targets = []target{
	{section: sectionProcess, workloads: []string{"get"}, callers: []int{1, 16}, system: "JSON", against: "raw Pebble", atLeast: 0.50},
	{section: sectionProcess, workloads: []string{"query"}, callers: []int{1, 16}, system: "JSON", against: "raw Pebble", atLeast: 0.35},
	{section: sectionProcess, workloads: []string{"put-nosync"}, callers: []int{1, 16}, system: "JSON", against: "raw Pebble", atLeast: 0.25},
	{section: sectionProcess, workloads: []string{"put-fsync"}, callers: []int{1, 16}, system: "JSON", against: "raw Pebble", atLeast: 0.85},
	{section: sectionProcess, workloads: []string{"put-fsync-1gsi"}, callers: []int{1, 16}, system: "JSON", against: "raw Pebble", atLeast: 0.60},

	{section: sectionLatency, workloads: []string{"get"}, system: "API", against: "SDK over TCP", atLeast: 10},
	{section: sectionLatency, system: "Client", against: "SDK over TCP", atLeast: 4},

	{section: sectionHTTP, workloads: []string{"get"}, callers: []int{16, 64}, system: "sortkey", against: noopName, atLeast: 0.65},
	{section: sectionHTTP, workloads: []string{"put-nosync"}, callers: []int{16, 64}, system: "sortkey", against: noopName, atLeast: 0.60},
	{section: sectionHTTP, workloads: []string{"put-fsync"}, callers: []int{16, 64}, system: "sortkey", against: noopName, atLeast: 0.35},
	{section: sectionHTTP, workloads: []string{"put-fsync-1gsi"}, callers: []int{16, 64}, system: "sortkey", against: noopName, atLeast: 0.22},

	{section: sectionHTTP, callers: []int{1}, system: "sortkey", against: anyPeer, atLeast: 1},
	{section: sectionHTTP, workloads: []string{"put-fsync"}, callers: []int{16}, system: "sortkey", against: anyPeer, atLeast: 2.5},
	{section: sectionHTTP, workloads: []string{"update-fsync"}, callers: []int{16}, system: "sortkey", against: anyPeer, atLeast: 3},
	{section: sectionHTTP, workloads: []string{"query"}, callers: []int{16}, system: "sortkey", against: anyPeer, atLeast: 3},
	{section: sectionHTTP, workloads: []string{"transact-fsync"}, callers: []int{16}, system: "sortkey", against: anyPeer, atLeast: 3},
	{section: sectionHTTP, workloads: []string{"put-fsync-2gsi-stream"}, callers: []int{16}, system: "sortkey", against: anyPeer, atLeast: 8},

	{section: sectionMarshal, system: generatedSystem, against: reflectSystem, atLeast: 3, fewerAllocs: 3},
	{section: sectionCalls, system: generatedSystem, against: handSystem, atLeast: 0.95}, // what one cannot measure
	{section: sectionCalls, system: generatedSystem, against: gureguSystem, atLeast: 1},

	{section: sectionFlat, workloads: []string{"get", "query", "put", "update", "transact"}, against: sizeName(10_000), atLeast: 1 / flatCost},
}

// cpuTargets bounds the ratio of processor time per operation to the no-op server's: ours may
// take for an operation, with cpuCallers.
var cpuTargets = map[string]float64{"put-fsync": 2.4, "update-fsync": 2.9, "transact-puts-fsync": 4}

const cpuCallers = 16

// cpuTargetFor returns the target for the processor time of a row's system; 0 if there is
// none.
func cpuTargetFor(section, workload string, callers int, system, against string) float64 {
	if section != sectionHTTP || callers != cpuCallers || system != ownServer || against != noopName {
		return 0
	}
	return cpuTargets[workload]
}

// Targets that are not ratios inside one row.
const (
	flatCost     = 2.0                   // times the cost on the smallest table, at most
	scalingAbove = 1.0                   // times the throughput of one caller, with scalingCallers
	startBelow   = 30 * time.Millisecond // to the first answer
	idleBelow    = 25_000_000            // bytes of resident memory
	loadedBelow  = 120_000_000           // the same after load from cpuCallers
	privateBelow = 100_000_000           // bytes of private memory after a load
)

// targetFor returns the target of a row's system; an empty one if there is none.
func targetFor(section, workload string, callers int, system, against string, isPeer bool) target {
	for _, t := range targets {
		if t.section == section && (t.system == "" || t.system == system) &&
			(t.against == against || t.against == anyPeer && isPeer) &&
			(len(t.workloads) == 0 || slices.Contains(t.workloads, workload)) &&
			(len(t.callers) == 0 || slices.Contains(t.callers, callers)) {
			return t
		}
	}
	return target{}
}
