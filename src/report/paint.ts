import picocolors from "picocolors";

/** Colours for a terminal. They never carry meaning: the words are the same without them. */
export interface Paint {
  strong(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  open(text: string): string;
  faint(text: string): string;
}

export function paintFor(colour: boolean): Paint {
  const colours = picocolors.createColors(colour);
  return {
    strong: colours.bold,
    good: colours.green,
    bad: colours.red,
    open: colours.yellow,
    faint: colours.dim,
  };
}
