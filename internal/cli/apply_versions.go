package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
	"sortkey.dev/design"
)

// work holds the tables that apply makes, and how.
type work struct {
	tables []provision.Table
	last   bool // they are those of the last version of the design's history, or of a design without one
	accept bool // the items are as these tables say, whatever their tags say
	runs   bool // a migration is under way, and watches the streams of the tables
}

// standing returns the tables to apply: those of the design or, while a migration is not over on the endpoint, those
// of both versions. Its error names the command for what apply does not do.
func (c applyConfig) standing(ctx context.Context, d *design.Design, path string, client *dynamodb.Client, tell *progressLine) (work, error) {
	h, err := d.History()
	if errors.Is(err, design.ErrNoHistory) || c.alternative != "" || len(c.tags) > 0 {
		tables, err := d.Tables(c.alternative, c.tags...)
		return work{tables: tables, last: true}, err
	}
	if err != nil {
		return work{}, err
	}
	tables, err := d.Tables("", h.Tags()...)
	if err != nil {
		return work{}, err
	}
	unplanned, err := d.Unplanned()
	if err != nil {
		return work{}, err
	}
	if unplanned != "" {
		return work{}, advise(errors.New("nothing was changed: "+unplanned), "Plan the change: sortkey plan "+path+" --name NAME", "Then carry it out: sortkey migrate apply "+c.arguments(path))
	}
	v := &versioned{applyConfig: c, history: h, path: path, client: client, tell: tell, all: work{tables: tables, last: true}}
	return v.work(ctx)
}

// A versioned is apply on a design with a history.
type versioned struct {
	applyConfig
	history *design.History
	path    string
	client  *dynamodb.Client
	tell    *progressLine
	all     work // that of the last version
}

func (v *versioned) work(ctx context.Context) (work, error) {
	number, _ := v.history.Last()
	epochs, err := v.epochs(v.history, v.client)
	if err != nil {
		return work{}, err
	}
	state, err := epochs.Read(ctx)
	_, missing := errors.AsType[*types.ResourceNotFoundException](err)
	switch {
	case missing, otherKey(err): // there are no tables yet, or none of this design, which provision says
		return v.all, nil
	case errors.Is(err, migrate.ErrNoState) && number == 1:
		return v.all, nil
	case errors.Is(err, migrate.ErrNoState):
		return v.withoutState(ctx, number)
	case err != nil:
		return work{}, endpointFailure(v.endpoint, err)
	case state.Version > number:
		return work{}, advise(fmt.Errorf("nothing was changed: the tables have version %d of the design, and its history ends with version %d", state.Version, number),
			"Use the design, with its history, from which the tables got their version.")
	case state.Version == number && state.Migration == "" && number == 1:
		return v.all, nil
	case state.Version == number && state.Migration == "":
		return v.past(ctx, number)
	}
	m, err := v.history.Migration(state.Version + 1)
	if err != nil {
		return work{}, err
	}
	if state.Phase == access.PhaseAfter {
		return work{}, v.refuse(m, "the migration is in phase after and removes what is not used any more")
	}
	w, err := v.between(ctx, m)
	w.runs = state.Migration != ""
	return w, err
}

// withoutState is for tables that do not say which version they have. Empty ones, and those that are as the last version
// says, have the last one.
func (v *versioned) withoutState(ctx context.Context, number int) (work, error) {
	m, err := v.history.Migration(number)
	if err != nil {
		return work{}, err
	}
	empty, err := v.empty(ctx)
	if err != nil || empty {
		return v.all, err
	}
	changes, err := v.dryRun(ctx, v.all.tables)
	if refused, ok := errors.AsType[*provision.RefusedError](err); ok && refused.OfShape() {
		return work{}, v.refuse(m, refused.Reasons[0].Table+": "+refused.Reasons[0].Text)
	}
	if made := v.made(changes, m); len(made) > 0 && err == nil {
		return work{}, v.refuse(m, strings.Join(made, ", "))
	}
	return v.all, nil // apply says what is wrong
}

// past is for tables that have the last version. Tags that infrastructure code set during the migration are those of
// the version before.
func (v *versioned) past(ctx context.Context, number int) (work, error) {
	_, err := v.dryRun(ctx, v.all.tables)
	if refused, ok := errors.AsType[*provision.RefusedError](err); !ok || !refused.OfShape() {
		return v.all, nil
	}
	m, err := v.history.Migration(number)
	if err != nil {
		return work{}, err
	}
	tagged := slices.Clone(v.all.tables)
	for i := range tagged {
		for _, before := range m.Before {
			if before.Name == tagged[i].Name {
				tagged[i].Shape = before.Shape
			}
		}
	}
	if _, err := v.dryRun(ctx, tagged); err == nil {
		v.all.accept = true
	}
	return v.all, nil
}

// between is for tables that are on the way to a version: settings are changed, and nothing that belongs to a step.
func (v *versioned) between(ctx context.Context, m *design.Migration) (work, error) {
	changes, err := v.dryRun(ctx, m.Tables())
	if refused, ok := errors.AsType[*provision.RefusedError](err); ok {
		return work{}, cannotApply(refused)
	}
	if err != nil {
		return work{}, endpointFailure(v.endpoint, err)
	}
	if made := v.made(changes, m); len(made) > 0 {
		return work{}, v.refuse(m, strings.Join(made, ", "))
	}
	return work{tables: m.Tables()}, nil
}

// made returns the changes that make what the version before does not have.
func (v *versioned) made(changes []provision.Change, m *design.Migration) []string {
	has := map[string]bool{}
	for _, t := range m.Before {
		has[v.prefix+t.Name] = true
	}
	var all []string
	for _, c := range changes {
		if c.Action == provision.AddIndex || c.Action == provision.CreateTable && !has[c.Table] {
			all = append(all, c.Text)
		}
	}
	return all
}

// refuse returns the error for what a step of a migration does.
func (v *versioned) refuse(m *design.Migration, what string) error {
	return advise(fmt.Errorf("nothing was changed: %s is not over on these tables (%s)", m.ID, what),
		"Carry it out: sortkey migrate apply "+v.arguments(v.path))
}

func (v *versioned) dryRun(ctx context.Context, tables []provision.Table) ([]provision.Change, error) {
	o := v.options(v.tell)
	o.DryRun, o.AcceptShape, o.Prune, o.Replace = true, false, false, false
	return provision.Apply(ctx, v.client, tables, o)
}

// empty reports whether no table of the design that exists has an item.
func (v *versioned) empty(ctx context.Context) (bool, error) {
	for _, t := range v.all.tables {
		out, err := v.client.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String(v.prefix + t.Name), Limit: aws.Int32(1)})
		if _, missing := errors.AsType[*types.ResourceNotFoundException](err); missing {
			continue
		}
		if err != nil {
			return false, endpointFailure(v.endpoint, err)
		}
		if len(out.Items) > 0 {
			return false, nil
		}
	}
	return true, nil
}

// epochs returns the state of a design with a history on the endpoint.
func (c applyConfig) epochs(h *design.History, client *dynamodb.Client) (*migrate.Epochs, error) {
	state, err := h.State()
	if err != nil {
		return nil, err
	}
	return &migrate.Epochs{API: client, Design: state, TableName: func(name string) string { return c.prefix + name }}, nil
}

// arguments returns those of another command for the same tables.
func (c applyConfig) arguments(path string) string {
	return (&migrating{migrateConfig: &migrateConfig{endpoint: c.endpoint, region: c.region, prefix: c.prefix}, path: path}).arguments()
}
