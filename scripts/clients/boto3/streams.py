"""Streams: what changed, in order, with images, on all shards, from the start, the end and a place between."""

import re
from datetime import datetime, timedelta, timezone

import shop
from expect import Surprise, eventually, expect, refused
from follow import arn_of, iterators, records, shards
from shop import client, order, streams

TABLE = "boto3-streams"


def chapter():
    shop.create(TABLE)
    arn = arn_of(TABLE)
    described(arn)
    history = from_the_start(arn)
    from_a_place(arn, history)
    from_the_end(arn)
    closed(arn)
    shop.delete(TABLE)
    return "described, read from TRIM_HORIZON, a sequence number and LATEST, all shards followed, closed"


def described(arn):
    listed = streams.list_streams(TableName=TABLE)["Streams"]
    label = arn.split("/stream/")[1]
    expect("ListStreams", listed, [{"StreamArn": arn, "TableName": TABLE, "StreamLabel": label}])
    stream = streams.describe_stream(StreamArn=arn)["StreamDescription"]
    expect("DescribeStream: status", stream["StreamStatus"], "ENABLED")
    expect("DescribeStream: view", stream["StreamViewType"], "NEW_AND_OLD_IMAGES")
    expect("DescribeStream: key", stream["KeySchema"], shop.keys("customer", "placed"))
    for shard in shards(arn):
        matches("shard id", r"shardId-\d{20}-\w{8}", shard["ShardId"])
        matches("first sequence number", r"\d{21,40}", shard["SequenceNumberRange"]["StartingSequenceNumber"])
    refused(
        "DescribeStream of no stream", "ResourceNotFoundException", "Requested resource not found",
        streams, "describe_stream", StreamArn=arn[:-23] + "2001-01-01T00:00:00.000",
    )


def from_the_start(arn):
    """Writes an item's life and reads it. Returns its records."""
    key = order("ada", "1")
    client.put_item(TableName=TABLE, Item=order("ada", "1", amount={"N": "1"}))
    add = {"UpdateExpression": "ADD amount :n"}
    client.update_item(TableName=TABLE, Key=key, ExpressionAttributeValues={":n": {"N": "1"}}, **add)
    client.put_item(TableName=TABLE, Item=order("ada", "1", amount={"N": "2"}))  # changes nothing: no record
    client.delete_item(TableName=TABLE, Key=key)
    client.delete_item(TableName=TABLE, Key=key)  # nothing there: no record
    client.transact_write_items(TransactItems=[{"Put": {"TableName": TABLE, "Item": order("ada", "1")}}])

    found, _ = records(iterators(arn, "TRIM_HORIZON"), 4)
    one, two = order("ada", "1", amount={"N": "1"}), order("ada", "1", amount={"N": "2"})
    wanted = [("INSERT", None, one), ("MODIFY", one, two), ("REMOVE", two, None), ("INSERT", None, key)]
    expect("records with images", [story_of(r) for r in found], wanted)
    numbers = [int(r["dynamodb"]["SequenceNumber"]) for r in found]
    expect("sequence numbers grow", numbers, sorted(set(numbers)))
    expect("event ids differ", len({r["eventID"] for r in found}), 4)
    for record in found:
        expect("keys", record["dynamodb"]["Keys"], key)
        expect("source", (record["eventSource"], record["eventVersion"]), ("aws:dynamodb", "1.1"))
        expect("region", record["awsRegion"], "us-east-1")
        expect("view", record["dynamodb"]["StreamViewType"], "NEW_AND_OLD_IMAGES")
        expect("no user identity for a user's write", "userIdentity" in record, False)
        age = datetime.now(timezone.utc) - record["dynamodb"]["ApproximateCreationDateTime"]
        expect("made just now", timedelta(seconds=-2) < age < timedelta(minutes=2), True)
    # Names and values: customer ada placed 1 amount 1 are 18 + 8 bytes.
    expect("sizes", [r["dynamodb"]["SizeBytes"] for r in found], [18 + 26, 18 + 26 + 26, 18 + 26, 18 + 18])
    return found


