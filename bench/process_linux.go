package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// clockTick is the unit of /proc/PID/stat, 100 a second on every Linux that Go runs on.
const clockTick = 10 * time.Millisecond

// processTime reads the processor time of a process, in user and kernel mode.
func processTime(pid int) (time.Duration, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The program's name, in brackets, may hold spaces; the fields count from there.
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	fields := bytes.Fields(rest)
	const user, system = 11, 12
	if len(fields) <= system {
		return 0, false
	}
	var ticks int64
	for _, field := range fields[user : system+1] {
		n, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return 0, false
		}
		ticks += n
	}
	return time.Duration(ticks) * clockTick, true
}

// ownTime is the processor time of this process, to the microsecond.
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

// loadAverage is how many processes wanted to run in the last minute.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := bytes.Cut(text, []byte(" "))
	return string(one)
}
