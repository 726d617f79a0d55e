package iacgen

import (
	"sortkey.dev/design/internal/exact"
)

// scalingResources returns the targets and policies of a table with autoscaling and its
// global indexes.
func scalingResources(t *table) object {
	if t.capacity.scale == nil || !t.Billing.Provisioned {
		return nil
	}
	all := scalingOf(t, t.id, "table", "table/${"+t.id+"}")
	for _, x := range t.global {
		all = append(all, scalingOf(t, x.id+"Index", "index", "table/${"+t.id+"}/index/"+x.Name)...)
	}
	return all
}

func scalingOf(t *table, id, kind, resource string) object {
	var all object
	for _, what := range []string{"Read", "Write"} {
		a := t.capacity.scale
		target := id + what + "Scaling"
		all = append(all,
			member{target, object{{"Type", "AWS::ApplicationAutoScaling::ScalableTarget"}, {"Properties", object{
				{"ServiceNamespace", "dynamodb"},
				{"ResourceId", sub(resource)},
				{"ScalableDimension", "dynamodb:" + kind + ":" + what + "CapacityUnits"},
				{"MinCapacity", number(a.Min.Ceil().String())},
				{"MaxCapacity", number(a.Max.Ceil().String())},
			}}}},
			member{target + "Policy", object{{"Type", "AWS::ApplicationAutoScaling::ScalingPolicy"}, {"Properties", object{
				{"PolicyName", target},
				{"PolicyType", "TargetTrackingScaling"},
				{"ScalingTargetId", ref(target)},
				{"TargetTrackingScalingPolicyConfiguration", object{
					{"TargetValue", number(percent(a.Target))},
					{"PredefinedMetricSpecification", object{{"PredefinedMetricType", "DynamoDB" + what + "CapacityUtilization"}}},
				}},
			}}}})
	}
	return all
}

// percent returns a share as a percentage for CloudWatch and autoscaling, between 20 and 90 as
// DynamoDB requires.
func percent(share exact.Number) string {
	return share.Times(100).Max(exact.Int(20)).Min(exact.Int(90)).String()
}

func alarmResource(a alarm) member {
	properties := object{
		{"AlarmName", prefixed(a.name)},
		{"AlarmDescription", a.description},
	}
	if len(a.operations) > 0 {
		properties = append(properties, member{"Metrics", alarmMetrics(a)})
	} else {
		properties = append(properties,
			member{"Namespace", "AWS/DynamoDB"}, member{"MetricName", a.metric}, member{"Dimensions", dimensions(a, "")},
			member{"Statistic", a.statistic}, member{"Period", a.period})
	}
	threshold := any(number(a.threshold))
	if a.parameter != "" {
		threshold = ref(a.parameter)
	}
	topic := tagged{"!If", list{"HasAlarmTopic", list{ref("AlarmTopicArn")}, ref("AWS::NoValue")}}
	properties = append(properties,
		member{"EvaluationPeriods", a.periods}, member{"DatapointsToAlarm", a.breaching},
		member{"ComparisonOperator", a.comparison()}, member{"Threshold", threshold},
		member{"TreatMissingData", "notBreaching"}, // DynamoDB sends no zeros
		member{"AlarmActions", topic}, member{"OKActions", topic})
	return member{a.id, object{{"Type", "AWS::CloudWatch::Alarm"}, {"Properties", properties}}}
}

// dimensions returns the dimensions of a metric; the operation only if there is one.
func dimensions(a alarm, operation string) list {
	var all list
	add := func(name string, value any) { all = append(all, object{{"Name", name}, {"Value", value}}) }
	if a.table != nil {
		add("TableName", ref(a.table.id))
	}
	if a.index != "" {
		add("GlobalSecondaryIndexName", a.index)
	}
	if operation != "" {
		add("Operation", operation)
	}
	return all
}

// alarmMetrics returns the metrics of all operations and the expression that combines them.
func alarmMetrics(a alarm) list {
	all := list{object{{"Id", "all"}, {"Expression", a.expression()}, {"Label", a.metric}, {"ReturnData", true}}}
	for _, op := range a.operations {
		all = append(all, object{
			{"Id", metricID(op)},
			{"MetricStat", object{
				{"Metric", object{{"Namespace", "AWS/DynamoDB"}, {"MetricName", a.metric}, {"Dimensions", dimensions(a, op)}}},
				{"Period", a.period},
				{"Stat", a.statistic},
			}},
			{"ReturnData", false},
		})
	}
	return all
}
