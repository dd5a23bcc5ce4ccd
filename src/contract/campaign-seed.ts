/**
 * The seed of a campaign for which nobody chose one: the same for ever on a build server, where a red build has to mean
 * that the code changed; another one each time elsewhere, so that days of work search more than one night's build.
 */
export function campaignSeed(environment: { readonly [name: string]: string | undefined }): number {
  const server = environment.CI ?? "";
  if (server !== "" && server !== "0" && server.toLowerCase() !== "false") return 1;
  return Math.floor(Math.random() * 0x7fffffff);
}
