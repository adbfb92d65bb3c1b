import { spawn } from "node:child_process";

const COMMANDS = {};
const TIMEOUT_MS = 5000;

/** Run a hook of memctl; the text for the model, or "" when there is none. */
function hook(event, fields) {
  return new Promise((resolve) => {
    const [program, ...options] = COMMANDS[event];
    const child = spawn(program, options, { stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => child.kill(), TIMEOUT_MS);
    let output = "";
    child.stdout.on("data", (part) => (output += part));
    child.stdin.on("error", () => {});
    child.on("error", () => resolve(""));
    child.on("close", () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(output).hookSpecificOutput.additionalContext);
      } catch {
        resolve("");
      }
    });
    child.stdin.end(JSON.stringify(fields));
  });
}
