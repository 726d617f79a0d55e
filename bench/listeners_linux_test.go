package main

import (
	"net"
	"os"
	"slices"
	"testing"
	"time"
)

func TestListenersAreFound(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	endpoint := "http://" + listener.Addr().String()
	if got := listeners(endpoint); !slices.Equal(got, []int{os.Getpid()}) {
		t.Errorf("processes %v listen on %s, want this one, %d", got, endpoint, os.Getpid())
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	for _, endpoint := range []string{endpoint, "http://127.0.0.1", "://", "http://127.0.0.1:99999"} {
		if got := listeners(endpoint); len(got) != 0 {
			t.Errorf("processes %v listen on %s, want none", got, endpoint)
		}
	}
}

func TestListeningSocketsOfATable(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 100 0 0 10 0
   1: 0100007F:1F40 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0 20 4 30 10 -1
   2: 0100007F:1F41 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4713 1 0 100 0 0 10 0
`
	if got, want := listeningSockets(table, 8000), []string{"socket:[4711]"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestProcessTimeGrowsWithWork compares the two ways to read the time of a
// process: one of another process, one of this.
func TestProcessTimeGrowsWithWork(t *testing.T) {
	before, ok := ownTime()
	if !ok {
		t.Fatal("the time of this process is unknown")
	}
	for now := before; now < before+20*time.Millisecond; now, _ = ownTime() {
	}
	got, ok := processTime(os.Getpid())
	if after, _ := ownTime(); !ok || got < before+20*time.Millisecond-time.Millisecond || got > after+time.Millisecond {
		t.Errorf("process time %v (%t), want it between %v and %v", got, ok, before, after)
	}
	if _, ok := processTime(1 << 22); ok {
		t.Error("a process that cannot exist has a processor time")
	}
}
