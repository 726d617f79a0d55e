// Queries and scans: key conditions, filters, pages, both directions, indexes, segments.
import { paginateQuery, paginateScan } from "@aws-sdk/lib-dynamodb";

import { expect, refused } from "./expect.mjs";
import { create, doc, drop, fill, range, two } from "./shop.mjs";

const table = "js-queries";
const ada = [1, 2, 3, 4].flatMap((month) => range(1, 11).map((day) => `2026-${two(month)}-${two(day)}`)); // 40, in order

export async function chapter() {
  await create(table);
  await filled();
  await keyConditions();
  await filtersAndCounts();
  await pages();
  await indexes();
  await scans();
  await drop(table);
  return "key conditions, filters, counts, pages, reverse, global and local index, scan in 4 segments";
}

async function filled() {
  const orders = ada.map((placed, n) => ({
    ...{ customer: "ada", placed, status: n % 4 ? "open" : "done", note: `n${n}` },
    amount: ((n * 7) % 40) * 5 - 20, // the local index sorts numbers as numbers: 9 before 10 before 100
  }));
  const others = range(0, 60).map((n) => ({ customer: `customer ${n}`, placed: "2026-01-01", status: "other" }));
  await fill(table, [...orders, ...others]);
}

// A request for ada's orders.
function adas(condition = "", values = {}, more = {}) {
  return {
    TableName: table,
    KeyConditionExpression: `customer = :c ${condition}`,
    ExpressionAttributeValues: { ":c": "ada", ...values },
    ...more,
  };
}

async function keyConditions() {
  const placed = async (...request) => (await doc.query(adas(...request))).Items.map((item) => item.placed);
  expect("begins_with", await placed("AND begins_with(placed, :p)", { ":p": "2026-02" }), ada.slice(10, 20));
  const between = await placed("AND placed BETWEEN :a AND :b", { ":a": "2026-01-09", ":b": "2026-02-02" });
  expect("between", between, ada.slice(8, 12));
  expect("greater", await placed("AND placed > :p", { ":p": "2026-04-08" }), ada.slice(38));
  expect("at most", await placed("AND placed <= :p", { ":p": "2026-01-03" }), ada.slice(0, 3));
  expect("equal", await placed("AND placed = :p", { ":p": "2026-03-03" }), ["2026-03-03"]);
  const reverse = await placed("AND placed < :p", { ":p": "2026-01-04" }, { ScanIndexForward: false });
  expect("reverse", reverse, ada.slice(0, 3).reverse());
  expect("no such partition", (await doc.query(adas("", { ":c": "nobody" }))).Items, []);
  const words = "Filter Expression can only contain non-primary key attributes";
  await refused("a filter on a key", "ValidationException", words, () =>
    doc.query(adas("", {}, { FilterExpression: "placed = :c" })),
  );
}

async function filtersAndCounts() {
  const status = { ExpressionAttributeNames: { "#s": "status" } };
  const FilterExpression = "#s = :done AND note IN (:x, :y, :z)";
  const values = { ":done": "done", ":x": "n0", ":y": "n1", ":z": "n4" };
  const done = await doc.query(adas("", values, { ...status, FilterExpression, ProjectionExpression: "note" }));
  expect("filter", done.Items, [{ note: "n0" }, { note: "n4" }]);
  expect("filter: counts", [done.Count, done.ScannedCount], [2, 40]);
  const count = await doc.query(adas("", { ":a": 100 }, { FilterExpression: "amount >= :a", Select: "COUNT" }));
  expect("COUNT", [count.Count, count.ScannedCount, count.Items], [16, 40, undefined]);
}

async function pages() {
  const sizes = [];
  const came = [];
  let page = {};
  do {
    const more = { Limit: 10, ScanIndexForward: false, ExclusiveStartKey: page.LastEvaluatedKey };
    page = await doc.query(adas("", {}, more));
    sizes.push(page.Count);
    came.push(...page.Items.map((item) => item.placed));
    const last = page.LastEvaluatedKey;
    if (last) expect("LastEvaluatedKey", last, { customer: "ada", placed: came.at(-1) });
  } while (page.LastEvaluatedKey);
  // A page that ends exactly at the last item still names a key; the next page is empty.
  expect("sizes of pages", sizes, [10, 10, 10, 10, 0]);
  expect("pages in reverse", came, ada.toReversed());

  const paged = [];
  for await (const { Items } of paginateQuery({ client: doc, pageSize: 7 }, adas())) paged.push(Items);
  expect("paginator: sizes", paged.map((items) => items.length), [7, 7, 7, 7, 7, 5]);
  expect("paginator: items", paged.flat().map((item) => item.placed), ada);
}

async function indexes() {
  const byStatus = (status, more = {}) =>
    doc.query({
      ...{ TableName: table, IndexName: "ByStatus", KeyConditionExpression: "#s = :s" },
      ...{ ExpressionAttributeNames: { "#s": "status" }, ExpressionAttributeValues: { ":s": status }, ...more },
    });
  const done = await byStatus("done", { Limit: 3 });
  expect("global index", done.Items.map((item) => item.placed), [ada[0], ada[4], ada[8]]);
  expect("global index: next key", done.LastEvaluatedKey, { customer: "ada", placed: ada[8], status: "done" });
  const rest = await byStatus("done", { ExclusiveStartKey: done.LastEvaluatedKey });
  expect("global index: next page", rest.Items.map((item) => item.placed), range(12, 40, 4).map((n) => ada[n]));
  expect("global index: many partitions", (await byStatus("other", { Select: "COUNT" })).Count, 60);
  await doc.update({
    TableName: table,
    Key: { customer: "customer 7", placed: "2026-01-01" },
    UpdateExpression: "REMOVE #s",
    ExpressionAttributeNames: { "#s": "status" },
  });
  expect("global index: sparse", (await byStatus("other", { Select: "COUNT" })).Count, 59);

  const range5 = adas("AND amount BETWEEN :a AND :b", { ":a": -10, ":b": 15 }, { IndexName: "ByAmount" });
  const amounts = (await doc.query(range5)).Items;
  expect("local index: in order", amounts.map((item) => item.amount), range(-10, 16, 5));
  expect("local index: projected", Object.keys(amounts[0]).sort(), ["amount", "customer", "note", "placed"]);
  const words = "Consistent reads are not supported on global secondary indexes";
  await refused("a consistent read of a global index", "ValidationException", words, () =>
    byStatus("done", { ConsistentRead: true }),
  );
}

async function scans() {
  const segment = async (Segment) => {
    const found = [];
    const request = { TableName: table, Segment, TotalSegments: 4 };
    for await (const page of paginateScan({ client: doc, pageSize: 9 }, request)) found.push(...page.Items);
    return found.map((item) => `${item.customer} ${item.placed}`);
  };
  const came = (await Promise.all(range(0, 4).map(segment))).flat();
  const wanted = [...ada.map((placed) => `ada ${placed}`), ...range(0, 60).map((n) => `customer ${n} 2026-01-01`)];
  expect("parallel scan", came.sort(), wanted.sort());
  const found = await doc.scan({
    TableName: table,
    FilterExpression: "contains(note, :three) AND begins_with(note, :n)",
    ExpressionAttributeValues: { ":three": "3", ":n": "n3" },
  });
  expect("scan with a filter", [found.Count, found.ScannedCount], [11, 100]);
  const sparse = await doc.scan({ TableName: table, IndexName: "ByStatus", Select: "COUNT" });
  expect("scan of the sparse index", sparse.Count, 99);
}
