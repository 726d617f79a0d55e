package iacgen

import (
	"maps"
	"slices"

	"sortkey.dev/design/internal/iamgen"
	"sortkey.dev/design/internal/model"
)

// PolicyFormats lists the names of the formats for policies alone.
var PolicyFormats = []string{"json", "cloudformation", "terraform"}

// PolicyTemplate returns a CloudFormation template with the policies of roles for tables that
// are created elsewhere.
func PolicyTemplate(d *model.Design, policies []iamgen.Policy, prefix string) []byte {
	var resources, outputs object
	names := newNames()
	for _, p := range policies {
		for i, document := range p.Documents {
			id := names.once(policyID(p, i), "")
			resources = append(resources, policyResource(id, p, document, elsewhere))
			outputs = append(outputs, member{id + "Arn", object{{"Description", "Policy of the role " + p.Role}, {"Value", ref(id)}}})
		}
	}
	template := object{
		{"AWSTemplateFormatVersion", "2010-09-09"},
		{"Description", "The roles of " + d.Name},
		{"Parameters", object{{"TablePrefix", object{
			{"Type", "String"}, {"Default", prefix}, {"AllowedPattern", "[a-zA-Z0-9_.-]*"},
			{"Description", "Prefix of the name of every table, for example one per stage"},
		}}}},
		{"Resources", resources},
		{"Outputs", outputs},
	}
	return []byte(policyHeader(d) + notes(policies) + yamlText(template))
}

// elsewhere returns the ARN of a table that is not in the template.
func elsewhere(r iamgen.Resource) any {
	return sub("arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${TablePrefix}" + r.Table + r.Below())
}

func policyHeader(d *model.Design) string {
	return "# Written by sortkey iam from the design " + d.Name + ". Change the design, not this file.\n"
}

// notes returns the limitations of the policies, as comments.
func notes(policies []iamgen.Policy) string {
	text := ""
	for _, p := range policies {
		for _, n := range p.Notes {
			text += "# " + p.Role + ": " + n + "\n"
		}
	}
	return text
}

// policyResource returns a managed policy. It has no explicit name, so that a stack with it
// does not need CAPABILITY_NAMED_IAM.
func policyResource(id string, p iamgen.Policy, d iamgen.Document, resource func(iamgen.Resource) any) member {
	description := "The role " + p.Role
	if p.Doc != "" {
		description += ": " + p.Doc
	}
	return member{id, object{{"Type", "AWS::IAM::ManagedPolicy"}, {"Properties", object{
		{"Description", description},
		{"PolicyDocument", policyDocument(d, resource)},
	}}}}
}

// policyDocument returns a document as a tree.
func policyDocument(d iamgen.Document, resource func(iamgen.Resource) any) object {
	var statements list
	for _, s := range d.Statements {
		var actions, resources list
		for _, action := range s.Actions {
			actions = append(actions, "dynamodb:"+action)
		}
		for _, r := range s.Resources {
			resources = append(resources, resource(r))
		}
		statements = append(statements, object{
			{"Sid", s.Sid}, {"Effect", "Allow"}, {"Action", actions}, {"Resource", resources}, {"Condition", conditions(s)},
		})
	}
	return object{{"Version", "2012-10-17"}, {"Statement", statements}}
}

func conditions(s iamgen.Statement) object {
	var all object
	given := s.Conditions()
	for _, operator := range slices.Sorted(maps.Keys(given)) {
		var keys object
		for _, key := range slices.Sorted(maps.Keys(given[operator])) {
			keys = append(keys, member{key, listOf(given[operator][key])})
		}
		all = append(all, member{operator, keys})
	}
	return all
}
