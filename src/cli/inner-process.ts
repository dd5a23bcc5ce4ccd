import { commandLine } from "./command-line.ts";
import { startHeartbeat, tellFinished } from "./heartbeat.ts";
import { finish } from "./standard-output.ts";

// The process in which a command does its work, while the one that was called watches over it.
startHeartbeat();
const code = await commandLine(process.argv.slice(2), { isInner: true });
await tellFinished();
await finish(code);
