//go:build unix

package httpserver

import "syscall"

// mostConnections returns the maximum number of connections of this process.
func mostConnections() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return connectionsWith(1024) // the limit of most systems
	}
	return connectionsWith(uint64(limit.Cur))
}
