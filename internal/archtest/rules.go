package archtest

import "strings"

// sdk lists where the AWS SDK may be used: the two doors that translate its types, and code
// that takes the place of a user's code.
var sdk = []string{
	"access/...",
	"apps/...",
	"bench/...",
	"conformance/...",
	"design/internal/gogen/internal/shop/...", // generated, as for a user
	"design/internal/verify/...",              // runs designs on any DynamoDB
	"design/internal/dryrun",                  // carries out plans in memory
	"docs/examples",
	"engine",
	"engine/internal/oracle",
	"engine/internal/sdk/...",
	"internal/cli",    // makes clients for endpoints
	"internal/evolve", // reads errors and keys
	"internal/retrytest",
}

// House holds the rules of this module.
var House = Rules{
	Module: "sortkey.dev",

	MayImport: map[string][]string{
		// The library of generated packages: a program on AWS links nothing else of ours. Programs
		// import access; marshal and call are for generated code. Arrows point down this list.
		"access/otelaccess":             {"access", "access/migrate"},
		"access/migrate/internal/model": {},
		"access/part":                   {"access", "access/marshal", "access/shape"},
		"access/migrate":                {"access", "access/marshal", "access/part", "access/shape", "access/stream", "access/internal/...", "internal/wait"},
		"access/drift":                  {"access", "access/marshal", "access/provision", "access/shape"},
		"access/stream":                 {"access", "access/marshal", "access/internal/...", "internal/wait"},
		"access/call":                   {"access", "access/marshal", "access/internal/...", "internal/wait"},
		"access/marshal":                {"access", "access/internal/timetext"},
		"access":                        {"access/internal/...", "internal/wait"},
		"access/provision":              {"access", "access/shape", "internal/wait"},
		"access/shape":                  {"access", "access/marshal"},
		"access/internal/lease":         {"access"},
		"access/internal/fanout":        {},
		"access/internal/code":          {},
		"access/internal/share":         {},
		"access/internal/timetext":      {},

		// House A, the engine. Arrows point down this list.
		"engine":                     {"engine/internal/..."},
		"engine/internal/sdk":        {"engine/internal/dynamo"},
		"engine/internal/wire":       {"engine/internal/dynamo"},
		"engine/internal/bulk":       append(engineRooms("clock", "dynamo", "request", "catalog", "table", "rowformat", "kv", "wire"), "internal/wait"),
		"engine/internal/sink":       engineRooms("dynamo", "request", "catalog", "rowformat", "kv", "wire"),
		"engine/internal/table":      engineRooms("dynamo", "expression", "request", "partiql", "capacity", "catalog", "rowformat", "kv", "number", "vector"),
		"engine/internal/stream":     engineRooms("dynamo", "request", "catalog", "rowformat", "kv"),
		"engine/internal/catalog":    engineRooms("dynamo", "request", "kv", "rowformat"),
		"engine/internal/partiql":    engineRooms("dynamo", "expression", "request", "number"),
		"engine/internal/request":    engineRooms("dynamo", "expression", "number", "vector"),
		"engine/internal/capacity":   engineRooms("dynamo"),
		"engine/internal/expression": engineRooms("dynamo", "number"),
		"engine/internal/vector":     engineRooms("dynamo"),
		"engine/internal/rowformat":  engineRooms("dynamo", "number"),
		"engine/internal/kv/*":       engineRooms("kv"), // the implementations and their suite
		"engine/internal/kv":         {},
		"engine/internal/dynamo":     engineRooms("number"),
		"engine/internal/clock":      {},
		"engine/internal/number":     {},
		"engine/internal/oracle":     {}, // tests the others, so it shares nothing with them

		// House B, the design compiler. It never imports the engine. Arrows point down this list.
		// Verification uses access like a program at run time.
		"design":                        {"design/internal/...", "access", "access/migrate", "access/part", "access/provision"},
		"design/internal/output":        designRooms("diag", "exact", "figures", "model", "resolve", "cost", "compare", "change", "loader", "verify"),
		"design/internal/verify":        append(designRooms("exact", "model", "resolve", "cost", "sample", "program", "tabledef", "verify/internal/..."), "access", "access/call", "access/marshal", "access/provision", "internal/wait"),
		"design/internal/verify/live":   designRooms("change", "model"),
		"design/internal/verify/across": append(designRooms("change", "diag", "exact", "model", "resolve", "sample", "program", "shape", "tabledef", "verify/internal/..."), "access", "access/call", "access/marshal", "access/provision"),
		"design/internal/gogen":         append(append(designRooms("model", "resolve", "tabledef"), "access", "access/part", "access/provision", "access/shape"), gogenRooms("syntax", "library", "naming", "values", "items", "patterns", "reads", "writes")...),
		"design/internal/program":       designRooms("model", "resolve"),

		// The parts of verification. Arrows point down this list.
		"design/internal/verify/internal/send":    verifyRooms("bind"),
		"design/internal/verify/internal/arrange": append(verifyRooms("judge", "bind", "state"), "design/internal/cost"),
		"design/internal/verify/internal/judge":   append(verifyRooms("bind", "state"), "design/internal/cost"),
		"design/internal/verify/internal/bind":    verifyRooms("state"),
		"design/internal/verify/internal/state":   verifyRooms(),

		// The rooms of the generator. Arrows point down this list.
		"design/internal/gogen/internal/writes":   append(designRooms("exact", "model", "resolve", "program"), gogenRooms("syntax", "library", "naming", "values", "items", "patterns")...),
		"design/internal/gogen/internal/reads":    append(designRooms("exact", "figures", "model", "resolve", "program"), gogenRooms("syntax", "library", "naming", "values", "items", "patterns")...),
		"design/internal/gogen/internal/patterns": append(designRooms("exact", "figures", "model", "resolve", "cost", "program"), gogenRooms("syntax", "library", "naming", "values", "items")...),
		"design/internal/gogen/internal/items":    append(designRooms("model", "resolve"), gogenRooms("syntax", "library", "naming", "values")...),
		"design/internal/gogen/internal/values":   append(designRooms("model"), gogenRooms("syntax", "library", "naming")...),
		"design/internal/gogen/internal/naming":   append(designRooms("model", "resolve"), gogenRooms("library")...),
		"design/internal/gogen/internal/library":  gogenRooms("syntax"),
		"design/internal/gogen/internal/syntax":   {},

		// A package that is generated in order to be tested.
		"design/internal/gogen/internal/shop":                   {"access/..."},
		"design/internal/gogen/internal/shop/shopdb/shopdbtest": forTests("design/internal/gogen/internal/shop/shopdb"),

		"design/internal/iacgen":    designRooms("exact", "model", "resolve", "cost", "iamgen", "shape"),
		"design/internal/iamgen":    designRooms("model", "resolve"),
		"design/internal/tabledef":  append(designRooms("exact", "model", "resolve", "cost", "shape"), "access/provision"),
		"design/internal/change":    designRooms("diag", "exact", "figures", "model", "resolve", "cost", "interim", "iamgen", "shape"),
		"design/internal/interim":   designRooms("model"),
		"design/internal/dryrun":    append(designRooms("exact", "migrate", "shape", "tabledef", "verify/across"), "access", "access/migrate", "access/provision", "access/shape"),
		"design/internal/migrate":   append(designRooms("change", "cost", "diag", "exact", "figures", "iamgen", "model", "resolve", "shape", "yaml"), "access", "access/marshal", "access/migrate", "access/part", "access/shape", "internal/lazyregexp"),
		"design/internal/history":   designRooms("loader", "yaml"),
		"design/internal/shape":     append(designRooms("model"), "access/shape"),
		"design/internal/docgen":    designRooms("diag", "exact", "figures", "model", "resolve", "cost", "compare", "sample"),
		"design/internal/check":     designRooms("diag", "exact", "figures", "model", "resolve", "cost", "claim", "yaml"),
		"design/internal/claim":     designRooms("diag", "exact", "figures", "model", "resolve", "cost"),
		"design/internal/compare":   designRooms("diag", "exact", "figures", "model", "resolve", "cost"),
		"design/internal/cost":      designRooms("diag", "exact", "figures", "model", "resolve"),
		"design/internal/sample":    designRooms("exact", "model", "resolve"),
		"design/internal/resolve":   append(designRooms("diag", "exact", "model"), "./internal/..."),
		"design/internal/formatter": designRooms("diag", "yaml"),
		"design/internal/loader":    designRooms("diag", "exact", "model", "yaml"),
		"design/internal/yaml":      {},
		"design/internal/model":     designRooms("diag", "exact"),
		"design/internal/diag":      {},
		"design/internal/figures":   designRooms("exact"),
		"design/internal/exact":     {},

		// The rooms of resolve. Reads do not know writes, and counters do not know how a
		// query is proved. Arrows point down this list.
		"design/internal/resolve/internal/counter":    resolveRooms("write", "action", "plan", "layout", "keytext", "logic"),
		"design/internal/resolve/internal/write":      resolveRooms("action", "expression", "plan", "layout", "keytext", "logic"),
		"design/internal/resolve/internal/read":       resolveRooms("expression", "plan", "layout", "keytext", "logic"),
		"design/internal/resolve/internal/expression": resolveRooms("plan", "keytext", "logic"),
		"design/internal/resolve/internal/plan":       resolveRooms("layout", "keytext", "logic"),
		"design/internal/resolve/internal/layout":     resolveRooms("keytext"),
		"design/internal/resolve/internal/action":     resolveRooms("logic"),
		"design/internal/resolve/internal/keytext":    resolveRooms(),
		"design/internal/resolve/internal/logic":      resolveRooms(),

		// House C, the systems: independent of each other, on the public API.
		"apps":   {"access/..."},
		"apps/*": {"access/...", "apps", "apps/internal/...", "./..."},
		// All systems at one address, for sortkey demo.
		"apps/showcase": {"access", "apps", "apps/internal/live", "apps/internal/operator", "apps/internal/secret", "apps/internal/webkit", "apps/askahuman/server", "apps/ecobid/server", "apps/ecobid/demo", "apps/exambuddy/server", "apps/exambuddy/demo", "apps/homeops/server"},

		// Ask-a-Human. Doors hold the rooms of the domain and never the database: web and api may
		// not import askahumandb. Arrows point down this list.
		"apps/askahuman/server":        {"access/...", "apps", "apps/internal/...", "apps/askahuman/..."},
		"apps/askahuman/demo":          append(askahuman("client"), "apps/internal/demo"),
		"apps/askahuman/web":           append(askahuman("", "contract", "domain", "questions", "answers", "people", "notices", "callbacks", "operators", "score"), "access", "apps/internal/..."),
		"apps/askahuman/api":           append(askahuman("", "contract", "domain", "callbacks", "questions", "answers", "people", "notices", "operators", "score"), "access", "apps/internal/..."),
		"apps/askahuman/mcpserver":     askahuman("client"),
		"apps/askahuman/worker":        append(askahuman("", "domain"), "access/stream", "apps/internal/background", "apps/internal/live"),
		"apps/askahuman/client":        {"apps/askahuman/contract", "apps/internal/apiclient", "internal/wait"},
		"apps/askahuman/contract":      {"apps/internal/operation"},
		"apps/askahuman/askahumantest": append(askahuman("", "domain", "questions", "answers", "people", "notices", "callbacks", "operators", "askahumandb"), "access", "apps/internal/..."),
		"apps/askahuman/domain":        append(askahuman("", "questions", "answers", "people", "notices", "callbacks", "operators", "askahumandb"), "access/stream", "apps/internal/jobs", "apps/internal/live", "apps/internal/publichttp"),
		"apps/askahuman/operators":     append(askahuman("", "questions", "answers", "people", "notices", "callbacks", "askahumandb"), "access", "apps/internal/refusal"),
		"apps/askahuman/callbacks":     append(askahuman("", "questions"), "apps/internal/jobs", "apps/internal/publichttp", "apps/internal/webhook"),
		"apps/askahuman/notices":       append(askahuman("", "questions", "answers", "people", "askahumandb"), "access", "apps/internal/jobs", "apps/internal/live", "apps/internal/notify", "apps/internal/refusal"),
		"apps/askahuman/answers":       append(askahuman("", "questions", "people", "score", "askahumandb"), "access", "apps/internal/refusal", "apps/internal/secret"),
		"apps/askahuman/people":        append(askahuman("", "handle", "score", "askahumandb"), "access", "apps/internal/refusal", "apps/internal/secret"),
		"apps/askahuman/questions":     append(askahuman("", "contract", "askahumandb"), "access", "apps/internal/jobs", "apps/internal/publichttp", "apps/internal/refusal"),
		"apps/askahuman":               append(askahuman("askahumandb"), "access", "apps/internal/platform", "apps/internal/audit", "apps/internal/jobs", "apps/internal/limits", "apps/internal/live", "apps/internal/metrics", "apps/internal/secret", "apps/internal/refusal"),
		"apps/askahuman/askahumandb":   {"access/..."},
		"apps/askahuman/handle":        {},
		"apps/askahuman/score":         {},
		"docs/examples/contentwriter":  askahuman("client"), // as a user's program

		// EcoBid. Doors hold the rooms of the domain and never the database. The pure packages import
		// nothing. Arrows point down this list.
		"apps/ecobid/server":     {"access/...", "apps", "apps/internal/...", "apps/ecobid/..."},
		"apps/ecobid/demo":       append(ecobid("client"), "apps/internal/demo"),
		"apps/ecobid/web":        append(ecobid("", "domain", "events", "trust", "auctions", "giving", "nearby", "listings", "people", "geo", "atlas"), "access", "apps/internal/..."),
		"apps/ecobid/api":        append(ecobid("", "contract", "domain", "events", "trust", "auctions", "giving", "nearby", "listings", "people", "geo"), "access", "apps/internal/..."),
		"apps/ecobid/client":     {"apps/ecobid/contract", "apps/internal/apiclient", "apps/internal/operation"},
		"apps/ecobid/contract":   {"apps/internal/operation"},
		"apps/ecobid/worker":     append(ecobid("", "domain", "ecobiddb"), "access/stream", "apps/internal/background", "apps/internal/live"),
		"apps/ecobid/ecobidtest": append(ecobid("", "domain", "events", "giving", "listings", "people", "ecobiddb", "geo"), "access", "apps/internal/..."),
		"apps/ecobid/domain":     append(ecobid("", "events", "trust", "auctions", "giving", "nearby", "listings", "people"), "apps/internal/limits", "apps/internal/notify", "apps/internal/webhook"),
		"apps/ecobid/events":     append(ecobid("", "trust", "atlas", "ecobiddb"), "access", "apps/internal/jobs", "apps/internal/notify", "apps/internal/webhook"),
		"apps/ecobid/trust":      append(ecobid("", "auctions", "giving", "listings", "people", "ecobiddb", "geo"), "access", "apps/internal/audit", "apps/internal/jobs", "apps/internal/receipt", "apps/internal/refusal"),
		"apps/ecobid/auctions":   append(ecobid("", "giving", "listings", "ecobiddb", "bidding"), "access", "apps/internal/jobs", "apps/internal/receipt", "apps/internal/refusal"),
		"apps/ecobid/giving":     append(ecobid("", "listings", "ecobiddb", "draw"), "access", "apps/internal/jobs", "apps/internal/limits", "apps/internal/receipt", "apps/internal/refusal"),
		"apps/ecobid/nearby":     append(ecobid("", "listings", "ecobiddb", "geo"), "access", "apps/internal/refusal"),
		"apps/ecobid/listings":   append(ecobid("", "people", "ecobiddb", "draw", "geo"), "access", "apps/internal/files", "apps/internal/jobs", "apps/internal/photo", "apps/internal/receipt", "apps/internal/refusal"),
		"apps/ecobid/people":     append(ecobid("", "ecobiddb"), "access", "apps/internal/accounts", "apps/internal/platform/platformdb", "apps/internal/refusal"),
		"apps/ecobid":            append(ecobid("ecobiddb", "geo"), platformRooms("platform", "audit", "files", "jobs", "limits", "live", "photo", "receipt", "refusal", "secret")...),
		"apps/ecobid/ecobiddb":   {"access/..."},
		"apps/ecobid/bidding":    {},
		"apps/ecobid/draw":       {},
		"apps/ecobid/geo":        {},
		"apps/ecobid/atlas":      {"apps/ecobid/geo"},

		// HomeOps. Understanding and the Bot API are pure: no database, no platform. Arrows point
		// down this list.
		"apps/homeops/api":                      append(homeops("", "domain", "ingest", "telegram"), "apps/internal/jsonapi"),
		"apps/homeops/worker":                   append(homeops("", "domain", "households", "ingest", "ledger", "policy", "promises", "planner", "insights", "conversation", "speech", "telegram", "understanding", "homeopsdb"), "access", "apps/internal/...", "internal/wait"),
		"apps/homeops/homeopstest":              append(homeops("", "domain", "households", "ingest", "telegram", "understanding", "worker", "homeopsdb"), "access", "apps/internal/..."),
		"apps/homeops/domain":                   homeops("", "households", "ingest", "vocabulary", "ledger", "policy", "promises", "planner", "insights"),
		"apps/homeops/conversation":             append(homeops("", "households", "ingest", "vocabulary", "ledger", "policy", "promises", "insights", "speech", "telegram", "understanding", "understanding/reply", "homeopsdb"), homeopsGround...),
		"apps/homeops/planner":                  append(homeops("", "households", "ledger", "policy", "promises", "insights", "load", "speech", "understanding", "homeopsdb"), homeopsGround...),
		"apps/homeops/insights":                 append(homeops("", "households", "ledger", "policy", "load", "speech", "understanding", "homeopsdb"), homeopsGround...),
		"apps/homeops/ledger":                   append(homeops("", "households", "promises", "load", "understanding", "homeopsdb"), homeopsGround...),
		"apps/homeops/promises":                 append(homeops("", "households", "homeopsdb"), homeopsGround...),
		"apps/homeops/vocabulary":               append(homeops("", "households", "understanding", "homeopsdb"), homeopsGround...),
		"apps/homeops/policy":                   append(homeops("", "households", "load", "speech", "understanding", "homeopsdb"), homeopsGround...),
		"apps/homeops/ingest":                   append(homeops("", "households", "telegram", "understanding", "homeopsdb"), homeopsGround...),
		"apps/homeops/households":               append(homeops("", "load", "understanding", "homeopsdb"), homeopsGround...),
		"apps/homeops":                          append(homeops("understanding", "homeopsdb"), append(homeopsGround, "apps/internal/platform", "apps/internal/metrics", "apps/internal/secret")...),
		"apps/homeops/homeopsdb":                {"access/..."},
		"apps/homeops/speech":                   homeops("load", "understanding"),
		"apps/homeops/load":                     {},
		"apps/homeops/understanding/rules":      homeops("understanding", "understanding/timewords"),
		"apps/homeops/understanding/evaluation": homeops("understanding"),
		"apps/homeops/understanding/model":      homeops("understanding", "understanding/timewords"),
		"apps/homeops/understanding/recorded":   homeops("understanding"),
		"apps/homeops/understanding/reply":      homeops("understanding"),
		"apps/homeops/understanding/timewords":  homeops("understanding"),
		"apps/homeops/understanding":            {},
		"apps/homeops/demo":                     append(homeops("", "chatroom", "telegram"), "access", "apps/internal/demo"),
		"apps/homeops/chatroom":                 append(homeops("telegram", "telegram/telegramtest"), "apps/internal/refusal"),
		"apps/homeops/replay":                   append(homeops("", "api", "conversation", "domain", "telegram", "telegram/telegramtest", "understanding/rules", "worker", "homeopsdb"), "access/...", "apps", "apps/internal/platform"),
		"apps/homeops/server":                   append(homeops("...", ""), "access/...", "apps", "apps/internal/...", "internal/wait"),
		"apps/homeops/web":                      append(homeops("", "chatroom", "conversation", "domain", "households", "ingest", "insights", "ledger", "load", "policy", "promises", "speech", "telegram", "understanding", "vocabulary"), "access", "apps/internal/..."),
		"apps/homeops/telegram/telegramtest":    homeops("telegram"),
		"apps/homeops/telegram":                 {},

		// ExamBuddy. Doors hold the rooms of the domain and never the database. Arrows point down this
		// list.
		"apps/exambuddy/server":        {"access/...", "apps", "apps/internal/...", "apps/exambuddy/..."},
		"apps/exambuddy/demo":          append(exambuddy("client"), "apps/internal/demo"),
		"apps/exambuddy/api":           append(exambuddy("", "contract", "domain", "bank", "images", "people", "sitting", "results", "question", "report", "exchange", "exchange/draft"), "access", "apps/internal/..."),
		"apps/exambuddy/client":        {"apps/exambuddy/contract", "apps/internal/apiclient", "apps/internal/operation"},
		"apps/exambuddy/contract":      {"apps/internal/operation"},
		"apps/exambuddy/web":           append(exambuddy("", "domain", "bank", "images", "people", "sitting", "results", "question", "analysis", "report", "exchange", "exchange/draft", "web/questionform", "learning", "privacy"), "access", "apps/internal/..."),
		"apps/exambuddy/exambuddytest": append(exambuddy("", "domain", "worker", "bank", "people", "sitting", "results", "exambuddydb", "question"), "access", "apps/internal/..."),
		"apps/exambuddy/worker":        append(exambuddy("", "domain", "bank", "exambuddydb"), "access", "access/stream", "apps/internal/..."),
		"apps/exambuddy/domain":        append(exambuddy("", "bank", "images", "people", "sitting", "results", "learning", "privacy"), "apps/internal/accounts", "apps/internal/files"),
		"apps/exambuddy/images":        append(exambuddy(""), "apps/internal/files", "apps/internal/limits", "apps/internal/photo", "apps/internal/refusal"),
		"apps/exambuddy/privacy":       append(exambuddy("", "people", "bank", "sitting", "results", "learning", "exambuddydb", "question"), "access", "apps/internal/jobs", "apps/internal/platform/platformdb"),
		"apps/exambuddy/learning":      append(exambuddy("", "bank", "people", "results", "exambuddydb", "practice", "question"), "access", "apps/internal/jobs", "apps/internal/refusal"),
		"apps/exambuddy/results":       append(exambuddy("", "bank", "exambuddydb", "question", "analysis", "report"), "access", "apps/internal/audit", "apps/internal/jobs", "apps/internal/receipt", "apps/internal/refusal"),
		"apps/exambuddy/sitting":       append(exambuddy("", "bank", "people", "exambuddydb", "question"), "access", "apps/internal/audit", "apps/internal/jobs", "apps/internal/receipt", "apps/internal/refusal"),
		"apps/exambuddy/bank":          append(exambuddy("", "exambuddydb", "question"), "access", "apps/internal/files", "apps/internal/jobs", "apps/internal/limits", "apps/internal/receipt", "apps/internal/refusal"),
		"apps/exambuddy/people":        append(exambuddy("", "exambuddydb"), "access", "apps/internal/accounts", "apps/internal/audit", "apps/internal/platform/platformdb", "apps/internal/receipt", "apps/internal/refusal"),
		"apps/exambuddy":               append(exambuddy("exambuddydb", "question"), "access", "apps/internal/audit", "apps/internal/jobs", "apps/internal/limits", "apps/internal/platform", "apps/internal/receipt", "apps/internal/refusal", "apps/internal/secret"),
		"apps/exambuddy/exambuddydb":   {"access/..."},

		// ExamBuddy's pure packages: no database, no transport. Arrows point down this list.
		"apps/exambuddy/web/questionform":   {"apps/exambuddy/question"},
		"apps/exambuddy/analysis":           {},
		"apps/exambuddy/practice":           {"apps/exambuddy/question"},
		"apps/exambuddy/report":             {"apps/exambuddy/exchange/csvfile", "apps/internal/qrcode"},
		"apps/exambuddy/exchange":           examFormat("apps/exambuddy/exchange/..."),
		"apps/exambuddy/exchange/pdfimport": examFormat("apps/exambuddy/exchange/pdftext", "apps/exambuddy/exchange/layout"),
		"apps/exambuddy/exchange/pdftext":   {"apps/exambuddy/exchange/textfile"},
		"apps/exambuddy/exchange/docx":      examFormat("apps/exambuddy/exchange/archive", "apps/exambuddy/exchange/xmltree", "apps/exambuddy/exchange/layout"),
		"apps/exambuddy/exchange/layout":    examFormat(),
		"apps/exambuddy/exchange/aiken":     examFormat(),
		"apps/exambuddy/exchange/csvfile":   examFormat(),
		"apps/exambuddy/exchange/gift":      examFormat(),
		"apps/exambuddy/exchange/jsonfile":  examFormat(),
		"apps/exambuddy/exchange/qti":       examFormat("apps/exambuddy/exchange/archive", "apps/exambuddy/exchange/xmltree"),
		"apps/exambuddy/exchange/archive":   {"apps/exambuddy/exchange/draft", "apps/internal/refusal"},
		"apps/exambuddy/exchange/xmltree":   {"apps/exambuddy/exchange/draft", "apps/exambuddy/exchange/textfile"},
		"apps/exambuddy/exchange/drafttest": {"apps/exambuddy/exchange/draft", "apps/exambuddy/question"},
		"apps/exambuddy/exchange/draft":     {"apps/exambuddy/question", "apps/internal/refusal"},
		"apps/exambuddy/exchange/textfile":  {},
		"apps/exambuddy/question":           {"apps/internal/refusal"},

		// The platform under all systems. None of its rooms knows a system, and what is written on
		// the platform's data imports no transport. Arrows point down this list.
		"apps/internal/host": append(platformRooms("platform", "platformdb", "accountpages", "accounts", "audit", "background", "files", "jobs", "jsonapi", "limits", "live", "mail",
			"metrics", "notify", "openid", "operator", "publichttp", "secret", "staff", "webhook", "webkit"), "access/provision", "access/stream", "apps"),
		"apps/internal/operator":              append(platformRooms("platform", "staff", "jobs", "metrics", "audit", "refusal", "jsonapi", "serve", "webkit", "background", "live", "secret"), "apps"),
		"apps/internal/staff":                 platformRooms("platform", "platformdb", "audit", "limits", "refusal", "secret"),
		"apps/internal/accountpages":          platformRooms("accounts", "mail", "onetime", "openid", "platformdb", "limits", "refusal", "webkit", "secret"),
		"apps/internal/openid":                {"apps/internal/refusal", "apps/internal/secret"},
		"apps/internal/openid/openidtest":     {},
		"apps/internal/notify":                platformRooms("platform", "platformdb", "jobs", "live", "mail", "limits", "refusal", "publichttp", "secret"),
		"apps/internal/webhook":               platformRooms("platform", "platformdb", "jobs", "refusal", "publichttp", "secret"),
		"apps/internal/accounts":              platformRooms("platform", "platformdb", "onetime", "receipt", "limits", "mail", "audit", "refusal", "secret"),
		"apps/internal/receipt":               platformRooms("platform", "platformdb", "refusal"),
		"apps/internal/onetime":               platformRooms("platform", "platformdb", "refusal", "secret"),
		"apps/internal/mail":                  platformRooms("platform", "platformdb", "jobs", "secret"),
		"apps/internal/jobs":                  platformRooms("platform", "platformdb", "background", "audit", "refusal"),
		"apps/internal/limits":                platformRooms("platform", "platformdb", "refusal", "secret"),
		"apps/internal/metrics":               platformRooms("platform", "platformdb"),
		"apps/internal/audit":                 platformRooms("platform", "platformdb", "refusal"),
		"apps/internal/files/fileserve":       {"apps/internal/files", "apps/internal/refusal"},
		"apps/internal/files":                 {"apps/internal/refusal", "internal/wait"},
		"apps/internal/demo":                  {"internal/wait"},
		"apps/internal/platform/platformtest": platformRooms("apptest", "platform", "platformdb", "secret"),
		"apps/internal/platform":              append(platformRooms("platformdb", "secret"), "access/provision", "apps"),
		"apps/internal/platform/platformdb":   {"access/..."},
		"apps/internal/publichttp":            {},
		"apps/internal/serve":                 {"apps/internal/refusal"},
		"apps/internal/refusal":               {},

		// The packages that the systems share. None of them knows a system.
		"apps/internal/apptest":    {"access", "access/provision", "apps", "engine", "internal/evolve"},
		"apps/internal/apiclient":  {"apps/internal/operation"},
		"apps/internal/background": {},
		"apps/internal/jsonapi":    {"apps/internal/refusal", "apps/internal/serve"},
		"apps/internal/openapi":    {"apps/internal/jsonapi", "apps/internal/operation", "apps/internal/refusal"},
		"apps/internal/operation":  {},
		"apps/internal/sessionapi": platformRooms("accounts", "jsonapi", "openapi", "operation", "platformdb", "refusal"),
		"apps/internal/live":       {},
		"apps/internal/qrcode":     {},
		"apps/internal/secret":     {},
		"apps/internal/webkit":     {"apps/internal/secret", "apps/internal/live", "apps/internal/refusal", "apps/internal/serve"},
		"apps/internal/webtest":    {},

		// Follows every link of a site, in tests.
		"apps/internal/webtest/crawl": {},

		// Renders every page of a site with every shape of its data, in tests.
		"apps/internal/webtest/shapes": {"apps/internal/secret", "apps/internal/webkit"},

		// The generated packages for tests open an engine.
		"apps/askahuman/askahumandb/askahumandbtest":       forTests("apps/askahuman/askahumandb"),
		"apps/ecobid/ecobiddb/ecobiddbtest":                forTests("apps/ecobid/ecobiddb"),
		"apps/exambuddy/exambuddydb/exambuddydbtest":       forTests("apps/exambuddy/exambuddydb"),
		"apps/homeops/homeopsdb/homeopsdbtest":             forTests("apps/homeops/homeopsdb"),
		"apps/internal/platform/platformdb/platformdbtest": forTests("apps/internal/platform/platformdb"),

		// The console uses the engine's public API.
		"console": {"engine", "./..."},

		// What the benches share. Arrows point down this list.
		"bench/internal/appbench": {"access", "apps", "engine", "bench/internal/httpload"},
		"bench/internal/httpload": {},

		"cmd":                 {"internal/cli"},
		"internal/archtest":   {},
		"internal/evolve":     {"access/...", "apps", "design"},
		"internal/effort":     {},
		"internal/retrytest":  {},
		"internal/plainhttp":  {},
		"internal/httpserver": {"internal/plainhttp"},
		"internal/lazyregexp": {},
		"internal/namespaces": {},
	},

	Doors: []string{"api", "web", "mcpserver"},

	Anywhere: []string{"internal/lazyregexp"},

	Eager: []string{"apps/internal/webtest/...", "design/internal/randomdesign", "engine/internal/oracle", "bench/..."},

	Wiring: []string{"internal/cli", "conformance/...", "bench/..."},

	MayUse: map[string][]string{
		"github.com/aws/aws-sdk-go-v2":                                 sdk,
		"github.com/aws/aws-sdk-go-v2/config":                          {"internal/cli"},
		"github.com/aws/smithy-go":                                     sdk,
		"github.com/SherClockHolmes/webpush-go":                        {"apps/internal/notify"}, // encryption and VAPID of web push
		"github.com/chromedp/cdproto":                                  {"apps/internal/webtest"},
		"github.com/chromedp/chromedp":                                 {"apps/internal/webtest"},
		"github.com/modelcontextprotocol/go-sdk":                       {"apps/askahuman/mcpserver", "apps/askahuman/server"},
		"golang.org/x/image":                                           {"apps/internal/photo"},                                  // scaling and WebP, which the standard library lacks
		"golang.org/x/crypto":                                          {"apps/internal/accounts"},                               // argon2id, which the standard library lacks
		"golang.org/x/oauth2":                                          {"apps/internal/notify", "apps/internal/openid"},         // tokens of service accounts; sign-in through providers
		"golang.org/x/sync":                                            {"apps/internal/limits"},                                 // one write for all who wait for it
		"golang.org/x/text":                                            {"apps/exambuddy/...", "apps/homeops/understanding/..."}, // normal forms of what people write
		"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue": {"bench/..."},                                            // a peer
		"codeberg.org/go-pdf/fpdf":                                     {"apps/exambuddy/report"},                                // writes PDF documents
		"rsc.io/qr":                                                    {"apps/internal/qrcode"},                                 // the modules of QR codes
		"github.com/pdfcpu/pdfcpu":                                     {"apps/exambuddy/exchange/pdftext"},                      // opens, decrypts and decodes PDF documents
		"github.com/cespare/xxhash/v2":                                 {"engine/internal/request", "engine/internal/rowformat", "engine/internal/kv/pebblekv"},
		"github.com/cockroachdb/pebble/v2":                             {"engine/internal/kv/pebblekv", "bench/..."}, // bench measures the floor with it
		"github.com/guregu/dynamo/v2":                                  {"bench/..."},                                // a peer
		"github.com/klauspost/compress":                                {"engine/internal/bulk"},
		"golang.org/x/sys":                                             {"engine/internal/clock"}, // the clock that goes on while the machine sleeps
		"github.com/tidwall/btree":                                     {"engine/internal/kv/memkv"},
		"go.opentelemetry.io/otel":                                     {"access/otelaccess"},
	},
	TestOnly: []string{
		"github.com/anishathalye/porcupine",
		"github.com/goccy/go-yaml",
		"github.com/google/go-cmp",
		"github.com/rogpeppe/go-internal",
		"github.com/santhosh-tekuri/jsonschema/v6",
	},

	MaxLines: 500,
	EmptyNames: []string{
		"base", "common", "helper", "helpers", "misc", "shared", "util", "utils",
	},

	Phrases:     phrases,
	PhrasesLeft: phrasesLeft,
}

