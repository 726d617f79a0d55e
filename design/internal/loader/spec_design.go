package loader

// designSpec is the whole file.
var designSpec = &blockSpec{
	name: "design", an: "a design",
	doc: "A design file: entities, tables, access patterns, and the numbers a document states about them.",
	keys: []*keySpec{
		{name: "design", required: true, value: one(designName), example: "ExamBuddy", doc: "Name of the design, as reports show it. The generated package is named after the file: shop.design.yaml becomes shopdb."},
		{name: "doc", value: one(freeText), example: "Exams for small teams.", doc: "What the design is for, in a sentence."},
		{name: "region", value: one(region), example: "eu-north-1", doc: "AWS region whose prices are used."},
		{name: "control", value: one(tableName), example: "shop-control",
			doc: "Table for the state of migrations, for a design none of whose tables has text keys made by templates. Nothing reads it yet."},
		{name: "writes_in", value: one(region), example: "eu-north-1", doc: "Of global tables: the only region in which programs write. Nothing reads it yet."},
		{name: "uses", value: each(mapOf(name, blockOf(useSpec))), example: "{ platform: { file: ../platform/platform.design.yaml, tables: shop- } }",
			doc: "Designs that this one stands on, by name. Commands take all of them as one program; `generate` makes the package of this design only. The names of their entities and patterns are qualified: `platform.Job`."},
		{name: "types", value: each(mapOf(name, someOf(each(mapOf(attributeName, anyOf(one(typeText), blockOf(fieldSpec))))))),
			example: "{ Address: { street: string, city: string } }", doc: "Struct types. They may contain each other, but not themselves."},
		{name: "entities", required: true, value: someOf(each(mapOf(name, blockOf(entitySpec)))), example: "{ User: { id: user_id, attributes: { user_id: ulid } } }",
			doc: "The entities by name."},
		{name: "tables", required: true, value: tablesValue, example: "{ app: { pk: user_id, items: [User] } }", doc: "The DynamoDB tables by name."},
		{name: "projections", value: each(mapOf(name, listOf(one(attributeName)))), example: "{ Card: [title, status] }",
			doc: "Lists of attributes by name, for `project` of an index and `select` of a pattern. Generated code has one type for a projection and an entity."},
		{name: "patterns", required: true, value: each(mapOf(name, blockOf(patternSpec))), example: "{ GetUser: { get: User, where: { user_id: $ }, rate: 10/s } }",
			doc: "The access patterns by name."},
		{name: "profiles", value: each(mapOf(label, blockOf(profileSpec))), example: "{ launch: { scale: 10 } }", doc: "Other workloads to price, by name."},
		{name: "alternatives", value: each(mapOf(label, blockOf(alternativeSpec))), example: "{ multi-table: { tables: { users: { pk: user_id, items: [User] } } } }",
			doc: "Other tables for the same entities and patterns, by name."},
		{name: "roles", value: each(mapOf(label, blockOf(roleSpec))), example: "{ web: { patterns: all } }", doc: "Roles and the patterns they may use, by name."},
		{name: "prices", value: anyOf(one(label), blockOf(pricesSpec)), example: "{ date: 2026-02-06, source: price list, write: 0.625 }",
			doc: "Prices of the document: the name of a built-in list, or numbers. The default is the newest prices of the region."},
		{name: "free_tier", value: anyOf(one(choice("noFreeTier", "none")), blockOf(freeTierSpec)), example: "none",
			doc: "The part of the account's free tier that is left for this design; the default is all of it."},
		{name: "expect", value: each(listOf(blockOf(claimSpec))), example: "[{ claim: cost of a month, says: $1.75 }]", doc: "Numbers the design document states. The checker computes them and reports differences."},
		acceptKey("in this file"),
	},
}

// acceptKey returns the accept of a block.
func acceptKey(where string) *keySpec {
	return &keySpec{
		name: "accept", value: someOf(each(mapOf(ruleCode, one(freeText)))), example: "{ H502: there are only two tenants }",
		doc: "Accepted findings " + where + ", each with the reason. An acceptance that matches no finding is itself a finding.",
	}
}

