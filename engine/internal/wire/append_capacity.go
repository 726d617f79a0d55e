package wire

import "sortkey.dev/engine/internal/dynamo"

// An object appends the members of a JSON object. Which of them are there
// depends, so it keeps track of the commas.
type object struct{ empty bool }

// openObject appends the start of an object.
func openObject(dst []byte) ([]byte, object) { return append(dst, '{'), object{empty: true} }

// name appends the name of the next member, which needs no escapes.
func (o *object) name(dst []byte, name string) []byte {
	if !o.empty {
		dst = append(dst, ',')
	}
	o.empty = false
	dst = append(dst, '"')
	dst = append(dst, name...)
	return append(dst, '"', ':')
}

// capacity appends ConsumedCapacity if it was asked for.
func (o *object) capacity(dst []byte, c *dynamo.ConsumedCapacity) []byte {
	if c == nil {
		return dst
	}
	return appendCapacity(o.name(dst, "ConsumedCapacity"), c)
}

// capacities appends the ConsumedCapacity of several tables if it was asked for.
func (o *object) capacities(dst []byte, all []dynamo.ConsumedCapacity) []byte {
	if all == nil {
		return dst
	}
	dst = append(o.name(dst, "ConsumedCapacity"), '[')
	for i := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendCapacity(dst, &all[i])
	}
	return append(dst, ']')
}

// metrics appends ItemCollectionMetrics if there are any.
func (o *object) metrics(dst []byte, m *dynamo.ItemCollectionMetrics) []byte {
	if m == nil {
		return dst
	}
	return appendMetrics(o.name(dst, "ItemCollectionMetrics"), m)
}

// item appends an item if there is one.
func (o *object) item(dst []byte, name string, item dynamo.Item) []byte {
	if item == nil {
		return dst
	}
	return appendItem(o.name(dst, name), item)
}

func appendCapacity(dst []byte, c *dynamo.ConsumedCapacity) []byte {
	dst = append(dst, `{"CapacityUnits":`...)
	dst = appendUnits(dst, c.Units)
	if c.Detailed {
		dst = appendIndexCapacities(dst, `,"GlobalSecondaryIndexes":{`, c.GlobalIndexes)
		dst = appendIndexCapacities(dst, `,"LocalSecondaryIndexes":{`, c.LocalIndexes)
		dst = append(dst, `,"Table":{"CapacityUnits":`...)
		dst = appendUnits(dst, c.Table)
		dst = append(dst, '}')
	}
	dst = append(dst, `,"TableName":`...)
	dst = appendString(dst, c.TableName)
	return append(dst, '}')
}

func appendIndexCapacities(dst []byte, opening string, indexes []dynamo.IndexCapacity) []byte {
	if len(indexes) == 0 {
		return dst
	}
	dst = append(dst, opening...)
	for i, index := range indexes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, index.IndexName)
		dst = append(dst, `:{"CapacityUnits":`...)
		dst = appendUnits(dst, index.Units)
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

func appendMetrics(dst []byte, m *dynamo.ItemCollectionMetrics) []byte {
	dst = append(dst, `{"ItemCollectionKey":`...)
	dst = appendItem(dst, m.Key)
	dst = append(dst, `,"SizeEstimateRangeGB":[`...)
	dst = appendUnits(dst, m.LowerGB)
	dst = append(dst, ',')
	dst = appendUnits(dst, m.UpperGB)
	return append(dst, `]}`...)
}
