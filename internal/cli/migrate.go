package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/access/stream"
	"sortkey.dev/design"
)

func migrateCommand() command {
	return command{
		name:    "migrate",
		summary: "carry out the migrations of a design, and control them",
		args:    "COMMAND FILE",
		about: `The last migration of the design's history is carried out on an endpoint while programs go on:
  rehearse   carry the migration out on a copy, and note what it took
  apply      do what is next, until the end or until a step that waits
  status     say where the migration is
  pause      stop all runners at their next page
  resume     go on after a pause, or past the step that the run waits for
  rollback   go back to before the migration; apply then carries that out
  verify     compare all items, or a --sample, with what they must be
  conflicts  list the items that cannot get their new part
Any number of "apply" may run at the same time: one decides, all work. Whatever ends one, another goes
on from there. Programs must be generated from the design with its history, or be stopped.
The rows of a run are in the table --control. On AWS a change of phase takes 16 to 21 minutes.`,
		setup: func(flags *flag.FlagSet) action {
			var c migrateConfig
			flags.StringVar(&c.endpoint, "endpoint", "", "the DynamoDB at this `URL`, such as http://127.0.0.1:8000 (default AWS)")
			flags.StringVar(&c.region, "region", "", "the AWS `REGION`")
			flags.StringVar(&c.prefix, "table-prefix", "", "prefix every table name with this `TEXT`")
			flags.StringVar(&c.control, "control", "sortkey-control", "the `TABLE` that holds how far the run is")
			flags.IntVar(&c.workers, "workers", 4, "segments of a table that are worked on at the same `TIME`")
			flags.Float64Var(&c.writes, "write-rate", 0, "write `UNITS` a second, instead of the plan's; with resume also of a run under way")
			flags.Float64Var(&c.reads, "read-rate", 0, "read `UNITS` a second, instead of the plan's; with resume also of a run under way")
			flags.Var(&c.accept, "accept", "`WHAT`: late-requests, the endpoint does not refuse requests that come late; unwatched, a stream is gone by which the run was watched")
			flags.DurationVar(&c.lease, "lease", 0, "`DURATION` for which programs may send requests after they have read the state (default 30s, on this machine 10s)")
			flags.DurationVar(&c.settleFor, "settle", 0, "`DURATION` for which a request may be on its way (default 15m30s on AWS, on this machine 5s, else 1m)")
			flags.StringVar(&c.most, "most", "", "pause when this `AMOUNT` is spent, such as $20, instead of the plan's; with resume also a run under way")
			flags.DurationVar(&c.fresh, "fresh", time.Hour, "`DURATION` for which a verification is new enough for readers to begin to use the new parts")
			flags.Var(boundedVar(&c.sample, 0, 1, math.MaxInt32), "sample", "verify about this `NUMBER` of items of each part (default all)")
			flags.StringVar(&c.data, "data", "", "rehearse in this empty `DIRECTORY` instead of in memory")
			flags.BoolVar(&c.follow, "watch", false, "print the status every second, until the run is over or waits")
			flags.BoolVar(&c.drop, "drop", false, "delete the tables that the new version does not have, when nothing reads them any more")
			flags.BoolVar(&c.asJSON, "json", false, "print one JSON object")
			return func(s streams, args []string) error {
				ctx, stop := untilSignal()
				defer stop()
				return c.run(ctx, s, args)
			}
		},
	}
}

type migrateConfig struct {
	endpoint, region, prefix, control string
	workers                           int
	writes, reads                     float64
	accept                            words
	lease, settleFor, fresh           time.Duration
	most, data                        string
	sample                            int
	follow, asJSON, drop              bool
}

// A migrating is one call of the command on one design.
type migrating struct {
	*migrateConfig
	s         streams
	path      string
	history   *design.History
	migration *design.Migration
	epochs    *migrate.Epochs
	client    *dynamodb.Client
	tell      *progressLine

	streamClient *dynamodbstreams.Client
	rehearsing   bool // on a store of its own, which no other program writes to
}

