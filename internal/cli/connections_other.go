//go:build !unix

package cli

// mostConnections returns the maximum number of connections of this process.
func mostConnections() int { return manyConnections }
