package cli

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
	"unsafe"
)

// forgetStartup lets go of the parts of the program file that were only needed
// to start. The system reads a file around every page that is touched, so that
// after a start nearly all of a program counts as used memory. What is needed
// again comes back from the system's own cache. A failure does no harm.
func forgetStartup() {
	program, err := os.Executable()
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		if first, size, ok := readOnlyPart(lines.Text(), program); ok {
			// Pages of a file that were never written to can be dropped at any time.
			_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(nil, first)), size), syscall.MADV_DONTNEED)
		}
	}
}

// readOnlyPart tells where a line of the memory map has a part of the program
// that cannot be written to.
func readOnlyPart(line, program string) (first, size uintptr, ok bool) {
	fields := strings.Fields(line)
	if len(fields) != 6 || fields[5] != program || strings.Contains(fields[1], "w") {
		return 0, 0, false
	}
	var last uintptr
	if n, err := fmt.Sscanf(fields[0], "%x-%x", &first, &last); n != 2 || err != nil {
		return 0, 0, false
	}
	return first, last - first, true
}
