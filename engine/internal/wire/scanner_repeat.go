package wire

import "sortkey.dev/engine/internal/dynamo"

// JSON may name a member twice, and then the last one counts. The encoder keeps
// both, one after the other; the functions here rewrite the encoding
// without the earlier ones. It is so rare that it need not be fast.

// withoutRepeats returns the item with the last field of each name.
func withoutRepeats(item dynamo.Item) dynamo.Item {
	var e dynamo.Encoder
	e.OpenItem()
	copyFields(&e, item)
	clean, _ := e.CloseItem() // no name is repeated any more
	return clean
}

// withoutRepeatsInValue does the same for the maps in a value.
func withoutRepeatsInValue(v dynamo.Value) dynamo.Value {
	var e dynamo.Encoder
	copyValue(&e, v)
	return e.Value(0)
}

func copyFields(e *dynamo.Encoder, m dynamo.Map) {
	last := map[string]dynamo.Value{}
	for name, v := range m.All() {
		last[name] = v
	}
	for name, v := range last {
		e.Name(name)
		copyValue(e, v)
	}
}

func copyValue(e *dynamo.Encoder, v dynamo.Value) {
	switch v.Kind() {
	case dynamo.KindMap:
		e.OpenMap()
		copyFields(e, v.Map())
		_ = e.CloseMap() // no name is repeated any more
	case dynamo.KindList:
		e.OpenList()
		for _, element := range v.Elements() {
			copyValue(e, element)
		}
		e.CloseList()
	default:
		e.Copy(v)
	}
}
