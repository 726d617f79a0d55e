package cli

import "flag"

func explainCommand() command {
	return command{
		name:    "explain",
		summary: "show how a pattern is served: index, request, units, rejected indexes",
		args:    "FILE PATTERN",
		about:   `Shows the exact request for DynamoDB, what it reads and costs, and for every other index why it is not used.`,
		setup: func(flags *flag.FlagSet) action {
			asJSON := flags.Bool("json", false, "print one JSON object")
			chosen := declareWorkload(flags)
			return func(s streams, args []string) error {
				if len(args) != 2 {
					return misuse("explain takes a design and a pattern, got "+arguments(len(args)),
						"For example: sortkey explain shop.design.yaml ListOrders")
				}
				d, err := openDesign(args[0])
				if err != nil {
					return err
				}
				workload, err := chosen.workload()
				if err != nil {
					return err
				}
				explanation, err := d.Explain(args[1], workload)
				if err != nil {
					return usable(s, err, *asJSON)
				}
				return printResult(s, explanation, *asJSON)
			}
		},
	}
}
