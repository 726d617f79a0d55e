package loader

var attributeList = listOf(one(attributeName))

// setValue describes set: parameters by name, or values.
var setValue = anyOf(attributeList, someOf(mapOf(changedName, one(conditionText))))

// initialValue describes initial, which has no entries of maps.
var initialValue = anyOf(attributeList, someOf(mapOf(attributeName, one(conditionText))))

const (
	upsertDoc  = "Change an item, or create it if it does not exist. It compares no version. `where` gives the id, and every required attribute is given in `where`, `set`, `add` or `initial`."
	setDoc     = "Attributes the write sets: parameters by attribute, or { attribute: value }; of an update also single entries of maps, { \"labels[$key]\": $value }."
	patchDoc   = "Of an update: attributes that the caller may leave out, each a parameter. Those that are given are set, the others stay. A call that gives none is an error."
	addDoc     = "Numbers to add to attributes or entries of maps, and elements to add to sets, atomically."
	appendDoc  = "Elements to append to lists: a parameter. With `max` of the attribute, the write fails if the list would be longer."
	removeDoc  = "Attributes or entries of maps the write removes; or { set: $elements } to delete elements of a set, with `all` for a whole attribute."
	fanoutDoc  = "Number of values of an attribute per call; one query each, or one key each of a get. Of a time that `where` asks for with `between` and that the partition key contains as `{at|year}`, `month`, `date` or `hour`: the maximum number of these periods in a range; there is one query for each, and a longer range is an error."
	initialDoc = "Of an upsert: attributes that are written only if the item lacks them, in the forms of `set`."
)

// removeValue describes remove: attributes, or what of each is removed.
var removeValue = anyOf(listOf(one(changedName)), someOf(mapOf(changedName, one(removalText))))

var patternSpec = &blockSpec{
	name: "pattern", an: "a pattern", doc: "One access pattern: exactly one verb, its conditions, and its rate.",
	oneOf: verbNames,
	keys: []*keySpec{
		{name: "doc", value: one(freeText), example: "A candidate's attempts, newest first.", doc: "What it is for, in a sentence."},
		{name: "tags", value: tagList, example: "[phase1]", doc: "Labels to check a part of the design by, such as phases."},
		{name: "get", value: one(name), example: "User", doc: "Read one; or one for each value, if where gives the primary key with one attribute `in $names`."},
		{name: "list", value: one(name), example: "Attempt", doc: "Read several items of one entity."},
		{name: "collect", value: listOf(one(name)), example: "[User, Preferences]", doc: "Read several entities of one partition in one query."},
		{name: "scan", value: one(name), example: "Project", doc: "Read every item of one entity, in no order. The whole table is read and charged, or the index with the fewest other items."},
		{name: "snapshot", value: &valueSpec{element: blockOf(partSpec), least: 1, most: maxSteps}, example: "[{ get: Order, where: { order_id: $ } }, { get: Customer, where: { customer_id: $ } }]",
			doc: "Read several items in one transaction, each by its primary key: as they are at one moment."},
		{name: "create", value: one(name), example: "User", doc: "Write a new item; fails if it exists."},
		{name: "put", value: one(name), example: "Answer", doc: "Write an item, replacing an existing one."},
		{name: "update", value: one(name), example: "Attempt", doc: "Change an item."},
		{name: "upsert", value: one(name), example: "RateWindow", doc: upsertDoc},
		{name: "delete", value: one(name), example: "Question", doc: "Delete an item."},
		{name: "transact", value: &valueSpec{element: blockOf(stepSpec), least: 1, most: maxSteps}, example: "[{ create: Question }, { update: Project, where: { project_id: $ }, add: { question_count: 1 } }]",
			doc: "Several writes in one transaction."},
		{name: "where", value: conditions, example: "{ project_id: $, started_at: between $from and $to }", doc: "Conditions that a key must serve."},
		{name: "filter", value: anyOf(one(clausesText), conditions), example: "{ status: active }", doc: "Conditions applied after the read, by attribute or as a text as in `if`; the items they remove are charged."},
		{name: "order", value: one(orderText), example: "started_at desc", doc: "The order of the list. A key must provide it."},
		{name: "select", value: oneOrList(one(attributeName)), example: "[title, status]", doc: "The attributes that are returned: a projection, or a list of attributes and projections. The default is all."},
		{name: "limit", value: one(wholeNumber), example: "20", doc: "Maximum number of items returned."},
		{name: "returns", value: one(notNegative), example: "23", doc: "Average number of items returned."},
		{name: "consistent", value: one(yesNo), example: "true", doc: "A strongly consistent read; the default is false."},
		{name: "fanout", value: someOf(mapOf(attributeName, one(wholeNumber))), example: "{ project_id: 50 }", doc: fanoutDoc},
		{name: "segments", value: one(wholeNumber), example: "4", doc: "Of a scan: number of parts that are read at the same time; the default is 1."},
		{name: "set", value: setValue, example: "[status, score]", doc: setDoc},
		{name: "patch", value: attributeList, example: "[title, note]", doc: patchDoc},
		{name: "initial", value: initialValue, example: "{ created_at: $now }", doc: initialDoc},
		{name: "add", value: someOf(mapOf(changedName, one(amountText))), example: "{ question_count: 1 }", doc: addDoc},
		{name: "append", value: someOf(mapOf(attributeName, one(parameterText))), example: "{ lines: $ }", doc: appendDoc},
		{name: "remove", value: removeValue, example: "[locked_by]", doc: removeDoc},
		{name: "if", value: one(clausesText), example: "status = IN_PROGRESS", doc: "Condition of the write. Of an upsert: of the item, if it exists."},
		{name: "requires", value: listOf(blockOf(requirementSpec)), example: "[{ entity: Project, where: { project_id: $ }, if: archived = false }]",
			doc: "Conditions on other items, checked in the same transaction."},
		{name: "based_on", value: listOf(one(name)), example: "[GetUserByEmail]", doc: "Reads that this write depends on. The checker reports a write that succeeds although the items changed."},
		{name: "reach", value: one(durationText), example: "30d", doc: "How long after its creation this read must still find an item."},
		{name: "rate", required: true, value: one(rateText), example: "50/day", doc: "Average number of calls."},
		{name: "peak", value: one(rateText), example: "5/s", doc: "Number of calls at the peak; the default is 5 times the average."},
		{name: "hot", value: anyOf(one(share), someOf(mapOf(attributeName, one(share)))), example: "{ game_id: 0.2 }",
			doc: "Share of the peak on the hottest partition key: of every table and index, or by attribute, on the keys that contain it."},
		{name: "expect", value: blockOf(expectSpec), example: "{ units: 0.5, pages: 1 }", doc: "Numbers the document states about this pattern."},
		acceptKey("in this pattern"),
	},
}

