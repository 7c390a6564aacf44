// What is known of all activities: pure, without the page.

/** A known activity is stale when its last word is out of date: the process is stuck or dead. */
export function isStale(activity, now) {
  return !isOver(activity) && activity.staleDate != null && now > activity.staleDate * 1000;
}

export function isOver(activity) { return activity.event === 'end'; }

const fourHours = 4 * 3600;

/** Whether its time on the page is over. */
export function isDismissed(activity, now) {
  return isOver(activity) && now > (activity.dismissalDate ?? activity.timestamp + fourHours) * 1000;
}

export class Model {
  constructor() { this.activities = new Map(); }

  clear() { this.activities.clear(); }

  /** Takes an event of the wire form; returns the activity, or null for what is no news. */
  apply(event) {
    const known = this.activities.get(event.id);
    // An end may follow an end: of what was recovered.
    if (known && ((isOver(known) && event.event !== 'end') || event.seq <= known.seq)) return null;
    const activity = known ?? { id: event.id, kind: event.kind, began: event.timestamp, attributes: null };
    Object.assign(activity, {
      attributes: event.attributes ?? activity.attributes, seq: event.seq, event: event.event, state: event['content-state'],
      timestamp: event.timestamp, staleDate: event['stale-date'], relevance: event['relevance-score'] ?? 0,
      dismissalDate: event['dismissal-date'],
      lastPhase: activity.state?.phase,
    });
    this.activities.set(event.id, activity);
    return activity;
  }

  /** Takes away what was dismissed; returns the ids. */
  dismiss(now) {
    const gone = [...this.activities.values()].filter(activity => isDismissed(activity, now)).map(({ id }) => id);
    for (const id of gone) this.activities.delete(id);
    return gone;
  }

  /** What runs before what ended, which begins with the newest. Of what runs the most relevant first, then what cannot be repeated, then the
   * oldest. Parts follow the whole. */
  ordered() {
    const isRecording = ({ kind }) => kind === 'recording' || kind === 'timelapse';
    const rank = (a, b) => isOver(a) - isOver(b)
      || (isOver(a) ? b.timestamp - a.timestamp
        : b.relevance - a.relevance || isRecording(b) - isRecording(a) || a.began - b.began);
    const all = [...this.activities.values()].sort(rank);
    const parent = activity => activity.attributes?.parent;
    const isPart = activity => parent(activity) != null && this.activities.has(parent(activity));
    return all.filter(activity => !isPart(activity)).flatMap(
      whole => [whole, ...all.filter(part => isPart(part) && parent(part) === whole.id)]);
  }
}

/** Whether there is nothing to see in it: it lasts, and no frame was written. */
export function isAudio({ kind, state, attributes }) {
  if (/\.(m4a|mka|wav|flac|opus|ogg|oga|mp3)$/i.test(state.output ?? attributes?.output ?? '')) return true;
  return (kind === 'recording' || kind === 'transcode') && state.framesWritten === 0 && state.mediaTime > .5;
}

/** Which activities have parts that are shown. */
export function wholes(activities) {
  const parents = new Set(activities.map(({ attributes }) => attributes?.parent).filter(Boolean));
  return new Set(activities.filter(({ id }) => parents.has(id)).map(({ id }) => id));
}

export function title(activity) {
  return activity.attributes?.title ?? { recording: 'Recording', timelapse: 'Timelapse', batch: 'Batch' }[activity.kind] ?? 'Export';
}
