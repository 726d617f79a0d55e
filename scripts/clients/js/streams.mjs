// Streams: what changed, in order, with images, on all shards, from the start, the end and a place between.
import { unmarshall } from "@aws-sdk/util-dynamodb";

import { eventually, expect, refused, Surprise } from "./expect.mjs";
import { arnOf, iterators, records, shards } from "./follow.mjs";
import { client, create, doc, drop, fill, keys, range, ready, streams, two } from "./shop.mjs";

const table = "js-streams";
const key = { customer: "ada", placed: "1" };

export async function chapter() {
  await create(table);
  const arn = await arnOf(table);
  await described(arn);
  const history = await fromTheStart(arn);
  await fromAPlace(arn, history);
  await fromTheEnd(arn);
  await closed(arn);
  await drop(table);
  return "described, read from TRIM_HORIZON, a sequence number and LATEST, all shards followed, closed";
}

async function described(arn) {
  const { Streams } = await streams.listStreams({ TableName: table });
  expect("ListStreams", Streams, [{ StreamArn: arn, TableName: table, StreamLabel: arn.split("/stream/")[1] }]);
  const stream = (await streams.describeStream({ StreamArn: arn })).StreamDescription;
  expect("DescribeStream: status", stream.StreamStatus, "ENABLED");
  expect("DescribeStream: view", stream.StreamViewType, "NEW_AND_OLD_IMAGES");
  expect("DescribeStream: key", stream.KeySchema, keys("customer", "placed"));
  for (const shard of await shards(arn)) {
    matches("shard id", /^shardId-\d{20}-\w{8}$/, shard.ShardId);
    matches("first sequence number", /^\d{21,40}$/, shard.SequenceNumberRange.StartingSequenceNumber);
  }
  const StreamArn = arn.slice(0, -23) + "2001-01-01T00:00:00.000";
  await refused("DescribeStream of no stream", "ResourceNotFoundException", "Requested resource not found", () =>
    streams.describeStream({ StreamArn }),
  );
}

// Writes an item's life and reads it. Gives its records.
async function fromTheStart(arn) {
  const [one, two] = [1, 2].map((amount) => ({ ...key, amount }));
  await doc.put({ TableName: table, Item: one });
  const add = { UpdateExpression: "ADD amount :n", ExpressionAttributeValues: { ":n": 1 } };
  await doc.update({ TableName: table, Key: key, ...add });
  await doc.put({ TableName: table, Item: two }); // changes nothing: no record
  await doc.delete({ TableName: table, Key: key });
  await doc.delete({ TableName: table, Key: key }); // nothing there: no record
  await doc.transactWrite({ TransactItems: [{ Put: { TableName: table, Item: key } }] });

  const [found] = await records(await iterators(arn, "TRIM_HORIZON"), 4);
  const wanted = [
    ["INSERT", undefined, one],
    ["MODIFY", one, two],
    ["REMOVE", two, undefined],
    ["INSERT", undefined, key],
  ];
  expect("records with images", found.map(storyOf), wanted);
  const numbers = found.map((record) => BigInt(record.dynamodb.SequenceNumber));
  expect("sequence numbers grow", numbers.every((n, at) => at === 0 || n > numbers[at - 1]), true);
  expect("event ids differ", new Set(found.map((record) => record.eventID)).size, 4);
  for (const record of found) {
    expect("keys", unmarshall(record.dynamodb.Keys), key);
    expect("source", [record.eventSource, record.eventVersion], ["aws:dynamodb", "1.1"]);
    expect("region", record.awsRegion, "us-east-1");
    expect("view", record.dynamodb.StreamViewType, "NEW_AND_OLD_IMAGES");
    expect("no user identity for a user's write", record.userIdentity, undefined);
    const age = Date.now() - record.dynamodb.ApproximateCreationDateTime;
    expect("made just now", age > -2000 && age < 120_000, true);
  }
  // Names and values: customer ada placed 1 amount 1 are 18 + 8 bytes.
  expect("sizes", found.map((r) => r.dynamodb.SizeBytes), [18 + 26, 18 + 26 + 26, 18 + 26, 18 + 18]);
  return found;
}

