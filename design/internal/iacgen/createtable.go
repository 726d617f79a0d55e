package iacgen

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sortkey.dev/design/internal/model"
)

// createTables returns the requests that create the tables, one file each, for
// aws dynamodb create-table --cli-input-json.
func createTables(in Input, all []*table) (*Output, error) {
	out := &Output{}
	for _, t := range all {
		if t.Encryption == "customer" && in.KMSKey == "" {
			return nil, fmt.Errorf("%s is encrypted with a customer managed key, but no key is given", t.Name)
		}
		text, err := json.Marshal(createTable(in, t))
		if err != nil {
			return nil, fmt.Errorf("cannot write the request for %s: %w", t.Name, err)
		}
		var b bytes.Buffer
		if err := json.Indent(&b, text, "", "  "); err != nil {
			return nil, fmt.Errorf("cannot write the request for %s: %w", t.Name, err)
		}
		b.WriteByte('\n')
		out.Files = append(out.Files, File{t.Name + ".json", b.Bytes()})
		out.Notes = append(out.Notes, afterwards(in.Prefix+t.Name, t)...)
	}
	return out, nil
}

// afterwards returns the commands for settings that CreateTable does not have.
func afterwards(name string, t *table) []string {
	var all []string
	if t.TTL != "" {
		all = append(all, fmt.Sprintf("aws dynamodb update-time-to-live --table-name %s --time-to-live-specification Enabled=true,AttributeName=%s", name, t.TTL))
	}
	if t.PITR {
		all = append(all, fmt.Sprintf("aws dynamodb update-continuous-backups --table-name %s --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true", name))
	}
	if t.capacity.scale == nil || !t.Billing.Provisioned {
		return all
	}
	all = append(all, scalingCommands(t.capacity.scale, "table", "table/"+name)...)
	for _, x := range t.global {
		all = append(all, scalingCommands(t.capacity.scale, "index", "table/"+name+"/index/"+x.Name)...)
	}
	return all
}

// scalingCommands returns the commands that set up autoscaling of a table or an index.
func scalingCommands(a *model.Autoscale, kind, resource string) []string {
	var all []string
	for _, what := range []string{"Read", "Write"} {
		of := fmt.Sprintf("--service-namespace dynamodb --resource-id %s --scalable-dimension dynamodb:%s:%sCapacityUnits", resource, kind, what)
		all = append(all,
			fmt.Sprintf("aws application-autoscaling register-scalable-target %s --min-capacity %s --max-capacity %s", of, a.Min.Ceil(), a.Max.Ceil()),
			fmt.Sprintf("aws application-autoscaling put-scaling-policy %s --policy-name %sScaling --policy-type TargetTrackingScaling "+
				`--target-tracking-scaling-policy-configuration '{"TargetValue":%s,"PredefinedMetricSpecification":{"PredefinedMetricType":"DynamoDB%sCapacityUtilization"}}'`,
				of, what, percent(a.Target), what))
	}
	return all
}

func createTable(in Input, t *table) object {
	o := object{
		{"TableName", in.Prefix + t.Name},
		{"AttributeDefinitions", definitions(t)},
		{"KeySchema", keySchema(t.keys)},
		{"GlobalSecondaryIndexes", globalIndexes(t)},
		{"LocalSecondaryIndexes", localIndexes(t)},
		{"BillingMode", t.billingMode()},
	}
	if t.Billing.Provisioned {
		o = append(o, member{"ProvisionedThroughput", throughput(t.capacity)})
	}
	if t.Class == model.StandardIA {
		o = append(o, member{"TableClass", "STANDARD_INFREQUENT_ACCESS"})
	}
	if t.Stream != "" {
		o = append(o, member{"StreamSpecification", object{{"StreamEnabled", true}, {"StreamViewType", t.streamView()}}})
	}
	switch t.Encryption {
	case "aws-managed":
		o = append(o, member{"SSESpecification", object{{"Enabled", true}, {"SSEType", "KMS"}}})
	case "customer":
		o = append(o, member{"SSESpecification", object{{"Enabled", true}, {"SSEType", "KMS"}, {"KMSMasterKeyId", in.KMSKey}}})
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

// MarshalJSON encodes the members that have a value, in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	first := true
	for _, m := range o {
		if isNothing(m.value) {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// MarshalJSON encodes the number unchanged.
func (n number) MarshalJSON() ([]byte, error) { return []byte(n), nil }
