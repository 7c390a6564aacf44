// What a person has seen enough of: kept in this browser.

const key = 'dismissed';
/** The journal lists fewer. */
const most = 500;

export class Dismissed {
  constructor() {
    try { this.ids = new Set(JSON.parse(localStorage.getItem(key) ?? '[]')); } catch { this.ids = new Set(); }
  }

  has(id) { return this.ids.has(id); }

  add(ids) {
    this.ids = new Set([...this.ids, ...ids].slice(-most));
    // Where nothing may be kept, it lasts as long as the page.
    try { localStorage.setItem(key, JSON.stringify([...this.ids])); } catch { /* private browsing */ }
  }
}
