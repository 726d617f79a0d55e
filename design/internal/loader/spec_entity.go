package loader

var entitySpec = &blockSpec{
	name: "entity", an: "an entity", doc: "An entity: one kind of item.",
	keys: []*keySpec{
		{name: "doc", value: one(freeText), example: "An admin or a candidate.", doc: "What it is, in a sentence."},
		{name: "tags", value: tagList, example: "[phase1]", doc: "Labels to check a part of the design by, such as phases."},
		{name: "label", value: one(label), example: "USER", doc: "What the `type` attribute of its table holds in its items; the default is the name of the entity."},
		{name: "was", value: one(name), example: "Task", doc: "Its name in the version before, for `sortkey diff`: it is the same entity."},
		{name: "from", value: someOf(mapOf(name, someOf(mapOf(attributeName, one(attributeName))))), example: "{ User: { bio: bio, photo: picture } }",
			doc: "Of an entity that was split off or merged: the entities of the version before that its attributes are from, with the name of each attribute here and there. For `sortkey diff`."},
		{name: "id", required: true, value: oneOrList(one(attributeName)), example: "[chat_id, message_id]", doc: "The attribute, or attributes, that identify one."},
		{name: "attributes", required: true, value: someOf(each(mapOf(attributeName, anyOf(one(typeText), blockOf(attributeSpec))))),
			example: "{ user_id: ulid, email: string, nickname: string? }", doc: "Its attributes with their types."},
		{name: "unique", value: each(listOf(anyOf(one(attributeName), listOf(one(attributeName)), blockOf(uniqueSpec)))), example: "[email, [household, name]]",
			doc: "Unique values. To make elements of a set unique, create one item per element in the same transaction."},
		{name: "counters", value: each(mapOf(attributeName, blockOf(counterSpec))), example: "{ question_count: { count: Question } }",
			doc: "Attributes of this entity that count or sum other items. Generated writes update them in the same transaction."},
		{name: "version", value: one(attributeName), example: "version", doc: "Integer for optimistic locking: a write that sets or removes something compares it and increments it. An update that only adds, and the update of a declared counter, do neither."},
		{name: "ttl", value: one(attributeName), example: "expires_at", doc: "Attribute with the time after which DynamoDB deletes the item, in whole seconds."},
		{name: "deadline", value: one(attributeName), example: "closes_at", doc: "Attribute with the time at which it ends. The item is not deleted then."},
		{name: "size", value: anyOf(one(bytesText), blockOf(sizeSpec)), example: "3.5KB", doc: "Size of an item; the default is an estimate from the types."},
		{name: "count", value: one(notNegative), example: "1000", doc: "Number of items. Alternative to growth."},
		{name: "growth", value: one(rateText), example: "50/day", doc: "Number of items added. Alternative to count."},
		{name: "keep", value: one(durationText), example: "90d", doc: "How long each item is kept; the default is forever. For use with growth."},
		{name: "per", value: each(mapOf(attributeName, anyOf(one(notNegative), blockOf(perSpec)))), example: "{ candidate_id: { avg: 5, max: 60 } }",
			doc: "Number of items per value of an attribute: determines pages and units."},
		{name: "encrypt", value: listOf(one(attributeName)), example: "[email]", doc: "Attributes that the client encrypts."},
		acceptKey("in this entity"),
	},
}

var tagList = listOf(one(label))

