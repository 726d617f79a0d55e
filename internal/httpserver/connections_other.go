//go:build !unix

package httpserver

// mostConnections returns the maximum number of connections of this process.
func mostConnections() int { return manyConnections }