async function fromAPlace(arn, history) {
  const { SequenceNumber } = history[1].dynamodb;
  const ShardId = await holder(arn, SequenceNumber);
  for (const [ShardIteratorType, wanted] of [
    ["AT_SEQUENCE_NUMBER", history.slice(1)],
    ["AFTER_SEQUENCE_NUMBER", history.slice(2)],
  ]) {
    const place = await streams.getShardIterator({ StreamArn: arn, ShardId, ShardIteratorType, SequenceNumber });
    const [found] = await records([place.ShardIterator], wanted.length);
    expect(ShardIteratorType, found.map((r) => r.eventID), wanted.map((r) => r.eventID));
  }
}

// The shard that holds the record.
async function holder(arn, sequenceNumber) {
  const starts = await iterators(arn, "TRIM_HORIZON");
  for (const [n, { ShardId }] of (await shards(arn)).entries()) {
    const [found] = await records([starts[n]], 0);
    if (found.some((record) => record.dynamodb.SequenceNumber === sequenceNumber)) return ShardId;
  }
  throw new Surprise("the shard of a record", sequenceNumber, "no shard has it");
}

async function fromTheEnd(arn) {
  const orders = range(0, 40).map((n) => ({ customer: `customer ${n % 10}`, placed: two(n) }));
  const latest = await iterators(arn, "LATEST");
  await fill(table, orders);
  const [inserts, next] = await records(latest, 40);
  const came = inserts.map((record) => [record.eventName, record.dynamodb.Keys.placed.S]);
  expect("LATEST: only what came later, once", came.sort(), orders.map((order) => ["INSERT", order.placed]));
  for (const Key of orders) await doc.delete({ TableName: table, Key });
  const [removes] = await records(next, 40);
  const byPlaced = (a, b) => a[1].placed.localeCompare(b[1].placed);
  expect("following goes on", removes.map(storyOf).sort(byPlaced), orders.map((order) => ["REMOVE", order, undefined]));
}

async function closed(arn) {
  const keysOnly = { TableName: table, StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" } };
  const words = "Table already has an enabled stream";
  await refused("a stream for a table that has one", "ValidationException", words, () => client.updateTable(keysOnly));
  const start = await iterators(arn, "TRIM_HORIZON");
  await client.updateTable({ TableName: table, StreamSpecification: { StreamEnabled: false } });
  const status = async () => (await streams.describeStream({ StreamArn: arn })).StreamDescription.StreamStatus;
  await eventually("the stream is DISABLED", 20, status, "DISABLED");
  const [found, ends] = await records(start, 84);
  expect("a closed stream can be read", found.length, 84);
  expect("its shards end", ends.every((iterator) => iterator === undefined), true);
  const ended = (await shards(arn)).map((shard) => shard.SequenceNumberRange.EndingSequenceNumber);
  expect("its shards say where", ended.every(Boolean), true);

  await ready(table);
  await client.updateTable(keysOnly);
  await ready(table);
  const next = await arnOf(table);
  expect("a new stream has a new name", next !== arn, true);
  await doc.update({ TableName: table, Key: key, UpdateExpression: "SET note = customer" });
  const [changes] = await records(await iterators(next, "TRIM_HORIZON"), 1);
  expect("KEYS_ONLY", changes.map(storyOf), [["MODIFY", undefined, undefined]]);
}

function storyOf({ eventName, dynamodb: { OldImage, NewImage } }) {
  return [eventName, OldImage && unmarshall(OldImage), NewImage && unmarshall(NewImage)];
}

function matches(what, pattern, came) {
  if (!pattern.test(came)) throw new Surprise(what, pattern, came);
}
