package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
)

// announce prints that the server is ready, its address and the location of its data.
func announce(w io.Writer, cfg serveConfig, addr net.Addr) error {
	url := "http://" + reachable(addr)
	if cfg.asJSON {
		return json.NewEncoder(w).Encode(struct {
			Event string `json:"event"`
			Addr  string `json:"addr"`
			URL   string `json:"url"`
			Data  string `json:"data,omitempty"` // empty: in memory
		}{"listening", addr.String(), url, cfg.data})
	}
	paint := painter(w)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n", paint(bold, "sortkey is ready at"), paint(cyan, url))
	line := func(label, text string) { fmt.Fprintf(&b, "  %s %s\n", paint(dim, fmt.Sprintf("%-5s", label)), text) }
	switch {
	case cfg.data == "":
		line("data", "in memory, lost when this process ends; use --data DIR to keep it")
	case cfg.sync.value == "relaxed":
		line("data", cfg.data+" (relaxed: a crash can take the last writes)")
	case cfg.namespaces > 0:
		line("data", fmt.Sprintf("%s, for up to %d pairs of access key and region", cfg.data, cfg.namespaces))
	default:
		line("data", cfg.data)
	}
	line("try", fmt.Sprintf("aws dynamodb list-tables --endpoint-url %s --region %s --no-sign-request",
		url, cmp.Or(cfg.region, "us-east-1")))
	line("stop", "Ctrl+C")
	if !local(addr) {
		line("note", paint(yellow, "other machines can reach "+addr.String()+", and requests are not authenticated"))
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// reachable returns an address that a client on this machine can dial: a server on every
// interface reports an address that only a listener can use.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return fmt.Sprintf("127.0.0.1:%d", tcp.Port)
}

// local reports whether only this machine can reach addr.
func local(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// The terminal codes of the banner's colours.
const (
	bold   = "1"
	dim    = "2"
	yellow = "33"
	cyan   = "36"
)

// painter returns a function that colours text, or does nothing if w is not a
// terminal or the user disabled colours (https://no-color.org).
func painter(w io.Writer) func(colour, text string) string {
	if !isTerminal(w) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return func(_, text string) string { return text }
	}
	return func(colour, text string) string { return "\x1b[" + colour + "m" + text + "\x1b[0m" }
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
