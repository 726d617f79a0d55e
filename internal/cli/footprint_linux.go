package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"unsafe"
)

// forgetStartup releases the pages of the program file that were only needed at
// startup. The kernel reads ahead around every page that is accessed, so that after
// startup nearly all of a program counts as used memory. Pages that are needed again come
// from the page cache. A failure is harmless.
func forgetStartup() {
	program, err := os.Executable()
	if err != nil {
		return
	}
	memory, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer memory.Close()
	for _, part := range untouchedParts(memory, program) {
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(nil, part.first)), part.last-part.first), syscall.MADV_DONTNEED)
	}
}

// A part of the memory, from its first byte up to but not including its last.
type part struct{ first, last uintptr }

// untouchedParts lists the parts of the memory that are identical to the
// program file and read-only. A part that was changed before it was
// protected, as a linker does, has its own memory and must stay.
func untouchedParts(memory io.Reader, program string) (parts []part) {
	var at part
	candidate := false
	for lines := bufio.NewScanner(memory); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) == 6 && !strings.HasSuffix(fields[0], ":"):
			n, err := fmt.Sscanf(fields[0], "%x-%x", &at.first, &at.last)
			candidate = n == 2 && err == nil && fields[5] == program && !strings.Contains(fields[1], "w")
		case len(fields) == 5 && strings.Contains(fields[0], "-"): // anonymous memory
			candidate = false
		case candidate && len(fields) == 3 && fields[0] == "Anonymous:" && fields[1] == "0":
			parts = append(parts, at)
		}
	}
	return parts
}
