package iacgen

import (
	"fmt"

	"sortkey.dev/design/internal/iamgen"
	"sortkey.dev/design/internal/model"
)

// terraform returns one file with all tables.
func terraform(in Input, all []*table) []byte {
	d := in.Layout.Design()
	body := []any{comment("Written by sortkey infra from the design " + d.Name + ". Change the design, not this file."), blank{}}
	body = append(body, providers(all), blank{})
	for _, v := range variables(in, all) {
		body = append(body, v, blank{})
	}
	for _, t := range all {
		body = append(body, tableBlock(t), blank{})
		for _, b := range scalingBlocks(t) {
			body = append(body, b, blank{})
		}
	}
	for _, a := range alarmsOf(d.Name, all) {
		body = append(body, alarmBlock(a), blank{})
	}
	for _, o := range outputBlocks(all) {
		body = append(body, o, blank{})
	}
	return []byte(hclText(body[:len(body)-1]))
}

// providers returns the required provider. Indexes with keys of several attributes need
// version 6.29.
func providers(all []*table) block {
	version := ">= 5.0"
	for _, t := range all {
		for _, x := range t.global {
			if len(x.PK) > 1 || len(x.SK) > 1 {
				version = ">= 6.29"
			}
		}
	}
	return block{"terraform", []any{
		block{"required_providers", []any{attr{"aws", object{{"source", "hashicorp/aws"}, {"version", version}}}}},
	}}
}

func variable(name, kind, description string, standard any) block {
	b := block{fmt.Sprintf("variable %q", name), []any{attr{"type", raw(kind)}, attr{"description", description}}}
	if standard != nil {
		b.body = append(b.body, attr{"default", standard})
	}
	return b
}

// terraformNames maps parameters of templates to variables.
var terraformNames = map[string]string{
	latencyParameter: "latency_p99_milliseconds", userErrorsParameter: "user_errors_threshold",
	conflictsParameter: "transaction_conflicts_threshold",
}

func variables(in Input, all []*table) []block {
	list := []block{
		prefixVariable(in.Prefix),
		variable("alarm_topic_arn", "string", "SNS topic that alarms are sent to; without one they only show in CloudWatch", ""),
		variable(terraformNames[latencyParameter], "number", "Alarm when the 99th percentile of the latency of an operation is above this", defaultLatency),
		variable(terraformNames[userErrorsParameter], "number", "Alarm when more requests than this are rejected as invalid in five minutes", defaultUserErrors),
	}
	if transacts(all) {
		list = append(list, variable(terraformNames[conflictsParameter], "number",
			"Alarm when more requests to a table than this are rejected in five minutes because of transaction conflicts", defaultConflicts))
	}
	if usesKey(all) {
		var standard any
		if in.KMSKey != "" {
			standard = in.KMSKey
		}
		list = append(list, variable("kms_key_arn", "string", "ARN of the key that encrypts the tables", standard))
	}
	return list
}

func prefixVariable(prefix string) block {
	return variable("table_prefix", "string", "Prefix of the name of every table, for example one per stage", prefix)
}

// behindPrefix returns a name with the prefix.
func behindPrefix(name string) raw { return raw(`"${var.table_prefix}` + name + `"`) }

func tableBlock(t *table) block {
	body := []any{attr{"name", behindPrefix(t.Name)}, attr{"billing_mode", t.billingMode()}}
	if t.Billing.Provisioned {
		body = append(body, capacityAttrs(t.capacity)...)
	}
	for _, k := range t.keys {
		body = append(body, keyAttr(k))
	}
	body = append(body, settingAttrs(t)...)
	for _, a := range t.attributes {
		body = append(body, blank{}, block{"attribute", []any{attr{"name", a.name}, attr{"type", a.kind}}})
	}
	for _, x := range t.global {
		body = append(body, blank{}, globalBlock(t, x))
	}
	for _, x := range t.locals {
		body = append(body, blank{}, localBlock(x))
	}
	body = append(body, settingBlocks(t)...)
	return block{fmt.Sprintf("resource \"aws_dynamodb_table\" %q", t.local), body}
}

func keyAttr(k keyElement) attr {
	if k.role == "HASH" {
		return attr{"hash_key", k.name}
	}
	return attr{"range_key", k.name}
}

func capacityAttrs(c capacity) []any {
	return []any{
		attr{"read_capacity", number(c.read.units.String())},
		attr{"write_capacity", number(c.write.units.String())},
	}
}

func settingAttrs(t *table) []any {
	var all []any
	if t.Class == model.StandardIA {
		all = append(all, attr{"table_class", "STANDARD_INFREQUENT_ACCESS"})
	}
	if t.Stream != "" {
		all = append(all, attr{"stream_enabled", true}, attr{"stream_view_type", t.streamView()})
	}
	if t.Protect {
		all = append(all, attr{"deletion_protection_enabled", true})
	}
	return all
}

