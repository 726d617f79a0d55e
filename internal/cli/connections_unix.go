//go:build unix

package cli

import "syscall"

// mostConnections returns how many connections this process can have.
func mostConnections() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return connectionsWith(1024) // what most systems give
	}
	return connectionsWith(uint64(limit.Cur))
}
