package iacgen

import (
	"strings"

	"sortkey.dev/design/internal/exact"
)

// Defaults of alarm thresholds that are parameters of a template.
const (
	latencyParameter    = "LatencyP99Milliseconds"
	userErrorsParameter = "UserErrorsThreshold"
	conflictsParameter  = "TransactionConflictsThreshold"
	defaultLatency      = 50 // milliseconds, at the 99th percentile
	defaultUserErrors   = 10 // in five minutes
	defaultConflicts    = 10 // in five minutes
)

// An alarm is one alarm, independent of the format.
type alarm struct {
	id, local   string
	name        string // after the prefix: orders-read-throttles
	description string
	metric      string
	statistic   string // Sum or p99
	table       *table // nil: of the whole account and region
	index       string
	operations  []string // the metric is by operation; several are combined
	combine     string   // SUM or MAX
	period      int
	periods     int // to evaluate
	breaching   int // of them that must exceed the threshold
	orEqual     bool
	threshold   string // a number, or
	parameter   string // the parameter with it
}

// fiveMinutes is the time for which DynamoDB keeps unused capacity: a load above the threshold
// for that long is not a burst.
const fiveMinutes = 300

// alarmsOf returns the alarms of all tables of a design, in order, and the one of the account.
// Names of alarms are unique in an account, so the last one contains the design's name.
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
		description: "Requests that DynamoDB rejected as invalid, for all tables: the metric is per account and region",
		metric:      "UserErrors", statistic: "Sum", period: fiveMinutes, periods: 1, breaching: 1, parameter: userErrorsParameter,
	})
	names := newNames() // an index may have the name of an alarm
	for i, a := range alarms {
		alarms[i].id, alarms[i].local = names.once(a.id, ""), names.once(a.local, "_")
	}
	return alarms
}

// pathAlarms returns the alarms of a table or a global index. There are none about reads if no
// pattern reads the path; write throttling of an index affects its table, so that alarm is
// always included.
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

// consumption returns an alarm for more than 80 % of the capacity during five minutes.
func consumption(t *table, what, of string, s side) alarm {
	limit := "provisioned"
	switch {
	case !t.Billing.Provisioned:
		limit = "the capacity for the design's peak"
	case t.Billing.Autoscale != nil:
		limit = "the maximum of autoscaling"
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

// operationAlarms returns the alarms on metrics by operation.
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
			description: "The 99th percentile of the latency of an operation on " + t.Name + " is too high",
			metric:      "SuccessfulRequestLatency", statistic: "p99", operations: t.operations, combine: "MAX",
			period: 60, periods: 5, breaching: 4, parameter: latencyParameter,
		},
	}
}

// conflicts returns an alarm for transaction conflicts. The metric is per table, for all
// operations.
func conflicts(t *table) alarm {
	return alarm{
		id: strings.TrimSuffix(t.id, "Table") + "TransactionConflicts", local: t.local + "_transaction_conflicts", name: t.Name + "-transaction-conflicts", table: t,
		description: "Requests to " + t.Name + " were rejected because of a transaction conflict",
		metric:      "TransactionConflict", statistic: "Sum", period: fiveMinutes, periods: 1, breaching: 1, parameter: conflictsParameter,
	}
}

// comparison returns the comparison operator of CloudWatch.
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

// metricID returns the id of an operation's metric in an expression.
func metricID(operation string) string { return strings.ToLower(operation) }