var useSpec = &blockSpec{
	name: "use", an: "a use", doc: "Another design that this one stands on, with the workload it has here. Names are those of that design. Its profiles, alternatives, prices and claims are not used.",
	keys: []*keySpec{
		{name: "file", required: true, value: one(designFile), example: "../platform/platform.design.yaml", doc: "The file of the design, relative to this one. It cannot use other designs itself."},
		{name: "tables", value: one(label), example: "shop-", doc: "Prefix of the names of its tables; the default is none. `shop-` makes a table `platform` become `shop-platform`."},
		{name: "scale", value: one(notNegative), example: "10", doc: "Multiplies every rate, peak and number of items that is not set below; the default is 1, and 0 is for a design of which little is used."},
		{name: "rates", value: mapOf(name, one(rateText)), example: "{ QueueJob: 2000/day }", doc: "Rates of single patterns. A stated peak changes in proportion."},
		{name: "peaks", value: mapOf(name, one(rateText)), example: "{ QueueJob: 50/s }", doc: "Peaks of single patterns."},
		{name: "counts", value: mapOf(name, one(notNegative)), example: "{ Account: 5000 }", doc: "Numbers of items of single entities."},
		{name: "growth", value: mapOf(name, one(rateText)), example: "{ Job: 2000/day }", doc: "Numbers of items added of single entities."},
		{name: "roles", value: mapOf(label, oneOrList(one(label))), example: "{ server: [web, worker] }",
			doc: "Roles of this design that have the patterns of a role of that design. The default is the role of the same name, or else the role stays a role of its own."},
		acceptKey("in that design"),
	},
}

var profileSpec = &blockSpec{
	name: "profile", an: "a profile", doc: "A workload to price besides the one the patterns state.",
	keys: []*keySpec{
		{name: "doc", value: one(freeText), example: "The day of the launch.", doc: "What the workload is."},
		{name: "scale", value: one(positiveNumber), example: "10", doc: "Multiplies every rate and count that is not set below; the default is 1."},
		{name: "rates", value: mapOf(qualifiedName, one(rateText)), example: "{ GetUser: 1M/month }", doc: "Rates of single patterns, also of used designs: `platform.QueueJob`."},
		{name: "peaks", value: mapOf(qualifiedName, one(rateText)), example: "{ PlaceBid: 500/s }",
			doc: "Peaks of single patterns, also of used designs. By default a stated peak is multiplied by scale, unless rates has the pattern."},
		{name: "counts", value: mapOf(qualifiedName, one(notNegative)), example: "{ User: 5000 }", doc: "Numbers of items of single entities, also of used designs."},
		{name: "hot", value: mapOf(qualifiedName, one(share)), example: "{ PlaceBid: 0.2 }",
			doc: "Shares of the peak on the hottest key of single patterns. By default a share is divided by scale: there are as many more keys, and the hottest has the load it has without the profile."},
	},
}

var alternativeSpec = &blockSpec{
	name: "alternative", an: "an alternative", doc: "Another layout for the same entities and patterns.",
	keys: []*keySpec{
		{name: "doc", value: one(freeText), example: "One table for each entity.", doc: "How it differs, and why it was considered."},
		{name: "tables", required: true, value: tablesValue, example: "{ users: { pk: user_id, items: [User] } }", doc: "The tables of this layout."},
		acceptKey("in this alternative"),
	},
}

var roleSpec = &blockSpec{
	name: "role", an: "a role", doc: "A role that may use some of the patterns. IAM policies are generated from it.",
	keys: []*keySpec{
		{name: "doc", value: one(freeText), example: "The public web front.", doc: "What the role is for."},
		{name: "patterns", required: true, value: anyOf(one(choice("allPatterns", "all")), listOf(one(name))), example: "[GetUser, SaveUser]",
			doc: "The patterns the role may use, or all of them."},
		{name: "bind", value: mapOf(attributeName, one(freeText)), example: "{ user_id: sub }",
			doc: "Attributes that must equal a property of the caller, with that property."},
	},
}

