package iacgen

import "fmt"

// scalingBlocks returns the targets and policies of a table with autoscaling and its global
// indexes.
func scalingBlocks(t *table) []block {
	if t.capacity.scale == nil || !t.Billing.Provisioned {
		return nil
	}
	resource := "table/${aws_dynamodb_table." + t.local + ".name}"
	all := scalingBlock(t, t.local, "table", resource)
	for _, x := range t.global {
		all = append(all, scalingBlock(t, x.local+"_index", "index", resource+"/index/"+x.Name)...)
	}
	return all
}

func scalingBlock(t *table, id, kind, resource string) []block {
	var all []block
	a := t.capacity.scale
	for _, what := range []struct{ name, lower string }{{"Read", "read"}, {"Write", "write"}} {
		name := id + "_" + what.lower
		target := "aws_appautoscaling_target." + name
		all = append(all,
			block{fmt.Sprintf("resource \"aws_appautoscaling_target\" %q", name), []any{
				attr{"service_namespace", "dynamodb"},
				attr{"resource_id", raw(`"` + resource + `"`)},
				attr{"scalable_dimension", "dynamodb:" + kind + ":" + what.name + "CapacityUnits"},
				attr{"min_capacity", number(a.Min.Ceil().String())},
				attr{"max_capacity", number(a.Max.Ceil().String())},
			}},
			block{fmt.Sprintf("resource \"aws_appautoscaling_policy\" %q", name), []any{
				attr{"name", name},
				attr{"policy_type", "TargetTrackingScaling"},
				attr{"service_namespace", raw(target + ".service_namespace")},
				attr{"resource_id", raw(target + ".resource_id")},
				attr{"scalable_dimension", raw(target + ".scalable_dimension")},
				blank{},
				block{"target_tracking_scaling_policy_configuration", []any{
					attr{"target_value", number(percent(a.Target))},
					blank{},
					block{"predefined_metric_specification", []any{
						attr{"predefined_metric_type", "DynamoDB" + what.name + "CapacityUtilization"},
					}},
				}},
			}})
	}
	return all
}

func alarmBlock(a alarm) block {
	threshold := any(number(a.threshold))
	if a.parameter != "" {
		threshold = raw("var." + terraformNames[a.parameter])
	}
	topic := raw(`var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]`)
	body := []any{
		attr{"alarm_name", behindPrefix(a.name)},
		attr{"alarm_description", a.description},
		attr{"comparison_operator", a.comparison()},
		attr{"threshold", threshold},
		attr{"evaluation_periods", a.periods},
		attr{"datapoints_to_alarm", a.breaching},
		attr{"treat_missing_data", "notBreaching"},
		attr{"alarm_actions", topic},
		attr{"ok_actions", topic},
	}
	if len(a.operations) == 0 {
		body = append(body,
			attr{"namespace", "AWS/DynamoDB"}, attr{"metric_name", a.metric},
			attr{"statistic", a.statistic}, attr{"period", a.period})
		if d := dimensionMap(a, ""); len(d) > 0 {
			body = append(body, attr{"dimensions", d})
		}
	} else {
		body = append(body, metricQueries(a)...)
	}
	return block{fmt.Sprintf("resource \"aws_cloudwatch_metric_alarm\" %q", a.local), body}
}

func dimensionMap(a alarm, operation string) object {
	var o object
	if a.table != nil {
		o = append(o, member{"TableName", raw("aws_dynamodb_table." + a.table.local + ".name")})
	}
	if a.index != "" {
		o = append(o, member{"GlobalSecondaryIndexName", a.index})
	}
	if operation != "" {
		o = append(o, member{"Operation", operation})
	}
	return o
}

func metricQueries(a alarm) []any {
	all := []any{blank{}, block{"metric_query", []any{
		attr{"id", "all"}, attr{"expression", a.expression()}, attr{"label", a.metric}, attr{"return_data", true},
	}}}
	for _, op := range a.operations {
		all = append(all, blank{}, block{"metric_query", []any{
			attr{"id", metricID(op)},
			blank{},
			block{"metric", []any{
				attr{"namespace", "AWS/DynamoDB"}, attr{"metric_name", a.metric},
				attr{"period", a.period}, attr{"stat", a.statistic},
				attr{"dimensions", dimensionMap(a, op)},
			}},
		}})
	}
	return all
}
