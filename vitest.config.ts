import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,arbitraries,properties,fixtures}/**/*.test.ts"],
    testTimeout: 30_000,
    coverage: { provider: "v8", include: ["src/**", "arbitraries/**", "properties/**"], exclude: ["**/*.test.ts"] },
  },
});
