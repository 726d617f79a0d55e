package request

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
)

// Some messages repeat the request: as JSON, or as Java prints it.

// echoKeys formats the tables of a BatchGetItem as JSON.
func echoKeys(tables []dynamo.KeysAndAttributes) string {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range tables {
		separate(&b, i, ",")
		echoText(&b, tables[i].TableName)
		b.WriteByte(':')
		echoTable(&b, &tables[i])
	}
	b.WriteByte('}')
	return b.String()
}

func echoTable(b *bytes.Buffer, t *dynamo.KeysAndAttributes) {
	b.WriteString(`{"Keys":[`)
	for i, key := range t.Keys {
		separate(b, i, ",")
		echoItem(b, key.Item)
	}
	b.WriteByte(']')
	if t.AttributesToGet != nil {
		b.WriteString(`,"AttributesToGet":`)
		echoText(b, t.AttributesToGet)
	}
	if t.ConsistentRead != nil {
		fmt.Fprintf(b, `,"ConsistentRead":%t`, *t.ConsistentRead)
	}
	if t.ProjectionExpression != nil {
		b.WriteString(`,"ProjectionExpression":`)
		echoText(b, *t.ProjectionExpression)
	}
	if t.Names != nil {
		b.WriteString(`,"ExpressionAttributeNames":`)
		echoText(b, t.Names)
	}
	b.WriteByte('}')
}

func separate(b *bytes.Buffer, i int, separator string) {
	if i > 0 {
		b.WriteString(separator)
	}
}

// echoText writes a string, or a value made of strings, as JSON.
func echoText(b *bytes.Buffer, v any) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if e.Encode(v) == nil { // strings can always be encoded
		b.Truncate(b.Len() - 1) // the encoder's line feed
	}
}

func echoItem(b *bytes.Buffer, item dynamo.Map) {
	b.WriteByte('{')
	i := 0
	for name, value := range item.All() {
		separate(b, i, ",")
		echoText(b, name)
		b.WriteByte(':')
		echoValue(b, value)
		i++
	}
	b.WriteByte('}')
}

// echoValue writes an attribute value as JSON.
func echoValue(b *bytes.Buffer, v dynamo.Value) {
	b.WriteString(`{"` + v.Kind().String() + `":`)
	switch k := v.Kind(); {
	case k == dynamo.KindNull:
		b.WriteString("true")
	case v.IsBool():
		fmt.Fprint(b, k == dynamo.KindTrue)
	case k == dynamo.KindMap:
		echoItem(b, v.Map())
	case k == dynamo.KindList:
		b.WriteByte('[')
		for i, e := range v.Elements() {
			separate(b, i, ",")
			echoValue(b, e)
		}
		b.WriteByte(']')
	case k.IsSet():
		echoText(b, setMembers(v))
	default:
		echoText(b, wireText(k, v.Bytes()))
	}
	b.WriteByte('}')
}

// setMembers lists the members of a set as the wire spells them.
func setMembers(set dynamo.Value) (texts []string) {
	for m := range set.Members() {
		texts = append(texts, wireText(set.Kind().MemberKind(), m))
	}
	return texts
}

func wireText(kind dynamo.Kind, content []byte) string {
	if kind == dynamo.KindBinary {
		return base64.StdEncoding.EncodeToString(content)
	}
	return string(content)
}

// echoWrites formats the tables of a BatchWriteItem in Java's format.
func echoWrites(tables []dynamo.TableWrites) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, t := range tables {
		if i > 0 {
			b.WriteString(", ")
		}
		requests := make([]string, len(t.Requests))
		for j, r := range t.Requests {
			requests[j] = javaRequest(r)
		}
		b.WriteString(t.TableName + "=[" + strings.Join(requests, ", ") + "]")
	}
	b.WriteByte('}')
	return b.String()
}

func javaRequest(r dynamo.WriteRequest) string {
	put, del := "null", "null"
	if r.Put != nil {
		put = "PutRequest(item=" + javaItem(r.Put.Item) + ", workloadProfileName=null)"
	}
	if r.Delete != nil {
		del = "DeleteRequest(key=" + javaItem(r.Delete.Item) + ")"
	}
	return "WriteRequest(putRequest=" + put + ", deleteRequest=" + del + ")"
}