// maxSegments is the maximum number of segments of a scan. Each holds a page of up to a megabyte
// in memory.
const maxSegments = 1000

// maxSteps is the maximum number of actions of a transaction.
const maxSteps = 100

var partSpec = &blockSpec{
	name: "part", an: "a part", doc: "One item of a snapshot.",
	keys: []*keySpec{
		{name: "get", required: true, value: one(name), example: "Order", doc: "The entity."},
		{name: "as", value: one(name), example: "sender", doc: "Name of the part in the result; the default is the name of the entity. Required for an entity that has several parts."},
		{name: "where", value: conditions, example: "{ order_id: $ }", doc: "The primary key of the item."},
		{name: "select", value: oneOrList(one(attributeName)), example: "[title, status]", doc: "The attributes that are returned: a projection, or a list of attributes and projections. The default is all."},
	},
}

var stepSpec = &blockSpec{
	name: "step", an: "a step", doc: "One write of a transaction.",
	oneOf: stepNames,
	keys: []*keySpec{
		{name: "create", value: one(name), example: "Question", doc: "Write a new item; fails if it exists."},
		{name: "put", value: one(name), example: "Answer", doc: "Write an item, replacing an existing one."},
		{name: "update", value: one(name), example: "Project", doc: "Change an item."},
		{name: "upsert", value: one(name), example: "RateWindow", doc: upsertDoc},
		{name: "delete", value: one(name), example: "Question", doc: "Delete an item."},
		{name: "check", value: one(name), example: "Project", doc: "Only check a condition on an item."},
		{name: "where", value: conditions, example: "{ project_id: $ }", doc: "The key of the item."},
		{name: "set", value: setValue, example: "[status]", doc: setDoc},
		{name: "patch", value: attributeList, example: "[title, note]", doc: patchDoc},
		{name: "initial", value: initialValue, example: "{ created_at: $now }", doc: initialDoc},
		{name: "add", value: someOf(mapOf(changedName, one(amountText))), example: "{ question_count: 1 }", doc: addDoc},
		{name: "append", value: someOf(mapOf(attributeName, one(parameterText))), example: "{ lines: $ }", doc: appendDoc},
		{name: "remove", value: removeValue, example: "[locked_by]", doc: removeDoc},
		{name: "if", value: one(clausesText), example: "archived = false", doc: "Condition of the transaction."},
		{name: "each", value: one(wholeNumber), example: "5", doc: "Number of items; the default is 1."},
	},
}

var requirementSpec = &blockSpec{
	name: "requirement", an: "a requirement", doc: "A condition on another item, checked in the same transaction.",
	keys: []*keySpec{
		{name: "entity", required: true, value: one(name), example: "Project", doc: "The entity."},
		{name: "exists", value: one(yesNo), example: "true", doc: "Whether the item must exist or must not; the default is true."},
		{name: "where", value: conditions, example: "{ project_id: $ }", doc: "The key of the item."},
		{name: "if", value: one(clausesText), example: "archived = false", doc: "Condition on the item."},
		{name: "change", value: someOf(mapOf(attributeName, one(conditionText))), example: "{ status: CLOSED }", doc: "Attributes of the item to change in the same transaction."},
		{name: "consume", value: one(yesNo), example: "true", doc: "Delete the item in the same transaction; the default is false."},
	},
}

var expectSpec = &blockSpec{
	name: "expect", an: "an expectation", doc: "Numbers a document states about a pattern.",
	keys: []*keySpec{
		{name: "units", value: one(statedText), example: "0.5", doc: "Capacity units of a call."},
		{name: "calls", value: one(statedText), example: "1", doc: "Requests to DynamoDB of a call."},
		{name: "pages", value: one(statedText), example: "1", doc: "Pages of a call."},
		{name: "price", value: one(statedText), example: "$0.12", doc: "Dollars a month."},
		{name: "reads", value: one(statedText), example: "3000", doc: "Read units a month."},
		{name: "writes", value: one(statedText), example: "3000", doc: "Write units a month."},
	},
}
