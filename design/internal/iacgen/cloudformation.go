package iacgen

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/iamgen"
	"sortkey.dev/design/internal/model"
)

// cloudFormation returns a template with all tables; for SAM also with the policies of the
// roles, for use by functions.
func cloudFormation(in Input, all []*table, sam bool) []byte {
	d := in.Layout.Design()
	alarms := alarmsOf(d.Name, all)
	template := object{
		{"AWSTemplateFormatVersion", "2010-09-09"},
		{"Transform", nil},
		{"Description", "The DynamoDB tables of " + d.Name},
		{"Parameters", parameters(in, all)},
		{"Conditions", object{{"HasAlarmTopic", tagged{"!Not", list{tagged{"!Equals", list{ref("AlarmTopicArn"), ""}}}}}}},
	}
	var resources object
	for _, t := range all {
		resources = append(resources, tableResource(t))
		resources = append(resources, scalingResources(t)...)
	}
	for _, a := range alarms {
		resources = append(resources, alarmResource(a))
	}
	outputs := tableOutputs(all)
	if sam {
		template[1].value = "AWS::Serverless-2016-10-31"
		resources = append(resources, policyResources(in.Policies, all, &outputs)...)
	}
	template = append(template, member{"Resources", resources}, member{"Outputs", outputs})
	return []byte(header("#", d) + yamlText(template))
}

// header returns a comment that says how a file was generated.
func header(mark string, d *model.Design) string {
	return fmt.Sprintf("%s Written by sortkey infra from the design %s. Change the design, not this file.\n", mark, d.Name)
}

func parameters(in Input, all []*table) object {
	o := object{
		{"TablePrefix", object{
			{"Type", "String"}, {"Default", in.Prefix}, {"AllowedPattern", "[a-zA-Z0-9_.-]*"},
			{"Description", "Prefix of the name of every table, for example one per stage"},
		}},
		{"AlarmTopicArn", object{
			{"Type", "String"}, {"Default", ""},
			{"Description", "SNS topic that alarms are sent to; without one they only show in CloudWatch"},
		}},
		{latencyParameter, object{
			{"Type", "Number"}, {"Default", defaultLatency},
			{"Description", "Alarm when the 99th percentile of the latency of an operation is above this"},
		}},
		{userErrorsParameter, object{
			{"Type", "Number"}, {"Default", defaultUserErrors},
			{"Description", "Alarm when more requests than this are rejected as invalid in five minutes"},
		}},
	}
	if transacts(all) {
		o = append(o, member{conflictsParameter, object{
			{"Type", "Number"}, {"Default", defaultConflicts},
			{"Description", "Alarm when more requests to a table than this are rejected in five minutes because of transaction conflicts"},
		}})
	}
	if usesKey(all) {
		key := object{{"Type", "String"}}
		if in.KMSKey != "" {
			key = append(key, member{"Default", in.KMSKey})
		}
		o = append(o, member{"KmsKeyId", append(key, member{"Description", "Key that encrypts the tables: its id, ARN or alias"})})
	}
	return o
}

// prefixed returns a name with the prefix of the stack. Names of tables contain no variables
// of Sub.
func prefixed(name string) tagged { return sub("${TablePrefix}" + name) }

func tableResource(t *table) member {
	resource := object{{"Type", "AWS::DynamoDB::Table"}}
	if t.Protect {
		resource = append(resource, member{"DeletionPolicy", "Retain"}, member{"UpdateReplacePolicy", "Retain"})
	}
	properties := object{
		{"TableName", prefixed(t.Name)},
		{"AttributeDefinitions", definitions(t)},
		{"KeySchema", keySchema(t.keys)},
		{"GlobalSecondaryIndexes", globalIndexes(t)},
		{"LocalSecondaryIndexes", localIndexes(t)},
		{"BillingMode", t.billingMode()},
	}
	if t.Billing.Provisioned {
		properties = append(properties, member{"ProvisionedThroughput", throughput(t.capacity)})
	}
	return member{t.id, append(resource, member{"Properties", append(properties, tableSettings(t)...)})}
}

