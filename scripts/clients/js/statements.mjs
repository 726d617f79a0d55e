// Statements of PartiQL: selects in pages, writes, what they refuse, batches, transactions.
import { expect, refused } from "./expect.mjs";
import { create, doc, drop } from "./shop.mjs";

const table = "js-statements";

export async function chapter() {
  await create(table);
  await writes();
  await selects();
  await batches();
  await transactions();
  await refusals();
  await drop(table);
  return "inserted, updated, deleted, selected in pages and from indexes, in batches, in transactions, refused";
}

const run = (Statement, Parameters, more) => doc.executeStatement({ Statement, Parameters, ...more });

async function writes() {
  for (const n of [1, 2, 3]) {
    const answer = await run(`INSERT INTO "${table}" VALUE {'customer': ?, 'placed': ?, 'amount': ?}`, ["ada", String(n), n * 10]);
    expect("INSERT: no items", answer.Items, []);
  }
  await refused("INSERT of a key that is there", "DuplicateItemException", "Duplicate primary key exists in table", () =>
    run(`INSERT INTO "${table}" VALUE ?`, [{ customer: "ada", placed: "1" }]),
  );
  const updated = await run(
    `UPDATE "${table}" SET amount = amount + ?, tags = set_add(tags, ?) SET "status" = 'open' WHERE customer = ? AND placed = ? RETURNING MODIFIED NEW *`,
    [5, new Set(["new"]), "ada", "3"],
  );
  expect("UPDATE RETURNING", updated.Items, [{ amount: 35, tags: new Set(["new"]), status: "open" }]);
  await refused("UPDATE of an item that is not there", "ConditionalCheckFailedException", "The conditional request failed", () =>
    run(`UPDATE "${table}" SET amount = 1 WHERE customer = 'bob' AND placed = '1'`),
  );
  await run(`INSERT INTO "${table}" VALUE {'customer': 'ada', 'placed': '4', 'amount': .4e2}`);
  const deleted = await run(`DELETE FROM "${table}" WHERE customer = 'ada' AND placed = '4' AND amount = 40 RETURNING ALL OLD *`);
  expect("DELETE RETURNING", deleted.Items, [{ customer: "ada", placed: "4", amount: 40 }]);
}

async function selects() {
  const first = await run(`SELECT placed FROM "${table}" WHERE customer = ?`, ["ada"], { Limit: 2, ReturnConsumedCapacity: "TOTAL" });
  expect("SELECT, the first page", [first.Items, first.ConsumedCapacity.CapacityUnits], [[{ placed: "1" }, { placed: "2" }], 0.5]);
  const second = await run(`SELECT placed FROM "${table}" WHERE customer = ?`, ["ada"], { NextToken: first.NextToken });
  expect("SELECT, the second page", [second.Items, second.NextToken], [[{ placed: "3" }], undefined]);
  await refused("another statement with the token", "ValidationException", "NextToken does not match request", () =>
    run(`SELECT placed FROM "${table}" WHERE customer = ?`, ["bob"], { NextToken: first.NextToken }),
  );
  const index = await run(`SELECT customer FROM "${table}"."ByStatus" WHERE "status" = 'open' ORDER BY placed DESC`);
  expect("SELECT from a global index", index.Items, [{ customer: "ada" }]);
  const all = await run(`SELECT * FROM "${table}" WHERE amount >= 20 AND NOT placed = '3'`);
  expect("SELECT that scans", all.Items, [{ customer: "ada", placed: "2", amount: 20 }]);
}

async function batches() {
  const { Responses } = await doc.batchExecuteStatement({
    Statements: [
      { Statement: `SELECT amount FROM "${table}" WHERE customer = ? AND placed = ?`, Parameters: ["ada", "1"] },
      { Statement: "SLECT 1" },
      { Statement: `SELECT amount FROM "${table}" WHERE customer = 'ada' AND placed = '9'` },
    ],
  });
  expect("a batch", Responses, [
    { TableName: table, Item: { amount: 10 } },
    { Error: { Code: "ValidationError", Message: "Statement wasn't well formed, can't be processed: Expected data manipulation" } },
    { TableName: table },
  ]);
}

async function transactions() {
  const where = "WHERE customer = 'ada' AND placed =";
  const TransactStatements = [
    { Statement: `EXISTS(SELECT * FROM "${table}" ${where} '1' AND amount = 10)` },
    { Statement: `UPDATE "${table}" SET amount = 0 ${where} '2'` },
  ];
  expect("a transaction that writes", (await doc.executeTransaction({ TransactStatements })).Responses, []);
  const read = await doc.executeTransaction({
    TransactStatements: [{ Statement: `SELECT amount FROM "${table}" ${where} ?`, Parameters: ["2"] }, { Statement: `SELECT amount FROM "${table}" ${where} '9'` }],
  });
  expect("a transaction that reads", read.Responses, [{ Item: { amount: 0 } }, {}]);
  TransactStatements[0].Statement = `INSERT INTO "${table}" VALUE {'customer': 'ada', 'placed': '1'}`;
  const error = await refused("a transaction with a duplicate", "TransactionCanceledException", "[DuplicateItem, None]", () =>
    doc.executeTransaction({ TransactStatements }),
  );
  expect("its reason", error.CancellationReasons[0], { Code: "DuplicateItem", Message: "Duplicate primary key exists in table" });
}

async function refusals() {
  const malformed = "Statement wasn't well formed, can't be processed: ";
  await refused("a token too many", "ValidationException", malformed + "Unexpected token after expression", () =>
    run(`SELECT * FROM "${table}" WHERE customer = 'ada' foo`),
  );
  await refused("no such index", "ValidationException", "The table does not have the specified index", () => run(`SELECT * FROM "${table}"."no"`));
  await refused("no such table", "ResourceNotFoundException", "Requested resource not found", () => run('SELECT * FROM "js-nowhere"'));
}
