package output

import (
	"cmp"
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
			Configuration: sarifConfig{sarifLevel(rule.Severity)},
			Properties:    sarifTags{[]string{string(rule.Family)}},
		})
	}
	run := sarifRun{Tool: sarifTool{driver}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	for _, finding := range f.Findings {
		run.Results = append(run.Results, f.sarifResult(finding, index[finding.Code]))
	}
	return writeJSON(w, sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

func (f Findings) sarifResult(finding diag.Finding, rule int) sarifResult {
	text := sentence(finding.Message) + " " + cmp.Or(finding.Fix, finding.Code.Rule().Fix)
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
