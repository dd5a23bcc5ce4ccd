import { describe, expect, it } from "vitest";
import * as own from "./errors.ts";

const specifier = "./errors.ts?another-copy";
const copy = (await import(/* @vite-ignore */ specifier)) as typeof own;

describe("errors", () => {
  it("are known to another copy of the module, each as its own kind", () => {
    const error = new copy.ModelError("timeout");
    expect(copy.ModelError).not.toBe(own.ModelError);
    expect(error instanceof own.ModelError).toBe(true);
    expect(error instanceof own.UndecidedError).toBe(false);
    expect(new own.UsageError("code", "text") instanceof copy.UsageError).toBe(true);
  });

  it("are not taken for errors of other makers", () => {
    expect(Object.assign(new Error("x"), { name: "ModelError" }) instanceof own.ModelError).toBe(false);
    expect({ name: "UsageError" } instanceof own.UsageError).toBe(false);
    expect((null as unknown as object) instanceof own.UsageError).toBe(false);
  });
});