func (c *migrateConfig) run(ctx context.Context, s streams, args []string) error {
	commands := map[string]func(*migrating, context.Context) error{
		"apply": (*migrating).apply, "status": (*migrating).status, "pause": (*migrating).pause,
		"resume": (*migrating).resume, "rollback": (*migrating).rollback, "conflicts": (*migrating).conflicts,
		"verify": (*migrating).verify, "rehearse": (*migrating).rehearse,
	}
	if len(args) != 2 || commands[args[0]] == nil {
		return misuse("migrate takes a command and a design", "The commands are apply, status, pause, resume, rollback, verify, conflicts and rehearse.",
			"For example: sortkey migrate apply shop.design.yaml --endpoint http://127.0.0.1:8000")
	}
	m := &migrating{migrateConfig: c, s: s, path: args[1], tell: newProgressLine(s.err)}
	if err := m.open(ctx); err != nil {
		return err
	}
	if args[0] == "pause" || args[0] == "resume" || args[0] == "rollback" || args[0] == "apply" {
		if err := stream.EnsureTable(ctx, m.client, m.epochs.Control); err != nil {
			return m.noControl(err)
		}
	}
	err := commands[args[0]](m, ctx)
	if _, missing := errors.AsType[*types.ResourceNotFoundException](err); missing {
		return advise(fmt.Errorf("%s has not begun: there is no table %s", m.migration.ID, m.epochs.Control), "Begin it: sortkey migrate apply "+m.arguments())
	}
	if errors.Is(err, context.Canceled) {
		return advise(errors.New("stopped"), "What is done is kept. Run the same command again to continue.")
	}
	return m.failed(err)
}

// open reads the design and its history, and connects to the endpoint.
func (m *migrating) open(ctx context.Context) error {
	d, err := openDesign(m.path)
	if err != nil {
		return err
	}
	h, err := d.History()
	if err != nil {
		return misuse(fmt.Sprintf("%s: %v", m.path, err), "Begin one: sortkey plan --baseline "+m.path)
	}
	m.history = h
	number, id := h.Last()
	if number == 1 {
		return misuse("the history of "+m.path+" has no migration: "+id+" is its first version", "Plan one: sortkey plan "+m.path+" --name task-titles")
	}
	if m.migration, err = h.Migration(number); err != nil {
		return err
	}
	if m.client, err = endpointClient(ctx, m.endpoint, m.region, m.tell); err != nil {
		return err
	}
	m.epochs = &migrate.Epochs{API: m.client, Design: m.migration.Run, TableName: m.table, Control: m.prefix + m.control}
	state, err := m.epochs.Read(ctx)
	switch {
	case err == nil && state.Version > number:
		return advise(fmt.Errorf("the tables have version %d of %s, and the history ends with version %d", state.Version, m.migration.Design, number),
			"Use the design, with its history, from which the tables got their version.")
	case errors.Is(err, migrate.ErrNoState) && number == 2, err == nil && state.Version >= number-1:
		return nil
	case errors.Is(err, migrate.ErrNoState):
		return advise(fmt.Errorf("table %s does not say which version it has", m.table(m.migration.Run.State.Table)),
			"Call sortkey apply with the design as it was before its last versions; it notes the version.")
	case err != nil:
		return m.noState(err)
	}
	// Versions are passed one after the other.
	if m.migration, err = h.Migration(state.Version + 1); err != nil {
		return err
	}
	m.epochs.Design = m.migration.Run
	return nil
}

func (m *migrating) table(name string) string { return m.prefix + name }

// settle finds out how long a request can be carried out after its lease, and how long leases are.
func (m *migrating) settle(ctx context.Context) (time.Duration, error) {
	lease, err := m.defaultSettle(ctx)
	if m.settleFor > 0 {
		m.epochs.Settle = m.settleFor
	}
	return cmp.Or(m.lease, lease), err
}

func (m *migrating) defaultSettle(ctx context.Context) (time.Duration, error) {
	settle, lease, err := timing(ctx, m.client, m.endpoint, m.table(m.migration.Run.State.Table), m.migration.Run.State, m.accept)
	m.epochs.Settle = settle
	return lease, err
}

// timing finds out how long an endpoint carries out a request after the end of its lease, and returns how long leases are.
func timing(ctx context.Context, api access.API, endpoint, table string, row access.StateRow, accept words) (settle, lease time.Duration, err error) {
	refuses, err := access.RefusesLate(ctx, api, table, row)
	switch {
	case err != nil:
		return 0, 0, err
	case refuses && onThisMachine(endpoint):
		return migrate.SettleOnMachine, access.LeaseOnMachine, nil
	case refuses:
		return time.Minute, access.LeaseMigrating, nil
	case endpoint == "":
		return migrate.SettleAWS, access.LeaseMigrating, nil
	case slices.Contains(accept, "late-requests"):
		return time.Minute, access.LeaseMigrating, nil
	}
	return 0, 0, advise(errors.New("the endpoint carries out requests however late they come, so a process that was frozen could write what no phase allows"),
		"If no process is ever frozen for minutes, accept it: --accept late-requests")
}

