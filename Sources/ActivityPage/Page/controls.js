// The buttons of an activity: what may be asked of its work.
import { isOver } from './model.js';

export class Controls {
  constructor(id, row, answer) { Object.assign(this, { id, row, answer, phase: null, tries: 5 }); }

  /** Only what the work takes has a button; asked for when the phase changes. */
  async show(activity) {
    const { phase } = activity.state;
    if (this.phase === phase) return;
    this.phase = phase;
    let wishes = [];
    if (!isOver(activity) && phase !== 'finishing') {
      try {
        const answer = await fetch(this.link('controls'));
        wishes = answer.ok ? await answer.json() : [];
      } catch {
        if (this.phase === phase) this.phase = null; // asked again with the next event
        return;
      }
      if (this.phase !== phase) return;
      // Work that has just begun may not have said yet what it takes.
      if (!wishes.length && this.tries-- > 0) this.phase = null;
    }
    const useless = phase === 'paused' ? 'pause' : 'resume';
    const shown = ['pause', 'resume', 'mark', 'swap', 'split', 'stop', 'cancel'].filter(wish => wishes.includes(wish) && wish !== useless);
    this.row.replaceChildren(...shown.map(wish => this.button(wish)));
  }

  link(part) { return `/activities/${encodeURIComponent(this.id)}/${part}`; }

  button(wish) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = wish;
    button.textContent = wish[0].toUpperCase() + wish.slice(1);
    button.addEventListener('click', () => this.ask(wish, button));
    return button;
  }

  async ask(wish, button) {
    button.disabled = true;
    this.answer.textContent = '';
    try {
      const answer = await fetch(this.link(wish), { method: 'POST' });
      if (!answer.ok) this.answer.textContent = (await answer.text()).trim();
    } catch {
      this.answer.textContent = 'The connection is lost; try again when it is back.';
    } finally {
      button.disabled = false;
    }
  }
}
