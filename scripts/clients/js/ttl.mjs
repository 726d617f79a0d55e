// Time to live: switched on, described, and an expired item vanishes and says so in the stream.
import { unmarshall } from "@aws-sdk/util-dynamodb";

import { eventually, expect, refused } from "./expect.mjs";
import { arnOf, iterators, records } from "./follow.mjs";
import { client, create, doc, drop } from "./shop.mjs";

const table = "js-ttl";
const on = { TableName: table, TimeToLiveSpecification: { Enabled: true, AttributeName: "expires" } };
const year = 365 * 24 * 3600;

export async function chapter() {
  await create(table);
  expect("DescribeTimeToLive before", await describe(), { TimeToLiveStatus: "DISABLED" });
  const answer = await client.updateTimeToLive(on);
  expect("UpdateTimeToLive", answer.TimeToLiveSpecification, on.TimeToLiveSpecification);
  const enabled = { TimeToLiveStatus: "ENABLED", AttributeName: "expires" };
  await eventually("DescribeTimeToLive after", 30, describe, enabled);
  await refused("UpdateTimeToLive again", "ValidationException", "TimeToLive is already enabled", () =>
    client.updateTimeToLive(on),
  );

  const now = Math.floor(Date.now() / 1000);
  const expired = { customer: "ada", placed: "expired", expires: now - 60 };
  for (const Item of [
    expired,
    { customer: "ada", placed: "later", expires: now + 3600 },
    { customer: "ada", placed: "ancient", expires: now - 6 * year }, // more than five years ago: kept
    { customer: "ada", placed: "text", expires: String(now - 60) }, // not a number: kept
    { customer: "ada", placed: "never" },
  ]) {
    await doc.put({ TableName: table, Item });
  }
  await eventually("the expired item is gone", 30, async () => (await names()).includes("expired"), false);
  expect("the others stay", await names(), ["ancient", "later", "never", "text"]);

  const [found] = await records(await iterators(await arnOf(table), "TRIM_HORIZON"), 6);
  const removed = found.filter((record) => record.eventName === "REMOVE");
  expect("one REMOVE record", removed.map((record) => unmarshall(record.dynamodb.OldImage)), [expired]);
  const service = { PrincipalId: "dynamodb.amazonaws.com", Type: "Service" };
  expect("it names the service", removed[0].userIdentity, service);
  await drop(table);
  return "switched on, described, an expired item vanished, its record names the service";
}

async function describe() {
  return (await client.describeTimeToLive({ TableName: table })).TimeToLiveDescription;
}

async function names() {
  const { Items } = await doc.query({
    TableName: table,
    KeyConditionExpression: "customer = :c",
    ExpressionAttributeValues: { ":c": "ada" },
  });
  return Items.map((item) => item.placed);
}
