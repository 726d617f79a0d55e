// Prints a line for each test of a JSON report of jest or vitest: pass, fail or skip, the name of the test, and the
// message of the error. Arguments: the folder of the suite, and the report.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const [root, report] = process.argv.slice(2);
const clean = (text) => String(text ?? "").replace(/\u001b\[[0-9;]*m/g, "").replace(/\s+/g, " ").trim().slice(0, 300);
const status = { passed: "pass", failed: "fail" };

const files = JSON.parse(readFileSync(report, "utf8")).testResults;
for (const file of files.sort((a, b) => (a.name < b.name ? -1 : 1))) {
  const name = relative(root, file.name);
  if (file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed")) {
    console.log(["fail", name, clean(file.message)].join("\t"));
  }
  for (const test of file.assertionResults) {
    const title = [...test.ancestorTitles, test.title].join(" > ");
    console.log([status[test.status] ?? "skip", clean(`${name}: ${title}`), clean(test.failureMessages?.[0]?.split("\n    at ")[0])].join("\t"));
  }
}