// apply carries the migration out.
func (m *migrating) apply(ctx context.Context) error {
	lease, err := m.settle(ctx)
	if err != nil {
		return endpointFailure(m.endpoint, err)
	}
	_, err = m.epochs.Read(ctx)
	if errors.Is(err, migrate.ErrNoState) {
		if _, err = m.epochs.Restore(ctx); errors.Is(err, migrate.ErrNoState) {
			_, err = m.epochs.Create(ctx, m.migration.From, lease)
		}
	}
	if err != nil {
		return err
	}
	o, err := m.options(ctx)
	if err != nil {
		return err
	}
	o.Lease, o.Tables = lease, m.tables
	o.Progress = func(s migrate.Status) { m.tell.show(s.String()) }
	tick := time.NewTicker(logInterval)
	defer tick.Stop()
	m.tell.start(tick.C)
	err = migrate.Run(ctx, m.epochs, m.migration.Migration, o)
	m.tell.clear()
	return m.ended(ctx, err)
}

// options returns those of a runner.
func (m *migrating) options(ctx context.Context) (migrate.Options, error) {
	o := m.migration.Rates
	o.Workers, o.Fresh, o.Unwatched = m.workers, m.fresh, slices.Contains(m.accept, "unwatched")
	if m.writes > 0 {
		o.WriteRate = m.writes
	}
	if m.reads > 0 {
		o.ReadRate = m.reads
	}
	if m.most != "" {
		most, err := m.mostDollars()
		if err != nil {
			return o, err
		}
		o.Most = most
	}
	if m.streams(ctx) {
		o.Streams = migrate.Streams{API: m.streamClient, DB: m.client}
	}
	return o, nil
}

// mostDollars reads --most.
func (m *migrating) mostDollars() (float64, error) {
	amount, err := strconv.ParseFloat(strings.TrimPrefix(m.most, "$"), 64)
	if err != nil || amount <= 0 {
		return 0, misuse(fmt.Sprintf("--most is an amount such as $20, not %q", m.most))
	}
	return amount, nil
}

// streams reports whether the endpoint has streams.
func (m *migrating) streams(ctx context.Context) bool {
	if m.rehearsing {
		return false
	}
	if m.streamClient == nil {
		o := m.client.Options()
		m.streamClient = dynamodbstreams.New(dynamodbstreams.Options{
			Region: o.Region, BaseEndpoint: o.BaseEndpoint, Credentials: o.Credentials, HTTPClient: o.HTTPClient, Retryer: o.Retryer,
		})
	}
	_, err := m.streamClient.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{Limit: new(int32(1))})
	return err == nil
}

// ended says how a run ended.
func (m *migrating) ended(ctx context.Context, err error) error {
	held, isHeld := errors.AsType[*migrate.HeldError](err)
	_, isPaused := errors.AsType[*migrate.PausedError](err)
	_, isConflict := errors.AsType[*migrate.ConflictsError](err)
	_, isLost := errors.AsType[*migrate.WatchLostError](err)
	_, isViolation := errors.AsType[*migrate.ViolationError](err)
	_, isDiffer := errors.AsType[*migrate.DifferError](err)
	again := "sortkey migrate resume " + m.arguments()
	switch {
	case isHeld:
		return advise(fmt.Errorf("waits before step %s: %s", held.Step, held.Why), "Then: "+again+", and apply again.", "To go back: sortkey migrate rollback "+m.arguments())
	case isPaused:
		return advise(err, "To go on: "+again+", and apply again.")
	case isViolation:
		return advise(err, "End that program, then: "+again+", and apply again.", "To go back: sortkey migrate rollback "+m.arguments())
	case isLost:
		return advise(err, "Switch the stream on again, and apply again.", "To go on without: sortkey migrate apply "+m.arguments()+" --accept unwatched")
	case isDiffer:
		return advise(err, "sortkey migrate rollback "+m.arguments())
	case isConflict:
		return advise(err, "Mend the items that sortkey migrate conflicts "+m.arguments()+" lists, and apply again.")
	case err != nil:
		return err
	}
	s, err := m.epochs.Read(ctx)
	if err != nil {
		return err
	}
	back := ""
	if s.Version != m.migration.To {
		back = "; the run went back, and migrate resume lets it begin again"
	}
	_, err = fmt.Fprintf(m.s.out, "%s: the tables have version %d of %s%s\n", m.migration.ID, s.Version, m.migration.Design, back)
	return err
}

// arguments returns those with which the command was called, for the next one.
func (m *migrating) arguments() string {
	all := []string{m.path}
	for _, f := range [][2]string{{"--endpoint", m.endpoint}, {"--region", m.region}, {"--table-prefix", m.prefix}} {
		if f[1] != "" {
			all = append(all, f[0], f[1])
		}
	}
	return strings.Join(all, " ")
}
