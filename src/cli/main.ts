#!/usr/bin/env node
import { commandLine } from "./command-line.ts";
import { finish } from "./standard-output.ts";

await finish(await commandLine(process.argv.slice(2)));
