package cli

import "sortkey.dev/design"

func costCommand() command {
	return command{
		name:    "cost",
		summary: "price a design: units and money per pattern, table, index and month",
		args:    "FILE",
		about: `Every way to pay side by side: on demand, provisioned with autoscaling, reserved for one
and three years, and what the free tier covers. Prices are dated, and each has a source.`,
		setup: onDesign("cost", func(d *design.Design, w design.Workload) (result, error) { return d.Cost(w) }),
	}
}
