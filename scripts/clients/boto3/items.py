"""Items: every type, conditions, projections, updates, deletes, batches. Mostly in the resource API."""

from decimal import Decimal

import shop
from boto3.dynamodb.conditions import Attr
from boto3.dynamodb.types import Binary
from expect import expect, refused
from shop import client, resource

TABLE = "boto3-items"
DIGITS = "12345678901234567890123456789012345678"  # 38, all that a number can have
KEY = {"customer": "ada", "placed": "2026-01-01"}
EVERYTHING = KEY | {
    "text": "Grüße 🌍",
    "nothing at all": "",
    "whole": Decimal(DIGITS),
    "fraction": Decimal("-0." + DIGITS),
    "zero": Decimal(0),
    "bytes": Binary(b"\x00\xff\x01"),
    "yes": True,
    "no": False,
    "null": None,
    "list": [Decimal(1), "two", [Decimal(3)], {"four": Decimal(4)}, [], {}],
    "map": {"a": {"b": {"c": "deep"}}, "dotted.name": "not a path"},
    "words": {"a", "b"},
    "numbers": {Decimal(1), Decimal("2.5"), Decimal(DIGITS)},
    "blobs": {Binary(b"\x01"), Binary(b"\x02\x03")},
}


def chapter():
    shop.create(TABLE)
    table = resource.Table(TABLE)
    every_type(table)
    exact_numbers()
    conditions(table)
    projections(table)
    updates(table)
    deletes(table)
    batches(table)
    shop.delete(TABLE)
    return "all types, 38 digits, conditions, projections, updates, deletes, batches"


def every_type(table):
    expect("PutItem of a new item: old one", table.put_item(Item=EVERYTHING, ReturnValues="ALL_OLD").get("Attributes"), None)
    expect("GetItem", table.get_item(Key=KEY, ConsistentRead=True)["Item"], EVERYTHING)
    expect("PutItem of the same: old one", table.put_item(Item=EVERYTHING, ReturnValues="ALL_OLD")["Attributes"], EVERYTHING)
    expect("GetItem of no item", "Item" in table.get_item(Key={"customer": "nobody", "placed": "never"}), False)


def exact_numbers():
    written = {"a": "0042.1200", "b": "1E10", "c": "-0", "d": "9." + "9" * 37 + "E+125", "e": "-1E-130"}
    stored = {"a": "42.12", "b": "10000000000", "c": "0", "d": "9" * 38 + "0" * 88, "e": "-0." + "0" * 129 + "1"}
    client.put_item(TableName=TABLE, Item=shop.order("num", "1", **{k: {"N": v} for k, v in written.items()}))
    came = client.get_item(TableName=TABLE, Key=shop.order("num", "1"))["Item"]
    expect("numbers in their shortest form", {k: came[k]["N"] for k in stored}, stored)
    for number, words in [
        ("1" + DIGITS, "Attempting to store more than 38 significant digits in a Number"),
        ("1E126", "Number overflow. Attempting to store a number with magnitude larger than supported range"),
        ("1E-131", "Number underflow. Attempting to store a number with magnitude smaller than supported range"),
        ("abc", "The parameter cannot be converted to a numeric value: abc"),
    ]:
        refused(
            f"the number {number}", "ValidationException", words,
            client, "put_item", TableName=TABLE, Item=shop.order("num", "2", n={"N": number}),
        )


def conditions(table):
    new = Attr("customer").not_exists()
    table.put_item(Item={"customer": "bob", "placed": "1", "amount": 5}, ConditionExpression=new)
    answer = refused(
        "PutItem with a condition that fails", "ConditionalCheckFailedException", "The conditional request failed",
        table.meta.client, "put_item", TableName=TABLE, Item={"customer": "bob", "placed": "1"},
        ConditionExpression=new, ReturnValuesOnConditionCheckFailure="ALL_OLD",
    )
    old = {"customer": {"S": "bob"}, "placed": {"S": "1"}, "amount": {"N": "5"}}
    expect("the item that failed the condition", plain(answer["Item"]), old)
    answer = refused(
        "the same without asking for the item", "ConditionalCheckFailedException", "The conditional request failed",
        client, "delete_item", TableName=TABLE, Key=shop.order("bob", "1"),
        ConditionExpression="amount > :a", ExpressionAttributeValues={":a": {"N": "5"}},
    )
    expect("no item when not asked for", "Item" in answer, False)
    big = Attr("amount").between(1, 10) & (Attr("note").attribute_type("S") | ~Attr("note").exists())
    table.put_item(Item={"customer": "bob", "placed": "1", "amount": 6}, ConditionExpression=big)


def plain(item):
    """The resource's client turns the Item of an error into Python values in some versions; this turns it back."""
    if isinstance(item["customer"], dict):
        return item
    return {k: {"N": str(v)} if isinstance(v, Decimal) else {"S": v} for k, v in item.items()}


