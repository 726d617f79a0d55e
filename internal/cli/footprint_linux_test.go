package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const memoryMap = `00400000-00402000 r--p 00000000 fe:00 10184268                           /bin/sortkey
Rss:                   8 kB
Anonymous:             0 kB
VmFlags: rd mr mw me
00402000-00fa4000 r-xp 00002000 fe:00 10184268                           /bin/sortkey
Anonymous:             0 kB
01bf6000-01bf7000 r--p 017f6000 fe:00 10184268                           /bin/sortkey
Anonymous:             4 kB
01bf7000-01c86000 rw-p 017f7000 fe:00 10184268                           /bin/sortkey
Anonymous:             0 kB
c000000000-c000400000 rw-p 00000000 00:00 0
Anonymous:             0 kB
7f0000000000-7f0000001000 r--p 00000000 fe:00 1                          /usr/lib/lib.so
Anonymous:             0 kB
`

func TestOnlyUnmodifiedPagesAreReleased(t *testing.T) {
	got := untouchedParts(strings.NewReader(memoryMap), "/bin/sortkey")
	want := []part{{0x400000, 0x402000}, {0x402000, 0xfa4000}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(part{})); diff != "" {
		t.Error(diff)
	}
	forgetStartup() // must not crash the test
}
