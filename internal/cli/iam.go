package cli

import (
	"flag"
	"fmt"

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

With --role or --consumer the policy documents alone go to the terminal and the notes to standard error.`,
		setup: func(flags *flag.FlagSet) action {
			var c iamConfig
			c.format = choice{value: "json", allowed: design.PolicyFormats()}
			flags.Var(&c.format, "format", "output `FORMAT`: json, cloudformation or terraform")
			flags.StringVar(&c.role, "role", "", "only this `ROLE` of the design")
			flags.BoolVar(&c.scans, "scans", false, "allow roles to scan the tables they use")
			flags.StringVar(&c.consumer, "consumer", "", "only the policy of a consumer of the streams with its checkpoints in this `TABLE`")
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
	case c.asJSON || c.role == "" && c.consumer == "":
		return printResult(s, policies, c.asJSON)
	}
	if err := policies.Documents(s.out); err != nil {
		return err
	}
	if n := policies.Len(); n > 1 {
		fmt.Fprintf(s.err, "note  %s: %d documents, each for a managed policy of its own\n", c.role, n)
	}
	return policies.Notes(s.err)
}

func (c *iamConfig) policies(d *design.Design) (*design.Policies, error) {
	options := design.PolicyOptions{
		Role: c.role, Scans: c.scans, Prefix: c.prefix, Partition: c.partition, Region: c.region, Account: c.account, Alternative: c.alternative, Settled: c.settled,
	}
	if c.consumer != "" {
		return d.ConsumerPolicy(c.consumer, options)
	}
	return d.Policies(options)
}

// fits rejects flags that would be ignored: templates get them from AWS.
func (c *iamConfig) fits() error {
	if c.consumer != "" && (c.role != "" || c.scans) {
		return misuse("--consumer is about streams, --role and --scans are about roles", "Use one at a time.")
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
