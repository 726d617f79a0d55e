package main

import (
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// processTime reads the processor time of a process, in user and kernel mode.
func processTime(pid int) (time.Duration, bool) {
	// The number of the clock of a process, as clock_getcpuclockid(3) makes it.
	const exact = 2 // as the scheduler counts, instead of in ticks
	clock := int32(^pid<<3 | exact)
	var now syscall.Timespec
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&now)), 0)
	return time.Duration(now.Nano()), errno == 0
}

// ownTime returns the processor time of this process, to the microsecond.
func ownTime() (time.Duration, bool) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}

// processMemory reads the memory of a process.
func processMemory(pid int) processPages {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return processPages{}
	}
	var total, resident, shared int64
	if _, err := fmt.Sscan(string(statm), &total, &resident, &shared); err != nil {
		return processPages{}
	}
	page := int64(os.Getpagesize())
	return processPages{resident: resident * page, private: (resident - shared) * page}
}

// inMemory reports whether a directory is on a file system without a disk.
func inMemory(dir string) bool {
	const tmpfs, ramfs = 0x01021994, 0x858458f6
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return false
	}
	return uint32(fs.Type) == tmpfs || uint32(fs.Type) == ramfs
}
