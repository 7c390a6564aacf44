// Numbers as people read them: the same texts as Quantities.swift gives, which a test compares.

/** Seconds as "0:07", "12:05", "1:02:03". */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = n => String(n).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

/** Seconds to the nearest of two units at most: "45 s", "12 min", "3 h 20 min", "9 days". */
export function span(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const minutes = Math.floor((whole + 30) / 60);
  if (whole < 100) return `${whole} s`;
  if (whole < 5400) return `${minutes} min`;
  if (whole < 172800) return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`;
  return `${Math.floor((whole + 43200) / 86400)} days`;
}

/** How long a movie is: "0.7 s", "9.5 s", "1:04"; a clock that runs shows only seconds that are over. */
export function length(seconds) {
  return seconds < 9.95 ? `${decimals(Math.max(0, seconds), 1)} s` : clock(Math.round(seconds));
}

/** Bytes as "999 B", "48.2 MB", "1.25 GB": decimal units with three digits. */
export function size(bytes) {
  if (bytes < 1000) return `${Math.max(0, bytes)} B`;
  const units = ['kB', 'MB', 'GB', 'TB', 'PB', 'EB'];
  let [value, unit] = [bytes / 1000, 0];
  // What would round to 1000 belongs to the next unit.
  while (value >= 999.5 && unit < units.length - 1) { value /= 1000; unit += 1; }
  return `${decimals(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0)} ${units[unit]}`;
}

/** Rounded as Swift does it: toFixed alone rounds the number's binary form. */
function decimals(value, count) {
  const scale = 10 ** count;
  return (Math.round(value * scale) / scale).toFixed(count);
}

/** How many times as fast as it plays. */
export function speed(times) { return `${decimals(times, times < 0.095 ? 2 : 1)}x`; }

/** The last part of a path or of a file: URL. */
export function fileName(path) {
  const name = path.split('/').pop();
  if (!path.startsWith('file:')) return name;
  try { return decodeURIComponent(name); } catch { return name; }
}

const doing = {
  recording: 'Recording', timelapse: 'Making a timelapse', transcode: 'Exporting', compose: 'Composing',
  batch: 'Exporting',
};
const phases = {
  waiting: 'Waiting', paused: 'Paused', interrupted: 'Interrupted', finishing: 'Finishing the file…',
  finished: 'Done', failed: 'Failed', cancelled: 'Cancelled',
};

/** What an activity is doing, in a few words: "Exporting 47/200". */
export function subtitle(kind, state) {
  const done = state.completedItems ?? 0;
  const count = state.totalItems > 1 ? ` ${done}/${state.totalItems}` : '';
  if (state.phase === 'running') return state.subtitle ?? `${doing[kind] ?? 'Working'}${count}`;
  const words = phases[state.phase] ?? state.phase;
  const stands = ['paused', 'interrupted', 'failed', 'cancelled'].includes(state.phase) && count && done < state.totalItems;
  return stands ? `${words} at${count}` : words;
}

/** What the one number of a small surface tells: how it ended, the time left, the part done, or the time so far. */
function told(state) {
  if (['finished', 'failed', 'cancelled'].includes(state.phase)) return 'end';
  if (state.remaining != null && state.phase === 'running') return 'remaining';
  return state.fraction != null ? 'fraction' : 'time';
}

/** The one number that a small surface shows. */
export function figure(kind, state) {
  switch (told(state)) {
    case 'end': return { finished: '✓', failed: '!', cancelled: '–' }[state.phase];
    case 'remaining': return `−${clock(Math.round(state.remaining))}`;
    case 'fraction': return `${Math.floor(state.fraction * 100)}%`;
    default: return clock(runningTime(kind, state));
  }
}

/** A recording is as long as it has run; of all else that is two times. */
function runningTime(kind, state) { return kind === 'recording' ? state.mediaTime ?? state.elapsed : state.elapsed; }

/** The facts of the wide view, label and value; what the figure tells is not told again. */
export function facts(kind, state, isOver) {
  const list = [];
  const add = (label, value) => list.push([label, value]);
  const isTold = told(state) === 'time';
  if (state.mediaTime > 0 && !(isTold && kind === 'recording')) add('Length', isOver ? length(state.mediaTime) : running(state.mediaTime));
  else if (!isTold) add('Elapsed', isOver ? length(state.elapsed) : clock(state.elapsed));
  if (!isOver && state.speed >= .005 && state.fraction != null) add('Speed', speed(state.speed));
  else if (!isOver && state.framesPerSecond != null) add('Rate', `${Math.round(state.framesPerSecond)} fps`);
  if (state.bytesWritten > 0) add('Size', size(state.bytesWritten));
  if (state.framesDropped) add('Dropped', `${state.framesDropped} ${state.framesDropped === 1 ? 'frame' : 'frames'}`);
  if (!isOver && state.muted) add('Microphone', 'Muted');
  if (state.failedItems) add('Failed', `${state.failedItems} of ${state.totalItems ?? '?'}`);
  if (!isOver && state.spaceFor != null && state.spaceFor < 30 * 86400) add('Space for', space(state.spaceFor));
  return list;
}

/** Of a movie that grows: parts of a second only where there is no whole one. */
function running(seconds) { return seconds < 1 ? length(seconds) : clock(seconds); }

/** For how long a disk has space, never more than it has: as in a terminal. */
export function space(seconds) {
  const unit = [172800, 3600, 60].find(unit => seconds >= unit * 2) ?? 1;
  const whole = Math.min(unit, 86400);
  return span(Math.floor(seconds / whole) * whole);
}

/** What somebody wrote for a sentence, as one. */
export function sentence(words) {
  if (!words) return '';
  const text = /^(a|an|no|only|the|there)\s/.test(words) ? words[0].toUpperCase() + words.slice(1) : words;
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}
