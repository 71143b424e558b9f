// Questions to the program that serves this page.

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// What the address of this page ends in, "#token=…"; empty where that was not copied with it.
export function token() {
  return new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
}

async function ask(path, options = {}) {
  const response = await fetch(`/api/${path}`, { ...options, headers: { "X-Knead-Token": token() } });
  if (response.ok) return response;
  let message = response.statusText;
  try {
    message = (await response.json()).error;
  } catch {
    // Not one of our own messages.
  }
  throw new Refused(response.status, message);
}

export const getJson = async (path) => (await ask(path)).json();
export const getText = async (path) => (await ask(path)).text();
export const getBytes = async (path, signal) => (await ask(path, { signal })).arrayBuffer();
export const command = async (order) => (await ask("command", { method: "POST", body: JSON.stringify(order) })).json();
