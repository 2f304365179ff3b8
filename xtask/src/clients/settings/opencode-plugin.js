// Hands what OpenCode tells a plugin to the command that the other clients call as a hook. Nothing here may fail or
// wait for long: a plugin runs inside the client.
import { spawn } from "node:child_process";

function hook(event, told) {
  return new Promise((done) => {
    try {
      const child = spawn("@HOOK@", ["hook", "opencode"], { stdio: ["pipe", "pipe", "ignore"] });
      const late = setTimeout(() => child.kill("SIGKILL"), 5000);
      let said = "";
      child.stdout.on("data", (piece) => (said += piece));
      child.on("error", () => done(""));
      child.on("close", () => (clearTimeout(late), done(said)));
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify({ event, data: told }));
    } catch {
      done("");
    }
  });
}

// What the agent said last in a session.
async function lastText(client, id) {
  try {
    const { data } = await client.session.messages({ path: { id } });
    const last = data.filter((message) => message.info.role === "assistant").at(-1);
    return last.parts.filter((part) => part.type === "text").map((part) => part.text).join("\n");
  } catch {
    return undefined;
  }
}

export const Memory = async ({ client, directory }) => ({
  "chat.message": async (input, output) => {
    await hook("chat.message", { directory, input, output });
  },
  "tool.execute.after": async (input, output) => {
    await hook("tool.execute.after", { directory, input, output });
  },
  event: async ({ event }) => {
    const told = { directory, ...event.properties };
    if (event.type === "session.idle") {
      told.text = await lastText(client, event.properties.sessionID);
    } else if (event.type !== "session.created" && event.type !== "session.compacted") {
      return;
    }
    await hook(`event:${event.type}`, told);
  },
});
