package iacgen

import (
	"strings"

	"sortkey.dev/design/internal/exact"
)

// Alarms of a template. The thresholds that a design cannot know are parameters.
const (
	latencyParameter    = "LatencyP99Milliseconds"
	userErrorsParameter = "UserErrorsThreshold"
	conflictsParameter  = "TransactionConflictsThreshold"
	defaultLatency      = 50 // milliseconds, at the 99th percentile
	defaultUserErrors   = 10 // in five minutes
	defaultConflicts    = 10 // in five minutes
)

// An alarm is one alarm in all languages.
type alarm struct {
	id, local   string
	name        string // behind the prefix: orders-read-throttles
	description string
	metric      string
	statistic   string // Sum or p99
	table       *table // nil: of the account and region as a whole
	index       string
	operations  []string // the metric is by operation; several are combined
	combine     string   // SUM or MAX
	period      int
	periods     int // to look at
	breaching   int // of them that must be over
	orEqual     bool
	threshold   string // a number, or
	parameter   string // what holds it
}

// fiveMinutes is how long DynamoDB saves unused capacity: a load above the threshold for
// so long is no burst.
const fiveMinutes = 300

// alarmsOf are the alarms of all tables of a design, in order, and the one of the account.
// Names of alarms are unique in an account, so that the last one has the design's in it.
func alarmsOf(design string, all []*table) []alarm {
	var alarms []alarm
	for _, t := range all {
		alarms = append(alarms, pathAlarms(t, nil)...)
		for i := range t.global {
			alarms = append(alarms, pathAlarms(t, &t.global[i])...)
		}
		alarms = append(alarms, operationAlarms(t)...)
		if t.transacts() {
			alarms = append(alarms, conflicts(t))
		}
	}
	alarms = append(alarms, alarm{
		id: "UserErrors", local: "user_errors", name: hyphenated(design) + "-user-errors",
		description: "Requests DynamoDB refused as wrong, of all tables: it counts them by account and region only",
		metric:      "UserErrors", statistic: "Sum", period: fiveMinutes, periods: 1, breaching: 1, parameter: userErrorsParameter,
	})
	names := newNames() // an index may be called as one of the alarms is
	for i, a := range alarms {
		alarms[i].id, alarms[i].local = names.once(a.id, ""), names.once(a.local, "_")
	}
	return alarms
}

// pathAlarms are those of a table or a global index. Where nothing is read, nothing is said
// about reads; an index that cannot keep up with writes holds up the table, so that one is
// always there.
func pathAlarms(t *table, x *index) []alarm {
	id, local, name, c := strings.TrimSuffix(t.id, "Table"), t.local, t.Name, t.capacity
	of := t.Name
	if x != nil {
		id, local, name, c = x.id, x.local, t.Name+"-"+x.Name, x.capacity
		of = "index " + x.Name + " of " + t.Name
	}
	on := func(a alarm, tail, snakeTail, nameTail string) alarm {
		a.id, a.local, a.name, a.table = id+tail, local+snakeTail, name+nameTail, t
		if x != nil {
			a.index = x.Name
		}
		return a
	}
	var all []alarm
	if x == nil || c.read.used {
		all = append(all,
			on(consumption(t, "Read", of, c.read), "ReadCapacity", "_read_capacity", "-read-capacity"),
			on(throttles("Read", of), "ReadThrottles", "_read_throttles", "-read-throttles"))
	}
	return append(all,
		on(consumption(t, "Write", of, c.write), "WriteCapacity", "_write_capacity", "-write-capacity"),
		on(throttles("Write", of), "WriteThrottles", "_write_throttles", "-write-throttles"))
}

// consumption fires above 80 % of what there is for five minutes.
func consumption(t *table, what, of string, s side) alarm {
	limit := "provisioned"
	switch {
	case !t.Billing.Provisioned:
		limit = "what the design's peak needs"
	case t.Billing.Autoscale != nil:
		limit = "the most that autoscaling gives"
	}
	units := s.ceiling.String() + " units"
	if s.ceiling.Equal(exact.One) {
		units = "1 unit"
	}
	return alarm{
		description: what + "s of " + of + " above 80 % of " + units + " a second, " + limit,
		metric:      "Consumed" + what + "CapacityUnits", statistic: "Sum", period: fiveMinutes, periods: 1, breaching: 1,
		threshold: s.ceiling.Times(fiveMinutes).Times(4).Over(5).String(),
	}
}

func throttles(what, of string) alarm {
	return alarm{
		description: what + "s of " + of + " were throttled",
		metric:      what + "ThrottleEvents", statistic: "Sum", period: 60, periods: 1, breaching: 1, orEqual: true, threshold: "1",
	}
}

// operationAlarms are those that DynamoDB counts by operation.
func operationAlarms(t *table) []alarm {
	if len(t.operations) == 0 {
		return nil
	}
	id := strings.TrimSuffix(t.id, "Table")
	return []alarm{
		{
			id: id + "SystemErrors", local: t.local + "_system_errors", name: t.Name + "-system-errors", table: t,
			description: "DynamoDB failed to answer requests to " + t.Name,
			metric:      "SystemErrors", statistic: "Sum", operations: t.operations, combine: "SUM",
			period: 60, periods: 1, breaching: 1, orEqual: true, threshold: "1",
		},
		{
			id: id + "Latency", local: t.local + "_latency", name: t.Name + "-latency", table: t,
			description: "The slowest percent of one kind of request to " + t.Name + " takes too long",
			metric:      "SuccessfulRequestLatency", statistic: "p99", operations: t.operations, combine: "MAX",
			period: 60, periods: 5, breaching: 4, parameter: latencyParameter,
		},
	}
}

// conflicts fires when items are so sought after that transactions get in each other's way.
// DynamoDB counts them by table, whatever the operation.
func conflicts(t *table) alarm {
	return alarm{
		id: strings.TrimSuffix(t.id, "Table") + "TransactionConflicts", local: t.local + "_transaction_conflicts", name: t.Name + "-transaction-conflicts", table: t,
		description: "Requests to " + t.Name + " were refused because a transaction on the same item was under way",
		metric:      "TransactionConflict", statistic: "Sum", period: fiveMinutes, periods: 1, breaching: 1, parameter: conflictsParameter,
	}
}

// comparison is how an alarm compares, in CloudWatch's words.
func (a alarm) comparison() string {
	if a.orEqual {
		return "GreaterThanOrEqualToThreshold"
	}
	return "GreaterThanThreshold"
}

// expression combines the metrics of the operations: SUM([m1, m2]).
func (a alarm) expression() string {
	ids := make([]string, len(a.operations))
	for i, op := range a.operations {
		ids[i] = metricID(op)
	}
	return a.combine + "([" + strings.Join(ids, ", ") + "])"
}

// metricID is what an expression calls the metric of an operation.
func metricID(operation string) string { return strings.ToLower(operation) }
