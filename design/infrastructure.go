package design

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/iacgen"
	"sortkey.dev/design/internal/iamgen"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// InfrastructureFormats returns the formats Infrastructure writes.
func InfrastructureFormats() []string { return slices.Clone(iacgen.Formats) }

// PolicyFormats returns the formats Policies writes.
func PolicyFormats() []string { return slices.Clone(iacgen.PolicyFormats) }

// InfrastructureOptions selects the format and parameters of infrastructure code.
type InfrastructureOptions struct {
	Format   string // one of InfrastructureFormats
	Prefix   string // prefix of the names of tables; a parameter in templates
	KMSKey   string // of tables encrypted with a customer managed key
	Workload Workload
	// After is a step of the migration that is not settled: the tables as they are after it, 0 for before the first step. Nil:
	// the tables with all that any of the versions needs.
	After *int
}

// Infrastructure is infrastructure code for the tables of a design.
type Infrastructure = iacgen.Output

// InfrastructureFile is one file of infrastructure code.
type InfrastructureFile = iacgen.File

// Infrastructure returns infrastructure code for the tables of a design. The workload
// determines the capacity of provisioned tables that state none, and the thresholds of alarms; its
// tags choose tables, indexes and the patterns of roles. While a migration is not settled, the tables hold what all its versions
// need, so that nothing is removed that is still read.
func (d *Design) Infrastructure(o InfrastructureOptions) (*Infrastructure, error) {
	m, options, versions, err := d.during(o.Workload)
	if err != nil {
		return nil, err
	}
	states, err := d.stateRows()
	if err != nil {
		return nil, err
	}
	in := iacgen.Input{Prefix: o.Prefix, KMSKey: o.KMSKey}
	if versions != nil {
		in.Shape = versions.oldestShape
	}
	if o.After != nil {
		done, err := versions.atStep(m, *o.After)
		if err != nil {
			return nil, err
		}
		if done {
			in.Shape = nil
		}
	}
	in.Layout = resolve.New(m.Phase(o.Workload.Tags))
	in.Estimate = cost.Price(in.Layout, options)
	in.Policies = iamgen.WithState(in.Layout, states, iamgen.ARN{Partition: "aws", Prefix: o.Prefix}.Longest())
	return iacgen.Write(o.Format, in)
}

// PolicyOptions selects roles and the parts of ARNs.
type PolicyOptions struct {
	Role        string // one of the design's roles; "": all
	Scans       bool   // whether roles may scan the tables they use, in separate documents
	Prefix      string // prefix of the names of tables
	Partition   string // the default is aws
	Region      string // the default is the design's, or * if it has none
	Account     string // the default is *
	Alternative string // one of the design's alternatives, instead of the chosen layout
	Settled     bool   // only what the design as it is needs, also if a migration to it is not settled
}

// Policies holds the IAM policies of a design's roles.
type Policies struct {
	design   *model.Design
	arn      iamgen.ARN
	policies []iamgen.Policy
}

// Policies returns the IAM policies of the design's roles.
func (d *Design) Policies(o PolicyOptions) (*Policies, error) {
	p, err := d.noPolicies(o)
	if err != nil {
		return nil, err
	}
	m := p.design
	if len(m.Roles) == 0 {
		return nil, errors.New("the design has no roles; declare them under roles")
	}
	layout := resolve.New(m)
	states, err := d.stateRows()
	if err != nil {
		return nil, err
	}
	p.policies = iamgen.WithState(layout, states, p.arn.Longest())
	if o.Scans {
		p.policies = iamgen.Scans(layout, p.policies)
	}
	if o.Role == "" {
		return p, nil
	}
	for _, policy := range p.policies {
		if policy.Role == o.Role {
			p.policies = []iamgen.Policy{policy}
			return p, nil
		}
	}
	return nil, unknown("role", o.Role, names(m.Roles, func(r *model.Role) string { return r.Name }))
}

// ConsumerPolicy returns the IAM policy of a program that reads the streams of the design's
// tables with package sortkey.dev/access/stream and stores its checkpoints in the named
// table. Of the options it uses the parts of ARNs and the alternative.
func (d *Design) ConsumerPolicy(checkpoints string, o PolicyOptions) (*Policies, error) {
	p, err := d.noPolicies(o)
	if err != nil {
		return nil, err
	}
	policy, err := iamgen.Consumer(p.design, checkpoints)
	if err != nil {
		return nil, err
	}
	p.policies = []iamgen.Policy{policy}
	return p, nil
}

// MigrationPolicy returns the IAM policy of a runner of the migrations that are not settled, whose rows are in the named table. Of
// the options it uses the parts of ARNs.
func (d *Design) MigrationPolicy(control string, o PolicyOptions) (*Policies, error) {
	p, in, err := d.runnerPolicies(o)
	if err != nil {
		return nil, err
	}
	state, err := d.stateRow()
	if err != nil {
		return nil, err
	}
	policy := iamgen.Runner{Control: control, State: state}
	first, err := in.history.firstUnsettled()
	if err != nil {
		return nil, err
	}
	last, _ := in.history.Last()
	for number := first; number <= last; number++ {
		plan, err := in.history.plan(number)
		if err != nil {
			return nil, err
		}
		policy.Tables = append(policy.Tables, plan.Access()...)
	}
	p.policies = []iamgen.Policy{policy.Policy(p.arn.Longest())}
	return p, nil
}

