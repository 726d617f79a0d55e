// Package docs holds the guides and the pages of the findings as files, so that the program can show
// them without a network. It has no code.
package docs

import "embed"

// Guides holds guide/NAME.md.
//
//go:embed guide/*.md
var Guides embed.FS

// Findings holds reference/findings/CODE.md.
//
//go:embed reference/findings/*.md
var Findings embed.FS
