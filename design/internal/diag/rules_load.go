package diag

// loadRules are about what a design does under its workload: heat, time, limits, races, money.
var loadRules = []Rule{
	{
		Code: "H501", Name: "hot-partition", Family: Heat, Severity: Error,
		Title: "The peak on one partition key exceeds what a partition can do",
		Why:   "1000 write units and 3000 read units a second are the end for one partition, in every billing mode; calls are throttled.",
		Fix:   "Spread the key with shard N, cache the reads, or write less often.",
	},
	{
		Code: "H502", Name: "few-partitions", Family: Heat, Severity: Warning,
		Title: "A partition key with few values",
		Why:   "All traffic of one value goes to one partition, however large the table is.",
		Fix:   "Add an attribute with many values to the key, or shard it.",
	},
	{
		Code: "H503", Name: "hot-item", Family: Heat, Severity: Warning,
		Title: "One item takes all writes of a busy pattern",
		Why:   "A single item cannot be split; its partition is the limit, and transactions that write or check it cancel each other.",
		Fix:   "Shard the counter, or add up from a stream.",
	},
	{
		Code: "H504", Name: "partition-grows", Family: Heat, Severity: Warning,
		Title: "A partition that grows without end",
		Why:   "Reads of one partition get slower to page through, and a local index stops at 10 GB.",
		Fix:   "Put a time bucket into the partition key or let old items expire.",
	},
	{
		Code: "H505", Name: "local-index-10gb", Family: Heat, Severity: Error,
		Title: "A partition under a local index can exceed 10 GB",
		Why:   "Writes that make it larger are refused from then on, and it cannot be split.",
		Fix:   "Use a global index, or bound the partition.",
	},
	{
		Code: "H506", Name: "near-limit", Family: Heat, Severity: Note,
		Title: "The peak uses more than half of what one partition can do",
		Why:   "The next growth step hits the limit.",
		Fix:   "Plan the sharding now, while the key can still change.",
	},
	{
		Code: "H507", Name: "capacity-below-peak", Family: Heat, Severity: Error,
		Title: "Provisioned capacity below what the peak takes",
		Why:   "Calls above it are throttled as soon as the few minutes of saved capacity are used up; an index that cannot follow throttles its table's writes.",
		Fix:   "Raise the capacity, autoscale up to the peak, or pay on demand.",
	},

	{
		Code: "T601", Name: "ttl-not-seconds", Family: Time, Severity: Error,
		Title: "A TTL attribute that is not a number of seconds",
		Why:   "DynamoDB ignores it silently: nothing is ever deleted.",
		Fix:   "Make it unixtime.",
	},
	{
		Code: "T602", Name: "ttl-as-deadline", Family: Time, Severity: Warning,
		Title: "TTL used as a timer",
		Why:   "Deletion comes up to days late and tells nobody; until then the item is still read.",
		Fix:   "Keep the deadline in an attribute of its own, compare it on every read, and use TTL only to clean up later.",
	},
	{
		Code: "T603", Name: "ttl-too-early", Family: Time, Severity: Error,
		Title: "TTL deletes what a pattern still reads",
		Why:   "The pattern finds nothing after the item expired.",
		Fix:   "Set the TTL later than the longest reach of its patterns.",
	},
	{
		Code: "T604", Name: "ttl-orphans", Family: Time, Severity: Warning,
		Title: "TTL deletes a parent and leaves its children",
		Why:   "Children stay for ever, unreachable and paid for.",
		Fix:   "Give the children the same TTL.",
	},
	{
		Code: "T605", Name: "ttl-not-enabled", Family: Time, Severity: Error,
		Title: "A TTL attribute the table does not know",
		Why:   "Nothing is ever deleted: TTL is switched on per table, for one attribute.",
		Fix:   "Set ttl on the table to this attribute.",
	},
	{
		Code: "T606", Name: "state-never-reached", Family: Time, Severity: Warning,
		Title: "A state that no pattern ever writes",
		Why:   "Reads wait for a state that never comes; TTL deletes, it does not change a status.",
		Fix:   "Write the pattern that makes the transition, or remove the state.",
	},
	{
		Code: "T607", Name: "keep-without-ttl", Family: Time, Severity: Warning,
		Title: "Data is said to be kept for a time, but nothing deletes it",
		Why:   "Storage grows for ever, and a promise of deletion is broken.",
		Fix:   "Set ttl, or drop keep.",
	},

	{
		Code: "L701", Name: "item-too-large", Family: Limits, Severity: Error,
		Title: "An item can exceed 400 KB",
		Why:   "The write is refused on the day the item grew.",
		Fix:   "Move large values to object storage, or split the item.",
	},
	{
		Code: "L702", Name: "many-pages", Family: Limits, Severity: Warning,
		Title: "One call takes several pages",
		Why:   "Each page is at most 1 MB and one round trip; they cannot be read in parallel.",
		Fix:   "Ask for fewer items with limit, project less, or narrow the key.",
	},
	{
		Code: "L703", Name: "transaction-too-large", Family: Limits, Severity: Error,
		Title: "A transaction over 100 actions or 4 MB",
		Why:   "DynamoDB refuses it.",
		Fix:   "Split it where atomicity is not needed, or write as you go.",
	},
	{
		Code: "L704", Name: "too-many-indexes", Family: Limits, Severity: Error,
		Title: "More than 20 global or 5 local indexes",
		Why:   "CreateTable refuses them.",
		Fix:   "Share indexes between entities.",
	},
	{
		Code: "L705", Name: "too-many-projected", Family: Limits, Severity: Error,
		Title: "More than 20 projected attributes in an index, or 100 in all",
		Why:   "CreateTable refuses the table.",
		Fix:   "Project all, or fewer.",
	},
	{
		Code: "L706", Name: "same-item-twice", Family: Limits, Severity: Error,
		Title: "A transaction touches the same item twice",
		Why:   "DynamoDB refuses it.",
		Fix:   "Combine the two actions into one.",
	},
	{
		Code: "L707", Name: "large-item", Family: Limits, Severity: Note,
		Title: "Large items make every small update expensive",
		Why:   "An update is charged for the whole item, not for what changed.",
		Fix:   "Keep what changes often in a small item of its own.",
	},
	{
		Code: "L708", Name: "key-parts", Family: Limits, Severity: Error,
		Title: "An index key with more attributes than DynamoDB takes",
		Why:   "Four each are the end for a global index, one for a local index; CreateTable refuses more.",
		Fix:   "Join attributes in a template.",
	},

	{
		Code: "W801", Name: "read-modify-write", Family: Writes, Severity: Warning,
		Title: "A counter is set where it should be added to",
		Why:   "Two writers read the same number, and one of their changes is lost.",
		Fix:   "Use add.",
	},
	{
		Code: "W802", Name: "unique-not-enforced", Family: Writes, Severity: Error,
		Title: "Uniqueness that nothing enforces",
		Why:   "Two writers at the same time both succeed.",
		Fix:   "Make it the primary key, or give it a guard row.",
	},
	{
		Code: "W803", Name: "check-through-index", Family: Writes, Severity: Error,
		Title: "A duplicate check through an eventually consistent index",
		Why:   "The index lags behind, so a double submit passes the check.",
		Fix:   "Make the id from what must be unique and create with a condition.",
	},
	{
		Code: "W804", Name: "counter-outside", Family: Writes, Severity: Error,
		Title: "A counter kept apart from what it counts",
		Why:   "A crash between the two writes leaves the count wrong for ever.",
		Fix:   "Write both in one transaction.",
	},
	{
		Code: "W805", Name: "check-then-act", Family: Writes, Severity: Warning,
		Title: "A write decides by a read it does not hold",
		Why:   "Between the read and the write somebody else may have changed it.",
		Fix:   "Repeat the condition in if, or lock with version.",
	},
	{
		Code: "W806", Name: "unguarded-transition", Family: Writes, Severity: Warning,
		Title: "A status is set without checking the one before",
		Why:   "A late or repeated call moves a finished thing back.",
		Fix:   "Add if: status = the state it comes from.",
	},
	{
		Code: "W807", Name: "transition-not-allowed", Family: Writes, Severity: Error,
		Title: "A transition the lifecycle does not have",
		Why:   "The pattern makes a state change the design forbids.",
		Fix:   "Change the pattern or the lifecycle.",
	},
	{
		Code: "W808", Name: "copies-apart", Family: Writes, Severity: Warning,
		Title: "Copies of the same thing written one by one",
		Why:   "A failure in between leaves them different.",
		Fix:   "Write them in one transaction.",
	},
	{
		Code: "W809", Name: "rule-bypassed", Family: Writes, Severity: Error,
		Title: "A write goes around a declared rule",
		Why:   "What the design says must hold does not hold after it.",
		Fix:   "Use the transaction that keeps the rule.",
	},
	{
		Code: "W810", Name: "counts-expired", Family: Writes, Severity: Warning,
		Title: "A counter of items that TTL deletes",
		Why:   "TTL lowers no counter, so it goes on counting what is long gone.",
		Fix:   "Delete with a pattern that lowers the counter, or call it what it is: how many there ever were.",
	},

	{
		Code: "M901", Name: "next-unit", Family: Cost, Severity: Note,
		Title: "An item a little over a unit",
		Why:   "A few bytes more cost a whole unit on every call.",
		Fix:   "Shorten attribute names or values to get below the boundary.",
	},
	{
		Code: "M902", Name: "write-amplification", Family: Cost, Severity: Note,
		Title: "One write becomes many",
		Why:   "Every index entry of an item is a write of its own.",
		Fix:   "Index and project less.",
	},
	{
		Code: "M903", Name: "provisioned-cheaper", Family: Cost, Severity: Note,
		Title: "Provisioned capacity would be cheaper",
		Why:   "The load is steady enough.",
		Fix:   "Set billing to provisioned with autoscaling.",
	},
	{
		Code: "M904", Name: "on-demand-cheaper", Family: Cost, Severity: Note,
		Title: "On-demand would be cheaper",
		Why:   "Provisioned capacity idles most of the time.",
		Fix:   "Set billing to on-demand.",
	},
	{
		Code: "M905", Name: "free-tier-needs-provisioned", Family: Cost, Severity: Warning,
		Title: "The free tier does not cover on-demand",
		Why:   "The 25 free read and write units are of provisioned mode; on-demand requests are never free.",
		Fix:   "Use provisioned mode, or count the requests.",
	},
	{
		Code: "M906", Name: "cannot-price", Family: Cost, Severity: Note,
		Title: "Too little is known to price a pattern",
		Why:   "It is priced as one item, which may be far too little.",
		Fix:   "Say per, returns or limit.",
	},
	{
		Code: "M907", Name: "dominant-pattern", Family: Cost, Severity: Note,
		Title: "One pattern makes most of the bill",
		Why:   "Whatever is saved elsewhere hardly shows.",
		Fix:   "Look at this pattern first: fewer items, smaller items, fewer writes for one call.",
	},

	{
		Code: "X951", Name: "claim-wrong", Family: Claims, Severity: Error,
		Title: "The document states a number that is not so",
		Why:   "Decisions were taken on it.",
		Fix:   "Correct the number or the design.",
	},
	{
		Code: "X952", Name: "arithmetic-wrong", Family: Claims, Severity: Error,
		Title: "The document's own arithmetic does not give its number",
		Why:   "The sum is wrong before any question of DynamoDB.",
		Fix:   "Correct the sum.",
	},
	{
		Code: "X953", Name: "claim-formula", Family: Claims, Severity: Error,
		Title: "A formula that cannot be read or computed",
		Why:   "The claim is not checked.",
		Fix:   "Correct the formula.",
	},
}
