package wire

import (
	"encoding/base64"
	"slices"
	"strconv"
)

// strictBase64 requires the bits after the last byte to be zero, so that bytes
// have only one text.
var strictBase64 = base64.StdEncoding.Strict()

// binary decodes a string in base64, valid until the next one is decoded.
func (s *scanner) binary() []byte {
	if s.next() != '"' {
		s.mismatch(blobType)
		return nil
	}
	text := s.quoted()
	if len(text)%4 != 0 {
		s.fail(serialization("Base64 encoded length is expected a multiple of 4 bytes but found: " + strconv.Itoa(len(text))))
		return nil
	}
	s.blob = slices.Grow(s.blob[:0], len(text)/4*3)
	n, err := strictBase64.Decode(s.blob[:cap(s.blob)], text)
	// The decoder skips line breaks, which the service does not.
	if err != nil || base64.StdEncoding.EncodedLen(n) != len(text) {
		s.fail(serialization("Invalid last non-pad Base64 character dectected"))
		return nil
	}
	return s.blob[:n]
}
