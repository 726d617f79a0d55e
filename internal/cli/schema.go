package cli

import (
	"flag"

	"sortkey.dev/design"
)

func schemaCommand() command {
	return command{
		name:    "schema",
		summary: "print the JSON Schema of design files",
		about: `Editors complete and explain every key with it. Put this line first in a design:
  # yaml-language-server: $schema=design.schema.json
and run: sortkey schema > design.schema.json`,
		setup: func(*flag.FlagSet) action {
			return func(s streams, args []string) error {
				if err := noArguments("schema", args); err != nil {
					return err
				}
				_, err := s.out.Write(design.Schema())
				return err
			}
		},
	}
}
