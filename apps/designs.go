package apps

import "embed"

// Designs holds the designs of the systems and of the platform, as in the source: the design of
// EcoBid is ecobid/ecobid.design.yaml.
//
//go:embed */*.design.yaml internal/platform/*.design.yaml
var Designs embed.FS
