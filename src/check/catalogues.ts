/** The two catalogues, for those who list them: every rule, and every way to misbehave. */
export { catalogue as classes } from "../../arbitraries/index.ts";
export { catalogue as properties } from "../../properties/index.ts";
