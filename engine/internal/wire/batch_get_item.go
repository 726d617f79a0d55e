package wire

import (
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

var (
	keysByTableType = mapType(model + "KeysAndAttributes")
	keysOfTableType = elementType("KeysAndAttributes")
	keyInListType   = itemType.nested()
)

func readBatchGetItem(s *scanner) *dynamo.BatchGetItemInput {
	in := &dynamo.BatchGetItemInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "RequestItems":
			in.RequestItems = readKeysByTable(s)
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = s.choice()
		default:
			s.skip()
		}
	}
	return in
}

func readKeysByTable(s *scanner) []dynamo.KeysAndAttributes {
	if s.null() {
		return nil
	}
	tables := []dynamo.KeysAndAttributes{}
	places := map[string]int{} // the last of repeated entries for a table counts
	for name, more := s.firstMember(keysByTableType); more; name, more = s.nextMember() {
		keys := readKeysOfTable(s, string(name))
		if i, repeated := places[keys.TableName]; repeated {
			tables[i] = keys
			continue
		}
		if len(tables) < maxElements {
			places[keys.TableName] = len(tables)
			tables = append(tables, keys)
		}
	}
	return tables
}

func readKeysOfTable(s *scanner, table string) dynamo.KeysAndAttributes {
	in := dynamo.KeysAndAttributes{TableName: table}
	if s.null() {
		return in
	}
	for name, more := s.firstMember(keysOfTableType); more; name, more = s.nextMember() {
		switch string(name) {
		case "AttributesToGet":
			in.AttributesToGet = s.texts()
		case "ConsistentRead":
			in.ConsistentRead = s.flag()
		case "ExpressionAttributeNames":
			in.Names = s.names()
		case "Keys":
			in.Keys = readKeys(s)
		case "ProjectionExpression":
			in.ProjectionExpression = s.text()
		default:
			s.skip()
		}
	}
	return in
}

func readKeys(s *scanner) []dynamo.RawItem {
	if s.null() {
		return nil
	}
	keys := []dynamo.RawItem{}
	for more := s.firstElement(listType); more; more = s.nextElement() {
		keys = appendBounded(keys, s.itemOfType(keyInListType))
	}
	return keys
}

func appendBatchGetItem(dst []byte, out *dynamo.BatchGetItemOutput) []byte {
	defer out.Release()
	dst, o := openObject(dst)
	dst = o.capacities(dst, out.ConsumedCapacity)
	dst = append(o.name(dst, "Responses"), '{')
	for i, table := range out.Responses {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, table.TableName), ':')
		dst = appendItems(dst, table.Items)
	}
	dst = append(dst, '}')
	dst = append(o.name(dst, "UnprocessedKeys"), '{')
	for i := range out.UnprocessedKeys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendKeysOfTable(dst, &out.UnprocessedKeys[i])
	}
	return append(dst, "}}"...)
}

// appendKeysOfTable appends keys in the form of a request, so that they can be sent again.
func appendKeysOfTable(dst []byte, t *dynamo.KeysAndAttributes) []byte {
	dst = append(appendString(dst, t.TableName), ':')
	dst, o := openObject(dst)
	if t.AttributesToGet != nil {
		dst = appendStrings(o.name(dst, "AttributesToGet"), t.AttributesToGet)
	}
	if t.ConsistentRead != nil {
		dst = strconv.AppendBool(o.name(dst, "ConsistentRead"), *t.ConsistentRead)
	}
	if t.Names != nil {
		dst = appendNames(o.name(dst, "ExpressionAttributeNames"), t.Names)
	}
	dst = append(o.name(dst, "Keys"), '[')
	for i, key := range t.Keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendItem(dst, key.Item)
	}
	dst = append(dst, ']')
	if t.ProjectionExpression != nil {
		dst = appendString(o.name(dst, "ProjectionExpression"), *t.ProjectionExpression)
	}
	return append(dst, '}')
}

func appendStrings(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, text)
	}
	return append(dst, ']')
}

func appendNames(dst []byte, names map[string]string) []byte {
	dst = append(dst, '{')
	first := true
	for placeholder, name := range names {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(appendString(dst, placeholder), ':')
		dst = appendString(dst, name)
	}
	return append(dst, '}')
}
