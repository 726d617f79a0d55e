package marshal

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/timetext"
)

// delimiter separates the parts of a key, unless By or a template says another. Only the last
// value of a key may hold it, so before that value it always means a border.
const delimiter = '#'

// What DynamoDB takes as a key, in bytes.
const (
	maxPartitionKey = 2048
	maxSortKey      = 1024
)

// A KeyText builds the text of one key after another. The zero value is ready; the first
// error sticks, also over Of, so that one look at Err is enough for all keys of an item.
// The keys share memory. A KeyText that was used is not copied.
type KeyText struct {
	entity  string
	longest string // the attribute that takes most room, to name when the key is too long
	most    int
	hole    int  // where the value written last begins, in the key
	start   int  // where the key begins, in the memory
	by      byte // the delimiter of the key, 0 for #
	err     error
	texts   arena
}

// Of begins a new key of an entity.
func (k *KeyText) Of(entity string) *KeyText {
	k.entity, k.longest, k.most, k.hole, k.start, k.by = entity, "", 0, 0, k.texts.len(), 0
	return k
}

// By sets the delimiter of the key that Of began; it is # otherwise.
func (k *KeyText) By(border string) *KeyText {
	k.by = border[0]
	return k
}

func (k *KeyText) border() byte {
	if k.by == 0 {
		return delimiter
	}
	return k.by
}

// Lit adds a text of the design.
func (k *KeyText) Lit(s string) *KeyText {
	k.add(s)
	return k
}

// Hole adds a value to a key made from a template. It refuses what would make the key
// mean something else: no text, the delimiter, bytes that are no UTF-8.
func (k *KeyText) Hole(attribute, text string) *KeyText {
	if strings.IndexByte(text, k.border()) >= 0 {
		return k.refuse(attribute, "holds the delimiter "+string(rune(k.border())))
	}
	return k.Whole(attribute, text)
}

// Escape adds a value that may hold the delimiter, with the delimiter and the quotation mark
// replaced: # by "2 and " by "1. Escaped values sort as the values do, and a value begins
// with another exactly if the escaped values do. With another delimiter, a character beside it
// takes the place of the quotation mark.
func (k *KeyText) Escape(attribute, text string) *KeyText {
	switch {
	case text == "":
		return k.refuse(attribute, "is empty")
	case !utf8.ValidString(text):
		return k.refuse(attribute, "is not valid UTF-8")
	}
	start, border := k.Len(), k.border()
	mark := markOf(border)
	k.begin(attribute, len(text))
	for {
		at := escapable(text, mark, border)
		if at < 0 {
			break
		}
		k.add(text[:at])
		k.addBytes([]byte{mark, digitOf(text[at], mark, border)})
		text = text[at+1:]
	}
	k.add(text)
	if length := k.Len() - start; length > k.most {
		k.longest, k.most = attribute, length
	}
	return k
}

// Whole adds the value of an attribute that is a key as it is, or the last value of a key. It
// may hold the delimiter.
func (k *KeyText) Whole(attribute, text string) *KeyText {
	switch {
	case text == "":
		return k.refuse(attribute, "is empty")
	case !utf8.ValidString(text):
		return k.refuse(attribute, "is not valid UTF-8")
	}
	k.begin(attribute, len(text))
	k.add(text)
	return k
}

// Int adds a whole number.
func (k *KeyText) Int(attribute string, n int64) *KeyText {
	var digits [20]byte
	return k.value(attribute, strconv.AppendInt(digits[:0], n, 10))
}

// Pad adds a whole number with zeros in front up to a width, so that texts sort as the
// numbers do. It refuses numbers for which they would not.
func (k *KeyText) Pad(attribute string, n int64, width int) *KeyText {
	if n < 0 {
		return k.refuse(attribute, "is negative")
	}
	var buffer [20]byte
	digits := strconv.AppendInt(buffer[:0], n, 10)
	if len(digits) > width {
		return k.refuse(attribute, "has more than "+strconv.Itoa(width)+" digits")
	}
	k.begin(attribute, width)
	for range width - len(digits) {
		k.add("0")
	}
	k.addBytes(digits)
	return k
}

// Time adds an instant as FormatTime writes it.
func (k *KeyText) Time(attribute string, t time.Time) *KeyText {
	return k.instant(attribute, t, timetext.Width)
}

// Day adds the day of an instant, as DayOf.
func (k *KeyText) Day(attribute string, t time.Time) *KeyText {
	return k.instant(attribute, t, timetext.DayWidth)
}

// Year adds the year of an instant, as YearOf.
func (k *KeyText) Year(attribute string, t time.Time) *KeyText {
	return k.instant(attribute, t, timetext.YearWidth)
}

// Month adds the month of an instant, as MonthOf.
func (k *KeyText) Month(attribute string, t time.Time) *KeyText {
	return k.instant(attribute, t, timetext.MonthWidth)
}

