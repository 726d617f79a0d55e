package iacgen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/iamgen"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/resolve"
)

// goldens maps designs to the formats with golden files: all formats of the design that has
// every setting, and the main formats of the apps.
var goldens = map[string][]string{
	"store":     Formats,
	"exambuddy": {"cloudformation", "createtable"},
	"homeops":   {"terraform", "createtable"},
	"ecobid":    {"createtable"},
	"askahuman": {"createtable"},
}

// TestInfrastructure compares the output with golden files. UPDATE=1 rewrites them.
func TestInfrastructure(t *testing.T) {
	for _, path := range designs(t) {
		name := strings.TrimSuffix(filepath.Base(path), loader.Suffix)
		in := inputOf(t, path)
		for _, format := range goldens[name] {
			t.Run(name+"/"+format, func(t *testing.T) {
				out := write(t, format, in)
				for _, file := range out.Files {
					golden(t, filepath.Join("testdata", name, format, file.Name), file.Text)
				}
				if len(out.Notes) > 0 {
					golden(t, filepath.Join("testdata", name, format, "notes.txt"), []byte(strings.Join(out.Notes, "\n")+"\n"))
				}
			})
		}
	}
}

func TestPoliciesAlone(t *testing.T) {
	in := inputOf(t, "testdata/store.design.yaml")
	golden(t, "testdata/store/policies.yaml", PolicyTemplate(in.Layout.Design(), in.Policies, "dev-"))
	golden(t, "testdata/store/policies.tf", PolicyModule(in.Layout.Design(), in.Policies, "dev-"))
}

func TestACustomerKeyMustBeNamed(t *testing.T) {
	in := inputOf(t, "testdata/store.design.yaml")
	in.KMSKey = ""
	if _, err := Write("createtable", in); err == nil || !strings.Contains(err.Error(), "orders is encrypted with a customer managed key") {
		t.Errorf("CreateTable without a key: %v", err)
	}
	template := string(write(t, "cloudformation", in).Files[0].Text)
	if !strings.Contains(template, "  KmsKeyId:\n    Type: String\n    Description") {
		t.Error("the template has a default for a key that was not given")
	}
}

// Terraform's provider rejects an alias, where CloudFormation and CreateTable accept one.
func TestTerraformRequiresKeyARN(t *testing.T) {
	in := inputOf(t, "testdata/store.design.yaml")
	in.KMSKey = "alias/store"
	if _, err := Write("terraform", in); err == nil || !strings.Contains(err.Error(), "alias/store is not an ARN") {
		t.Errorf("an alias: %v", err)
	}
	for _, format := range []string{"cloudformation", "createtable"} {
		if _, err := Write(format, in); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// Two roles whose names differ only in characters that are invalid in templates are two
// policies.
func TestRolesWithSimilarNames(t *testing.T) {
	in := inputOf(t, "testdata/store.design.yaml")
	one, two := in.Policies[0], in.Policies[0]
	one.Role, two.Role = "a-b", "a_b"
	both := []iamgen.Policy{one, two}
	for name, text := range map[string][]byte{
		"AB": PolicyTemplate(in.Layout.Design(), both, ""), "a_b": PolicyModule(in.Layout.Design(), both, ""),
	} {
		for line, want := range map[string]int{"  ABPolicy:\n": 1, "  ABPolicy2:\n": 1, `"aws_iam_policy" "a_b" {`: 1, `"aws_iam_policy" "a_b_2" {`: 1} {
			if got := strings.Count(string(text), line); strings.Contains(line, name) && got != want {
				t.Errorf("%q is %d times in it", line, got)
			}
		}
	}
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (UPDATE=1 writes it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; read the change and run with UPDATE=1 if it is right (-want +got):\n%s", path, diff)
	}
}

func designs(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../../apps/*/*" + loader.Suffix)
	if err != nil || len(found) != 4 {
		t.Fatalf("want four designs, got %v (%v)", found, err)
	}
	return append(found, "testdata/store.design.yaml")
}

func inputOf(t *testing.T, path string) Input {
	t.Helper()
	sources, err := loader.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var report diag.Report
	d := loader.Load(sources, &report)
	if d == nil || report.Failed() {
		t.Fatalf("%s is broken: %+v", path, report.Findings())
	}
	l := resolve.New(d)
	return Input{
		Layout: l, Estimate: cost.Price(l, cost.Options{}), KMSKey: "arn:aws:kms:eu-west-1:123456789012:key/store",
		Policies: iamgen.Of(l, iamgen.ARN{Partition: "aws"}.Longest()),
	}
}

func write(t *testing.T, format string, in Input) *Output {
	t.Helper()
	out, err := Write(format, in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
