// The buttons of an activity: what may be asked of its work.
import { isOver } from './model.js';

const labels = { again: 'Try again', pin: 'Keep file', snapshot: 'Photo', switch: 'Next camera' };

export class Controls {
  /** @param {{row: Element, quick: Element, answer: Element}} places - the buttons', that of Stop in a pill, what was answered */
  constructor(id, places) {
    Object.assign(this, { id, ...places, shown: null, tries: 5 });
    this.quick.addEventListener('click', () => this.ask('stop', this.quick));
  }

  /** Only what the work takes has a button; asked for when the phase changes, or whether it is muted. */
  async show(activity) {
    const { phase, muted } = activity.state;
    const shown = muted ? `${phase}, muted` : phase;
    if (this.shown === shown) return;
    this.shown = shown;
    let wishes = [];
    if (phase !== 'finishing' && phase !== 'finished') {
      try {
        const answer = await fetch(this.link('controls'));
        wishes = answer.ok ? await answer.json() : [];
      } catch {
        if (this.shown === shown) this.shown = null; // asked again with the next event
        return;
      }
      if (this.shown !== shown) return;
      // Work that has just begun may not have said yet what it takes.
      if (!wishes.length && !isOver(activity) && this.tries-- > 0) this.shown = null;
    }
    const useless = [phase === 'paused' ? 'pause' : 'resume', muted ? 'mute' : 'unmute'];
    const known = ['recover', 'again', 'start', 'save', 'pause', 'resume', 'mark', 'snapshot', 'split', 'switch', 'swap', 'pin', 'mute', 'unmute', 'stop', 'cancel'];
    const offered = known.filter(wish => wishes.includes(wish) && !useless.includes(wish));
    this.row.replaceChildren(...offered.map(wish => this.button(wish)));
    this.quick.hidden = !offered.includes('stop');
  }

  link(part) { return `/activities/${encodeURIComponent(this.id)}/${part}`; }

  button(wish) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = wish;
    button.textContent = labels[wish] ?? wish[0].toUpperCase() + wish.slice(1);
    button.addEventListener('click', () => {
      if (wish === 'cancel' && !button.classList.contains('sure')) this.makeSure(button);
      else this.ask(wish, button);
    });
    return button;
  }

  /** What is made so far is thrown away: asked for twice within a few seconds. */
  makeSure(button) {
    const label = button.textContent;
    button.classList.add('sure');
    button.textContent = 'Discard it?';
    setTimeout(() => { button.classList.remove('sure'); button.textContent = label; }, 4000);
  }

  async ask(wish, button) {
    button.disabled = true;
    this.say('');
    try {
      const answer = await fetch(this.link(wish), { method: 'POST' });
      const isRemedy = wish === 'recover' || wish === 'again';
      if (!answer.ok || isRemedy) this.say((await answer.text()).trim(), !answer.ok);
      if (answer.ok && isRemedy) button.remove();
    } catch {
      this.say('The connection is lost; try again when it is back.', true);
    } finally {
      button.disabled = false;
    }
  }

  say(words, isRefusal = false) {
    this.answer.textContent = words;
    this.answer.classList.toggle('refusal', isRefusal);
  }
}
