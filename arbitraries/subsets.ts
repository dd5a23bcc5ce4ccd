const count = 64;

/**
 * Subsets of a list: each item alone, all of them, and dozens that hold about half, always the same ones. Drawing one
 * subset first, then items from it alone, brings together what a fixed mix would keep apart (swarm testing).
 */
export function subsetsOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length === 0) return [];
  const found = [items, ...items.map((item) => [item])];
  let state = 1;
  for (let index = 0; index < count; index += 1) {
    const some = items.filter(() => {
      // Park and Miller's generator: any other that never changes would do.
      state = (state * 48271) % 2147483647;
      return state % 1024 < 512;
    });
    if (some.length > 1 && some.length < items.length) found.push(some);
  }
  return found;
}
