// The frame that was shown is shown again by a page that is loaded again.
const key = "knead-place";

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null; // it starts where a new page does
  }
}

function write(place) {
  try {
    sessionStorage.setItem(key, JSON.stringify(place));
  } catch {
    // A browser that keeps nothing.
  }
}

export class Place {
  #before = read();

  constructor(app) {
    this.app = app;
    addEventListener("pagehide", () => {
      const { player, scene, stage } = app;
      if (stage.frame) write(player.follow ? null : { folder: scene.folder, number: stage.frame.number });
    });
  }

  // Once there are frames; true where it goes back to one.
  async return() {
    const { player, scene } = this.app;
    if (!this.#before || !player.numbers.length) return false;
    const { folder, number } = this.#before;
    this.#before = null;
    const index = folder === scene.folder ? player.numbers.indexOf(number) : -1;
    if (index >= 0) await player.seek(index);
    return index >= 0;
  }
}
