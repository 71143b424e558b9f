// The simulation that goes on in the program: what it is told, and which of its runs it is in.
import { command } from "./server.js";

export const changes = (count) => `${count} change${count > 1 ? "s" : ""}`;

export class Simulation {
  going = true; // whether it runs, or will as soon as it has started
  #run; // the one that is shown
  #before = null; // the run that a restart was ordered in, until the next one begins

  // startAgain(): all that was shown of the run before is gone.
  constructor(app, startAgain) {
    this.app = app;
    this.startAgain = startAgain;
  }

  get phase() {
    return this.app.state?.live?.phase;
  }
  get ended() {
    return this.phase === "done" || this.phase === "failed";
  }
  // It is about to start, runs or waits: it can be paused and go on.
  get open() {
    return this.phase !== undefined && !this.ended;
  }

  // When a change acts that waits for a frame.
  get nextMoment() {
    return this.app.state?.live?.step === 0 ? "start" : "next frame";
  }

  get onward() {
    return this.nextMoment === "start" ? "from the start" : "from the next frame on";
  }

  // What the program says of it; false where that is still of the run before.
  take(live) {
    if (!live) return true;
    if (live.run === this.#before) return false;
    if (this.#before !== null && live.by_hand.length) this.app.note(this.#repeats(live.by_hand.length));
    this.#before = null;
    if (this.#run !== undefined && this.#run !== live.run && !this.restarting) this.startAgain(); // another page did so
    this.#run = live.run;
    this.restarting = false;
    if (live.phase === "running" || live.phase === "paused") this.going = live.phase === "running";
    return true;
  }

  toggle() {
    return this.order(this.going ? "pause" : "play");
  }

  async order(name) {
    if (!this.app.scene?.live) return this.app.note("This run can only be watched. To steer a simulation, use `knead view SCENE`.");
    const again = ["restart", "afresh", "original"].includes(name);
    if (again) {
      this.restarting = true;
      this.#before = this.#run;
      this.startAgain();
    } else {
      this.going = name === "play";
      if (name !== "pause") this.app.goLive();
    }
    // One after the other: a pause that overtook a restart would be of the run before.
    const sent = this.#orders.then(() => this.send({ do: name }));
    this.#orders = sent;
    const wrong = await sent;
    if (wrong && again) this.#before = null;
  }
  #orders = Promise.resolve();

  // Of a run that has begun again.
  #repeats(done) {
    const without = "Shift R, or Steer, restarts without them.";
    return this.going ? `It restarts and repeats the ${changes(done)} made by hand. ${without}` : `It is back at the start, and paused. Resuming (space) repeats the ${changes(done)} made by hand. ${without}`;
  }

  // Gives what is wrong with it, or nothing.
  async try(order, quietly = false) {
    try {
      const { acts } = await command(order);
      if (acts !== "live" && !quietly) this.app.note(acts === "next frame" ? `Takes effect ${this.onward}.` : "Takes effect after a restart (R).");
      return "";
    } catch (error) {
      return error.message.replaceAll("the scene as changed: ", "");
    }
  }

  async send(order, quietly = false) {
    const wrong = await this.try(order, quietly);
    if (wrong) this.app.banner.say(wrong);
    return wrong;
  }

  // Points that the program keeps for a body: { file }.
  upload(csv) {
    return command({ do: "points", csv });
  }
}
