// Tables: create, describe, list, change, tag, delete.
import { paginateListTables } from "@aws-sdk/client-dynamodb";

import { eventually, expect, refused } from "./expect.mjs";
import { client, create, doc, drop, fill, keys, range, ready, two } from "./shop.mjs";

const table = "js-tables";
const arn = `arn:aws:dynamodb:us-east-1:123456789012:table/${table}`;

export async function chapter() {
  await createdAndDescribed();
  await listedInPages();
  await indexAddedAndDropped();
  await tagged();
  await deleted();
  return "created, described, listed in pages, index added and dropped online, tagged, protected, deleted";
}

async function createdAndDescribed() {
  const made = await create(table);
  expect("CreateTable: status", made.TableStatus, "CREATING");
  expect("CreateTable: ARN", made.TableArn, arn);
  expect("CreateTable: stream ARN", made.LatestStreamArn, `${arn}/stream/${made.LatestStreamLabel}`);

  const found = await describe();
  expect("DescribeTable: status", found.TableStatus, "ACTIVE");
  expect("DescribeTable: id", found.TableId, made.TableId);
  expect("DescribeTable: created", found.CreationDateTime, made.CreationDateTime);
  expect("DescribeTable: key", found.KeySchema, keys("customer", "placed"));
  expect("DescribeTable: billing", found.BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
  const stream = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" };
  expect("DescribeTable: stream", found.StreamSpecification, stream);
  const [byStatus] = found.GlobalSecondaryIndexes;
  expect("DescribeTable: global index", [byStatus.IndexName, byStatus.IndexStatus], ["ByStatus", "ACTIVE"]);
  expect("DescribeTable: global index ARN", byStatus.IndexArn, `${arn}/index/ByStatus`);
  const [byAmount] = found.LocalSecondaryIndexes;
  const projection = { ProjectionType: "INCLUDE", NonKeyAttributes: ["note"] };
  expect("DescribeTable: local index", byAmount.Projection, projection);

  const again = { TableName: table, KeySchema: keys("pk"), BillingMode: "PAY_PER_REQUEST" };
  again.AttributeDefinitions = [{ AttributeName: "pk", AttributeType: "S" }];
  await refused("CreateTable of a table that exists", "ResourceInUseException", `Table already exists: ${table}`, () =>
    client.createTable(again),
  );
  const words = "Requested resource not found: Table: js-nowhere not found";
  await refused("DescribeTable of no table", "ResourceNotFoundException", words, () =>
    client.describeTable({ TableName: "js-nowhere" }),
  );
}

async function listedInPages() {
  const small = ["a", "b", "c"].map((letter) => `${table}-${letter}`);
  for (const name of small) {
    await client.createTable({
      TableName: name,
      KeySchema: keys("pk"),
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "N" }],
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 },
    });
    await ready(name);
  }
  const listed = [];
  for await (const page of paginateListTables({ client, pageSize: 1 }, {})) listed.push(page.TableNames);
  expect("ListTables: names on a page", Math.max(...listed.map((names) => names.length)), 1);
  const ours = listed.flat().filter((name) => name.startsWith(table));
  expect("ListTables: ours, in order", ours, [table, ...small]);

  const throughput = { ReadCapacityUnits: 3, WriteCapacityUnits: 4 };
  const changed = await client.updateTable({ TableName: small[0], ProvisionedThroughput: throughput });
  expect("UpdateTable: status", changed.TableDescription.TableStatus, "UPDATING");
  await ready(small[0]);
  const { ReadCapacityUnits, WriteCapacityUnits } = (await describe(small[0])).ProvisionedThroughput;
  expect("UpdateTable: throughput", { ReadCapacityUnits, WriteCapacityUnits }, throughput);
  for (const name of small) await drop(name);
}

async function indexAddedAndDropped() {
  const order = (n) => ({ customer: "ada", placed: two(n) });
  const withNote = range(0, 20).map((n) => ({ ...order(n), note: `note ${n % 3}` }));
  await fill(table, [...withNote, ...range(20, 30).map(order)]);
  // Items that do not fit the new index are left out of it, not refused.
  await doc.put({ TableName: table, Item: { customer: "ada", placed: "number", note: 1 } });

  const Create = { IndexName: "ByNote", KeySchema: keys("note", "placed"), Projection: { ProjectionType: "KEYS_ONLY" } };
  let change = await client.updateTable({
    TableName: table,
    AttributeDefinitions: [
      { AttributeName: "note", AttributeType: "S" },
      { AttributeName: "placed", AttributeType: "S" },
    ],
    GlobalSecondaryIndexUpdates: [{ Create }],
  });
  expect("adding an index: table status", change.TableDescription.TableStatus, "UPDATING");
  expect("adding an index: its status", statusOf("ByNote", change.TableDescription), "CREATING");
  await eventually("the new index is ACTIVE", 30, async () => statusOf("ByNote", await describe()), "ACTIVE");
  await ready(table);
  await doc.put({ TableName: table, Item: { customer: "bob", placed: "new", note: "note 0" } });
  const query = {
    TableName: table,
    IndexName: "ByNote",
    KeyConditionExpression: "note = :n",
    ExpressionAttributeValues: { ":n": "note 0" },
  };
  await eventually("the new index has old and new items", 10, async () => (await doc.query(query)).Count, 8);
  const words = "Type mismatch for Index Key note Expected: S Actual: N";
  await refused("a number as index key", "ValidationException", words, () =>
    doc.put({ TableName: table, Item: { customer: "bob", placed: "wrong", note: 1 } }),
  );

  const updates = [{ Delete: { IndexName: "ByNote" } }];
  change = await client.updateTable({ TableName: table, GlobalSecondaryIndexUpdates: updates });
  expect("dropping an index: its status", statusOf("ByNote", change.TableDescription), "DELETING");
  await eventually("the index is gone", 30, async () => statusOf("ByNote", await describe()), undefined);
  await ready(table);
  const gone = "The table does not have the specified index: ByNote";
  await refused("Query on a dropped index", "ValidationException", gone, () => doc.query(query));
}

async function tagged() {
  expect("tags of CreateTable", await tags(), { team: "shop" });
  const added = [
    { Key: "team", Value: "sales" },
    { Key: "stage", Value: "test" },
  ];
  await client.tagResource({ ResourceArn: arn, Tags: added });
  expect("TagResource", await tags(), { team: "sales", stage: "test" });
  await client.untagResource({ ResourceArn: arn, TagKeys: ["team"] });
  expect("UntagResource", await tags(), { stage: "test" });
}

async function deleted() {
  await client.updateTable({ TableName: table, DeletionProtectionEnabled: true });
  await refused("DeleteTable of a protected table", "ValidationException", "protected against deletion", () =>
    client.deleteTable({ TableName: table }),
  );
  await client.updateTable({ TableName: table, DeletionProtectionEnabled: false });
  expect("DeleteTable: status", (await drop(table)).TableStatus, "DELETING");
  await refused("PutItem without a table", "ResourceNotFoundException", "Requested resource not found", () =>
    doc.put({ TableName: table, Item: { customer: "ada", placed: "late" } }),
  );
}

async function describe(name = table) {
  return (await client.describeTable({ TableName: name })).Table;
}

function statusOf(name, description) {
  return description.GlobalSecondaryIndexes?.find((index) => index.IndexName === name)?.IndexStatus;
}

async function tags() {
  const { Tags } = await client.listTagsOfResource({ ResourceArn: arn });
  return Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]));
}