// tableSettings returns the properties other than keys and capacity.
func tableSettings(t *table) object {
	var o object
	if t.Class == model.StandardIA {
		o = append(o, member{"TableClass", "STANDARD_INFREQUENT_ACCESS"})
	}
	if t.Stream != "" {
		o = append(o, member{"StreamSpecification", object{{"StreamViewType", t.streamView()}}})
	}
	if t.TTL != "" {
		o = append(o, member{"TimeToLiveSpecification", object{{"AttributeName", t.TTL}, {"Enabled", true}}})
	}
	if t.PITR {
		o = append(o, member{"PointInTimeRecoverySpecification", object{{"PointInTimeRecoveryEnabled", true}}})
	}
	switch t.Encryption {
	case "aws-managed":
		o = append(o, member{"SSESpecification", object{{"SSEEnabled", true}, {"SSEType", "KMS"}}})
	case "customer":
		o = append(o, member{"SSESpecification", object{{"SSEEnabled", true}, {"SSEType", "KMS"}, {"KMSMasterKeyId", ref("KmsKeyId")}}})
	}
	if t.Protect {
		o = append(o, member{"DeletionProtectionEnabled", true})
	}
	var tags list
	for _, tag := range t.tags {
		tags = append(tags, object{{"Key", tag.Key}, {"Value", tag.Value}})
	}
	return append(o, member{"Tags", tags})
}

func definitions(t *table) list {
	var all list
	for _, a := range t.attributes {
		all = append(all, object{{"AttributeName", a.name}, {"AttributeType", a.kind}})
	}
	return all
}

func keySchema(keys []keyElement) list {
	var all list
	for _, k := range keys {
		all = append(all, object{{"AttributeName", k.name}, {"KeyType", k.role}})
	}
	return all
}

func globalIndexes(t *table) list {
	var all list
	for _, x := range t.global {
		o := indexObject(x)
		if t.Billing.Provisioned {
			o = append(o, member{"ProvisionedThroughput", throughput(x.capacity)})
		}
		all = append(all, o)
	}
	return all
}

func localIndexes(t *table) list {
	var all list
	for _, x := range t.locals {
		all = append(all, indexObject(x))
	}
	return all
}

func indexObject(x index) object {
	kind, attributes := x.projection()
	return object{
		{"IndexName", x.Name},
		{"KeySchema", keySchema(x.keys)},
		{"Projection", object{{"ProjectionType", kind}, {"NonKeyAttributes", listOf(attributes)}}},
	}
}

func throughput(c capacity) object {
	return object{
		{"ReadCapacityUnits", number(c.read.units.String())},
		{"WriteCapacityUnits", number(c.write.units.String())},
	}
}

func tableOutputs(all []*table) object {
	var o object
	add := func(id, description string, value tagged) {
		o = append(o, member{id, object{{"Description", description}, {"Value", value}}})
	}
	for _, t := range all {
		add(t.id+"Name", "Name of "+t.Name, ref(t.id))
		add(t.id+"Arn", "ARN of "+t.Name, getAtt(t.id, "Arn"))
		if t.Stream != "" {
			add(t.id+"StreamArn", "ARN of the stream of "+t.Name, getAtt(t.id, "StreamArn"))
		}
	}
	return o
}

// policyResources returns the policies of the roles for the tables of the same template.
func policyResources(policies []iamgen.Policy, all []*table, outputs *object) object {
	ids := map[string]string{}
	for _, t := range all {
		ids[t.Name] = t.id
	}
	resource := func(r iamgen.Resource) any {
		if ids[r.Table] == "" { // a table that holds only the state of migrations
			return elsewhere(r)
		}
		if r.Below() == "" {
			return getAtt(ids[r.Table], "Arn")
		}
		return sub("${" + ids[r.Table] + ".Arn}" + r.Below())
	}
	var o object
	names := newNames()
	for _, p := range policies {
		for i, document := range p.Documents {
			id := names.once(policyID(p, i), "")
			o = append(o, policyResource(id, p, document, resource))
			*outputs = append(*outputs, member{id + "Arn", object{{"Description", "Policy of the role " + p.Role}, {"Value", ref(id)}}})
		}
	}
	return o
}

// policyID returns the name of a policy in a template: CandidatePolicy, CandidatePolicy2.
func policyID(p iamgen.Policy, i int) string {
	id := strings.TrimSuffix(iamgen.Letters(p.Role), "Policy") + "Policy"
	if i > 0 {
		id += fmt.Sprint(i + 1)
	}
	return id
}