def from_a_place(arn, history):
    second = history[1]["dynamodb"]["SequenceNumber"]
    for kind, wanted in [("AT_SEQUENCE_NUMBER", history[1:]), ("AFTER_SEQUENCE_NUMBER", history[2:])]:
        shard = holder(arn, second)
        place = streams.get_shard_iterator(
            StreamArn=arn, ShardId=shard, ShardIteratorType=kind, SequenceNumber=second
        )["ShardIterator"]
        found, _ = records([place], len(wanted))
        expect(kind, [r["eventID"] for r in found], [r["eventID"] for r in wanted])


def holder(arn, sequence_number):
    """The shard that holds the record."""
    for shard, iterator in zip(shards(arn), iterators(arn, "TRIM_HORIZON")):
        found, _ = records([iterator], 0)
        if sequence_number in [r["dynamodb"]["SequenceNumber"] for r in found]:
            return shard["ShardId"]
    raise Surprise("the shard of a record", sequence_number, "no shard has it")


def from_the_end(arn):
    latest = iterators(arn, "LATEST")
    resource = shop.resource.Table(TABLE)
    with resource.batch_writer() as batch:
        for n in range(40):
            batch.put_item(Item={"customer": f"customer {n % 10}", "placed": f"{n:02}"})
    found, latest = records(latest, 40)
    came = [(r["eventName"], r["dynamodb"]["Keys"]["placed"]["S"]) for r in found]
    expect("LATEST: only what came later, once", sorted(came), [("INSERT", f"{n:02}") for n in range(40)])
    with resource.batch_writer() as batch:
        for n in range(40):
            batch.delete_item(Key={"customer": f"customer {n % 10}", "placed": f"{n:02}"})
    found, _ = records(latest, 40)
    came = sorted((story_of(r) for r in found), key=lambda story: story[1]["placed"]["S"])
    wanted = [("REMOVE", order(f"customer {n % 10}", f"{n:02}"), None) for n in range(40)]
    expect("following goes on", came, wanted)


def closed(arn):
    refused(
        "a stream for a table that has one", "ValidationException", "Table already has an enabled stream",
        client, "update_table", TableName=TABLE,
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    )
    start = iterators(arn, "TRIM_HORIZON")
    client.update_table(TableName=TABLE, StreamSpecification={"StreamEnabled": False})
    status = lambda: streams.describe_stream(StreamArn=arn)["StreamDescription"]["StreamStatus"]
    eventually("the stream is DISABLED", 20, status, "DISABLED")
    found, ends = records(start, 84)
    expect("a closed stream can be read", len(found), 84)
    expect("its shards end", set(ends), {None})
    ranges = [shard["SequenceNumberRange"] for shard in shards(arn)]
    expect("its shards say where", all("EndingSequenceNumber" in r for r in ranges), True)

    keys_only = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    client.get_waiter("table_exists").wait(TableName=TABLE, WaiterConfig=shop.SOON)
    client.update_table(TableName=TABLE, StreamSpecification=keys_only)
    client.get_waiter("table_exists").wait(TableName=TABLE, WaiterConfig=shop.SOON)
    expect("a new stream has a new name", arn_of(TABLE) != arn, True)
    client.update_item(TableName=TABLE, Key=order("ada", "1"), UpdateExpression="SET note = customer")
    (record,), _ = records(iterators(arn_of(TABLE), "TRIM_HORIZON"), 1)
    expect("KEYS_ONLY", story_of(record), ("MODIFY", None, None))


def story_of(record):
    change = record["dynamodb"]
    return record["eventName"], change.get("OldImage"), change.get("NewImage")


def matches(what, pattern, came):
    if not re.fullmatch(pattern, came):
        raise Surprise(what, pattern, came)
