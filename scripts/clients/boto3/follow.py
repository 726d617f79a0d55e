"""Reads streams: all shards of one, parents before children, until caught up."""

import time

from shop import client, streams


def arn_of(table):
    """The stream that the table has now."""
    return client.describe_table(TableName=table)["Table"]["LatestStreamArn"]


def shards(arn):
    """All shards, a page at a time, parents first as DescribeStream lists them."""
    found, start = [], {}
    while True:
        page = streams.describe_stream(StreamArn=arn, Limit=2, **start)["StreamDescription"]
        found += page["Shards"]
        if "LastEvaluatedShardId" not in page:
            return found
        start = {"ExclusiveStartShardId": page["LastEvaluatedShardId"]}


def iterators(arn, kind, **more):
    """An iterator for every shard."""
    return [
        streams.get_shard_iterator(StreamArn=arn, ShardId=s["ShardId"], ShardIteratorType=kind, **more)["ShardIterator"]
        for s in shards(arn)
    ]


def records(open_iterators, count, seconds=20):
    """Reads on all iterators until so many records came and one more round brought nothing.

    Returns the records, and the iterators to go on with: None for a shard that is closed and read to its end."""
    found, end = [], time.monotonic() + seconds
    current = list(open_iterators)
    while True:
        before = len(found)
        for n, iterator in enumerate(current):
            if iterator:
                answer = streams.get_records(ShardIterator=iterator, Limit=3)
                found += answer["Records"]
                current[n] = answer.get("NextShardIterator")
        if len(found) == before:
            if len(found) >= count or time.monotonic() > end:
                return found, current
            time.sleep(0.3)
