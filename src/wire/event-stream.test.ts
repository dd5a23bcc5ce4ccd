import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import { eventStream } from "./event-stream.ts";

const open = (signal?: AbortSignal) => eventStream("the stream", [1, 2, 3], { signal, instead: "read it" });

async function readUntil<Event>(stream: AsyncIterable<Event>, stop: (event: Event) => void): Promise<Event[]> {
  const read: Event[] = [];
  for await (const event of stream) {
    read.push(event);
    stop(event);
  }
  return read;
}

describe("event-stream", () => {
  it("gives its events in order, once", async () => {
    const stream = open();
    expect(await readUntil(stream, () => {})).toEqual([1, 2, 3]);
    await expect(readUntil(stream, () => {})).rejects.toThrow("This stream was read already");
  });

  it("ends where it is aborted, by its controller or by the request's signal", async () => {
    const stream = open();
    expect(await readUntil(stream, () => stream.controller.abort())).toEqual([1]);
    const own = new AbortController();
    expect(await readUntil(open(own.signal), () => own.abort())).toEqual([1]);
  });

  it("says what it is not", () => {
    expect(() => (open() as unknown as { tee: unknown }).tee).toThrow(UsageError);
  });
});
