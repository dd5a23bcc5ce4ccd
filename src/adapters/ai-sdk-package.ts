import { badArgument } from "../contract/valid-argument.ts";
import type { AiSdkMajor, AiSdkModule, AiSdkParts } from "./ai-sdk-types.ts";
import { installedVersion, loadSdk } from "./sdk-package.ts";

const majors = [5, 6, 7] as const;

/** The major of the SDK: of the module that was given or, without one, of the package that is found from here. */
export function aiSdkMajor(given: unknown): AiSdkMajor {
  if (given === undefined) return installedMajor();
  const argument = {
    of: "aiSdkHarness",
    is: "the options",
    please: 'give `import * as ai from "ai"`, of major 5 or newer',
  };
  const module = (typeof given === "object" && given) || {};
  if (!("stepCountIs" in module)) throw badArgument(argument, "the module `ai`", given, "sdk");
  if ("isStepCount" in module) return 7;
  return "ToolLoopAgent" in module ? 6 : 5;
}

/** One that is missing, or was never tried, is told when it is loaded; a newer one is taken for the newest known. */
function installedMajor(): AiSdkMajor {
  const installed = Number.parseInt(installedVersion("ai") ?? "", 10);
  return majors.find((major) => major === installed) ?? 7;
}

export async function aiSdkParts(given: AiSdkModule | undefined, anyVersion: boolean | undefined): Promise<AiSdkParts> {
  if (given !== undefined) return given as object as AiSdkParts;
  const { sdk } = await loadSdk({ name: "ai", majors, load: () => import("ai") }, anyVersion);
  return sdk as object as AiSdkParts;
}

/** The SDK prints warnings about models and calls, unless this global says no. */
const setting = globalThis as { AI_SDK_LOG_WARNINGS?: unknown };

export class Silence {
  #before: { readonly AI_SDK_LOG_WARNINGS?: unknown } | undefined;

  begin(): void {
    this.#before ??= { ...("AI_SDK_LOG_WARNINGS" in setting && { AI_SDK_LOG_WARNINGS: setting.AI_SDK_LOG_WARNINGS }) };
    setting.AI_SDK_LOG_WARNINGS = false;
  }

  end(): void {
    if (this.#before === undefined) return;
    delete setting.AI_SDK_LOG_WARNINGS;
    Object.assign(setting, this.#before);
    this.#before = undefined;
  }
}

/** What the SDK rejects with where a request to the model failed, tried again or not. Each copy of it has classes of its own. */
export function isFailedCall(error: unknown): boolean {
  const { name, lastError } = (error ?? {}) as { readonly name?: unknown; readonly lastError?: unknown };
  return name === "AI_APICallError" || (name === "AI_RetryError" && isFailedCall(lastError));
}
