package textfile_test

import (
	"testing"

	"sortkey.dev/apps/exambuddy/exchange/textfile"
)

func TestDecode(t *testing.T) {
	for _, v := range []struct {
		data, text string
		encoding   textfile.Encoding
	}{
		{"a\r\nb\rc\nd", "a\nb\nc\nd", textfile.UTF8},
		{"\xef\xbb\xbfå", "å", textfile.UTF8},
		{"\xff\xfea\x00\xe5\x00", "aå", textfile.UTF16},
		{"\xfe\xff\x00a\x00\xe5", "aå", textfile.UTF16},
		{"\x93sm\xf6r\x94 \x80", "“smör” €", textfile.Windows1252},
		{"a\x00b\u2028c\ufeff\x7f\td", "ab\nc\td", textfile.UTF8},
		{"", "", textfile.UTF8},
	} {
		if text, encoding := textfile.Decode([]byte(v.data)); text != v.text || encoding != v.encoding {
			t.Errorf("%q is %q in %s, want %q in %s", v.data, text, encoding, v.text, v.encoding)
		}
	}
}
