// Items: every type, conditions, projections, updates, deletes, batches. Mostly with the document client.
import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocument, NumberValue } from "@aws-sdk/lib-dynamodb";

import { expect, refused } from "./expect.mjs";
import { client, create, doc, drop, fill, range } from "./shop.mjs";

const table = "js-items";
const digits = "12345678901234567890123456789012345678"; // 38, all that a number can have
const key = { customer: "ada", placed: "2026-01-01" };
const everything = {
  ...key,
  text: "Grüße 🌍",
  "nothing at all": "",
  whole: Number.MAX_SAFE_INTEGER,
  half: -0.5,
  zero: 0,
  bytes: new Uint8Array([0, 255, 1]),
  yes: true,
  no: false,
  null: null,
  list: [1, "two", [3], { four: 4 }, [], {}],
  map: { a: { b: { c: "deep" } }, "dotted.name": "not a path" },
  words: new Set(["a", "b"]),
  numbers: new Set([1, 2.5, -3]),
  blobs: new Set([new Uint8Array([1]), new Uint8Array([2, 3])]),
};

export async function chapter() {
  await create(table);
  await everyType();
  await exactNumbers();
  await conditions();
  await projections();
  await updates();
  await deletes();
  await batches();
  await drop(table);
  return "all types, 38 digits, conditions, projections, updates, deletes, batches";
}

async function everyType() {
  const put = { TableName: table, Item: everything, ReturnValues: "ALL_OLD" };
  expect("PutItem of a new item: old one", (await doc.put(put)).Attributes, undefined);
  expect("GetItem", (await doc.get({ TableName: table, Key: key, ConsistentRead: true })).Item, everything);
  expect("PutItem of the same: old one", (await doc.put(put)).Attributes, everything);
  const nobody = { customer: "nobody", placed: "never" };
  expect("GetItem of no item", (await doc.get({ TableName: table, Key: nobody })).Item, undefined);
}

async function exactNumbers() {
  const exact = DynamoDBDocument.from(new DynamoDB({}), { unmarshallOptions: { wrapNumbers: true } });
  const long = { whole: BigInt(digits), fraction: NumberValue.from(`-0.${digits}`), set: new Set([BigInt(digits)]) };
  await exact.put({ TableName: table, Item: { customer: "num", placed: "0", ...long } });
  const { Item } = await exact.get({ TableName: table, Key: { customer: "num", placed: "0" } });
  expect("a whole number of 38 digits", Item.whole.toString(), digits);
  expect("a fraction of 38 digits", Item.fraction.toString(), `-0.${digits}`);
  expect("a set of them", [...Item.set].map(String), [digits]);

  const written = { a: "0042.1200", b: "1E10", c: "-0", d: `9.${"9".repeat(37)}E+125`, e: "-1E-130" };
  const stored = { a: "42.12", b: "10000000000", c: "0", d: "9".repeat(38) + "0".repeat(88), e: `-0.${"0".repeat(129)}1` };
  const typed = Object.entries(written).map(([name, N]) => [name, { N }]);
  const Key = { customer: { S: "num" }, placed: { S: "1" } };
  await client.putItem({ TableName: table, Item: { ...Key, ...Object.fromEntries(typed) } });
  const came = (await client.getItem({ TableName: table, Key })).Item;
  for (const [name, N] of Object.entries(stored)) expect(`the number ${written[name]}`, came[name], { N });
  for (const [N, words] of [
    [`1${digits}`, "Attempting to store more than 38 significant digits in a Number"],
    ["1E126", "Number overflow. Attempting to store a number with magnitude larger than supported range"],
    ["1E-131", "Number underflow. Attempting to store a number with magnitude smaller than supported range"],
    ["abc", "The parameter cannot be converted to a numeric value: abc"],
  ]) {
    await refused(`the number ${N}`, "ValidationException", words, () =>
      client.putItem({ TableName: table, Item: { ...Key, n: { N } } }),
    );
  }
}

