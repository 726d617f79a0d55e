package apps

import "embed"

// Designs holds the designs of the systems and of the platform with their histories, as in the source: the design of
// EcoBid is ecobid/ecobid.design.yaml, and its versions are in ecobid/migrations.
//
//go:embed */*.design.yaml internal/platform/*.design.yaml */migrations internal/platform/migrations
var Designs embed.FS