// engineRooms returns the full paths of rooms of the engine.
func engineRooms(names ...string) []string { return rooms("engine", names) }

// gogenRooms spells rooms of the Go generator in full.
func gogenRooms(names ...string) []string { return rooms("design/internal/gogen", names) }

// designRooms spells rooms of the design compiler in full.
func designRooms(names ...string) []string { return rooms("design", names) }

// resolveRooms returns the full paths of rooms of package resolve, and adds what all of them may
// import.
func resolveRooms(names ...string) []string {
	return append(rooms("design/internal/resolve", names), designRooms("diag", "exact", "model")...)
}

// verifyRooms returns the full paths of rooms of verification, with those of the compiler and the
// runtime that all of them use.
func verifyRooms(names ...string) []string {
	full := append(designRooms("exact", "model", "resolve", "sample", "program"), "access", "access/call", "access/marshal")
	for _, name := range names {
		full = append(full, "design/internal/verify/internal/"+name)
	}
	return full
}

// askahuman returns the full paths of rooms of the system; "" is its domain.
func askahuman(names ...string) []string {
	full := make([]string, len(names))
	for i, name := range names {
		full[i] = strings.TrimSuffix("apps/askahuman/"+name, "/")
	}
	return full
}

// homeopsGround lists what the rooms of HomeOps' domain use of the platform.
var homeopsGround = []string{"access", "apps/internal/audit", "apps/internal/jobs", "apps/internal/onetime", "apps/internal/receipt", "apps/internal/refusal"}