// FencePolicy returns policies of the tables whose items a migration changes: they deny writes to principals without the tag
// sortkey-version. Of the options it uses the parts of ARNs.
func (d *Design) FencePolicy(o PolicyOptions) (*Policies, error) {
	p, in, err := d.runnerPolicies(o)
	if err != nil {
		return nil, err
	}
	var tables []string
	for _, v := range in.versions {
		for _, t := range v.Whole().Tables {
			if !slices.Contains(tables, t.Name) {
				tables = append(tables, t.Name)
			}
		}
	}
	slices.Sort(tables)
	p.policies = []iamgen.Policy{iamgen.Fence(tables)}
	return p, nil
}

// runnerPolicies returns Policies without policies, for the migrations that are not settled.
func (d *Design) runnerPolicies(o PolicyOptions) (*Policies, *interim, error) {
	p, err := d.noPolicies(o)
	if err != nil {
		return nil, nil, err
	}
	in, err := d.unsettled()
	if err == nil && in == nil {
		err = errors.New("no migration is planned and not settled, so no policy is needed for one")
	}
	return p, in, err
}

// noPolicies returns Policies without policies, with the parts of ARNs.
func (d *Design) noPolicies(o PolicyOptions) (*Policies, error) {
	m, _, _, err := d.during(Workload{Alternative: o.Alternative, Settled: o.Settled})
	if err != nil {
		return nil, err
	}
	return &Policies{design: m, arn: iamgen.ARN{
		Partition: either(o.Partition, "aws"), Region: either(o.Region, either(m.Region, "*")), Account: either(o.Account, "*"), Prefix: o.Prefix,
	}}, nil
}

func either(said, standard string) string {
	if said != "" {
		return said
	}
	return standard
}

// Len returns the number of documents.
func (p *Policies) Len() int {
	n := 0
	for _, policy := range p.policies {
		n += len(policy.Documents)
	}
	return n
}

// Documents writes the policy documents, one after the other.
func (p *Policies) Documents(w io.Writer) error {
	for _, policy := range p.policies {
		for _, document := range policy.Documents {
			text, err := document.JSON(p.arn.Of)
			if err != nil {
				return err
			}
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// CloudFormation writes a template with the policies.
func (p *Policies) CloudFormation(w io.Writer) error {
	_, err := w.Write(iacgen.PolicyTemplate(p.design, p.policies, p.arn.Prefix))
	return err
}

// Terraform writes Terraform code with the policies.
func (p *Policies) Terraform(w io.Writer) error {
	_, err := w.Write(iacgen.PolicyModule(p.design, p.policies, p.arn.Prefix))
	return err
}

// Text writes the policies as text, each with its notes.
func (p *Policies) Text(w io.Writer, _ Style) error {
	for i, policy := range p.policies {
		if i > 0 {
			fmt.Fprintln(w)
		}
		title := "role " + policy.Role
		if policy.Doc != "" {
			title += ": " + policy.Doc
		}
		fmt.Fprintf(w, "%s\n", title)
		for _, document := range policy.Documents {
			text, err := document.JSON(p.arn.Of)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s", text)
		}
		for _, note := range policy.Notes {
			if _, err := fmt.Fprintf(w, "note  %s\n", note); err != nil {
				return err
			}
		}
	}
	return nil
}

// Notes writes the notes of the policies, one per line.
func (p *Policies) Notes(w io.Writer) error {
	for _, policy := range p.policies {
		for _, note := range policy.Notes {
			if _, err := fmt.Fprintf(w, "note  %s: %s\n", policy.Role, note); err != nil {
				return err
			}
		}
	}
	return nil
}

// rolePolicies is one role in JSON.
type rolePolicies struct {
	Role      string            `json:"role"`
	Doc       string            `json:"doc,omitempty"`
	Documents []json.RawMessage `json:"documents"`
	Notes     []string          `json:"notes"`
}

// JSON writes one object with all roles, their documents and notes.
func (p *Policies) JSON(w io.Writer) error {
	all := struct {
		Design string         `json:"design"`
		Roles  []rolePolicies `json:"roles"`
	}{p.design.Name, []rolePolicies{}}
	for _, policy := range p.policies {
		role := rolePolicies{Role: policy.Role, Doc: policy.Doc, Documents: []json.RawMessage{}, Notes: append([]string{}, policy.Notes...)}
		for _, document := range policy.Documents {
			text, err := document.JSON(p.arn.Of)
			if err != nil {
				return err
			}
			role.Documents = append(role.Documents, text)
		}
		all.Roles = append(all.Roles, role)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(all)
}
