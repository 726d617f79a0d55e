package wire

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// text decodes a string; nil for null.
func (s *scanner) text() *string {
	if s.null() {
		return nil
	}
	return new(string(s.textBytes()))
}

// maxKeptName is the length of the longest table name that a scanner remembers.
const maxKeptName = 255

// tableName reads a TableName; nil for null. Most requests, and most actions of a
// request, name the table that the last one has named: they share its string.
func (s *scanner) tableName() *string {
	if s.null() {
		return nil
	}
	text := s.textBytes()
	if s.table != nil && *s.table == string(text) {
		return s.table
	}
	name := new(string(text))
	if len(text) <= maxKeptName {
		s.table = name
	}
	return name
}

// textBytes reads a string that is not null, good until the next string is read.
func (s *scanner) textBytes() []byte {
	if s.next() != '"' {
		s.mismatch(stringType)
		return nil
	}
	return s.quoted()
}

// choice decodes a string of an enumeration; empty for null. It does not allocate for the usual ones.
func (s *scanner) choice() string {
	if s.null() {
		return ""
	}
	switch text := s.textBytes(); string(text) {
	case "NONE":
		return "NONE"
	case "TOTAL":
		return "TOTAL"
	case "INDEXES":
		return "INDEXES"
	case "SIZE":
		return "SIZE"
	case "ALL_OLD":
		return "ALL_OLD"
	case "ALL_NEW":
		return "ALL_NEW"
	case "UPDATED_OLD":
		return "UPDATED_OLD"
	case "UPDATED_NEW":
		return "UPDATED_NEW"
	case "COUNT":
		return "COUNT"
	default:
		return string(text)
	}
}

// flag decodes a boolean; nil for null.
func (s *scanner) flag() *bool {
	if s.null() {
		return nil
	}
	return new(s.boolean())
}

// boolean decodes a boolean that is not null. Like the service it accepts a few words.
func (s *scanner) boolean() bool {
	switch s.next() {
	case 't':
		s.word("true")
		return true
	case 'f':
		s.word("false")
		return false
	case '"':
		switch strings.ToUpper(borrow(s.quoted())) {
		case "TRUE", "YES", "1":
			return true
		case "FALSE", "NO", "0":
			return false
		}
		s.fail(serialization("Unexpected token received from parser"))
		return false
	}
	s.mismatch(booleanType)
	return false
}

// int32 decodes a 32-bit number; nil for null.
func (s *scanner) int32() *int32 {
	if s.null() {
		return nil
	}
	n := s.integer(integerType)
	return new(int32(max(math.MinInt32, min(n, math.MaxInt32))))
}

// time decodes a time that is not null: seconds since 1970 with milliseconds.
func (s *scanner) time() time.Time {
	switch c := s.next(); {
	case c == '"' || c == '[' || c == '{' || c == 't' || c == 'f':
		s.mismatch(dateType)
		return time.Time{}
	}
	text, _ := s.number()
	if s.err != nil {
		return time.Time{}
	}
	seconds, _ := strconv.ParseFloat(borrow(text), 64)
	return time.UnixMilli(int64(math.Round(max(-maxSeconds, min(seconds, maxSeconds)) * 1000))).UTC()
}

// integer decodes a number that is not null. It truncates a fraction, and clamps a number
// to the range of the type.
func (s *scanner) integer(t *javaType) int64 {
	switch c := s.next(); {
	case c == '"' || c == '[' || c == '{' || c == 't' || c == 'f':
		s.mismatch(t)
		return 0
	}
	text, integer := s.number()
	if s.err != nil {
		return 0
	}
	if integer {
		n, _ := strconv.ParseInt(borrow(text), 10, 64) // out of range gives the end of the range
		return n
	}
	f, _ := strconv.ParseFloat(borrow(text), 64)
	switch f = math.Floor(f); {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// maxSeconds is the last second of the year 9999. Later times become it.
const maxSeconds = 253402300799

// names decodes ExpressionAttributeNames; nil for null, and a null name is an empty one.
func (s *scanner) names() map[string]string {
	if s.null() {
		return nil
	}
	names := map[string]string{}
	for name, more := s.firstMember(namesType); more; name, more = s.nextMember() {
		placeholder := string(name)
		if s.null() {
			names[placeholder] = ""
			continue
		}
		names[placeholder] = string(s.textBytes())
	}
	return names
}

// texts decodes a list of strings; nil for null, and a null string is an empty one.
func (s *scanner) texts() []string {
	if s.null() {
		return nil
	}
	texts := []string{}
	for more := s.firstElement(listType); more; more = s.nextElement() {
		if s.null() {
			texts = appendBounded(texts, "")
			continue
		}
		texts = appendBounded(texts, string(s.textBytes()))
	}
	return texts
}

// maxElements is the maximum number of elements of a list that are kept. It is far more than any
// operation takes: the input is rejected anyway, and a list of empty elements
// cannot take many times its size in memory.
const maxElements = 10_000

// appendBounded appends an element unless the list has maxElements.
func appendBounded[T any](list []T, element T) []T {
	if len(list) >= maxElements {
		return list
	}
	return append(list, element)
}
