import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";

/** Whether Node reads a file as CommonJS: by its ending, else by the `type` of the nearest package. */
export function isCommonJs(path: string): boolean {
  const extension = extname(path);
  if (extension.startsWith(".c")) return true;
  if (extension.startsWith(".m")) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest)) return typeOf(manifest) !== "module";
    if (folder === dirname(folder)) return true;
  }
}

function typeOf(manifest: string): unknown {
  try {
    return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly type?: unknown }).type;
  } catch {
    return undefined;
  }
}