// homeops returns the full paths of rooms of the system; "" is its domain.
func homeops(names ...string) []string {
	full := make([]string, len(names))
	for i, name := range names {
		full[i] = strings.TrimSuffix("apps/homeops/"+name, "/")
	}
	return full
}

// exambuddy returns the full paths of rooms of the system; "" is its ground.
func exambuddy(names ...string) []string {
	full := make([]string, len(names))
	for i, name := range names {
		full[i] = strings.TrimSuffix("apps/exambuddy/"+name, "/")
	}
	return full
}

// examFormat lists what a package for a file format of ExamBuddy may import, and more.
func examFormat(more ...string) []string {
	return append(more, "apps/exambuddy/exchange/draft", "apps/exambuddy/exchange/textfile", "apps/exambuddy/question", "apps/internal/refusal")
}

// ecobid returns the full paths of rooms of the system; "" is its ground.
func ecobid(names ...string) []string {
	full := make([]string, len(names))
	for i, name := range names {
		full[i] = strings.TrimSuffix("apps/ecobid/"+name, "/")
	}
	return full
}

// platformRooms returns the full paths of rooms of the platform, and the library that all of them
// use.
func platformRooms(names ...string) []string {
	full := []string{"access"}
	for _, name := range names {
		if name == "platformdb" {
			name = "platform/platformdb"
		}
		full = append(full, "apps/internal/"+name)
	}
	return full
}

// forTests lists what the test package of a generated package may import.
func forTests(generated string) []string { return []string{"access/...", "engine", generated} }

func rooms(house string, names []string) []string {
	full := make([]string, len(names))
	for i, name := range names {
		full[i] = house + "/internal/" + name
	}
	return full
}