async function conditions() {
  const Key = { customer: "bob", placed: "1" };
  const put = { TableName: table, Item: { ...Key, amount: 5 }, ConditionExpression: "attribute_not_exists(customer)" };
  await doc.put(put);
  const name = "ConditionalCheckFailedException";
  const words = "The conditional request failed";
  const asking = { ...put, ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
  const error = await refused("PutItem with a condition that fails", name, words, () => doc.put(asking));
  const old = { customer: { S: "bob" }, placed: { S: "1" }, amount: { N: "5" } };
  expect("the item that failed the condition", error.Item, old);
  const bare = await refused("the same without asking for the item", name, words, () =>
    doc.delete({
      TableName: table,
      Key,
      ConditionExpression: "amount > :a",
      ExpressionAttributeValues: { ":a": 5 },
    }),
  );
  expect("no item when not asked for", bare.Item, undefined);
  await doc.put({
    TableName: table,
    Item: { ...Key, amount: 6 },
    ConditionExpression: "amount BETWEEN :one AND :ten AND (attribute_type(note, :s) OR NOT attribute_exists(note))",
    ExpressionAttributeValues: { ":one": 1, ":ten": 10, ":s": "S" },
  });
}

async function projections() {
  const came = await doc.get({
    TableName: table,
    Key: key,
    ProjectionExpression: "#l[3].four, #l[1], #m.a.b, #m.#dotted, absent, words",
    ExpressionAttributeNames: { "#l": "list", "#m": "map", "#dotted": "dotted.name" },
    ReturnConsumedCapacity: "TOTAL",
  });
  const wanted = {
    list: ["two", { four: 4 }],
    map: { a: { b: { c: "deep" } }, "dotted.name": "not a path" },
    words: new Set(["a", "b"]),
  };
  expect("GetItem with a projection", came.Item, wanted);
  expect("its capacity", came.ConsumedCapacity, { TableName: table, CapacityUnits: 0.5 });
}

async function updates() {
  const Key = { customer: "eve", placed: "1" };
  const update = async (ReturnValues, UpdateExpression, ExpressionAttributeValues, ExpressionAttributeNames) => {
    const request = { TableName: table, Key, ReturnValues, UpdateExpression };
    return (await doc.update({ ...request, ExpressionAttributeValues, ExpressionAttributeNames })).Attributes;
  };
  let came = await update(
    "ALL_NEW",
    "SET amount = if_not_exists(amount, :five) + :five, tags = :tags, #s = :open ADD visits :five, words :words",
    { ":five": 5, ":tags": ["a"], ":open": "open", ":words": new Set(["x", "y"]) },
    { "#s": "status" },
  );
  const first = { ...Key, amount: 10, tags: ["a"], status: "open", visits: 5, words: new Set(["x", "y"]) };
  expect("UpdateItem makes an item, ALL_NEW", came, first);
  came = await update(
    "UPDATED_NEW",
    "SET tags = list_append(tags, :more), amount = amount - :half DELETE words :x REMOVE visits",
    { ":more": ["b", "c"], ":half": 0.5, ":x": new Set(["x"]) },
  );
  expect("UPDATED_NEW", came, { tags: ["a", "b", "c"], amount: 9.5, words: new Set(["y"]) });
  came = await update("UPDATED_OLD", "SET tags[1] = :b, #m = :m", { ":b": "B", ":m": { k: 1 } }, { "#m": "map" });
  expect("UPDATED_OLD", came, { tags: ["b"] });
  came = await update("ALL_OLD", "SET #m.k = #m.k + :one, #m.l = :one REMOVE tags[0]", { ":one": 1 }, { "#m": "map" });
  const second = { ...Key, amount: 9.5, tags: ["a", "B", "c"], status: "open", words: new Set(["y"]), map: { k: 1 } };
  expect("ALL_OLD", came, second);
  expect("NONE", await update("NONE", "SET amount = :z, visits = amount", { ":z": 0 }), undefined);
  const third = { ...second, tags: ["B", "c"], map: { k: 2, l: 1 }, amount: 0, visits: 9.5 };
  expect("all updates together", (await doc.get({ TableName: table, Key })).Item, third);
  await refused(
    "UpdateItem of a key",
    "ValidationException",
    "Cannot update attribute placed. This attribute is part of the key",
    () => update("NONE", "SET placed = :p", { ":p": "2" }),
  );
  await refused(
    "a reserved word",
    "ValidationException",
    "Attribute name is a reserved keyword; reserved keyword: status",
    () => update("NONE", "SET status = :p", { ":p": "2" }),
  );
}

async function deletes() {
  const request = { TableName: table, Key: key, ReturnValues: "ALL_OLD" };
  expect("DeleteItem, ALL_OLD", (await doc.delete(request)).Attributes, everything);
  expect("DeleteItem again", (await doc.delete(request)).Attributes, undefined);
  expect("GetItem afterwards", (await doc.get({ TableName: table, Key: key })).Item, undefined);
}

async function batches() {
  const order = (n) => ({ customer: "batch", placed: String(n).padStart(3, "0") });
  await fill(table, range(0, 60).map((n) => ({ ...order(n), amount: n })));
  const answer = await doc.batchWrite({ RequestItems: { [table]: [{ DeleteRequest: { Key: order(59) } }] } });
  expect("BatchWriteItem: nothing left undone", answer.UnprocessedItems, {});
  const got = await doc.batchGet({ RequestItems: { [table]: { Keys: range(0, 60).map(order), ConsistentRead: true } } });
  const amounts = got.Responses[table].map((item) => item.amount).sort((a, b) => a - b);
  expect("BatchGetItem", amounts, range(0, 59));
  expect("BatchGetItem: nothing left undone", got.UnprocessedKeys, {});

  const put = (n) => ({ PutRequest: { Item: order(n) } });
  const duplicates = "Provided list of item keys contains duplicates";
  await refused("a key twice in a batch", "ValidationException", duplicates, () =>
    doc.batchWrite({ RequestItems: { [table]: [put(1), put(1)] } }),
  );
  await refused("26 writes in a batch", "ValidationException", "less than or equal to 25", () =>
    doc.batchWrite({ RequestItems: { [table]: range(100, 126).map(put) } }),
  );
}
