//go:build !unix

package cli

// mostConnections is how many connections this process can have.
func mostConnections() int { return manyConnections }