func javaItem(item dynamo.Map) string {
	if item == nil {
		return "null"
	}
	var fields []string
	for name, value := range item.All() {
		fields = append(fields, name+"="+javaValue(value))
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// javaTypes lists the fields of Java's AttributeValue in print order. Fields that no value
// of the API sets are null.
var javaTypes = []string{"s", "n", "b", "iNT", "dECIMAL", "dOUBLE", "sS", "nS", "bS",
	"iNTSET", "dECIMALSET", "dOUBLESET", "m", "l", "nULL", "bOOL"}

// javaValue prints an attribute value in Java's format.
func javaValue(v dynamo.Value) string {
	fields := slices.Clone(javaTypes)
	kind := v.Kind().String()
	field := strings.ToLower(kind[:1]) + kind[1:]
	for i, name := range fields {
		fields[i] += "=null"
		if name == field {
			fields[i] = name + "=" + javaContent(v)
		}
	}
	return "AttributeValue(" + strings.Join(fields, ", ") + ")"
}

func javaContent(v dynamo.Value) string {
	switch k := v.Kind(); {
	case k == dynamo.KindNull:
		return "true"
	case v.IsBool():
		return fmt.Sprint(k == dynamo.KindTrue)
	case k == dynamo.KindMap:
		return javaItem(v.Map())
	case k == dynamo.KindList:
		elements := make([]string, 0, v.Len())
		for _, e := range v.Elements() {
			elements = append(elements, javaValue(e))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case k.IsSet():
		return "[" + strings.Join(setMembers(v), ", ") + "]"
	default:
		return wireText(k, v.Bytes())
	}
}

// javaKeySchema prints a key schema in Java's format.
func javaKeySchema(elements []dynamo.KeySchemaElement) string {
	texts := make([]string, len(elements))
	for i, e := range elements {
		texts[i] = "KeySchemaElement(attributeName=" + javaText(e.AttributeName) + ", keyType=" + javaWord(e.KeyType) + ")"
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// javaList prints a list of actions or reads that is too long, up to the first element too
// many: a list can have millions of empty elements.
func javaList[T any](items []T, java func(*T) string) string {
	items = items[:min(len(items), dynamo.MaxTransactItems+1)]
	texts := make([]string, len(items))
	for i := range items {
		texts[i] = java(&items[i])
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// javaTransactWrite prints an action of a transaction in Java's format.
func javaTransactWrite(item *dynamo.TransactWriteItem) string {
	return "TransactWriteItem(conditionCheck=" + javaAction("ConditionCheck", item.ConditionCheck) +
		", put=" + javaAction("Put", item.Put) +
		", delete=" + javaAction("Delete", item.Delete) +
		", update=" + javaAction("Update", item.Update) + ")"
}

func javaAction(name string, a *dynamo.TransactAction) string {
	if a == nil {
		return "null"
	}
	subject := "key="
	switch name {
	case "Put":
		subject = "item="
	case "Update":
		subject = "updateExpression=" + javaText(a.UpdateExpression) + ", key="
	}
	return name + "(" + subject + javaItem(a.Subject.Item) +
		", tableName=" + javaText(a.TableName) +
		", conditionExpression=" + javaText(a.ConditionExpression) +
		", expressionAttributeNames=" + javaMap(a.Names, func(name string) string { return name }) +
		", expressionAttributeValues=" + javaMap(a.Values.ByName, javaValue) +
		", returnValuesOnConditionCheckFailure=" + javaWord(a.ReturnValuesOnConditionCheckFailure) + ")"
}

// javaTransactGet prints a read of a transaction in Java's format.
func javaTransactGet(item *dynamo.TransactGetItem) string {
	if item.Get == nil {
		return "TransactGetItem(get=null)"
	}
	return "TransactGetItem(get=Get(key=" + javaItem(item.Get.Key.Item) +
		", tableName=" + javaText(item.Get.TableName) +
		", projectionExpression=" + javaText(item.Get.ProjectionExpression) +
		", expressionAttributeNames=" + javaMap(item.Get.Names, func(name string) string { return name }) + "))"
}

func javaText(text *string) string {
	if text == nil {
		return "null"
	}
	return *text
}

// javaWord prints a word of an enumeration.
func javaWord(word string) string {
	if word == "" {
		return "null"
	}
	return word
}

// javaMap prints a map by ascending key.
func javaMap[V any](m map[string]V, java func(V) string) string {
	if m == nil {
		return "null"
	}
	var fields []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		fields = append(fields, key+"="+java(m[key]))
	}
	return "{" + strings.Join(fields, ", ") + "}"
}
