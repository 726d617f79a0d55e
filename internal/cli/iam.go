package cli

import (
	"cmp"
	"flag"
	"fmt"
	"strings"

	"sortkey.dev/design"
)

func iamCommand() command {
	return command{
		name:    "iam",
		summary: "generate the IAM policies of a design's roles",
		args:    "FILE",
		about: `For each role exactly the actions, tables, indexes and partitions its patterns need. Where a role binds
an attribute to its caller and a partition key holds it, the role reaches the caller's own items only:
bind: { customer_id: sub } compares the key with the session tag sub, ${aws:PrincipalTag/sub}; a name with
a colon, such as cognito-identity.amazonaws.com:sub, is taken as the policy variable itself.
Another parameter for the same attribute, as in where: { customer_id: $other }, may be any caller's.
Notes list what IAM cannot restrict.

Each role of a design with a history may read the row that says which version and phase its tables have. While
a migration is not settled, roles may do what the versions before and after it need.

Generated packages can do two things besides patterns, and each is granted only on request: --scans
adds a document with dynamodb:Scan to each role, and --consumer writes the policy of a program that
reads the streams of the tables.

--migrate writes the policy of the runner of a migration, with exactly what its plan needs. --fence is the step of
that name: a resource policy for each table that keeps out programs from before the history, and others.

With --role, --consumer, --migrate or --fence the policy documents alone go to the terminal and the notes to standard error.`,
		setup: func(flags *flag.FlagSet) action {
			var c iamConfig
			c.format = choice{value: "json", allowed: design.PolicyFormats()}
			flags.Var(&c.format, "format", "output `FORMAT`: json, cloudformation or terraform")
			flags.StringVar(&c.role, "role", "", "only this `ROLE` of the design")
			flags.BoolVar(&c.scans, "scans", false, "allow roles to scan the tables they use")
			flags.StringVar(&c.consumer, "consumer", "", "only the policy of a consumer of the streams with its checkpoints in this `TABLE`")
			flags.BoolVar(&c.migrate, "migrate", false, "only the policy of sortkey migrate, for the migrations that are not settled")
			flags.StringVar(&c.control, "control", "sortkey-control", "with --migrate, the `TABLE` that holds how far the run is")
			flags.BoolVar(&c.fence, "fence", false, "only policies of the tables that deny writes to principals without the tag sortkey-version")
			flags.StringVar(&c.account, "account", "", "the `ACCOUNT` in ARNs, 12 digits (default *)")
			flags.StringVar(&c.region, "region", "", "the `REGION` in ARNs (default the design's, or *)")
			flags.StringVar(&c.partition, "partition", "", "the `PARTITION` in ARNs, such as aws-cn (default aws)")
			flags.StringVar(&c.prefix, "table-prefix", "", "prefix every table name with this `TEXT`")
			flags.StringVar(&c.alternative, "alternative", "", "use this `ALTERNATIVE` of the design instead of its main layout")
			flags.BoolVar(&c.asJSON, "json", false, "print one JSON object with documents and notes of all roles")
			declareSettled(flags, &c.settled)
			return c.run
		},
	}
}

// iamConfig holds the flags of iam.
type iamConfig struct {
	format                           choice
	role, account, region, partition string
	prefix, alternative, consumer    string
	scans, asJSON, settled           bool
	migrate, fence                   bool
	control                          string
}

func (c *iamConfig) run(s streams, args []string) error {
	d, err := oneDesign("iam", args)
	if err != nil {
		return err
	}
	if err := c.fits(); err != nil {
		return err
	}
	policies, err := c.policies(d)
	switch {
	case err != nil:
		return usable(s, err, c.asJSON)
	case c.format.value == "cloudformation":
		return policies.CloudFormation(s.out)
	case c.format.value == "terraform":
		return policies.Terraform(s.out)
	case c.asJSON || c.role == "" && c.only() == "":
		return printResult(s, policies, c.asJSON)
	}
	if err := policies.Documents(s.out); err != nil {
		return err
	}
	if n := policies.Len(); n > 1 && !c.fence {
		fmt.Fprintf(s.err, "note  %s: %d documents, each for a managed policy of its own\n", cmp.Or(c.role, strings.TrimPrefix(c.only(), "--")), n)
	}
	return policies.Notes(s.err)
}

func (c *iamConfig) policies(d *design.Design) (*design.Policies, error) {
	options := design.PolicyOptions{
		Role: c.role, Scans: c.scans, Prefix: c.prefix, Partition: c.partition, Region: c.region, Account: c.account, Alternative: c.alternative, Settled: c.settled,
	}
	switch c.only() {
	case "--consumer":
		return d.ConsumerPolicy(c.consumer, options)
	case "--migrate":
		return d.MigrationPolicy(c.control, options)
	case "--fence":
		return d.FencePolicy(options)
	}
	return d.Policies(options)
}

// fits rejects flags that would be ignored: templates get them from AWS.
func (c *iamConfig) fits() error {
	if only := c.only(); only != "" && (c.role != "" || c.scans) {
		return misuse(only+" is about a program besides the roles, --role and --scans are about roles", "Use one at a time.")
	}
	if c.consumer != "" && c.migrate || c.consumer != "" && c.fence || c.migrate && c.fence {
		return misuse("--consumer, --migrate and --fence are policies of their own", "Use one at a time.")
	}
	if c.fence && c.format.value != "json" {
		return misuse("--fence is for --format json", "A resource policy is attached to its table: aws dynamodb put-resource-policy")
	}
	if c.format.value == "json" {
		return nil
	}
	if c.account != "" || c.region != "" || c.partition != "" {
		return misuse("--account, --region and --partition are for --format json", "A template finds out where it is deployed.")
	}
	if c.asJSON {
		return misuse("--json and --format "+c.format.value+" cannot be combined", "Give one of them.")
	}
	return nil
}

// only returns the flag that chooses one policy besides those of roles, or "".
func (c *iamConfig) only() string {
	switch {
	case c.consumer != "":
		return "--consumer"
	case c.migrate:
		return "--migrate"
	case c.fence:
		return "--fence"
	}
	return ""
}
