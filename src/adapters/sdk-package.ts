import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../errors.ts";

/** The package that an adapter plays. */
export interface SdkPackage<Sdk> {
  /** As npm knows it. */
  readonly name: string;
  /** The majors that the adapter was tried on; of a package below 1, where each minor may break, such as "0.20". */
  readonly majors: readonly (number | string)[];
  /** `() => import("ai")`: not before it is needed, so that a missing package is told in a sentence. */
  load(): Promise<Sdk>;
}

export interface LoadedSdk<Sdk> {
  readonly sdk: Sdk;
  /** Undefined where the package can't be found on disk, as in a bundle. */
  readonly version: string | undefined;
}

/**
 * Loads an SDK that its user has installed.
 *
 * @param anyVersion also a major that the adapter was never tried on.
 * @example
 * const { sdk } = await loadSdk({ name: "ai", majors: [5, 6, 7], load: () => import("ai") });
 * @throws UsageError `missing-sdk` or `untested-sdk`.
 */
export async function loadSdk<Sdk>(sdk: SdkPackage<Sdk>, anyVersion = false): Promise<LoadedSdk<Sdk>> {
  const { name, majors } = sdk;
  const version = installedVersion(name);
  if (version !== undefined && !anyVersion) expectTried(name, version, majors);
  try {
    return { sdk: await sdk.load(), version };
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new UsageError(
      "missing-sdk",
      `Expected the package \`${name}\` to be installed, got none. Do run \`npm install ${name}@${majors.at(-1)}\`.`,
      { name },
    );
  }
}

function expectTried(name: string, version: string, majors: SdkPackage<unknown>["majors"]): void {
  if (majors.some((major) => version.startsWith(`${major}.`))) return;
  throw new UsageError(
    "untested-sdk",
    `Expected \`${name}\` to be of version ${majors.join(" or ")}, got ${version}. Do install one that was tried, or set \`anyVersion: true\`.`,
    { name, version, majors },
  );
}

/** Looked for as Node does, upwards from here; no package has to export its own description. */
export function installedVersion(name: string): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, "node_modules", name, "package.json");
    if (existsSync(file)) return String((JSON.parse(readFileSync(file, "utf8")) as { version?: unknown }).version);
    if (folder === dirname(folder)) return undefined;
  }
}

function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  const missing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
  return missing && error.message.includes(`'${name}'`);
}
