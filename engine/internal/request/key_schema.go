package request

import (
	"slices"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
)

// The key types.
const (
	keyHash  = "HASH"
	keyRange = "RANGE"
)

// keySchema checks the members of a key schema.
func (v *violations) keySchema(elements []dynamo.KeySchemaElement, path string) {
	if elements == nil {
		v.missing(path)
		return
	}
	if len(elements) == 0 {
		v.broken("[]", path, lengthAtLeast(1))
	}
	for i, e := range elements {
		v.attributeName(e.AttributeName, memberPath(path, i)+".attributeName")
		keyTypes.require(memberPath(path, i)+".keyType", e.KeyType, v)
	}
}

// atMostTwo checks the length of the key schema of a table or a local index.
func (v *violations) atMostTwo(elements []dynamo.KeySchemaElement, path string) {
	if len(elements) > 2 {
		v.broken(javaKeySchema(elements), path, lengthAtMost(2))
	}
}

// attributeDefinitions checks the members of the attribute definitions.
func (v *violations) attributeDefinitions(definitions []dynamo.AttributeDefinition) {
	for i, d := range definitions {
		path := memberPath("attributeDefinitions", i)
		scalarTypes.require(path+".attributeType", d.AttributeType, v)
		v.attributeName(d.AttributeName, path+".attributeName")
	}
}

// attributesOf returns the attributes of checked definitions. It fails if one is defined twice.
func attributesOf(definitions []dynamo.AttributeDefinition) ([]dynamo.KeyAttribute, error) {
	attributes := make([]dynamo.KeyAttribute, len(definitions))
	names := make(map[string]bool, len(definitions))
	for i, d := range definitions {
		if names[*d.AttributeName] {
			return nil, invalid("Attribute Name is duplicated: " + *d.AttributeName)
		}
		names[*d.AttributeName] = true
		attributes[i] = dynamo.KeyAttribute{Name: *d.AttributeName, Kind: scalarTypes.value(d.AttributeType)}
	}
	return attributes, nil
}

// attributeName checks the name of a key attribute.
func (v *violations) attributeName(name *string, path string) {
	if name == nil {
		v.missing(path)
		return
	}
	v.length(1, dynamo.MaxKeyNameSize, *name, path)
}

// plainKey returns the key of a table or a local index: a partition attribute and
// optionally a sort attribute.
func plainKey(elements []dynamo.KeySchemaElement, defined []dynamo.KeyAttribute) (key dynamo.KeySchema, err error) {
	attributes, err := keyAttributes(elements, defined)
	if err != nil {
		return key, err
	}
	switch {
	case len(elements) == 2 && attributes[0] == attributes[1]:
		return key, invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name")
	case elements[0].KeyType != keyHash:
		return key, errNoHashFirst()
	case len(elements) == 2 && elements[1].KeyType != keyRange:
		return key, invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	}
	key.Partition, key.Sort = attributes[:1:1], attributes[1:]
	return key, nil
}

// globalKey returns the key of a global index: up to four attributes of each type.
func globalKey(elements []dynamo.KeySchemaElement, defined []dynamo.KeyAttribute) (key dynamo.KeySchema, err error) {
	attributes, err := keyAttributes(elements, defined)
	if err != nil {
		return key, err
	}
	ordered, repeated := true, false
	for i, e := range elements {
		repeated = repeated || slices.Contains(attributes[:i], attributes[i])
		if e.KeyType == keyRange {
			key.Sort = append(key.Sort, attributes[i])
			continue
		}
		ordered = ordered && len(key.Sort) == 0
		key.Partition = append(key.Partition, attributes[i])
	}
	switch {
	case elements[0].KeyType != keyHash:
		return key, errNoHashFirst()
	case len(key.Partition) > dynamo.MaxKeyAttributes:
		return key, invalid(invalidParameter + "The KeySchema exceeds the maximum allowed number of HASH key attributes")
	case len(key.Sort) > dynamo.MaxKeyAttributes:
		return key, invalid(invalidParameter + "The KeySchema exceeds the maximum allowed number of RANGE key attributes")
	case !ordered:
		return key, invalid(invalidParameter + "All HASH key attributes must precede RANGE key attributes in the KeySchema")
	case repeated:
		return key, invalid("The KeySchema contains multiple key attributes with the same name")
	}
	return key, nil
}

func errFewDefinitions() error {
	return invalid("Invalid KeySchema: Some index key attribute have no definition")
}

func errNoHashFirst() error {
	return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
}

// keyAttributes finds the attributes of a key schema, all of which must be defined.
func keyAttributes(elements []dynamo.KeySchemaElement, defined []dynamo.KeyAttribute) ([]dynamo.KeyAttribute, error) {
	attributes := make([]dynamo.KeyAttribute, len(elements))
	complete := true
	for i, e := range elements {
		attributes[i].Name = *e.AttributeName
		at := slices.IndexFunc(defined, func(a dynamo.KeyAttribute) bool { return a.Name == *e.AttributeName })
		if at < 0 {
			complete = false
			continue
		}
		attributes[i] = defined[at]
	}
	if !complete {
		return nil, invalid(invalidParameter + "Some index key attributes are not defined in AttributeDefinitions. Keys: " +
			bracketed(attributeNames(attributes)) + ", AttributeDefinitions: " + bracketed(attributeNames(defined)))
	}
	return attributes, nil
}

// attributeNames lists the names of attributes.
func attributeNames(attributes []dynamo.KeyAttribute) []string {
	texts := make([]string, len(attributes))
	for i, a := range attributes {
		texts[i] = a.Name
	}
	return texts
}

// bracketed formats names as messages do: [a, b].
func bracketed(names []string) string { return "[" + strings.Join(names, ", ") + "]" }
