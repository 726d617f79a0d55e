package iacgen

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// A reader parses a template as CloudFormation would, and records its references.
type reader struct {
	refs, attributes, conditions []string
}

// read returns a node as plain values. It records the references of intrinsic functions and
// returns them as texts.
func (r *reader) read(n ast.Node) any {
	switch n := n.(type) {
	case *ast.MappingNode:
		all := map[string]any{}
		for _, v := range n.Values {
			all[fmt.Sprint(r.read(v.Key))] = r.read(v.Value)
		}
		return all
	case *ast.MappingValueNode:
		return map[string]any{fmt.Sprint(r.read(n.Key)): r.read(n.Value)}
	case *ast.SequenceNode:
		var all []any
		for _, v := range n.Values {
			all = append(all, r.read(v))
		}
		return all
	case *ast.TagNode:
		return r.tag(n)
	case *ast.StringNode:
		return n.Value
	case *ast.IntegerNode:
		return fmt.Sprint(n.Value)
	case *ast.FloatNode:
		return fmt.Sprint(n.Value)
	case *ast.BoolNode:
		return n.Value
	}
	return fmt.Sprintf("%T", n)
}

var variablePattern = regexp.MustCompile(`\$\{([^}]*)\}`)

func (r *reader) tag(n *ast.TagNode) any {
	value := r.read(n.Value)
	switch n.Start.Value {
	case "!Ref":
		r.refs = append(r.refs, value.(string))
	case "!GetAtt":
		r.attributes = append(r.attributes, value.(string))
	case "!Sub":
		for _, m := range variablePattern.FindAllStringSubmatch(value.(string), -1) {
			if strings.Contains(m[1], ".") {
				r.attributes = append(r.attributes, m[1])
			} else {
				r.refs = append(r.refs, m[1])
			}
		}
	case "!If":
		r.conditions = append(r.conditions, value.([]any)[0].(string))
	case "!Not", "!Equals":
	default:
		return "unknown function " + n.Start.Value
	}
	return fmt.Sprintf("%s %v", n.Start.Value, value)
}

// known maps the generated resources to their properties and those of nested values, as AWS
// documents them. A path ends where any value is allowed.
var known = map[string]string{
	"AWS::DynamoDB::Table": `TableName BillingMode TableClass DeletionProtectionEnabled
		AttributeDefinitions.AttributeName AttributeDefinitions.AttributeType KeySchema.AttributeName KeySchema.KeyType
		GlobalSecondaryIndexes.IndexName GlobalSecondaryIndexes.KeySchema.AttributeName GlobalSecondaryIndexes.KeySchema.KeyType
		GlobalSecondaryIndexes.Projection.ProjectionType GlobalSecondaryIndexes.Projection.NonKeyAttributes
		GlobalSecondaryIndexes.ProvisionedThroughput.ReadCapacityUnits GlobalSecondaryIndexes.ProvisionedThroughput.WriteCapacityUnits
		LocalSecondaryIndexes.IndexName LocalSecondaryIndexes.KeySchema.AttributeName LocalSecondaryIndexes.KeySchema.KeyType
		LocalSecondaryIndexes.Projection.ProjectionType LocalSecondaryIndexes.Projection.NonKeyAttributes
		ProvisionedThroughput.ReadCapacityUnits ProvisionedThroughput.WriteCapacityUnits
		StreamSpecification.StreamViewType TimeToLiveSpecification.AttributeName TimeToLiveSpecification.Enabled
		PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled
		SSESpecification.SSEEnabled SSESpecification.SSEType SSESpecification.KMSMasterKeyId Tags.Key Tags.Value`,
	"AWS::ApplicationAutoScaling::ScalableTarget": `ServiceNamespace ResourceId ScalableDimension MinCapacity MaxCapacity`,
	"AWS::ApplicationAutoScaling::ScalingPolicy": `PolicyName PolicyType ScalingTargetId
		TargetTrackingScalingPolicyConfiguration.TargetValue
		TargetTrackingScalingPolicyConfiguration.PredefinedMetricSpecification.PredefinedMetricType`,
	"AWS::CloudWatch::Alarm": `AlarmName AlarmDescription Namespace MetricName Dimensions.Name Dimensions.Value Statistic Period
		EvaluationPeriods DatapointsToAlarm ComparisonOperator Threshold TreatMissingData AlarmActions OKActions
		Metrics.Id Metrics.Expression Metrics.Label Metrics.ReturnData Metrics.MetricStat.Period Metrics.MetricStat.Stat
		Metrics.MetricStat.Metric.Namespace Metrics.MetricStat.Metric.MetricName
		Metrics.MetricStat.Metric.Dimensions.Name Metrics.MetricStat.Metric.Dimensions.Value`,
	"AWS::IAM::ManagedPolicy": `Description PolicyDocument.Version PolicyDocument.Statement.Sid PolicyDocument.Statement.Effect
		PolicyDocument.Statement.Action PolicyDocument.Statement.Resource PolicyDocument.Statement.Condition`,
}

