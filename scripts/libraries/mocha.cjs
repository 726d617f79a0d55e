// A reporter for mocha that appends a line to $SUITE_RESULTS for each test: pass, fail or skip, the name of the test,
// and the message of the error.
const fs = require("fs");
const path = require("path");

const clean = (text) => String(text ?? "").replace(/\s+/g, " ").trim().slice(0, 300);

module.exports = function (runner) {
  const write = (status, test, error) => {
    const name = clean(`${path.relative(process.cwd(), test.file ?? "")}: ${test.fullTitle()}`);
    fs.appendFileSync(process.env.SUITE_RESULTS, `${status}\t${name}\t${clean(error?.message)}\n`);
  };
  runner.on("pass", (test) => write("pass", test));
  runner.on("fail", (test, error) => {
    write("fail", test, error);
    console.log(`${test.fullTitle()}\n${error?.stack}\n`);
  });
  runner.on("pending", (test) => write("skip", test));
};
