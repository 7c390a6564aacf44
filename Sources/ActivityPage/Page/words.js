// Numbers as people read them: the same texts as Quantities.swift gives, which a test compares.

/** Seconds as "0:07", "12:05", "1:02:03". */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = n => String(n).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

/** Seconds as "45 s", "12 min", "3 h 20 min", "9 days": two units at most. */
export function span(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 100) return `${whole} s`;
  if (whole < 5400) return `${Math.floor(whole / 60)} min`;
  if (whole < 172800) return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
  return `${Math.floor(whole / 86400)} days`;
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
  waiting: 'Waiting', paused: 'Paused', interrupted: 'Interrupted', finishing: 'Completing the file…',
  finished: 'Done', failed: 'Failed', cancelled: 'Cancelled',
};

/** What an activity is doing, in a few words: "Exporting 47/200". */
export function subtitle(kind, state) {
  const count = state.totalItems > 1 ? ` ${state.completedItems ?? 0}/${state.totalItems}` : '';
  if (state.phase === 'running') return state.subtitle ?? `${doing[kind] ?? 'Working'}${count}`;
  const words = phases[state.phase] ?? state.phase;
  return ['paused', 'interrupted', 'failed', 'cancelled'].includes(state.phase) ? `${words}${count && ' at'}${count}` : words;
}

/** The one number that a small surface shows. */
export function figure(state) {
  if (state.phase === 'finished') return '✓';
  if (state.phase === 'failed') return '!';
  if (state.phase === 'cancelled') return '–';
  if (state.remaining != null && state.phase === 'running') return `−${clock(state.remaining)}`;
  if (state.fraction != null) return `${Math.floor(state.fraction * 100)} %`;
  return clock(state.mediaTime ?? state.elapsed);
}

/** The facts of the wide view, label and value. */
export function facts(state, isOver) {
  const list = [];
  const add = (label, value) => list.push([label, value]);
  if (!isOver && state.remaining != null) add('Remaining', span(state.remaining));
  if (state.mediaTime != null) add('Length', clock(state.mediaTime));
  else add('Elapsed', clock(state.elapsed));
  if (!isOver && state.speed != null && state.fraction != null) add('Speed', `${state.speed.toFixed(1)}×`);
  else if (!isOver && state.framesPerSecond != null) add('Rate', `${Math.round(state.framesPerSecond)} fps`);
  if (state.bytesWritten != null) add('Size', size(state.bytesWritten));
  if (state.framesDropped) add('Dropped', `${state.framesDropped} frames`);
  if (state.failedItems) add('Failed', `${state.failedItems} of ${state.totalItems ?? '?'}`);
  if (!isOver && state.spaceFor != null && state.spaceFor < 3600) add('Disk lasts', span(state.spaceFor));
  return list;
}