// globalBlock returns a global index. Keys of several attributes are written as a schema;
// single ones in the form that all versions of the provider accept.
func globalBlock(t *table, x index) block {
	body := []any{attr{"name", x.Name}}
	several := len(x.PK) > 1 || len(x.SK) > 1
	if !several {
		for _, k := range x.keys {
			body = append(body, keyAttr(k))
		}
	}
	body = append(body, projectionAttrs(x)...)
	if t.Billing.Provisioned {
		body = append(body, capacityAttrs(x.capacity)...)
	}
	if several {
		for _, k := range x.keys {
			body = append(body, blank{}, block{"key_schema", []any{attr{"attribute_name", k.name}, attr{"key_type", k.role}}})
		}
	}
	return block{"global_secondary_index", body}
}

func localBlock(x index) block {
	body := []any{attr{"name", x.Name}, keyAttr(x.keys[len(x.keys)-1])}
	return block{"local_secondary_index", append(body, projectionAttrs(x)...)}
}

func projectionAttrs(x index) []any {
	kind, attributes := x.projection()
	all := []any{attr{"projection_type", kind}}
	if len(attributes) > 0 {
		all = append(all, attr{"non_key_attributes", listOf(attributes)})
	}
	return all
}

func settingBlocks(t *table) []any {
	var all []any
	add := func(head string, body ...any) { all = append(all, blank{}, block{head, body}) }
	if t.TTL != "" {
		add("ttl", attr{"attribute_name", t.TTL}, attr{"enabled", true})
	}
	if t.PITR {
		add("point_in_time_recovery", attr{"enabled", true})
	}
	switch t.Encryption {
	case "aws-managed":
		add("server_side_encryption", attr{"enabled", true})
	case "customer":
		add("server_side_encryption", attr{"enabled", true}, attr{"kms_key_arn", raw("var.kms_key_arn")})
	}
	if len(t.tags) > 0 {
		var tags object
		for _, tag := range t.tags {
			tags = append(tags, member{tag.Key, tag.Value})
		}
		all = append(all, blank{}, attr{"tags", tags})
	}
	var lifecycle []any
	if t.Protect {
		lifecycle = append(lifecycle, attr{"prevent_destroy", true})
	}
	if t.Billing.Provisioned && t.capacity.scale != nil {
		if len(t.global) > 0 {
			lifecycle = append(lifecycle, indexCapacityComment...)
		}
		lifecycle = append(lifecycle, attr{"ignore_changes", list{raw("read_capacity"), raw("write_capacity")}})
	}
	if len(lifecycle) > 0 {
		add("lifecycle", lifecycle...)
	}
	return all
}

// indexCapacityComment explains a limitation of Terraform: it ignores changes of all indexes
// or of none.
var indexCapacityComment = []any{
	comment("An apply resets the capacity of global indexes to the numbers above, and autoscaling raises it again."),
	comment("Adding global_secondary_index here would prevent that, but then no change to an index is applied."),
}

func outputBlocks(all []*table) []block {
	var list []block
	add := func(name, description, value string) {
		list = append(list, block{fmt.Sprintf("output %q", name), []any{attr{"description", description}, attr{"value", raw(value)}}})
	}
	for _, t := range all {
		of := "aws_dynamodb_table." + t.local
		add(t.local+"_name", "Name of "+t.Name, of+".name")
		add(t.local+"_arn", "ARN of "+t.Name, of+".arn")
		if t.Stream != "" {
			add(t.local+"_stream_arn", "ARN of the stream of "+t.Name, of+".stream_arn")
		}
	}
	return list
}

// PolicyModule returns Terraform code with the policies of roles for tables that are created
// elsewhere. Names of policies are unique in an account, so they contain the design's name.
func PolicyModule(d *model.Design, policies []iamgen.Policy, prefix string) []byte {
	body := []any{
		prefixVariable(prefix), blank{},
		block{`data "aws_caller_identity" "current"`, nil}, blank{},
		block{`data "aws_partition" "current"`, nil}, blank{},
		block{`data "aws_region" "current"`, nil}, blank{},
		block{"locals", []any{attr{"tables", raw(`"arn:${data.aws_partition.current.partition}:dynamodb:` +
			`${data.aws_region.current.id}:${data.aws_caller_identity.current.account_id}:table/${var.table_prefix}"`)}}},
	}
	resource := func(r iamgen.Resource) any {
		return raw(`"${local.tables}` + r.Table + r.Below() + `"`)
	}
	var outputs []any
	ids := newNames()
	for _, p := range policies {
		for i, document := range p.Documents {
			id, name := snake(p.Role), hyphenated(d.Name)+"-"+p.Role
			if i > 0 {
				id, name = fmt.Sprintf("%s_%d", id, i+1), fmt.Sprintf("%s-%d", name, i+1)
			}
			id = ids.once(id, "_")
			body = append(body, blank{}, block{fmt.Sprintf("resource \"aws_iam_policy\" %q", id), []any{
				attr{"name", behindPrefix(name)},
				attr{"description", "The role " + p.Role + " of " + d.Name},
				attr{"policy", call{"jsonencode", policyDocument(document, resource)}},
			}})
			outputs = append(outputs, blank{}, block{fmt.Sprintf("output %q", id+"_policy_arn"), []any{
				attr{"description", "Policy of the role " + p.Role}, attr{"value", raw("aws_iam_policy." + id + ".arn")},
			}})
		}
	}
	return []byte(policyHeader(d) + notes(policies) + "\n" + hclText(append(body, outputs...)))
}
