// A line above the picture: what is wrong, until it is right again, or for a moment what is good to know.
export class Banner {
  constructor(box) {
    this.box = box;
  }

  say(text, note = false) {
    clearTimeout(this.timer);
    this.box.textContent = text;
    this.box.classList.toggle("note", note);
    this.box.hidden = !text;
  }

  note(text, milliseconds = 4000) {
    this.say(text, true);
    this.timer = setTimeout(() => this.say(""), milliseconds);
  }

  // What was noted is no longer so.
  forgetNote() {
    if (this.box.classList.contains("note")) this.say("");
  }
}
