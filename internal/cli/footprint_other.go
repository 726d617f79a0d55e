//go:build !linux

package cli

// forgetStartup does nothing here.
func forgetStartup() {}
