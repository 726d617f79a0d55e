package loader

var entitySpec = &blockSpec{
	name: "entity", an: "an entity", doc: "One kind of thing the design stores.",
	keys: []*keySpec{
		{name: "doc", value: one(freeText), example: "An admin or a candidate.", doc: "What it is, in a sentence."},
		{name: "tags", value: tagList, example: "[phase1]", doc: "Labels to check a part of the design by, such as phases."},
		{name: "id", required: true, value: oneOrList(one(attributeName)), example: "[chat_id, message_id]", doc: "The attribute, or attributes, that identify one."},
		{name: "attributes", required: true, value: someOf(each(mapOf(attributeName, anyOf(one(typeText), blockOf(attributeSpec))))),
			example: "{ user_id: ulid, email: string, nickname: string? }", doc: "Its attributes with their types."},
		{name: "unique", value: each(listOf(anyOf(one(attributeName), listOf(one(attributeName)), blockOf(uniqueSpec)))), example: "[email, [household, name]]",
			doc: "Values that occur once. Elements of a set are kept unique only by an item of its own for each, created in the same transaction."},
		{name: "counters", value: each(mapOf(attributeName, blockOf(counterSpec))), example: "{ question_count: { count: Question } }",
			doc: "Numbers kept on this entity that count or sum other items. Generated writes keep them in the same transaction."},
		{name: "version", value: one(attributeName), example: "version", doc: "Whole number that rises with every write: the optimistic lock."},
		{name: "ttl", value: one(attributeName), example: "expires_at", doc: "Attribute with the time after which DynamoDB deletes it, in whole seconds."},
		{name: "deadline", value: one(attributeName), example: "closes_at", doc: "Attribute with the instant after which it is over. It is not deleted then."},
		{name: "size", value: anyOf(one(bytesText), blockOf(sizeSpec)), example: "3.5KB", doc: "How large an item is; estimated from the types if not said."},
		{name: "count", value: one(notNegative), example: "1000", doc: "How many there are. Or growth."},
		{name: "growth", value: one(rateText), example: "50/day", doc: "How many are added. Or count."},
		{name: "keep", value: one(durationText), example: "90d", doc: "How long each is kept; for ever if not said. Goes with growth."},
		{name: "per", value: each(mapOf(attributeName, anyOf(one(notNegative), blockOf(perSpec)))), example: "{ candidate_id: { avg: 5, max: 60 } }",
			doc: "How many there are for one value of an attribute: drives pages and units."},
		{name: "encrypt", value: listOf(one(attributeName)), example: "[email]", doc: "Attributes the client seals before they are stored."},
		acceptKey("in this entity"),
	},
}

var tagList = listOf(one(label))

var attributeSpec = &blockSpec{
	name: "attribute", an: "an attribute", doc: "An attribute with more than a type.",
	keys: []*keySpec{
		{name: "type", required: true, value: one(typeText), example: "ulid", doc: "Its type."},
		{name: "time", value: one(attributeName), example: "created_at", doc: "Of a ulid or uuidv7: the attribute with the time it was made from, so that sorting by one is sorting by the other."},
		{name: "name", value: one(storedName), example: "c", doc: "Its name in DynamoDB, if it is another."},
		{name: "size", value: one(bytesText), example: "2KB", doc: "Average size of the value."},
		{name: "doc", value: one(freeText), example: "When the bid was placed.", doc: "What it is."},
		{name: "lifecycle", value: someOf(mapOf(label, &valueSpec{element: one(label)})), example: "{ OPEN: [CLOSED], CLOSED: [] }",
			doc: "Of an enum: which values may follow each one. A pattern that makes another step is a finding."},
		{name: "start", value: one(label), example: "OPEN", doc: "Of a lifecycle: the first value; the first of the enum if not said."},
	},
}

var fieldSpec = &blockSpec{
	name: "field", an: "a field", doc: "A value inside a type, with more than a type of its own.",
	keys: []*keySpec{
		{name: "type", required: true, value: one(typeText), example: "string", doc: "Its type."},
		{name: "name", value: one(storedName), example: "s", doc: "Its name in DynamoDB, if it is another."},
		{name: "size", value: one(bytesText), example: "20B", doc: "Average size of the value."},
		{name: "doc", value: one(freeText), example: "Street and number.", doc: "What it is."},
	},
}

var uniqueSpec = &blockSpec{
	name: "unique", an: "a unique rule", doc: "A value that occurs once within a scope.",
	keys: []*keySpec{
		{name: "value", required: true, value: oneOrList(one(attributeName)), example: "email", doc: "What occurs once."},
		{name: "per", value: oneOrList(one(attributeName)), example: "tenant_id", doc: "Within what; in all if not said."},
	},
}

var counterSpec = &blockSpec{
	name: "counter", an: "a counter", doc: "A number kept on this entity that counts or sums other items.",
	oneOf: []string{"count", "sum"},
	keys: []*keySpec{
		{name: "count", value: one(name), example: "Question", doc: "The entity whose items are counted."},
		{name: "sum", value: one(sumOf), example: "Bid.amount", doc: "The entity and attribute that is summed."},
		{name: "where", value: conditions, example: "{ status: active }", doc: "Which items count; all if not said."},
		{name: "match", value: someOf(mapOf(attributeName, one(attributeName))), example: "{ project_id: exam_id }",
			doc: "How a counted item finds its counter: attribute here and attribute there. By default the id of this entity, by the same names."},
		{name: "min", value: one(anyNumber), example: "0", doc: "The write that would take it below fails."},
		{name: "max", value: one(anyNumber), example: "100", doc: "The write that would take it above fails."},
		{name: "shards", value: one(wholeNumber), example: "10", doc: "Spread over so many items, so that more writes a second fit. The attribute itself counts nothing then: generated code has a method that adds the items up, such as `SumPageViews`."},
	},
}

var sizeSpec = &blockSpec{
	name: "size", an: "a size", doc: "How large items are.",
	keys: []*keySpec{
		{name: "avg", required: true, value: one(bytesText), example: "6KB", doc: "On average."},
		{name: "max", value: one(bytesText), example: "10KB", doc: "At most."},
	},
}

var perSpec = &blockSpec{
	name: "per", an: "a fan-out", doc: "How many items there are for one value.",
	keys: []*keySpec{
		{name: "avg", value: one(notNegative), example: "5", doc: "On average; max if not said."},
		{name: "max", value: one(notNegative), example: "60", doc: "For the largest; avg if not said."},
	},
}

// conditions are the entries of where and filter.
var conditions = someOf(mapOf(attributeName, anyOf(one(conditionText), listOf(one(conditionText)))))
