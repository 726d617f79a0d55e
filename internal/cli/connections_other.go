//go:build !unix

package cli

// mostConnections returns how many connections this process can have.
func mostConnections() int { return manyConnections }
