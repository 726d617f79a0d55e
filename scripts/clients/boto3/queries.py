"""Queries and scans: key conditions, filters, pages, both directions, indexes, segments."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import shop
from boto3.dynamodb.conditions import Attr, Key
from expect import expect, refused
from shop import client, resource

TABLE = "boto3-queries"
ADA = [f"2026-{month:02}-{day:02}" for month in range(1, 5) for day in range(1, 11)]  # 40 orders, in order


def chapter():
    shop.create(TABLE)
    table = resource.Table(TABLE)
    fill(table)
    key_conditions(table)
    filters_and_counts(table)
    pages(table)
    indexes(table)
    scans(table)
    shop.delete(TABLE)
    return "key conditions, filters, counts, pages, reverse, global and local index, scan in 4 segments"


def fill(table):
    with table.batch_writer() as batch:
        for n, placed in enumerate(ADA):
            item = {"customer": "ada", "placed": placed, "status": "open" if n % 4 else "done", "note": f"n{n}"}
            # The local index sorts numbers as numbers: 9 before 10 before 100.
            batch.put_item(Item=item | {"amount": (n * 7) % 40 * 5 - 20})
        for n in range(60):
            batch.put_item(Item={"customer": f"customer {n}", "placed": "2026-01-01", "status": "other"})


def key_conditions(table):
    def placed(condition, **more):
        answer = table.query(KeyConditionExpression=Key("customer").eq("ada") & condition, **more)
        return [item["placed"] for item in answer["Items"]]

    key = Key("placed")
    expect("begins_with", placed(key.begins_with("2026-02")), ADA[10:20])
    expect("between", placed(key.between("2026-01-09", "2026-02-02")), ADA[8:12])
    expect("greater", placed(key.gt("2026-04-08")), ADA[38:])
    expect("at most", placed(key.lte("2026-01-03")), ADA[:3])
    expect("equal", placed(key.eq("2026-03-03")), ["2026-03-03"])
    expect("reverse", placed(key.lt("2026-01-04"), ScanIndexForward=False), ADA[2::-1])
    expect("no such partition", table.query(KeyConditionExpression=Key("customer").eq("nobody"))["Items"], [])
    refused(
        "a filter on a key", "ValidationException", "Filter Expression can only contain non-primary key attributes",
        client, "query", TableName=TABLE, KeyConditionExpression="customer = :c", FilterExpression="placed = :c",
        ExpressionAttributeValues={":c": {"S": "ada"}},
    )


def filters_and_counts(table):
    done = table.query(
        KeyConditionExpression=Key("customer").eq("ada"),
        FilterExpression=Attr("status").eq("done") & Attr("note").is_in(["n0", "n1", "n4"]),
        ProjectionExpression="note",
    )
    expect("filter", done["Items"], [{"note": "n0"}, {"note": "n4"}])
    expect("filter: counts", (done["Count"], done["ScannedCount"]), (2, 40))
    count = table.query(
        KeyConditionExpression=Key("customer").eq("ada"), FilterExpression=Attr("amount").gte(100), Select="COUNT"
    )
    expect("COUNT", (count["Count"], count["ScannedCount"], "Items" in count), (16, 40, False))


def pages(table):
    start, came, sizes = {}, [], []
    while True:
        page = table.query(KeyConditionExpression=Key("customer").eq("ada"), Limit=10, ScanIndexForward=False, **start)
        sizes.append(page["Count"])
        came += [item["placed"] for item in page["Items"]]
        if "LastEvaluatedKey" not in page:
            break
        expect("LastEvaluatedKey", page["LastEvaluatedKey"], {"customer": "ada", "placed": came[-1]})
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    # A page that ends exactly at the last item still names a key; the next page is empty.
    expect("sizes of pages", sizes, [10, 10, 10, 10, 0])
    expect("pages in reverse", came, ADA[::-1])

    paginator = client.get_paginator("query")
    question = {
        "TableName": TABLE,
        "KeyConditionExpression": "customer = :c",
        "ExpressionAttributeValues": {":c": {"S": "ada"}},
    }
    some = paginator.paginate(**question, PaginationConfig={"PageSize": 7, "MaxItems": 17}).build_full_result()
    expect("paginator: first 17", [i["placed"]["S"] for i in some["Items"]], ADA[:17])
    more = {"PageSize": 7, "StartingToken": some["NextToken"]}
    rest = paginator.paginate(**question, PaginationConfig=more).build_full_result()
    expect("paginator: the rest", [i["placed"]["S"] for i in rest["Items"]], ADA[17:])


def indexes(table):
    done = table.query(IndexName="ByStatus", KeyConditionExpression=Key("status").eq("done"), Limit=3)
    expect("global index", [i["placed"] for i in done["Items"]], ADA[0:12:4])
    expect("global index: next key", done["LastEvaluatedKey"], {"customer": "ada", "placed": ADA[8], "status": "done"})
    rest = table.query(
        IndexName="ByStatus", KeyConditionExpression=Key("status").eq("done"), ExclusiveStartKey=done["LastEvaluatedKey"]
    )
    expect("global index: next page", [i["placed"] for i in rest["Items"]], ADA[12::4])
    other = {"IndexName": "ByStatus", "KeyConditionExpression": Key("status").eq("other"), "Select": "COUNT"}
    expect("global index: many partitions", table.query(**other)["Count"], 60)
    table.update_item(
        Key={"customer": "customer 7", "placed": "2026-01-01"},
        UpdateExpression="REMOVE #s",
        ExpressionAttributeNames={"#s": "status"},
    )
    expect("global index: sparse", table.query(**other)["Count"], 59)

    amounts = table.query(
        IndexName="ByAmount", KeyConditionExpression=Key("customer").eq("ada") & Key("amount").between(-10, 15)
    )["Items"]
    expect("local index: in order", [i["amount"] for i in amounts], [Decimal(n) for n in range(-10, 16, 5)])
    expect("local index: projected", sorted(amounts[0]), ["amount", "customer", "note", "placed"])
    refused(
        "a consistent read of a global index", "ValidationException",
        "Consistent reads are not supported on global secondary indexes",
        client, "query", TableName=TABLE, IndexName="ByStatus", KeyConditionExpression="#s = :s", ConsistentRead=True,
        ExpressionAttributeNames={"#s": "status"}, ExpressionAttributeValues={":s": {"S": "done"}},
    )


def scans(table):
    def segment(number):
        pages = client.get_paginator("scan").paginate(
            TableName=TABLE, Segment=number, TotalSegments=4, PaginationConfig={"PageSize": 9}
        )
        return [(i["customer"]["S"], i["placed"]["S"]) for page in pages for i in page["Items"]]

    with ThreadPoolExecutor(4) as pool:
        came = [key for keys in pool.map(segment, range(4)) for key in keys]
    wanted = [("ada", placed) for placed in ADA] + [(f"customer {n}", "2026-01-01") for n in range(60)]
    expect("parallel scan", sorted(came), sorted(wanted))
    found = table.scan(FilterExpression=Attr("note").contains("3") & Attr("note").begins_with("n3"))
    expect("scan with a filter", (found["Count"], found["ScannedCount"]), (11, 100))
    expect("scan of the sparse index", table.scan(IndexName="ByStatus", Select="COUNT")["Count"], 99)
