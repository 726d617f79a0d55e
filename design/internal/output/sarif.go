package output

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path/filepath"

	"sortkey.dev/design/internal/diag"
)

// The part of SARIF 2.1.0 that code hosts use to annotate a pull request.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID            string      `json:"id"`
		Name          string      `json:"name"`
		Short         sarifText   `json:"shortDescription"`
		Full          sarifText   `json:"fullDescription"`
		Help          sarifText   `json:"help"`
		HelpURI       string      `json:"helpUri"`
		Configuration sarifConfig `json:"defaultConfiguration"`
		Properties    sarifTags   `json:"properties"`
	}
	sarifTags struct {
		Tags []string `json:"tags"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Related      []sarifLocation    `json:"relatedLocations,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
	}
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
)

// findingPages is the address of the pages of rules, before their code.
const findingPages = "https://sortkey.dev/findings/"

// SARIF writes the findings in SARIF, which code hosts show in a diff.
func (f Findings) SARIF(w io.Writer, version string) error {
	rules := diag.Rules()
	index := make(map[diag.Code]int, len(rules))
	driver := sarifDriver{Name: "sortkey", Version: version, InformationURI: "https://sortkey.dev"}
	for i, rule := range rules {
		index[rule.Code] = i
		driver.Rules = append(driver.Rules, sarifRule{
			ID: string(rule.Code), Name: rule.Name,
			Short: sarifText{rule.Title}, Full: sarifText{rule.Title + ". " + rule.Why}, Help: sarifText{rule.Fix},
			HelpURI:       findingPages + string(rule.Code),
			Configuration: sarifConfig{sarifLevel(rule.Severity)},
			Properties:    sarifTags{[]string{string(rule.Family)}},
		})
	}
	run := sarifRun{Tool: sarifTool{driver}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	seen := map[string]int{}
	for _, finding := range f.Findings {
		result := f.sarifResult(finding, index[finding.Code])
		result.Fingerprints = map[string]string{"sortkey/v1": fingerprint(finding, seen)}
		run.Results = append(run.Results, result)
	}
	return writeJSON(w, sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

// fingerprint identifies a finding across versions of its file, so that a code host knows it
// again: by code and subject, and by a number if there are several. Lines and figures change
// while a design is edited, and are left out.
func fingerprint(finding diag.Finding, seen map[string]int) string {
	name := string(finding.Code) + "\x00" + filepath.Base(finding.Place.File) + "\x00" + finding.Subject
	seen[name]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", name, seen[name]))
	return hex.EncodeToString(sum[:16])
}

// sarifResult returns a finding with what is wrong, why it matters and what to do: code hosts
// show the message and hide the rest.
func (f Findings) sarifResult(finding diag.Finding, rule int) sarifResult {
	of := finding.Code.Rule()
	text := sentence(finding.Message) + " " + cmp.Or(finding.Why, of.Why) + " " + cmp.Or(finding.Fix, of.Fix)
	result := sarifResult{
		RuleID: string(finding.Code), RuleIndex: rule, Level: sarifLevel(finding.Severity),
		Message: sarifText{text}, Locations: []sarifLocation{sarifPlace(finding.Place)},
	}
	for i, related := range finding.Related {
		location := sarifPlace(related.Place)
		location.ID, location.Message = i+1, &sarifText{related.Message}
		result.Related = append(result.Related, location)
	}
	if finding.Accepted != "" {
		result.Suppressions = []sarifSuppression{{Kind: "inSource", Justification: finding.Accepted}}
	}
	return result
}

func sarifPlace(p diag.Place) sarifLocation {
	location := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{fileURI(p.File)}}}
	if p.Line > 0 {
		location.Physical.Region = &sarifRegion{StartLine: p.Line, StartColumn: p.Column, EndColumn: p.EndColumn}
	}
	return location
}

// fileURI returns a file's name as a URI: relative names unchanged, absolute ones with a
// scheme.
func fileURI(name string) string {
	path := filepath.ToSlash(name)
	uri := url.URL{Path: path}
	if filepath.IsAbs(name) {
		uri.Scheme = "file"
	}
	return uri.String()
}

func sarifLevel(s diag.Severity) string {
	if s == diag.Off {
		return "none"
	}
	return s.String()
}
