package cli

import (
	"flag"

	"sortkey.dev/design"
)

func costCommand() command {
	return command{
		name:    "cost",
		summary: "estimate the cost of a design per pattern, table, index and month",
		args:    "FILE",
		about: `Compares the ways to pay: on demand, provisioned with autoscaling, reserved for one
and three years, and what the free tier covers. Prices are dated, and each has a source.
While a migration of the design's history is not settled, it is the cost of the versions before and
after it together.`,
		setup: onDesign("cost", func(d *design.Design, w design.Workload) (result, error) { return d.Cost(w) },
			func(flags *flag.FlagSet, chosen *workloadFlags) { declareSettled(flags, &chosen.settled) }),
	}
}
