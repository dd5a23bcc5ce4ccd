import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,arbitraries,properties,fixtures}/**/*.test.ts"],
    testTimeout: 30_000,
    // By default one core is left free, which is half of a small machine.
    maxWorkers: "100%",
    coverage: {
      provider: "v8",
      include: ["src/**", "arbitraries/**", "properties/**"],
      exclude: ["**/*.test.ts"],
      reportOnFailure: true,
      // The floor. The command line runs in processes of its own, which are not counted.
      thresholds: { statements: 90, branches: 88, functions: 91, lines: 90 },
    },
  },
});