// Hour adds the hour of an instant, as HourOf.
func (k *KeyText) Hour(attribute string, t time.Time) *KeyText {
	return k.instant(attribute, t, timetext.HourWidth)
}

// Date adds a date.
func (k *KeyText) Date(attribute string, d access.Date) *KeyText {
	if _, err := access.ParseDate(string(d)); err != nil {
		return k.refuse(attribute, err.Error())
	}
	return k.Hole(attribute, string(d))
}

// Week adds a week.
func (k *KeyText) Week(attribute string, w access.Week) *KeyText {
	if _, err := access.ParseWeek(string(w)); err != nil {
		return k.refuse(attribute, err.Error())
	}
	return k.Hole(attribute, string(w))
}

// Decimal adds a decimal number in its one spelling.
func (k *KeyText) Decimal(attribute string, d access.Decimal) *KeyText {
	spelled, err := access.ParseDecimal(d.String())
	if err != nil {
		return k.refuse(attribute, err.Error())
	}
	return k.Hole(attribute, string(spelled))
}

// Before adds the last text that sorts before a value: the upper end of a range that
// does not include it.
func (k *KeyText) Before(attribute, text string) *KeyText { return k.Hole(attribute, text).Back() }

// Form refuses a key that does not match the regular expression of its entity's keys, because it
// would be read as the key of another entity or of none, see [HasForm].
func (k *KeyText) Form(form string) *KeyText {
	if k.err == nil && !HasForm(k.text(), form) {
		return k.refuse(k.longest, "is no value of its type, by which the key is told from those of other entities")
	}
	return k
}

// Back turns the value added last into the last text that sorts before it. A key that
// ends with a padded number or an instant gets an excluded upper end by it.
func (k *KeyText) Back() *KeyText {
	if k.err != nil {
		return k
	}
	text := k.text()
	k.start = k.texts.len() // what was added stays as it is: write the key again
	k.add(text[:k.hole])
	k.add(Before(text[k.hole:]))
	return k
}

// Len returns the length of the key so far in bytes. The part that is the same in all items
// of a request is added first; its length is the request's Lead.
func (k *KeyText) Len() int { return k.texts.len() - k.start }

// Done returns the text of the key, "" if something was refused.
func (k *KeyText) Done() string {
	if k.err != nil {
		return ""
	}
	return k.text()
}

// Partition is like Done, for a partition key, which has at most 2048 bytes.
func (k *KeyText) Partition() string { return k.within(maxPartitionKey) }

// Sort is like Done, for a sort key, which has at most 1024 bytes.
func (k *KeyText) Sort() string { return k.within(maxSortKey) }

// Err returns the first error: a *KeyError for a value that was refused, a *SpanError for a range
// that spans too many periods, or nil.
func (k *KeyText) Err() error { return k.err }

func (k *KeyText) within(limit int) string {
	if k.Len() > limit {
		k.refuse(k.longest, "makes the key longer than "+strconv.Itoa(limit)+" bytes")
	}
	return k.Done()
}

func (k *KeyText) instant(attribute string, t time.Time, width int) *KeyText {
	var buffer [timetext.Width]byte
	if !timetext.Write(&buffer, t) {
		return k.refuse(attribute, timetext.NotAYear)
	}
	return k.value(attribute, buffer[:width])
}

// value adds a text that needs no check.
func (k *KeyText) value(attribute string, text []byte) *KeyText {
	k.begin(attribute, len(text))
	k.addBytes(text)
	return k
}

// begin notes that a value of an attribute comes next.
func (k *KeyText) begin(attribute string, length int) {
	k.hole = k.Len()
	if length > k.most {
		k.longest, k.most = attribute, length
	}
}

func (k *KeyText) refuse(attribute, reason string) *KeyText {
	return k.fail(&access.KeyError{Entity: k.entity, Attribute: attribute, Reason: reason})
}

// fail notes the first error.
func (k *KeyText) fail(err error) *KeyText {
	if k.err == nil {
		k.err = err
	}
	return k
}

func (k *KeyText) text() string { return k.texts.from(k.start) }

// add and addBytes are the same for two kinds of text.
func (k *KeyText) add(s string) {
	if k.texts.free() < len(s) {
		k.move(len(s))
	}
	k.texts.b.WriteString(s)
}

func (k *KeyText) addBytes(s []byte) {
	if k.texts.free() < len(s) {
		k.move(len(s))
	}
	k.texts.b.Write(s)
}

// move takes the key to new memory with room for more.
func (k *KeyText) move(more int) {
	text := k.text()
	need := len(text) + more
	if len(text) > 0 {
		need *= 2 // it may go on
	}
	k.texts.renew(need)
	k.start = 0
	k.texts.b.WriteString(text)
}
