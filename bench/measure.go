package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/pprof"
	"slices"
	"sync"
	"time"
)

// A system is something that can do a workload: a door of the engine, a floor, a
// peer.
type system interface {
	// name is short and the same in all rows.
	name() string

	// caller makes one caller of the workload. Different seeds make callers that
	// ask for different items.
	caller(w workload, seed uint64) (caller, error)
}

// A caller does a workload, one request after the other. It is used by one
// goroutine at a time.
type caller interface {
	// do makes one request and returns when it is answered. With check it also
	// looks whether the answer is right.
	do(check bool) error
	close() error
}

// A bulkCaller does several units of work with one request, such as reading the
// records of a page. Rates are of units, latencies of requests.
type bulkCaller interface {
	caller
	units() int // of the last request
}

// A retrier is a caller that repeats requests which were refused for a reason
// that goes away. A request counts once, however often it was repeated.
type retrier interface {
	retried() int // since the caller was made
}

// A cpuMeter is a system whose use of the processor can be read.
type cpuMeter interface {
	cpuTime(w workload) (time.Duration, bool)
}

// inThisProcess is the cpuMeter of systems that run in this process. As systems
// take turns, what the process uses in a slice is used by one of them, garbage
// collection and compactions included.
type inThisProcess struct{}

func (inThisProcess) cpuTime(workload) (time.Duration, bool) { return ownTime() }

// A memoryMeter is a system whose memory is that of a process of its own.
type memoryMeter interface {
	memory(w workload) processPages
}

// An allocMeter is a system whose allocations can be counted.
type allocMeter interface {
	allocated() (objects, bytes uint64) // since the program began
}

// allocated stops the program for a moment, so it is only called between slices.
func (inThisProcess) allocated() (objects, bytes uint64) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs, m.TotalAlloc
}

// checkEvery is the interval of calls whose response is checked while measuring.
const checkEvery = 64

// A series holds the measurements of one system in one row.
type series struct {
	system  string
	rates   []float64 // operations a second, one for each round
	lat     histogram
	ops     int
	retries int
	cpu     time.Duration // of the process the system runs in; 0 if unknown
	cpus    []float64     // the same for an operation in each round, in nanoseconds
	lastCPU time.Duration // the time of the process at the end of the last slice
	memory  processPages  // after the last slice
	objects uint64        // allocated, with those of the caller; 0 if unknown
	bytes   uint64
}

// A schedule says how long to measure.
type schedule struct {
	rounds int
	slice  time.Duration
}

// measure lets the systems do the workload in turns, with as many callers as
// asked: one short slice each, in every round, in the opposite order every other
// round. What disturbs the machine for longer than a slice then disturbs all.
func measure(ctx context.Context, w workload, callers int, systems []system, s schedule) (results []*series, err error) {
	teams := make([][]caller, len(systems))
	defer func() {
		for _, team := range teams {
			for _, c := range team {
				err = errors.Join(err, c.close())
			}
		}
	}()
	for i, sys := range systems {
		results = append(results, &series{system: sys.name()})
		for n := range callers {
			c, err := sys.caller(w, uint64(n)+1)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", sys.name(), err)
			}
			teams[i] = append(teams[i], c)
		}
		if err := warmUp(teams[i], s.slice/4); err != nil {
			return nil, fmt.Errorf("%s: %w", sys.name(), err)
		}
	}
	order := make([]int, len(systems))
	for i := range order {
		order[i] = i
	}
	for range s.rounds {
		for _, i := range order {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := results[i].measureSlice(ctx, w, systems[i], teams[i], s.slice); err != nil {
				return nil, fmt.Errorf("%s: %w", systems[i].name(), err)
			}
		}
		slices.Reverse(order)
	}
	return results, nil
}

