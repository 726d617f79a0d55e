// The clients of the story, and the table that its chapters use: orders of customers.
import { DynamoDB, waitUntilTableExists, waitUntilTableNotExists } from "@aws-sdk/client-dynamodb";
import { DynamoDBStreams } from "@aws-sdk/client-dynamodb-streams";
import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb";

export const client = new DynamoDB({});
export const doc = DynamoDBDocument.from(client);
export const streams = new DynamoDBStreams({});

const soon = { client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 };

// Makes the table with both kinds of indexes and a stream, and waits for it. Gives CreateTable's answer.
export async function create(name) {
  const answer = await client.createTable({
    TableName: name,
    KeySchema: keys("customer", "placed"),
    AttributeDefinitions: [
      { AttributeName: "customer", AttributeType: "S" },
      { AttributeName: "placed", AttributeType: "S" },
      { AttributeName: "status", AttributeType: "S" },
      { AttributeName: "amount", AttributeType: "N" },
    ],
    LocalSecondaryIndexes: [
      {
        IndexName: "ByAmount",
        KeySchema: keys("customer", "amount"),
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["note"] },
      },
    ],
    GlobalSecondaryIndexes: [
      { IndexName: "ByStatus", KeySchema: keys("status", "placed"), Projection: { ProjectionType: "ALL" } },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    BillingMode: "PAY_PER_REQUEST",
    Tags: [{ Key: "team", Value: "shop" }],
  });
  await ready(name);
  return answer.TableDescription;
}

// Waits until the table is ACTIVE.
export async function ready(name) {
  await waitUntilTableExists(soon, { TableName: name });
}

// Deletes the table and waits until it is gone. Gives DeleteTable's answer.
export async function drop(name) {
  const answer = await client.deleteTable({ TableName: name });
  await waitUntilTableNotExists(soon, { TableName: name });
  return answer.TableDescription;
}

// A key schema.
export function keys(partition, sort) {
  const schema = [{ AttributeName: partition, KeyType: "HASH" }];
  if (sort) schema.push({ AttributeName: sort, KeyType: "RANGE" });
  return schema;
}

// Writes many items, 25 at a time.
export async function fill(table, items) {
  for (let n = 0; n < items.length; n += 25) {
    const puts = items.slice(n, n + 25).map((Item) => ({ PutRequest: { Item } }));
    await doc.batchWrite({ RequestItems: { [table]: puts } });
  }
}

// The whole numbers from first up to, not including, end.
export function range(first, end, step = 1) {
  return Array.from({ length: Math.ceil((end - first) / step) }, (_, n) => first + n * step);
}

// A number in two digits, as text.
export const two = (n) => String(n).padStart(2, "0");
