package request

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
)

// policyOf checks a policy document and returns it in the form in which DynamoDB returns it:
// without white space, its members in a fixed order, lists of one element as that element, and
// accounts as the ARNs of their roots. Equivalent documents mostly have the same form.
func policyOf(document string) (string, error) {
	if len(document) > dynamo.MaxPolicySize {
		return "", invalid(invalidParameter + "Maximum policy size of 20480 bytes exceeded")
	}
	var policy map[string]any
	d := json.NewDecoder(strings.NewReader(document))
	d.UseNumber()
	if d.Decode(&policy) != nil || policy == nil || d.Decode(new(any)) != io.EOF {
		return "", invalidPolicy("This policy contains invalid Json")
	}
	if policy["Version"] == nil {
		policy["Version"] = "2008-10-17"
	}
	statements, err := policyStatements(policy["Statement"])
	if err != nil {
		return "", err
	}
	policy["Statement"] = statements
	return string(appendOrdered(nil, policy, "Version", "Id", "Statement")), nil
}

func invalidPolicy(reason string) error {
	return invalid(invalidParameter + "Invalid policy document: " + reason)
}

// policyStatements checks the statements of a policy. A single statement need not be in a list.
func policyStatements(statement any) ([]any, error) {
	statements, ok := statement.([]any)
	if !ok && statement != nil {
		statements = []any{statement}
	}
	if len(statements) == 0 {
		return nil, invalidPolicy("Could not parse the policy: Statement is empty!")
	}
	var ids []string
	for i, s := range statements {
		fields, ok := s.(map[string]any)
		switch {
		case !ok:
			return nil, invalidPolicy("This policy contains invalid Json")
		case fields["Resource"] == nil && fields["NotResource"] == nil:
			return nil, invalidPolicy("Missing required field Resource")
		}
		if id, ok := fields["Sid"].(string); ok {
			if slices.Contains(ids, id) {
				return nil, invalidPolicy("The Statement Ids in the policy are not unique")
			}
			ids = append(ids, id)
		}
		statements[i] = policyStatement(fields)
	}
	return statements, nil
}

// policyStatement converts a statement to the form in which DynamoDB returns it.
func policyStatement(fields map[string]any) json.RawMessage {
	for _, name := range []string{"Action", "NotAction", "Resource", "NotResource"} {
		fields[name] = single(fields[name])
	}
	switch effect, _ := fields["Effect"].(string); strings.ToLower(effect) {
	case "allow":
		fields["Effect"] = "Allow"
	case "deny":
		fields["Effect"] = "Deny"
	}
	for _, name := range []string{"Principal", "NotPrincipal"} {
		if principals, ok := fields[name].(map[string]any); ok && principals["AWS"] != nil {
			principals["AWS"] = rootARNs(principals["AWS"])
		}
	}
	return appendOrdered(nil, fields, "Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition")
}

// single returns the only element of a list; it returns other values unchanged.
func single(v any) any {
	if list, ok := v.([]any); ok && len(list) == 1 {
		return list[0]
	}
	return v
}

// rootARNs replaces the ids of accounts with the ARNs of their roots, without duplicates.
func rootARNs(v any) any {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var arns []any
	for _, principal := range list {
		if id, ok := principal.(string); ok && isAccount(id) {
			principal = "arn:aws:iam::" + id + ":root"
		}
		if _, text := principal.(string); !text || !slices.Contains(arns, principal) {
			arns = append(arns, principal)
		}
	}
	return single(arns)
}

// isAccount reports whether a text is the id of an account: twelve digits.
func isAccount(id string) bool {
	return len(id) == 12 && strings.Trim(id, "0123456789") == ""
}

// appendOrdered appends an object with the members named in order first, and the others
// after them by name. Members that are nil are left out.
func appendOrdered(dst []byte, object map[string]any, order ...string) json.RawMessage {
	var others []string
	for name := range object {
		if !slices.Contains(order, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	dst = append(dst, '{')
	for _, name := range append(slices.Clone(order), others...) {
		if object[name] == nil {
			continue
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(appendJSON(dst, name), ':'), compactJSON(object[name])...)
	}
	return append(dst, '}')
}

func appendJSON(dst []byte, v any) []byte { return append(dst, compactJSON(v)...) }

// compactJSON encodes a decoded JSON value without unnecessary escapes.
func compactJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte("null") // cannot happen to decoded JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// definePolicy checks the policy of a new table.
func definePolicy(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) error {
	if in.ResourcePolicy == nil {
		return nil
	}
	document, err := policyOf(*in.ResourcePolicy)
	d.Policy = &dynamo.ResourcePolicy{Document: document}
	return err
}
