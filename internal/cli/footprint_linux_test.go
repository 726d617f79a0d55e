package cli

import "testing"

func TestOnlyTheProgramItselfIsForgotten(t *testing.T) {
	for line, want := range map[string]bool{
		"00400000-00402000 r--p 00000000 fe:00 10184268                           /bin/sortkey":    true,
		"00402000-00fa4000 r-xp 00002000 fe:00 10184268                           /bin/sortkey":    true,
		"01bf7000-01c86000 rw-p 017f7000 fe:00 10184268                           /bin/sortkey":    false,
		"7f0000000000-7f0000001000 r--p 00000000 fe:00 1                          /usr/lib/lib.so": false,
		"c000000000-c000400000 rw-p 00000000 00:00 0":                                              false,
		"zz-zz r--p 00000000 fe:00 10184268 /bin/sortkey":                                          false,
	} {
		first, size, ok := readOnlyPart(line, "/bin/sortkey")
		if ok != want || ok && (first == 0 || size == 0) {
			t.Errorf("%s: %x, %x, %v", line, first, size, ok)
		}
	}
	forgetStartup() // the test goes on
}
