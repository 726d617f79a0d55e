package wire

import "sortkey.dev/engine/internal/dynamo"

// item decodes an item or key; without an Item for null.
func (s *scanner) item() dynamo.RawItem { return s.itemOfType(itemType) }

func (s *scanner) itemOfType(t *javaType) (raw dynamo.RawItem) {
	if s.null() {
		return raw
	}
	s.fault, s.repeated = nil, false
	e := &s.encoder
	e.OpenItem()
	for name, more := s.firstMember(t); more; name, more = s.nextMember() {
		e.Name(borrow(name))
		s.value(e, 1)
	}
	item, err := e.CloseItem()
	s.note(err)
	e.Reset()
	if s.repeated {
		item = withoutRepeats(item)
	}
	return dynamo.RawItem{Item: item, Fault: s.fault}
}

// values decodes ExpressionAttributeValues; without a map for null.
func (s *scanner) values() dynamo.RawValues { return s.valuesAt(1) }

// valuesAt decodes ExpressionAttributeValues whose scalars are at a level.
func (s *scanner) valuesAt(level int) (raw dynamo.RawValues) {
	if s.null() {
		return raw
	}
	s.fault, s.repeated = nil, false
	raw.ByName = map[string]dynamo.Value{}
	e := &s.encoder
	for name, more := s.firstMember(itemType); more; name, more = s.nextMember() {
		placeholder := string(name)
		raw.ByName[placeholder] = s.freeValue(level)
		if s.fault != nil && raw.Fault == nil {
			raw.Fault, raw.FaultName = s.fault, placeholder
		}
	}
	e.Reset()
	return raw
}

// freeValue decodes one AttributeValue that is not part of an item. A scalar is at level. The caller
// resets the encoder after all such values.
func (s *scanner) freeValue(level int) dynamo.Value {
	start := s.encoder.Mark()
	s.value(&s.encoder, level)
	value := s.encoder.Value(start)
	if s.repeated {
		value, s.repeated = withoutRepeatsInValue(value), false
	}
	return value
}

// note records the first fault. A repeated name is not a fault: the last one wins.
func (s *scanner) note(err error) {
	switch err.(type) {
	case nil:
	case *dynamo.RepeatedName:
		s.repeated = true
	default:
		if s.fault == nil || s.fault == dynamo.FaultNesting && err == dynamo.FaultFarNesting {
			s.fault = err
		}
	}
}

// value decodes one AttributeValue and writes it to e: exactly one value, even for
// invalid input. Of several types the first is written. A value that
// is too deep is decoded as far as its depth matters.
func (s *scanner) value(e *dynamo.Encoder, level int) {
	if level > dynamo.MaxNesting {
		s.note(dynamo.FaultNesting)
		if level > dynamo.FarNesting {
			s.note(dynamo.FaultFarNesting)
			s.skip()
			e.Null()
			return
		}
	}
	if s.null() {
		s.note(dynamo.FaultNoType)
		e.Null()
		return
	}
	types := 0
	for kind, more := s.firstKind(); more; kind, more = s.nextKind() {
		switch {
		case kind == 0:
			s.skip()
		case s.null():
		case types == 0:
			s.content(e, kind, level)
			types++
		default:
			s.content(&s.spare, kind, level)
			types++
		}
	}
	switch types {
	case 0:
		s.note(dynamo.FaultNoType)
		e.Null()
	case 1:
	default:
		s.note(dynamo.FaultManyTypes)
		if e != &s.spare {
			s.spare.Reset()
		}
	}
}

// firstKind opens an AttributeValue and decodes the name of its first type.
func (s *scanner) firstKind() (kind dynamo.Kind, more bool) {
	// Nearly all names are one letter, written without space.
	if i := s.pos; i+5 <= len(s.src) {
		if b := s.src[i : i+5]; b[0] == '{' && b[1] == '"' && b[3] == '"' && b[4] == ':' {
			if kind = kindNamed(b[2:3]); kind != 0 {
				s.descend()
				s.pos += 4
				return kind, s.err == nil
			}
		}
	}
	name, more := s.firstMember(valueType)
	return kindNamed(name), more
}

// nextKind decodes the name of the next type, or closes the AttributeValue.
func (s *scanner) nextKind() (kind dynamo.Kind, more bool) {
	if s.next() == '}' { // nearly all values have one type
		s.ascend()
		return 0, false
	}
	name, more := s.nextMember()
	return kindNamed(name), more
}

// kindNamed returns the kind with this name on the wire, 0 for none. BOOL is KindTrue.
func kindNamed(name []byte) dynamo.Kind {
	switch string(name) {
	case "S":
		return dynamo.KindString
	case "N":
		return dynamo.KindNumber
	case "B":
		return dynamo.KindBinary
	case "SS":
		return dynamo.KindStringSet
	case "NS":
		return dynamo.KindNumberSet
	case "BS":
		return dynamo.KindBinarySet
	case "M":
		return dynamo.KindMap
	case "L":
		return dynamo.KindList
	case "NULL":
		return dynamo.KindNull
	case "BOOL":
		return dynamo.KindTrue
	}
	return 0
}

// content decodes the content of a kind.
func (s *scanner) content(e *dynamo.Encoder, kind dynamo.Kind, level int) {
	switch kind {
	case dynamo.KindString:
		s.stringValue(e)
	case dynamo.KindNumber:
		s.note(e.Number(s.textBytes()))
	case dynamo.KindBinary:
		e.Binary(s.binary())
	case dynamo.KindMap:
		s.mapValue(e, level)
	case dynamo.KindList:
		s.list(e, level)
	case dynamo.KindNull:
		if !s.boolean() {
			s.note(dynamo.FaultNullFalse)
		}
		e.Null()
	case dynamo.KindTrue:
		e.Bool(s.boolean())
	default:
		s.set(e, kind)
	}
}

func (s *scanner) stringValue(e *dynamo.Encoder) {
	if s.next() != '"' {
		s.mismatch(stringType)
		e.String("")
		return
	}
	if text, plain := s.quotedText(); plain {
		e.PlainString(borrow(text))
	} else {
		e.String(borrow(text))
	}
}

func (s *scanner) mapValue(e *dynamo.Encoder, level int) {
	e.OpenMap()
	for name, more := s.firstMember(itemType); more; name, more = s.nextMember() {
		e.Name(borrow(name))
		s.value(e, level+1)
	}
	s.note(e.CloseMap())
}

func (s *scanner) list(e *dynamo.Encoder, level int) {
	e.OpenList()
	for more := s.firstElement(listType); more; more = s.nextElement() {
		s.value(e, level+1)
	}
	e.CloseList()
}

func (s *scanner) set(e *dynamo.Encoder, kind dynamo.Kind) {
	e.OpenSet(kind)
	for more := s.firstElement(listType); more; more = s.nextElement() {
		switch {
		case s.null():
			s.note(faultNullMember)
		case kind == dynamo.KindBinarySet:
			s.note(e.Member(s.binary()))
		default:
			s.note(e.Member(s.textBytes()))
		}
	}
	s.note(e.CloseSet())
}

var faultNullMember = &dynamo.Fault{Text: "One or more parameter values were invalid: A set may not have null as a member"}
