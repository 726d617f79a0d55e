package httpserver

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

const (
	// manyConnections is the maximum number of connections of a server, whatever the system
	// allows.
	manyConnections = 10_000
	// ownFiles is the number of files that a process needs for itself: its database keeps up to 1000
	// open.
	ownFiles = 1200
)

// connectionsWith returns the maximum number of connections of a server whose process may open
// a number of files. A database that cannot open a file accepts no more writes, so clients must not
// use up all files.
func connectionsWith(files uint64) int {
	if files > manyConnections+ownFiles {
		return manyConnections
	}
	return max(int(files)-ownFiles, int(files)/2, 1)
}

// connections limits the number of connections of a server. When there are too many, it closes
// the one that has been idle longest; if all of them are busy, the new one.
type connections struct {
	most int

	mu      sync.Mutex
	open    map[net.Conn]*list.Element // in waiting; nil if it is busy
	waiting *list.List                 // of net.Conn, longest idle first
}

func newConnections(most int) *connections {
	return &connections{most: most, open: make(map[net.Conn]*list.Element), waiting: list.New()}
}

// note is a ConnState callback of an http.Server.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	place, known := c.open[conn]
	if !known && state != http.StateNew { // it was closed here
		return
	}
	if place != nil {
		c.waiting.Remove(place)
	}
	switch state {
	case http.StateNew:
		if len(c.open) >= c.most && !c.closeOne() {
			conn.Close()
			return
		}
		c.open[conn] = c.waiting.PushBack(conn)
	case http.StateIdle:
		c.open[conn] = c.waiting.PushBack(conn)
	case http.StateActive:
		c.open[conn] = nil
	default: // closed or hijacked
		delete(c.open, conn)
	}
}

// closeWaiting closes connections without a request, such as speculative ones of browsers.
func (c *connections) closeWaiting() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.closeOne() {
	}
}

// closeOne closes the connection that has been idle longest. It reports whether there was one.
func (c *connections) closeOne() bool {
	longest := c.waiting.Front()
	if longest == nil {
		return false
	}
	conn, _ := c.waiting.Remove(longest).(net.Conn)
	delete(c.open, conn)
	conn.Close()
	return true
}
