import { describe, expect, it } from "vitest";
import { installedVersion, loadSdk } from "./sdk-package.ts";

const load = () => import("zod");

describe("sdk-package", () => {
  it("loads a package whose version was tried, and tells it", async () => {
    const { sdk, version } = await loadSdk({ name: "zod", majors: [4], load });
    expect(sdk.z.string).toBeTypeOf("function");
    expect(version).toBe(installedVersion("zod"));
    expect(version).toMatch(/^4\./);
  });

  it("says in one sentence that a version was never tried, and takes it where that is asked for", async () => {
    const untried = { name: "zod", majors: [3, "0.20"], load };
    await expect(loadSdk(untried)).rejects.toMatchObject({
      code: "untested-sdk",
      message: expect.stringMatching(
        /^Expected `zod` to be of version 3 or 0\.20, got 4\.\d+\.\d+\. Do install one that was tried, or set `anyVersion: true`\.$/,
      ),
    });
    expect((await loadSdk(untried, true)).sdk.z).toBeDefined();
  });

  it("says in one sentence that a package is missing", async () => {
    const missing = { name: "no-such-sdk", majors: [2], load: () => import("no-such-sdk" as string) };
    await expect(loadSdk(missing)).rejects.toMatchObject({
      code: "missing-sdk",
      message: "Expected the package `no-such-sdk` to be installed, got none. Do run `npm install no-such-sdk@2`.",
    });
  });

  it("lets another fault of the package through", async () => {
    const broken = { name: "zod", majors: [4], load: () => Promise.reject(new Error("out of order")) };
    await expect(loadSdk(broken)).rejects.toThrow("out of order");
  });
});
