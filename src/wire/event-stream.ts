import { onlyMembers } from "./only-members.ts";

/** A streamed reply, as the official clients' `Stream`: read once, and given up by `controller.abort()`. */
export interface EventStream<Event> extends AsyncIterable<Event> {
  readonly controller: AbortController;
}

/**
 * The events of one reply as a loop reads them. As with the official clients, a stream that is aborted, by its controller or by the
 * request's own signal, ends without an error, however little of it has come.
 *
 * @param path how errors name the stream.
 */
export function eventStream<Event>(
  path: string,
  events: readonly Event[],
  { signal, instead }: { readonly signal?: AbortSignal | null | undefined; readonly instead: string },
): EventStream<Event> {
  const controller = new AbortController();
  let isConsumed = false;
  async function* read(): AsyncGenerator<Event, void, undefined> {
    if (isConsumed) throw new Error("This stream was read already: it can be read once.");
    isConsumed = true;
    for (const event of events) {
      if (controller.signal.aborted || signal?.aborted === true) return;
      yield event;
    }
  }
  return onlyMembers(path, { controller, [Symbol.asyncIterator]: read }, instead);
}
