package wire

import "sortkey.dev/engine/internal/dynamo"

// An object appends the members of a JSON object. Members are optional, so it keeps track of
// the commas.
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

// capacity appends ConsumedCapacity if it was requested.
func (o *object) capacity(dst []byte, c *dynamo.ConsumedCapacity) []byte {
	if c == nil {
		return dst
	}
	return appendCapacity(o.name(dst, "ConsumedCapacity"), c)
}

// capacities appends the ConsumedCapacity of several tables if it was requested.
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

// metricsByTable appends the ItemCollectionMetrics of several tables if there are any.
func (o *object) metricsByTable(dst []byte, tables []dynamo.TableCollectionMetrics) []byte {
	if len(tables) == 0 {
		return dst
	}
	dst = append(o.name(dst, "ItemCollectionMetrics"), '{')
	for i, table := range tables {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, table.TableName), ':', '[')
		for j := range table.Metrics {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = appendMetrics(dst, &table.Metrics[j])
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// item appends an item if there is one.
func (o *object) item(dst []byte, name string, item dynamo.Item) []byte {
	if item == nil {
		return dst
	}
	return appendItem(o.name(dst, name), item)
}

func appendCapacity(dst []byte, c *dynamo.ConsumedCapacity) []byte {
	dst = appendArm(append(dst, '{'), c, c.Units)
	if c.Detailed {
		dst = appendIndexArms(dst, `,"GlobalSecondaryIndexes":{`, c, c.GlobalIndexes)
		dst = appendIndexArms(dst, `,"LocalSecondaryIndexes":{`, c, c.LocalIndexes)
		dst = append(dst, `,"Table":{`...)
		dst = append(appendArm(dst, c, c.Table), '}')
		dst = appendVectorArms(dst, c.VectorIndexes)
	}
	dst = append(dst, `,"TableName":`...)
	dst = appendString(dst, c.TableName)
	return append(dst, '}')
}

// appendArm appends the members with the units of the whole, of the table
// or of an index.
func appendArm(dst []byte, c *dynamo.ConsumedCapacity, units float64) []byte {
	dst = append(dst, `"CapacityUnits":`...)
	dst = appendUnits(dst, units)
	if !c.Named {
		return dst
	}
	if c.Write {
		dst = append(dst, `,"WriteCapacityUnits":`...)
	} else {
		dst = append(dst, `,"ReadCapacityUnits":`...)
	}
	return appendUnits(dst, units)
}

func appendIndexArms(dst []byte, opening string, c *dynamo.ConsumedCapacity, indexes []dynamo.IndexCapacity) []byte {
	if len(indexes) == 0 {
		return dst
	}
	dst = append(dst, opening...)
	for i, index := range indexes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, index.IndexName)
		dst = append(dst, ':', '{')
		dst = append(appendArm(dst, c, index.Units), '}')
	}
	return append(dst, '}')
}

// appendVectorArms appends the cost of a write on vector indexes, which is in bytes.
func appendVectorArms(dst []byte, indexes []dynamo.IndexCapacity) []byte {
	if len(indexes) == 0 {
		return dst
	}
	dst = append(dst, `,"VectorIndexes":{`...)
	for i, index := range indexes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, index.IndexName)
		dst = append(dst, `:{"VectorWriteRequestBytes":`...)
		dst = append(appendUnits(dst, index.Units), '}')
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
