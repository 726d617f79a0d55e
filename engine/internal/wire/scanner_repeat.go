package wire

import "sortkey.dev/engine/internal/dynamo"

// JSON may name a member twice, and then the last one counts. The encoder keeps
// both, one behind the other; the functions here write the encoding again
// without the earlier ones. It happens so rarely that it need not be quick.

// withoutRepeats is the item with the last of the fields of each name.
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