var pricesSpec = &blockSpec{
	name: "prices", an: "a price list", doc: "Prices in dollars that replace those of the region.",
	keys: []*keySpec{
		{name: "date", value: one(freeText), example: "2026-02-06", doc: "The date of the prices."},
		{name: "source", value: one(freeText), example: "AWS price list", doc: "The source of the prices."},
		{name: "write", value: one(notNegative), example: "0.625", doc: "A million write request units, on-demand."},
		{name: "read", value: one(notNegative), example: "0.125", doc: "A million read request units, on-demand."},
		{name: "wcu_hour", value: one(notNegative), example: "0.00065", doc: "One provisioned write unit for an hour."},
		{name: "rcu_hour", value: one(notNegative), example: "0.00013", doc: "One provisioned read unit for an hour."},
		{name: "storage", value: one(notNegative), example: "0.25", doc: "A GB stored for a month."},
		{name: "ia_write", value: one(notNegative), example: "0.78", doc: "A million write request units, on-demand, class standard-ia."},
		{name: "ia_read", value: one(notNegative), example: "0.155", doc: "A million read request units, on-demand, class standard-ia."},
		{name: "ia_wcu_hour", value: one(notNegative), example: "0.00081", doc: "One provisioned write unit for an hour, class standard-ia."},
		{name: "ia_rcu_hour", value: one(notNegative), example: "0.00016", doc: "One provisioned read unit for an hour, class standard-ia."},
		{name: "ia_storage", value: one(notNegative), example: "0.10", doc: "A GB stored for a month, class standard-ia."},
		{name: "pitr", value: one(notNegative), example: "0.20", doc: "Continuous backups of a GB for a month."},
		{name: "backup", value: one(notNegative), example: "0.10", doc: "A GB of on-demand backups for a month."},
		{name: "restore", value: one(notNegative), example: "0.15", doc: "A GB restored."},
		{name: "export", value: one(notNegative), example: "0.10", doc: "A GB exported to S3."},
		{name: "import", value: one(notNegative), example: "0.15", doc: "A GB imported from S3."},
		{name: "streams", value: one(notNegative), example: "0.0000002", doc: "A read request to a stream."},
		{name: "replicated_write", value: one(notNegative), example: "0.625", doc: "A million replicated write request units, on-demand."},
		{name: "replicated_wcu_hour", value: one(notNegative), example: "0.000975", doc: "One replicated write unit for an hour."},
		{name: "reserved_1y", value: one(notNegative), example: "0.54", doc: "Discount on capacity reserved for one year, as a share of 1."},
		{name: "reserved_3y", value: one(notNegative), example: "0.77", doc: "Discount on capacity reserved for three years, as a share of 1."},
		{name: "free_wcu", value: one(notNegative), example: "25", doc: "Provisioned write units that are free for an account."},
		{name: "free_rcu", value: one(notNegative), example: "25", doc: "Provisioned read units that are free for an account."},
		{name: "free_gb", value: one(notNegative), example: "25", doc: "GB stored that are free for an account."},
		{name: "free_streams", value: one(notNegative), example: "2500000", doc: "Stream reads that are free for an account each month."},
	},
}

var freeTierSpec = &blockSpec{
	name: "freeTier", an: "a free tier", doc: "The part of the account's free tier that is left.",
	keys: []*keySpec{
		{name: "rcu", value: one(notNegative), example: "25", doc: "Provisioned read units; the default is 25."},
		{name: "wcu", value: one(notNegative), example: "25", doc: "Provisioned write units; the default is 25."},
		{name: "storage", value: one(bytesText), example: "25GB", doc: "Stored data; the default is 25GB."},
	},
}

var claimSpec = &blockSpec{
	name: "claim", an: "a claim", doc: "A number a design document states.",
	keys: []*keySpec{
		{name: "claim", required: true, value: one(freeText), example: "cost of a month", doc: "The document's words."},
		{name: "says", required: true, value: one(statedText), example: "$1.75", doc: "The number, with the digits the document gives."},
		{name: "worked", value: one(formulaText), example: "2.8M * write", doc: "How the document computed it; must give the stated number."},
		{name: "is", value: one(formulaText), example: "month(on-demand)", doc: "The true value, computed from the design."},
		{name: "where", value: one(freeText), example: "section 5.2", doc: "The section of the document."},
	},
}