var pseudo = []string{"AWS::NoValue", "AWS::Partition", "AWS::Region", "AWS::AccountId"}

// TestTemplatesAreValid parses every template: AWS documents each property, and each
// reference resolves.
func TestTemplatesAreValid(t *testing.T) {
	for _, path := range designs(t) {
		in := inputOf(t, path)
		for name, text := range map[string][]byte{
			"cloudformation": write(t, "cloudformation", in).Files[0].Text,
			"sam":            write(t, "sam", in).Files[0].Text,
			"policies":       PolicyTemplate(in.Layout.Design(), in.Policies, "dev-"),
		} {
			t.Run(path+"/"+name, func(t *testing.T) { checkTemplate(t, text) })
		}
	}
}

func checkTemplate(t *testing.T, text []byte) {
	parsed, err := parser.ParseBytes(text, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{}
	root := r.read(parsed.Docs[0].Body).(map[string]any)
	section := func(name string) map[string]any { all, _ := root[name].(map[string]any); return all }
	resources, parameters := section("Resources"), section("Parameters")
	for name := range root {
		if !slices.Contains(strings.Fields("AWSTemplateFormatVersion Transform Description Parameters Conditions Resources Outputs"), name) {
			t.Errorf("%s is no section of a template", name)
		}
	}
	for id, value := range resources {
		resource := value.(map[string]any)
		paths := strings.Fields(known[resource["Type"].(string)])
		if len(paths) == 0 {
			t.Errorf("%s has the unknown type %v", id, resource["Type"])
		}
		for _, problem := range unknownProperties("", resource["Properties"], paths) {
			t.Errorf("%s: %s", id, problem)
		}
	}
	for _, name := range r.refs {
		if resources[name] == nil && parameters[name] == nil && !slices.Contains(pseudo, name) {
			t.Errorf("nothing is called %s", name)
		}
	}
	for _, name := range r.attributes {
		id, attribute, _ := strings.Cut(name, ".")
		table, _ := resources[id].(map[string]any)
		if table["Type"] != "AWS::DynamoDB::Table" || attribute != "Arn" && attribute != "StreamArn" {
			t.Errorf("%s is no attribute of a table", name)
		}
	}
	for _, name := range r.conditions {
		if section("Conditions")[name] == nil {
			t.Errorf("there is no condition %s", name)
		}
	}
	if len(resources) > 500 || len(text) > 1<<20 {
		t.Errorf("%d resources in %d bytes are more than CloudFormation takes", len(resources), len(text))
	}
	checkTables(t, resources)
}

// unknownProperties returns the properties that no known path contains.
func unknownProperties(at string, v any, paths []string) []string {
	var problems []string
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			problems = append(problems, unknownProperties(at, item, paths)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			path := strings.TrimPrefix(at+"."+name, ".")
			switch {
			case slices.Contains(paths, path):
			case slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(p, path+".") }):
				problems = append(problems, unknownProperties(path, v[name], paths)...)
			default:
				problems = append(problems, path+" is no property AWS documents")
			}
		}
	case string:
		if strings.HasPrefix(v, "unknown function") {
			problems = append(problems, at+": "+v)
		}
	}
	return problems
}

// checkTables checks that tables define exactly their key attributes, as DynamoDB requires.
func checkTables(t *testing.T, resources map[string]any) {
	t.Helper()
	for id, value := range resources {
		resource := value.(map[string]any)
		if resource["Type"] != "AWS::DynamoDB::Table" {
			continue
		}
		properties := resource["Properties"].(map[string]any)
		used := namesIn(properties["KeySchema"])
		for _, kind := range []string{"GlobalSecondaryIndexes", "LocalSecondaryIndexes"} {
			indexes, _ := properties[kind].([]any)
			for _, x := range indexes {
				used = append(used, namesIn(x.(map[string]any)["KeySchema"])...)
			}
		}
		slices.Sort(used)
		defined := namesIn(properties["AttributeDefinitions"])
		slices.Sort(defined)
		if used = slices.Compact(used); !slices.Equal(used, defined) {
			t.Errorf("%s defines %v, and its keys are %v", id, defined, used)
		}
		protected := properties["DeletionProtectionEnabled"] == true
		if protected != (resource["DeletionPolicy"] == "Retain") {
			t.Errorf("%s is protected: %v, and its deletion policy %v", id, protected, resource["DeletionPolicy"])
		}
	}
}

func namesIn(v any) []string {
	var all []string
	items, _ := v.([]any)
	for _, item := range items {
		all = append(all, fmt.Sprint(item.(map[string]any)["AttributeName"]))
	}
	return all
}
