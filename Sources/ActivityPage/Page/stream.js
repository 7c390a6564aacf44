// The stream of events, for as long as the page is open.

/** Calls the handlers: hello({now, reset, token}), event(activityEvent), connection(isUp, why), the last with the server's words where it refuses. */
export function follow({ hello, event, connection }) {
  let lastID = null;
  let source, later;

  function connect() {
    // One stream for a page: a second would count as another page.
    clearTimeout(later);
    source?.close();
    source = new EventSource(lastID ? `/events?last-event-id=${encodeURIComponent(lastID)}` : '/events');
    source.addEventListener('hello', message => { connection(true); hello(JSON.parse(message.data)); });
    for (const kind of ['start', 'update', 'end']) {
      source.addEventListener(kind, message => {
        lastID = message.lastEventId;
        event(JSON.parse(message.data));
      });
    }
    source.addEventListener('error', () => {
      connection(false);
      // A lost connection the browser takes up again by itself, with the last id; an answer that was no stream it does not.
      if (source.readyState === EventSource.CLOSED) ask();
    });
  }

  /** Why there was no stream: a server that was started again has another token, and says so for ever. */
  async function ask() {
    clearTimeout(later);
    const asked = source;
    const request = new AbortController();
    const limit = setTimeout(() => request.abort(), 5000);
    const answer = await fetch('/events', { signal: request.signal }).catch(() => null);
    clearTimeout(limit);
    // Another stream was begun meanwhile, which speaks for itself.
    if (source !== asked) { request.abort(); return; }
    if (answer?.status === 403) {
      connection(false, await answer.text().catch(() => undefined));
      return;
    }
    request.abort();
    later = setTimeout(connect, 3000);
  }

  connect();
  // A phone that slept may hold a dead connection for minutes.
  let hiddenAt = null;
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) { hiddenAt = Date.now(); return; }
    if (hiddenAt && Date.now() - hiddenAt > 30000) connect();
    hiddenAt = null;
  });
}
