package yaml

import "unicode/utf8"

// A textBuilder puts together what a scalar means, if that is not what is written. When
// it traces, it notes for every byte where it comes from.
type textBuilder struct {
	bytes   []byte
	from    []int32
	tracing bool
}

func (b *textBuilder) reset() { b.bytes, b.from = b.bytes[:0], b.from[:0] }

func (b *textBuilder) len() int { return len(b.bytes) }

func (b *textBuilder) String() string { return string(b.bytes) }

// add appends a part of the source as it is.
func (b *textBuilder) add(src string, start, end int) {
	b.bytes = append(b.bytes, src[start:end]...)
	if b.tracing {
		for i := start; i < end; i++ {
			b.from = append(b.from, int32(i))
		}
	}
}

// put appends a character that is written differently at an offset of the source.
func (b *textBuilder) put(c rune, from int) {
	before := len(b.bytes)
	b.bytes = utf8.AppendRune(b.bytes, c)
	if b.tracing {
		for range len(b.bytes) - before {
			b.from = append(b.from, int32(from))
		}
	}
}

// fold appends what line ends mean: a space for one, and one less than there are for more.
func (b *textBuilder) fold(breaks, from int) {
	if breaks == 1 {
		b.put(' ', from)
		return
	}
	for range breaks - 1 {
		b.put('\n', from)
	}
}

func (b *textBuilder) truncate(length int) {
	b.bytes = b.bytes[:length]
	if b.tracing {
		b.from = b.from[:length]
	}
}