var attributeSpec = &blockSpec{
	name: "attribute", an: "an attribute", doc: "An attribute with more than a type.",
	keys: []*keySpec{
		{name: "type", required: true, value: one(typeText), example: "ulid", doc: "Its type."},
		{name: "time", value: one(attributeName), example: "created_at", doc: "Of a ulid or uuidv7: the attribute with the time it was made from, so that both have the same order."},
		{name: "name", value: one(storedName), example: "c", doc: "Its name in DynamoDB, if different."},
		{name: "was", value: anyOf(one(attributeName), someOf(mapOf(label, one(label)))), example: "nickname",
			doc: "Its name in the version before, for `sortkey diff`: it is the same attribute. Of an enum also its values that had another name, as `{ OPEN: NEW }` with the name here first."},
		{name: "in", value: one(choice("attributePlace", "key")), example: "key",
			doc: "`key`: the attribute exists only in the text of the primary key and is not stored beside it. It is read back from the key; filters and conditions cannot name it."},
		{name: "default", value: one(freeText), example: "OPEN",
			doc: "The value of stored items that lack the attribute, such as items that are older than it: a text, number, instant, truth value or value of an enum. Reads return it. Creates store it where the field of the Go struct has no value: " +
				"an empty enum, date, week, geohash or id, or the zero time; the empty string, 0 and false are values, and are stored. Only programs see a default: DynamoDB cannot compare, filter, index, count or add to it (F022)."},
		{name: "size", value: one(bytesText), example: "2KB", doc: "Average size of the value."},
		{name: "max", value: one(wholeNumber), example: "50", doc: "Of a list, set or map: the maximum number of elements. A write that would exceed it fails."},
		{name: "doc", value: one(freeText), example: "When the bid was placed.", doc: "What it is."},
		{name: "lifecycle", value: someOf(mapOf(label, &valueSpec{element: one(label)})), example: "{ OPEN: [CLOSED], CLOSED: [] }",
			doc: "Of an enum: the allowed transitions. A pattern that makes another transition is a finding."},
		{name: "start", value: one(label), example: "OPEN", doc: "Of a lifecycle: the initial value; the default is the first of the enum."},
	},
}

var fieldSpec = &blockSpec{
	name: "field", an: "a field", doc: "A field of a struct type, with more than a type.",
	keys: []*keySpec{
		{name: "type", required: true, value: one(typeText), example: "string", doc: "Its type."},
		{name: "name", value: one(storedName), example: "s", doc: "Its name in DynamoDB, if different."},
		{name: "was", value: anyOf(one(attributeName), someOf(mapOf(label, one(label)))), example: "nickname",
			doc: "Its name in the version before, for `sortkey diff`: it is the same field. Of an enum also its values that had another name, as `{ OPEN: NEW }` with the name here first."},
		{name: "size", value: one(bytesText), example: "20B", doc: "Average size of the value."},
		{name: "doc", value: one(freeText), example: "Street and number.", doc: "What it is."},
	},
}

var uniqueSpec = &blockSpec{
	name: "unique", an: "a unique rule", doc: "A value that is unique within a scope.",
	keys: []*keySpec{
		{name: "value", required: true, value: oneOrList(one(attributeName)), example: "email", doc: "The unique attribute or attributes."},
		{name: "per", value: oneOrList(one(attributeName)), example: "tenant_id", doc: "The scope; the default is all items."},
	},
}

var counterSpec = &blockSpec{
	name: "counter", an: "a counter", doc: "An attribute of this entity that counts or sums other items.",
	oneOf: []string{"count", "sum"},
	keys: []*keySpec{
		{name: "count", value: one(name), example: "Question", doc: "The entity whose items are counted."},
		{name: "sum", value: one(sumOf), example: "Bid.amount", doc: "The entity and attribute that is summed."},
		{name: "where", value: conditions, example: "{ status: active }", doc: "Which items are counted; the default is all."},
		{name: "match", value: someOf(mapOf(attributeName, one(attributeName))), example: "{ project_id: exam_id }",
			doc: "How a counted item finds its counter: attributes of this entity and those of the counted one. The default is the id of this entity, with the same names."},
		{name: "min", value: one(anyNumber), example: "0", doc: "A write that would make it smaller fails."},
		{name: "max", value: one(anyNumber), example: "100", doc: "A write that would make it larger fails."},
		{name: "shards", value: one(wholeNumber), example: "10", doc: "Number of items the counter is spread over, for more writes a second. The attribute itself is then unused: generated code has a method that adds up the items, such as `SumPageViews`."},
	},
}

var sizeSpec = &blockSpec{
	name: "size", an: "a size", doc: "Size of items.",
	keys: []*keySpec{
		{name: "avg", required: true, value: one(bytesText), example: "6KB", doc: "On average."},
		{name: "max", value: one(bytesText), example: "10KB", doc: "At most."},
	},
}

var perSpec = &blockSpec{
	name: "per", an: "a fan-out", doc: "Number of items per value.",
	keys: []*keySpec{
		{name: "avg", value: one(notNegative), example: "5", doc: "On average; the default is max."},
		{name: "max", value: one(notNegative), example: "60", doc: "For the largest; the default is avg."},
	},
}

// conditions describes the entries of where and filter.
var conditions = someOf(mapOf(attributeName, anyOf(one(conditionText), listOf(one(conditionText)))))
