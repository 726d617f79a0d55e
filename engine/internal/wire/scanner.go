package wire

import (
	"sortkey.dev/engine/internal/dynamo"
)

// A scanner decodes one JSON text in one pass. Each method decodes what its name
// says and moves past it; null means "not sent" and gives
// the zero result. The first error stays in err and moves the scanner to the
// end of the text, so that every loop over members or elements ends by itself
// and the caller checks err once, after the last call.
//
// Objects and arrays are walked with
//
//	for name, more := s.firstMember(t); more; name, more = s.nextMember() { … }
//	for more := s.firstElement(t); more; more = s.nextElement() { … }
//
// where each iteration decodes exactly one value.
type scanner struct {
	src   []byte
	pos   int
	depth int
	err   error

	fault    error   // the first fault of the item or values being read
	repeated bool    // a name came twice in the item being read
	unquoted []byte  // the last string that had escapes
	blob     []byte  // the last binary value
	table    *string // the last table name, of this text or of one before it

	encoder dynamo.Encoder
	spare   dynamo.Encoder // takes what a value with two types says after the first
}

// maxDepth limits the nesting of JSON, so that a hostile text cannot make the
// scanner recurse without end. Items can be 32 levels deep, which is about
// 70 levels of JSON.
const maxDepth = 10_000

// maxEncoderRest is the size of body above which the rest of the encoder's
// buffer is not used for the next request: an item encoded in it would keep
// the whole of a large buffer in memory.
const maxEncoderRest = 64 << 10

// sharedBuffer is the size of the buffer that holds the items of several small requests.
const sharedBuffer = 4 << 10

// reserve makes room for the items of the text. Encoded they are rarely larger than as JSON.
func (s *scanner) reserve() { s.encoder.GrowShared(len(s.src), sharedBuffer) }

// start begins a new text.
func (s *scanner) start(src []byte) {
	s.src, s.pos, s.depth, s.err = src, 0, 0, nil
}

// release drops all references to the last text.
func (s *scanner) release() {
	if len(s.src) > maxEncoderRest {
		s.encoder = dynamo.Encoder{}
	}
	s.encoder.Reset()
	s.spare = dynamo.Encoder{}
	s.src, s.err, s.fault = nil, nil, nil
	s.unquoted, s.blob = kept(s.unquoted), kept(s.blob)
}

// finish checks that nothing follows the decoded value, and returns
// the first error.
func (s *scanner) finish() error {
	if s.err == nil {
		s.next()
		if s.pos < len(s.src) {
			s.fail(errNotJSON)
		}
	}
	return s.err
}

// fail records the first error and ends the scan.
func (s *scanner) fail(err error) {
	if s.err == nil {
		s.err = err
	}
	s.pos = len(s.src)
}

// next skips white space and returns the byte that follows, 0 at the end.
func (s *scanner) next() byte {
	if s.pos < len(s.src) && s.src[s.pos] > ' ' {
		return s.src[s.pos]
	}
	return s.nextAfterSpace()
}

func (s *scanner) nextAfterSpace() byte {
	for ; s.pos < len(s.src); s.pos++ {
		switch c := s.src[s.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// null decodes a null if one follows.
func (s *scanner) null() bool {
	if s.next() != 'n' {
		return false
	}
	s.word("null")
	return true
}

// word decodes one of the three names of JSON.
func (s *scanner) word(w string) {
	if end := s.pos + len(w); end <= len(s.src) && string(s.src[s.pos:end]) == w {
		s.pos = end
		return
	}
	s.fail(errNotJSON)
}

// firstMember opens an object and decodes the name of its first member. The name
// is valid until the next string is decoded.
func (s *scanner) firstMember(t *javaType) (name []byte, more bool) {
	if s.next() != '{' {
		s.mismatch(t)
		return nil, false
	}
	s.descend()
	if s.next() == '}' {
		s.ascend()
		return nil, false
	}
	return s.memberName()
}

// nextMember decodes the name of the next member, or closes the object.
func (s *scanner) nextMember() (name []byte, more bool) {
	switch s.next() {
	case ',':
		s.pos++
		return s.memberName()
	case '}':
		s.ascend()
		return nil, false
	}
	s.fail(errNotJSON)
	return nil, false
}

func (s *scanner) memberName() (name []byte, more bool) {
	if s.next() != '"' {
		s.fail(errNotJSON)
		return nil, false
	}
	name = s.quoted()
	if s.next() != ':' {
		s.fail(errNotJSON)
		return nil, false
	}
	s.pos++
	return name, true
}

// firstElement opens an array and reports whether it has an element.
func (s *scanner) firstElement(t *javaType) (more bool) {
	if s.next() != '[' {
		s.mismatch(t)
		return false
	}
	s.descend()
	if s.next() == ']' {
		s.ascend()
		return false
	}
	return s.err == nil
}

// nextElement moves to the next element, or closes the array.
func (s *scanner) nextElement() (more bool) {
	switch s.next() {
	case ',':
		s.pos++
		return true
	case ']':
		s.ascend()
		return false
	}
	s.fail(errNotJSON)
	return false
}

func (s *scanner) descend() {
	s.pos++
	if s.depth++; s.depth > maxDepth {
		s.fail(serialization("JSON is nested too deeply"))
	}
}

func (s *scanner) ascend() {
	s.pos++
	s.depth--
}

// skip skips any value.
func (s *scanner) skip() {
	switch c := s.next(); c {
	case '{':
		for _, more := s.firstMember(nil); more; _, more = s.nextMember() {
			s.skip()
		}
	case '[':
		for more := s.firstElement(nil); more; more = s.nextElement() {
			s.skip()
		}
	case '"':
		s.quoted()
	case 't':
		s.word("true")
	case 'f':
		s.word("false")
	case 'n':
		s.word("null")
	default:
		s.number()
	}
}

// number decodes a number and reports whether it is written as an integer.
func (s *scanner) number() (text []byte, integer bool) {
	start := s.pos
	if s.at('-') {
		s.pos++
	}
	if s.at('0') {
		s.pos++
	} else {
		s.digits()
	}
	integer = true
	if s.at('.') {
		integer = false
		s.pos++
		s.digits()
	}
	if s.at('e') || s.at('E') {
		integer = false
		s.pos++
		if s.at('+') || s.at('-') {
			s.pos++
		}
		s.digits()
	}
	if s.err != nil {
		return nil, false
	}
	return s.src[start:s.pos], integer
}

func (s *scanner) at(c byte) bool { return s.pos < len(s.src) && s.src[s.pos] == c }

// digits skips one or more digits.
func (s *scanner) digits() {
	start := s.pos
	for s.pos < len(s.src) && s.src[s.pos]-'0' <= 9 {
		s.pos++
	}
	if s.pos == start {
		s.fail(errNotJSON)
	}
}
