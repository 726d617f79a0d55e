package loader

var attributeList = listOf(one(attributeName))

// setValue is what a write sets: parameters by name, or values.
var setValue = anyOf(attributeList, someOf(mapOf(attributeName, one(conditionText))))

var patternSpec = &blockSpec{
	name: "pattern", an: "a pattern", doc: "One access pattern: exactly one verb, what it asks for, and how often.",
	oneOf: verbNames,
	keys: []*keySpec{
		{name: "doc", value: one(freeText), example: "A candidate's attempts, newest first.", doc: "What it is for, in a sentence."},
		{name: "tags", value: tagList, example: "[phase1]", doc: "Labels to check a part of the design by, such as phases."},
		{name: "get", value: one(name), example: "User", doc: "Read one."},
		{name: "list", value: one(name), example: "Attempt", doc: "Read many of one entity."},
		{name: "collect", value: listOf(one(name)), example: "[User, Preferences]", doc: "Read several entities of one partition in one query."},
		{name: "create", value: one(name), example: "User", doc: "Write a new one; fails if it is there."},
		{name: "put", value: one(name), example: "Answer", doc: "Write one, replacing what is there."},
		{name: "update", value: one(name), example: "Attempt", doc: "Change one."},
		{name: "delete", value: one(name), example: "Question", doc: "Remove one."},
		{name: "transact", value: &valueSpec{element: blockOf(stepSpec), least: 1, most: maxSteps}, example: "[{ create: Question }, { update: Project, where: { project_id: $ }, add: { question_count: 1 } }]",
			doc: "Several writes, all or nothing."},
		{name: "where", value: conditions, example: "{ project_id: $, started_at: between $from and $to }", doc: "What is asked for. Must be served by a key."},
		{name: "filter", value: conditions, example: "{ status: active }", doc: "What is read first and dropped afterwards; paid for."},
		{name: "order", value: one(orderText), example: "started_at desc", doc: "The order of the list. Must come from a key."},
		{name: "select", value: attributeList, example: "[title, status]", doc: "The attributes that are returned; all if not said."},
		{name: "limit", value: one(wholeNumber), example: "20", doc: "How many are returned at most."},
		{name: "returns", value: one(notNegative), example: "23", doc: "How many are returned on average."},
		{name: "consistent", value: one(yesNo), example: "true", doc: "A read that sees every write before it; false if not said."},
		{name: "fanout", value: someOf(mapOf(attributeName, one(wholeNumber))), example: "{ project_id: 50 }", doc: "For how many values of an attribute it asks at once; one query each."},
		{name: "set", value: setValue, example: "[status, score]", doc: "What the write sets: parameters by attribute, or { attribute: value }."},
		{name: "add", value: someOf(mapOf(attributeName, one(amountText))), example: "{ question_count: 1 }", doc: "What is added to numbers, atomically."},
		{name: "remove", value: attributeList, example: "[locked_by]", doc: "Attributes the write removes."},
		{name: "if", value: one(clausesText), example: "status = IN_PROGRESS", doc: "What must hold for the write to happen."},
		{name: "requires", value: listOf(blockOf(requirementSpec)), example: "[{ entity: Project, where: { project_id: $ }, if: archived = false }]",
			doc: "Other items that must hold in the same transaction."},
		{name: "based_on", value: listOf(one(name)), example: "[GetUserByEmail]", doc: "Reads this write decides by. The checker judges whether what they saw still holds."},
		{name: "reach", value: one(durationText), example: "30d", doc: "How long after its creation this read must still find an item."},
		{name: "rate", required: true, value: one(rateText), example: "50/day", doc: "How often it is used, on average."},
		{name: "peak", value: one(rateText), example: "5/s", doc: "How often at the busiest time; taken to be 5 times the average if not said."},
		{name: "hot", value: one(share), example: "0.2", doc: "Share of the peak that falls on one partition key."},
		{name: "expect", value: blockOf(expectSpec), example: "{ units: 0.5, pages: 1 }", doc: "What the document believes about this pattern."},
		acceptKey("in this pattern"),
	},
}

// maxSteps is how many actions DynamoDB takes in one transaction.
const maxSteps = 100

var stepSpec = &blockSpec{
	name: "step", an: "a step", doc: "One write of a transaction.",
	oneOf: stepNames,
	keys: []*keySpec{
		{name: "create", value: one(name), example: "Question", doc: "Write a new one; fails if it is there."},
		{name: "put", value: one(name), example: "Answer", doc: "Write one, replacing what is there."},
		{name: "update", value: one(name), example: "Project", doc: "Change one."},
		{name: "delete", value: one(name), example: "Question", doc: "Remove one."},
		{name: "check", value: one(name), example: "Project", doc: "Only check the condition of one."},
		{name: "where", value: conditions, example: "{ project_id: $ }", doc: "Which one."},
		{name: "set", value: setValue, example: "[status]", doc: "What the write sets: parameters by attribute, or { attribute: value }."},
		{name: "add", value: someOf(mapOf(attributeName, one(amountText))), example: "{ question_count: 1 }", doc: "What is added to numbers, atomically."},
		{name: "remove", value: attributeList, example: "[locked_by]", doc: "Attributes the write removes."},
		{name: "if", value: one(clausesText), example: "archived = false", doc: "What must hold for the transaction to happen."},
		{name: "each", value: one(wholeNumber), example: "5", doc: "So many of them; 1 if not said."},
	},
}

var requirementSpec = &blockSpec{
	name: "requirement", an: "a requirement", doc: "Another item that must hold in the same transaction.",
	keys: []*keySpec{
		{name: "entity", required: true, value: one(name), example: "Project", doc: "The entity."},
		{name: "exists", value: one(yesNo), example: "true", doc: "Whether it must be there or must not; true if not said."},
		{name: "where", value: conditions, example: "{ project_id: $ }", doc: "Which one."},
		{name: "if", value: one(clausesText), example: "archived = false", doc: "What must hold for it."},
		{name: "change", value: someOf(mapOf(attributeName, one(conditionText))), example: "{ status: CLOSED }", doc: "What is changed on it along with the write."},
		{name: "consume", value: one(yesNo), example: "true", doc: "It is deleted along with the write; false if not said."},
	},
}

var expectSpec = &blockSpec{
	name: "expect", an: "an expectation", doc: "What a document believes about a pattern.",
	keys: []*keySpec{
		{name: "units", value: one(statedText), example: "0.5", doc: "Capacity units of a call."},
		{name: "calls", value: one(statedText), example: "1", doc: "Calls to DynamoDB for each use."},
		{name: "pages", value: one(statedText), example: "1", doc: "Pages of a call."},
		{name: "price", value: one(statedText), example: "$0.12", doc: "Dollars a month."},
		{name: "reads", value: one(statedText), example: "3000", doc: "Read units a month."},
		{name: "writes", value: one(statedText), example: "3000", doc: "Write units a month."},
	},
}
