// One activity on the page: a card where there is room, a pill with a ring where there is not.
import { Controls } from './controls.js';
import { isAudio, isOver, isStale, title } from './model.js';
import { facts, figure, fileName, sentence, subtitle } from './words.js';

/** What the server sends (ResultFile.swift). */
const isServed = /\.(mov|mp4|m4v|m4a|mkv|mka|webm|wav|flac|mp3|opus|ogg|oga|gif)$/i;

const template = document.getElementById('card');

export class Card {
  /** @param {(id: string) => void} toggled - called when a person opens or closes it
   *  @param {(id: string) => void} dismissed - called when a person has seen enough of it */
  constructor(activity, toggled, dismissed) {
    this.element = template.content.firstElementChild.cloneNode(true);
    this.element.id = `activity-${activity.id}`;
    this.id = activity.id;
    this.part = name => this.element.querySelector(`.${name}`);
    const [row, quick, answer] = ['controls', 'quick', 'answer'].map(this.part);
    this.controls = new Controls(activity.id, { row, quick, answer });
    const details = this.part('details');
    details.id = `details-${activity.id}`;
    this.part('summary').setAttribute('aria-controls', details.id);
    this.part('summary').addEventListener('click', () => toggled(activity.id));
    this.part('dismiss').addEventListener('click', () => dismissed(activity.id));
    this.part('thumbnail').addEventListener('error', () => { this.part('thumbnail').hidden = true; });
    this.part('thumbnail').addEventListener('load', ({ target }) => {
      target.hidden = false;
      target.classList.toggle('tall', target.naturalHeight > target.naturalWidth);
    });
  }

  expand(isExpanded) {
    this.element.classList.toggle('expanded', isExpanded);
    this.part('summary').setAttribute('aria-expanded', String(isExpanded));
  }

  /** @param {{now: number, knowsToken: boolean, isWhole: boolean}} context - the server's time in milliseconds; whether more than
   *  looking is allowed; whether parts of it are shown too */
  show(activity, context) {
    const { state } = activity;
    const over = isOver(activity);
    const stale = isStale(activity, context.now);
    const percent = state.fraction == null ? null : Math.floor(state.fraction * 100);
    const name = title(activity);
    const doing = stale ? `No update for ${Math.round(context.now / 1000 - activity.timestamp)} s` : subtitle(activity.kind, state);

    Object.assign(this.element.dataset, { phase: state.phase, kind: activity.kind, media: isAudio(activity) ? 'audio' : 'video' });
    this.element.classList.toggle('stale', stale);
    this.element.classList.toggle('endless', percent == null && !over);
    this.element.classList.toggle('part', activity.attributes?.parent != null);
    this.element.classList.toggle('whole', context.isWhole);
    this.element.style.setProperty('--fraction', over && state.phase === 'finished' ? 1 : state.fraction ?? 0);
    this.text('title', name);
    this.text('subtitle', doing);
    // What is cut off can be read all the same.
    for (const [part, words] of [['title', name], ['subtitle', doing]]) this.part(part).title = words;
    this.text('figure', figure(activity.kind, state));

    const bar = this.part('bar');
    bar.setAttribute('aria-label', name);
    bar.setAttribute('aria-valuetext', percent == null ? doing : `${doing}, ${percent} percent`);
    if (percent == null) bar.removeAttribute('aria-valuenow');
    else bar.setAttribute('aria-valuenow', percent);

    this.list(facts(activity.kind, state, over));
    this.meter(over ? null : state);
    this.message(activity, over);
    this.part('dismiss').hidden = !over;
    this.result(activity, over, context.knowsToken);
    if (!context.knowsToken) return;
    this.controls.show(activity);
    this.thumbnail(activity, context.now);
  }

  /** What an export was encoded with is no warning; why something failed is, and what a finished recording lost. */
  message({ kind, state }, over) {
    const isBad = over && (state.phase === 'failed' || (state.phase === 'finished' && kind === 'recording'));
    const words = sentence(state.message ?? (state.phase === 'failed' ? state.reason : null));
    this.text('message', words);
    this.part('message').hidden = !words;
    this.part('message').classList.toggle('warning', isBad || state.phase === 'interrupted');
  }

  text(name, words) {
    const element = this.part(name);
    if (element.textContent !== words) element.textContent = words;
  }

  list(pairs) {
    const list = this.part('facts');
    // Built anew only when other facts are shown, else only the numbers change.
    const labels = pairs.map(([label]) => label).join();
    if (list.dataset.labels !== labels) {
      list.dataset.labels = labels;
      list.replaceChildren(...pairs.map(([label]) => {
        const group = document.createElement('div');
        group.append(document.createElement('dt'), document.createElement('dd'));
        group.firstChild.textContent = label;
        return group;
      }));
    }
    pairs.forEach(([, value], index) => { list.children[index].lastChild.textContent = value; });
  }

  /** One bar for each channel, or for each of several microphones behind its name, from -60 decibels to 0. */
  meter(state) {
    const meter = this.part('meter');
    const rows = state?.microphones?.map(({ name, level, muted }) => ({ name: muted ? `${name}, muted` : name, level: muted ? -60 : level ?? -60 }))
      ?? state?.audioLevel?.map(level => ({ name: '', level })) ?? [];
    meter.hidden = !rows.length;
    while (meter.children.length < rows.length) {
      const row = document.createElement('div');
      row.append(document.createElement('small'), document.createElement('span'));
      meter.append(row);
    }
    while (meter.children.length > rows.length) meter.lastChild.remove();
    rows.forEach(({ name, level }, index) => {
      const [words, bar] = meter.children[index].children;
      if (words.textContent !== name) words.textContent = name;
      bar.style.setProperty('--level', Math.min(1, Math.max(0, 1 + level / 60)));
    });
  }

  /** Where the result is to appear there is a spinner, unless the title has named the file already. */
  result(activity, over, knowsToken) {
    const output = activity.state.output ?? activity.attributes?.output;
    const isGood = over && (activity.state.phase === 'finished' || activity.state.fileIsGood);
    const link = this.part('open');
    this.part('result').hidden = over ? !isGood : !output || title(activity).includes(fileName(output));
    this.part('spinner').hidden = over;
    this.text('result-words', output ? fileName(output) : over ? 'Done' : '');
    // Whoever waited for a timelapse's photos has not made it yet.
    const isMade = activity.kind !== 'timelapse' || activity.state.itemUnit !== 'files';
    link.hidden = !(isGood && output && knowsToken && isServed.test(output) && isMade);
    if (!link.hidden) link.href = `/activities/${encodeURIComponent(activity.id)}/result`;
  }

  /** The file may be written anew under the same name: asked for again every two seconds while there is news. */
  thumbnail(activity, now) {
    const path = activity.state.thumbnail;
    if (!path) { this.part('thumbnail').hidden = true; return; }
    const isDue = path !== this.thumbnailPath || (this.thumbnailSeq !== activity.seq && now - this.thumbnailTime > 2000);
    if (!isDue) return;
    Object.assign(this, { thumbnailPath: path, thumbnailTime: now, thumbnailSeq: activity.seq });
    this.part('thumbnail').src = `/activities/${encodeURIComponent(activity.id)}/thumbnail?seq=${activity.seq}`;
  }
}
