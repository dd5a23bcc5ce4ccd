import { existsSync, readFileSync } from "node:fs";

/** The version in the package's own file, which stands higher above the built code than above the source. */
export function packageVersion(): string {
  for (const up of ["../../package.json", "../../../package.json"]) {
    const file = new URL(up, import.meta.url);
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, "utf8")) as { name?: string; version?: string };
    if (name === "gatecrash" && version !== undefined) return version;
  }
  return "unknown";
}
