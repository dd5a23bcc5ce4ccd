const MOST_CUTS = 4;
/** Argument text may be a million characters long, and comes in each turn of a script that repeats it. */
const MOST_LOOKED_AT = 4_096;
/** An escape of JSON, or a character of two code units: a reader that takes each piece for a whole text fails in them. */
const SPLITTABLE = /\\u[0-9a-fA-F]{4}|\\[\s\S]|[\ud800-\udbff][\udc00-\udfff]/g;

/**
 * A text in the pieces in which a model's service may stream it: cut anywhere, inside escapes and characters too. The same text is
 * always cut in the same places, so that a script replays. No piece is empty.
 *
 * @example
 * textPieces('{"order":"A-1"}').join("") // '{"order":"A-1"}'
 */
export function textPieces(text: string): readonly string[] {
  const { hash, places } = cutPlaces(text.length, hashOf(text));
  const splittable = [...text.slice(0, MOST_LOOKED_AT).matchAll(SPLITTABLE)];
  const inside = splittable[hash % Math.max(1, splittable.length)];
  if (inside !== undefined) places.push(inside.index + 1 + (hash % (inside[0].length - 1)));
  return slices(places, text.length, (from, to) => text.slice(from, to));
}

/** The same for the bytes of a body. */
export function bytePieces(bytes: Uint8Array): readonly Uint8Array[] {
  const { places } = cutPlaces(bytes.length, hashOf(bytes));
  return slices(places, bytes.length, (from, to) => bytes.subarray(from, to));
}

function cutPlaces(length: number, seed: number): { hash: number; places: number[] } {
  let hash = seed;
  const places: number[] = [];
  const cuts = length < 2 ? 0 : seed % (MOST_CUTS + 1);
  for (let cut = 0; cut < cuts; cut += 1) {
    hash = mixed(hash, cut);
    places.push(1 + (hash % (length - 1)));
  }
  return { hash, places };
}

function slices<Piece>(places: readonly number[], length: number, slice: (from: number, to: number) => Piece): Piece[] {
  const bounds = [...new Set([0, ...places, length])].sort((left, right) => left - right);
  return bounds.slice(1).map((to, index) => slice(bounds[index]!, to));
}

function hashOf(content: string | Uint8Array): number {
  let hash = 0x811c9dc5;
  const stride = Math.ceil(content.length / MOST_LOOKED_AT);
  for (let index = 0; index < content.length; index += stride) {
    hash = mixed(hash, typeof content === "string" ? content.charCodeAt(index) : content[index]!);
  }
  // The low bits of the last step alone would decide how often a text is cut.
  return (hash ^ (hash >>> 15)) >>> 0;
}

function mixed(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193) >>> 0;
}
