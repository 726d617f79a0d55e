package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// listeners returns the processes that listen on the port of an URL, if that is a port
// of this machine and the system shows which process owns it.
func listeners(endpoint string) []int {
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		return nil
	}
	var sockets []string
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err == nil {
			sockets = append(sockets, listeningSockets(string(text), uint16(port))...)
		}
	}
	return holders(sockets)
}

// listeningSockets returns the sockets that listen on a port, as the links of file
// descriptors name them, in a table of the kernel.
func listeningSockets(table string, port uint16) (sockets []string) {
	const address, state, inode = 1, 3, 9
	const listening = "0A"
	suffix := fmt.Sprintf(":%04X", port)
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) > inode && fields[state] == listening && strings.HasSuffix(fields[address], suffix) {
			sockets = append(sockets, "socket:["+fields[inode]+"]")
		}
	}
	return sockets
}

// holders returns the processes that have one of the sockets open.
func holders(sockets []string) (pids []int) {
	if len(sockets) == 0 {
		return nil
	}
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*") // fails for a bad pattern only
	for _, link := range links {
		target, err := os.Readlink(link)
		if err != nil || !slices.Contains(sockets, target) {
			continue
		}
		pid, err := strconv.Atoi(strings.Split(link, "/")[2])
		if err == nil && !slices.Contains(pids, pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}
