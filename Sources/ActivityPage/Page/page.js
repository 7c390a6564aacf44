// The page: the model's activities as cards, in order, kept up to date.
import { Card } from './card.js';
import { Dismissed } from './dismissed.js';
import { isOver, Model, title, wholes } from './model.js';
import { follow } from './stream.js';
import { subtitle } from './words.js';

const list = document.getElementById('activities');
const model = new Model();
const cards = new Map();
const dismissed = new Dismissed();
let openedAt = Infinity; // by the server's clock, in milliseconds
let clockOffset = Date.now() - performance.now(); // from the page's own clock, which nobody sets, to the server's, in milliseconds
let knowsToken = false;
let expanded = location.pathname.match(/^\/activities\/([^/]+)$/)?.[1] ?? null;
if (expanded) expanded = decodeURIComponent(expanded);
let mustScroll = expanded != null;

const now = () => performance.now() + clockOffset;

function toggle(id) {
  expanded = expanded === id ? null : id;
  // The link of what is open can be copied, sent and reloaded.
  history.replaceState(null, '', expanded ? `/activities/${encodeURIComponent(expanded)}` : '/');
  for (const [other, card] of cards) card.expand(other === expanded);
}

function draw() {
  // Before the server has answered nothing is known, and nothing is not said to run.
  if (openedAt === Infinity) return;
  for (const id of model.dismiss(now())) remove(id);
  const activities = model.ordered().filter(({ id }) => !dismissed.has(id));
  const groups = wholes(activities);
  activities.forEach((activity, index) => {
    let card = cards.get(activity.id);
    if (!card) {
      card = new Card(activity, toggle, dismiss);
      cards.set(activity.id, card);
      card.expand(activity.id === expanded);
    }
    card.show(activity, { now: now(), knowsToken, isWhole: groups.has(activity.id) });
    if (list.children[index] !== card.element) list.insertBefore(card.element, list.children[index] ?? null);
  });
  document.getElementById('nothing').hidden = activities.length > 0;
  document.getElementById('clear').hidden = activities.filter(isOver).length < 2;
  const first = activities.find(activity => !isOver(activity));
  const words = first && `${subtitle(first.kind, first.state)} – ${title(first)}`;
  document.title = words ? `${words} – Rushes` : 'Rushes';
  if (mustScroll && cards.has(expanded)) {
    mustScroll = false;
    cards.get(expanded).element.scrollIntoView({ block: 'center' });
  }
}

function remove(id) {
  cards.get(id)?.element.remove();
  cards.delete(id);
}

/** Takes away what has ended; in this browser, for good. */
function dismiss(...ids) {
  dismissed.add(ids);
  for (const id of ids) remove(id);
  draw();
}

document.getElementById('clear').addEventListener('click', () => {
  dismiss(...model.ordered().filter(isOver).map(({ id }) => id));
});

/** For a screen reader: beginnings, changes of phase and ends; every update would never let it finish a word. */
function announce(activity) {
  if (activity.lastPhase === activity.state.phase) return;
  // What was there before the page was opened is on the page, and no news.
  if (activity.timestamp * 1000 < openedAt) return;
  document.getElementById('news').textContent = `${title(activity)}: ${subtitle(activity.kind, activity.state)}`;
}

let isDrawPlanned = false;
function planDraw() {
  if (isDrawPlanned) return;
  isDrawPlanned = true;
  requestAnimationFrame(() => { isDrawPlanned = false; draw(); });
}

follow({
  hello(words) {
    clockOffset = words.now - performance.now();
    knowsToken = words.token;
    document.getElementById('look-only').hidden = knowsToken;
    openedAt = Math.min(openedAt, words.now);
    if (words.reset) {
      model.clear();
      for (const card of cards.values()) card.element.remove();
      cards.clear();
    }
    planDraw();
  },
  event(event) {
    // The server's clock was set since: nothing comes from the future.
    if (event.timestamp * 1000 > now()) clockOffset = event.timestamp * 1000 - performance.now();
    const activity = model.apply(event);
    if (activity) { announce(activity); planDraw(); }
  },
  connection(isUp, why) {
    document.body.classList.toggle('disconnected', !isUp);
    document.getElementById('connection').textContent = isUp ? '' : why ?? 'Connection lost. Reconnecting…';
  },
});
// Staleness and dismissal come with time, not with an event.
setInterval(planDraw, 1000);