def projections(table):
    came = table.get_item(
        Key=KEY,
        ProjectionExpression="#l[3].four, #l[1], #m.a.b, #m.#dotted, absent, words",
        ExpressionAttributeNames={"#l": "list", "#m": "map", "#dotted": "dotted.name"},
        ReturnConsumedCapacity="TOTAL",
    )
    wanted = {
        "list": ["two", {"four": Decimal(4)}],
        "map": {"a": {"b": {"c": "deep"}}, "dotted.name": "not a path"},
        "words": {"a", "b"},
    }
    expect("GetItem with a projection", came["Item"], wanted)
    expect("its capacity", came["ConsumedCapacity"], {"TableName": TABLE, "CapacityUnits": 0.5})


def updates(table):
    key = {"customer": "eve", "placed": "1"}

    def update(returned, expression, values, names=None):
        more = {"ExpressionAttributeNames": names} if names else {}
        if values:
            more["ExpressionAttributeValues"] = values
        return table.update_item(Key=key, UpdateExpression=expression, ReturnValues=returned, **more).get("Attributes")

    made = update(
        "ALL_NEW",
        "SET amount = if_not_exists(amount, :five) + :five, tags = :tags, #s = :open ADD visits :five, words :words",
        {":five": 5, ":tags": ["a"], ":open": "open", ":words": {"x", "y"}},
        {"#s": "status"},
    )
    first = key | {"amount": 10, "tags": ["a"], "status": "open", "visits": 5, "words": {"x", "y"}}
    expect("UpdateItem makes an item, ALL_NEW", made, first)
    came = update(
        "UPDATED_NEW",
        "SET tags = list_append(tags, :more), amount = amount - :half DELETE words :x REMOVE visits",
        {":more": ["b", "c"], ":half": Decimal("0.5"), ":x": {"x"}},
    )
    expect("UPDATED_NEW", came, {"tags": ["a", "b", "c"], "amount": Decimal("9.5"), "words": {"y"}})
    came = update("UPDATED_OLD", "SET tags[1] = :b, #m = :m", {":b": "B", ":m": {"k": 1}}, {"#m": "map"})
    expect("UPDATED_OLD", came, {"tags": ["b"]})
    came = update("ALL_OLD", "SET #m.k = #m.k + :one, #m.l = :one REMOVE tags[0]", {":one": 1}, {"#m": "map"})
    second = key | {"amount": Decimal("9.5"), "tags": ["a", "B", "c"], "status": "open", "words": {"y"}, "map": {"k": 1}}
    expect("ALL_OLD", came, second)
    expect("NONE", update("NONE", "SET amount = :z, visits = amount", {":z": 0}), None)
    third = second | {"tags": ["B", "c"], "map": {"k": 2, "l": 1}, "amount": 0, "visits": Decimal("9.5")}
    expect("all updates together", table.get_item(Key=key)["Item"], third)
    refused(
        "UpdateItem of a key", "ValidationException", "Cannot update attribute placed. This attribute is part of the key",
        client, "update_item", TableName=TABLE, Key=shop.order("eve", "1"),
        UpdateExpression="SET placed = :p", ExpressionAttributeValues={":p": {"S": "2"}},
    )
    refused(
        "a reserved word", "ValidationException", "Attribute name is a reserved keyword; reserved keyword: status",
        client, "update_item", TableName=TABLE, Key=shop.order("eve", "1"),
        UpdateExpression="SET status = :p", ExpressionAttributeValues={":p": {"S": "2"}},
    )


def deletes(table):
    expect("DeleteItem, ALL_OLD", table.delete_item(Key=KEY, ReturnValues="ALL_OLD")["Attributes"], EVERYTHING)
    expect("DeleteItem again", "Attributes" in table.delete_item(Key=KEY, ReturnValues="ALL_OLD"), False)
    expect("GetItem afterwards", "Item" in table.get_item(Key=KEY), False)


def batches(table):
    with table.batch_writer(overwrite_by_pkeys=["customer", "placed"]) as batch:
        for number in range(60):
            batch.put_item(Item={"customer": "batch", "placed": f"{number:03}", "amount": number})
        batch.put_item(Item={"customer": "batch", "placed": "000", "amount": 1000})
        batch.delete_item(Key={"customer": "batch", "placed": "059"})
    wanted = {f"{n:03}": n or 1000 for n in range(59)}
    keys = [{"customer": "batch", "placed": f"{n:03}"} for n in range(60)]
    answer = resource.batch_get_item(RequestItems={TABLE: {"Keys": keys, "ConsistentRead": True}})
    expect("BatchGetItem", {i["placed"]: i["amount"] for i in answer["Responses"][TABLE]}, wanted)
    expect("nothing left undone", answer["UnprocessedKeys"], {})

    put = {"PutRequest": {"Item": shop.order("batch", "twice")}}
    refused(
        "a key twice in a batch", "ValidationException", "Provided list of item keys contains duplicates",
        client, "batch_write_item", RequestItems={TABLE: [put, put]},
    )
    many = [{"PutRequest": {"Item": shop.order("batch", f"many {n}")}} for n in range(26)]
    refused(
        "26 writes in a batch", "ValidationException", "less than or equal to 25",
        client, "batch_write_item", RequestItems={TABLE: many},
    )