// measureSlice adds one slice to the series.
func (r *series) measureSlice(ctx context.Context, w workload, sys system, team []caller, length time.Duration) error {
	defer r.countAllocations(sys)()
	meter, _ := sys.(cpuMeter)
	before, metered := r.cpuBefore(sys, w)
	var result sliceResult
	var err error
	retries := retriesOf(team)
	// The labels tell rows and systems apart in a profile of the run.
	pprof.Do(ctx, pprof.Labels("workload", w.id, "system", sys.name()), func(context.Context) {
		result, err = runSlice(team, length)
	})
	if err != nil {
		return err
	}
	if metered {
		if after, ok := meter.cpuTime(w); ok {
			r.cpu, r.lastCPU = r.cpu+after-before, after
			r.cpus = append(r.cpus, float64(after-before)/float64(result.ops))
		}
	}
	if meter, ok := sys.(memoryMeter); ok {
		r.memory = meter.memory(w)
	}
	r.retries += retriesOf(team) - retries
	r.ops += result.ops
	r.rates = append(r.rates, float64(result.ops)/result.elapsed.Seconds())
	r.lat.merge(&result.lat)
	return nil
}

// cpuBefore returns the processor time from which a slice counts. A process of its own
// works for its system only, so what it does in the background after a slice counts
// with the next one.
func (r *series) cpuBefore(sys system, w workload) (before time.Duration, known bool) {
	if _, own := sys.(memoryMeter); own && len(r.cpus) > 0 {
		return r.lastCPU, true
	}
	meter, ok := sys.(cpuMeter)
	if !ok {
		return 0, false
	}
	return meter.cpuTime(w)
}

// countAllocations counts what a system allocates until the function it returns is
// called.
func (r *series) countAllocations(sys system) (stop func()) {
	meter, ok := sys.(allocMeter)
	if !ok {
		return func() {}
	}
	objects, bytes := meter.allocated()
	return func() {
		objectsAfter, bytesAfter := meter.allocated()
		r.objects += objectsAfter - objects
		r.bytes += bytesAfter - bytes
	}
}

// retriesOf returns how many requests a team has repeated.
func retriesOf(team []caller) (n int) {
	for _, c := range team {
		if c, ok := c.(retrier); ok {
			n += c.retried()
		}
	}
	return n
}

// cpuPerOp returns the processor time for one operation.
func (r *series) cpuPerOp() time.Duration {
	if r.ops == 0 {
		return 0
	}
	return r.cpu / time.Duration(r.ops)
}

// perOp returns a number of all operations divided among them.
func (r *series) perOp(total uint64) float64 {
	if r.ops == 0 {
		return 0
	}
	return float64(total) / float64(r.ops)
}

// warmUp fills caches and checks every answer.
func warmUp(team []caller, length time.Duration) error {
	if err := team[0].do(true); err != nil {
		return err
	}
	_, err := runSlice(team, length)
	return err
}

// sliceResult holds the combined measurements of all callers in a slice.
type sliceResult struct {
	ops     int
	elapsed time.Duration
	lat     histogram
}

// runSlice lets all callers work for the given time and until their last request
// is answered.
func runSlice(team []caller, length time.Duration) (sliceResult, error) {
	var (
		all  sliceResult
		errs error
		mu   sync.Mutex
		wg   sync.WaitGroup
	)
	begin := time.Now()
	for _, c := range team {
		wg.Go(func() {
			one, err := runCaller(c, begin, length)
			mu.Lock()
			defer mu.Unlock()
			all.ops += one.ops
			all.elapsed = max(all.elapsed, one.elapsed)
			all.lat.merge(&one.lat)
			errs = errors.Join(errs, err)
		})
	}
	wg.Wait()
	return all, errs
}

// runCaller reads the clock once for each request: the end of one is the
// beginning of the next. A caller that gets its turn late still does one, because
// a slice without work has no rate.
func runCaller(c caller, begin time.Time, length time.Duration) (*sliceResult, error) {
	r := new(sliceResult)
	bulk, _ := c.(bulkCaller)
	last := time.Since(begin)
	for requests := 0; requests == 0 || last < length; requests++ {
		if err := c.do(requests%checkEvery == 0); err != nil {
			return r, err
		}
		now := time.Since(begin)
		r.lat.add(now - last)
		last = now
		if bulk != nil {
			r.ops += bulk.units()
		} else {
			r.ops++
		}
	}
	r.elapsed = last
	return r, nil
}
