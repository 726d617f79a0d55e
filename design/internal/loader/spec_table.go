package loader

import "sortkey.dev/design/internal/model"

// tablesValue are the tables of a layout.
var tablesValue = someOf(each(mapOf(tableName, blockOf(tableSpec))))

var tableSpec = &blockSpec{
	name: "table", an: "a table", doc: "One DynamoDB table.",
	keys: []*keySpec{
		{name: "doc", value: one(freeText), example: "Everything the planner reads together.", doc: "What it is for."},
		{name: "was", value: one(tableName), example: "shop-v1", doc: "Name of the table that it replaces, in the version before, for `sortkey diff`."},
		{name: "tags", value: mapOf(freeText, one(freeText)), example: "{ team: exams }", doc: "Tags of the table in AWS."},
		{name: "pk", required: true, value: one(storedName), example: "PK", doc: "Partition key attribute. An entity that has an attribute of that name needs no template."},
		{name: "sk", value: one(storedName), example: "SK", doc: "Sort key attribute."},
		{name: "type", value: one(storedName), example: "EntityType", doc: "Attribute with the entity's label, or its name."},
		{name: "delimiter", value: one(choice("delimiter", model.Delimiters...)), example: `"|"`,
			doc: "Character that separates the parts of its keys, in quotes; the default is `#`. Key templates of the table are written with it."},
		{name: "billing", value: anyOf(one(choice("billingMode", "on-demand", "provisioned")), blockOf(billingSpec)), example: "on-demand",
			doc: "Billing mode; the default is on-demand."},
		{name: "class", value: one(choice("tableClass", "standard", "standard-ia")), example: "standard", doc: "Table class; the default is standard."},
		{name: "stream", value: one(choice("stream", "keys_only", "new_image", "old_image", "new_and_old_images")), example: "new_and_old_images",
			doc: "Contents of the stream; the default is no stream."},
		{name: "pitr", value: one(yesNo), example: "true", doc: "Point-in-time recovery; the default is false."},
		{name: "ttl", value: one(storedName), example: "expires_at", doc: "Attribute with the time after which DynamoDB deletes an item."},
		{name: "encryption", value: one(choice("encryption", "aws-owned", "aws-managed", "customer")), example: "aws-owned", doc: "The key that encrypts the table; the default is aws-owned."},
		{name: "protect", value: one(yesNo), example: "true", doc: "Deletion protection; the default is false."},
		{name: "indexes", value: each(mapOf(tableName, blockOf(indexSpec))), example: "{ GSI1: { pk: GSI1PK, sk: GSI1SK } }", doc: "Secondary indexes by name."},
		{name: "items", required: true, value: anyOf(listOf(one(name)), someOf(each(mapOf(name, itemValue)))),
			example: `{ User: { PK: "USER#{user_id}", SK: "USER" } }`,
			doc:     "The entities of this table: a list if their attributes are the keys, or a mapping with the computed key attributes of each."},
		{name: "guards", value: each(mapOf(guardName, itemValue)), example: `{ User.email: { PK: "EMAIL#{email|lower}", SK: "EMAIL" } }`,
			doc: "The keys of the guard rows that enforce `unique` values."},
		acceptKey("in this table"),
	},
}

// itemValue describes the computed attributes of an entity; {} if there are none.
var itemValue = mapOf(storedName, anyOf(one(templateText), blockOf(computedSpec)))

var billingSpec = &blockSpec{
	name: "billing", an: "a billing", doc: "Billing with its capacity.",
	keys: []*keySpec{
		{name: "mode", required: true, value: one(choice("billingMode", "on-demand", "provisioned")), example: "provisioned", doc: "Billing mode."},
		{name: "rcu", value: one(positiveNumber), example: "5", doc: "Provisioned read units; the default is computed from the patterns. With `autoscale` the initial units; the default is the minimum."},
		{name: "wcu", value: one(positiveNumber), example: "5", doc: "Provisioned write units; the default is computed from the patterns. With `autoscale` the initial units; the default is the minimum."},
		{name: "autoscale", value: blockOf(autoscaleSpec), example: "{ min: 5, max: 100, target: 0.7 }", doc: "Bounds of autoscaling."},
	},
}

var autoscaleSpec = &blockSpec{
	name: "autoscale", an: "an autoscale", doc: "Bounds of autoscaling of provisioned capacity.",
	keys: []*keySpec{
		{name: "min", required: true, value: one(positiveNumber), example: "5", doc: "Minimum units."},
		{name: "max", required: true, value: one(positiveNumber), example: "100", doc: "Maximum units."},
		{name: "target", value: one(share), example: "0.7", doc: "Target utilization; the default is 0.7."},
	},
}

var indexSpec = &blockSpec{
	name: "index", an: "an index", doc: "A secondary index. An entity without a value for its keys is not in it.",
	keys: []*keySpec{
		{name: "doc", value: one(freeText), example: "Open promises by deadline.", doc: "What it is for."},
		{name: "was", value: one(tableName), example: "by_owner", doc: "Name of the index that it replaces, in the version before, for `sortkey diff`."},
		{name: "tags", value: tagList, example: "[phase2]", doc: "Labels to check a part of the design by, such as phases."},
		{name: "local", value: one(yesNo), example: "true", doc: "A local index: it has the partition key of its table and must be created with it."},
		{name: "pk", value: oneOrList(one(storedName)), example: "GSI1PK", doc: "Partition key: one attribute, or up to four. Required unless local."},
		{name: "sk", value: oneOrList(one(storedName)), example: "[archived, created_at]", doc: "Sort key: one attribute, or up to four."},
		{name: "project", value: oneOrList(one(storedName)), example: "[title, status]",
			doc: "Projected attributes besides keys: `all`, `keys`, a projection, or a list of attributes and projections. The default is all."},
		{name: "rcu", value: one(positiveNumber), example: "5", doc: "Provisioned read units of its own."},
		{name: "wcu", value: one(positiveNumber), example: "5", doc: "Provisioned write units of its own."},
		acceptKey("in this index"),
	},
}

var computedSpec = &blockSpec{
	name: "computed", an: "a computed attribute", doc: "A computed attribute with a condition.",
	keys: []*keySpec{
		{name: "value", required: true, value: one(templateText), example: `"PROMISE#active"`, doc: "Its template."},
		{name: "when", value: one(clausesText), example: "status = active", doc: "Condition of the attribute; the default is always. An item without it is not in the index."},
	},
}
