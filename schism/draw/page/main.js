// What a person does: keys, clicks, addresses, light and dark, paper.
/* global begin, runs, rows, shown, entry_of, folding, by_id, add, data, grouped */
/* global show_again, toggle, reveal, filtered, is_needless, row_of_step, set_gap */
/* global lay_out, row_element, refresh, fill_all, columns, show_columns, tell_of */
/* global search_for, next_match, matches, matching, fill_filters, filter_flags */
/* global draw_overview, place_window, row_at_strip */

let picked = 0;  // an entry

function is_narrow() { return by_id('rows').clientWidth < 640; }

// ---- picking ---------------------------------------------------------------------------------

function scroll_to(element) {
  const list = by_id('rows'), box = list.getBoundingClientRect();
  const place = element.getBoundingClientRect(), margin = 40 + by_id('heads').offsetHeight;
  if (place.top >= box.top + margin && place.bottom <= box.bottom - 40) return;
  list.scrollTop += place.top - box.top - box.height / 2;
}

function name_of(entry) {
  const [own, other] = rows[entry.first];
  return '#' + (own >= 0 ? own : runs[1].prefix + other);
}

function pick(wanted, scroll) {
  if (!shown.length) return;
  picked = Math.max(0, Math.min(shown.length - 1, wanted));
  for (const old of document.querySelectorAll('.row.picked')) {
    old.classList.remove('picked');
    old.setAttribute('aria-selected', 'false');
  }
  const element = row_element(picked);
  element.classList.add('picked');
  element.setAttribute('aria-selected', 'true');
  by_id('rows').setAttribute('aria-activedescendant', element.id);
  if (scroll) scroll_to(element);
  tell_of(shown[picked]);
  place_window(picked);
  const name = name_of(shown[picked]);
  if (location.hash !== name) history.replaceState(null, '', name);
}

// After the entries have changed: the same row again, or what hides it.
function show_anew(row) {
  show_again();
  lay_out();
  pick(entry_of[row], true);
}
function pick_row(row) {
  if (reveal(row)) lay_out();
  pick(entry_of[row], true);
}
function turn(entry) {
  const { first, kind } = entry;
  if (!toggle(entry)) return;
  lay_out();
  // The line that opens and closes it stays picked.
  pick(shown.findIndex(one => one.first === first && one.kind === (kind === 'open' ? 'fold' : 'open')),
    true);
}

// The address names a step of the run; with the prefix one of its neighbour.
function row_in_address() {
  const name = decodeURIComponent(location.hash.slice(1));
  const r = runs.length > 1 && name.startsWith(runs[1].prefix) ? 1 : 0;
  const step = r ? name.slice(runs[1].prefix.length) : name;
  const row = /^\d+$/.test(step) ? row_of_step(r, Number(step)) : -1;
  return row >= 0 ? row : begin;
}

// ---- search and filters ----------------------------------------------------------------------

function say_found() {
  by_id('found').textContent = !matching() ? '' :
    matches.length ? grouped(matches.length) + ' of ' + grouped(rows.length) : 'none';
}
function search() {
  search_for(by_id('search').value);
  say_found();
  refresh();
  draw_overview();
  pick(picked, false);
}
function go_to_match(by) {
  const row = next_match(by > 0 ? shown[picked].last : shown[picked].first, by);
  const inside = matches.find(one => one >= shown[picked].first && one <= shown[picked].last);
  const folded = shown[picked].kind === 'fold' && by > 0 && inside !== undefined;
  if (row >= 0) pick_row(folded ? inside : row);
}
function apply_filter() {
  const row = shown.length ? shown[picked].first : 0;
  filtered(filter_flags());
  show_anew(row);
}
function end_search() {
  by_id('search').value = '';
  by_id('search').blur();
  search();
  const filters = ['type', 'node', 'field'].map(by_id);
  if (!filters.some(choice => choice.value)) return;
  for (const choice of filters) choice.value = '';
  apply_filter();
}

by_id('search').addEventListener('input', search);
by_id('next').addEventListener('click', () => go_to_match(1));
by_id('previous').addEventListener('click', () => go_to_match(-1));
for (const id of ['type', 'node', 'field']) by_id(id).addEventListener('change', apply_filter);
for (const id of ['repeats', 'needless'])
  by_id(id).addEventListener('change', () => {
    folding[id] = by_id(id).checked;
    show_anew(shown[picked].first);
  });

// ---- which runs ------------------------------------------------------------------------------

// Side by side where there is room, unless a person says otherwise.
function wanted_columns() {
  const wish = by_id('which').value;
  if (runs.length === 1) return [0];
  if (wish === 'both') return [0, 1];
  if (wish !== '') return [Number(wish)];
  return is_narrow() ? [0] : [0, 1];
}
// Says whether anything is another width now.
function measure() {
  const before = columns.join(' '), above = by_id('rows').getBoundingClientRect().top + window.scrollY;
  document.body.style.setProperty('--above', Math.round(above) + 'px');
  show_columns(wanted_columns());
  const room = by_id('rows').clientWidth / columns.length;
  const gap_changed = set_gap(Math.max(60, Math.min(room * 0.45, room - 220)));
  return gap_changed || before !== columns.join(' ');
}
if (runs.length > 1) {
  const choices = [['', 'runs: as there is room'], ['both', 'both runs'], ['0', runs[0].name],
    ['1', runs[1].name]];
  for (const [value, words] of choices) add(by_id('which'), 'option', words).value = value;
  by_id('which').addEventListener('change', () => {
    measure();
    show_anew(shown[picked].first);
  });
}
by_id('which-box').hidden = runs.length === 1;

// ---- keys ------------------------------------------------------------------------------------

const moves = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 10, PageUp: -10,
  Home: -Infinity, End: Infinity };
const deeds = {
  '/': () => { by_id('search').focus(); by_id('search').select(); },
  n: () => go_to_match(1),
  N: () => go_to_match(-1),
  v: () => pick_row(begin),
  '?': () => by_id('help').showModal(),
  Escape: end_search,
  Enter: () => turn(shown[picked]),
  ' ': () => turn(shown[picked]),
};
function key_in_search(event) {
  if (event.key === 'Escape') end_search();
  else if (event.key === 'Enter') go_to_match(event.shiftKey ? -1 : 1);
  else return;
  event.preventDefault();
}
document.addEventListener('keydown', event => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || by_id('help').open || !shown.length) return;
  if (target === by_id('search')) return key_in_search(event);
  const tag = target.tagName;
  if (key !== 'Escape' && (tag === 'SELECT' || tag === 'INPUT')) return;
  if ((key === 'Enter' || key === ' ') && (tag === 'BUTTON' || tag === 'A')) return;
  if (moves[key] !== undefined) pick(picked + moves[key], true);
  else if (deeds[key]) deeds[key]();
  else return;
  event.preventDefault();
});
by_id('keys').addEventListener('click', deeds['?']);

by_id('blocks').addEventListener('click', event => {
  const box = event.target.closest('.row');
  if (!box) return;
  const entry = Number(box.dataset.entry);
  pick(entry, false);
  turn(shown[entry]);
});
let frame = 0;
by_id('rows').addEventListener('scroll', () => {
  if (!frame) frame = requestAnimationFrame(() => { frame = 0; place_window(picked); });
});
function follow_strip(event) {
  if (event.buttons & 1) pick(entry_of[row_at_strip(event)], true);
}
by_id('strip').addEventListener('pointerdown', follow_strip);
by_id('strip').addEventListener('pointermove', follow_strip);
window.addEventListener('hashchange', () => pick_row(row_in_address()));

// ---- light, dark, paper ----------------------------------------------------------------------

const themes = ['auto', 'light', 'dark'];
function set_theme(name) {
  document.documentElement.dataset.theme = name;
  by_id('theme').textContent = { auto: '◐ auto', light: '☀ light', dark: '☾ dark' }[name];
  try { localStorage.setItem('schism-theme', name); } catch (refused) { /* then not for next time */ }
  draw_overview();
}
function kept_theme() {
  try {
    const name = localStorage.getItem('schism-theme');
    return themes.includes(name) ? name : 'auto';
  } catch (refused) {
    return 'auto';
  }
}
by_id('theme').addEventListener('click', () =>
  set_theme(themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length]));
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw_overview);

const paper_rows = 2000;
window.addEventListener('beforeprint', () => {
  by_id('story').classList.toggle('cut', !fill_all(paper_rows));
});

let width = 0;
new ResizeObserver(() => {
  if (by_id('rows').clientWidth === width) return;
  width = by_id('rows').clientWidth;
  draw_overview();
  if (measure()) {
    lay_out();
    pick(picked, true);
  }
  if (shown.length) place_window(picked);
}).observe(by_id('rows'));

// ---- begin -----------------------------------------------------------------------------------

function put_legend() {
  if (!data.violated) return;
  const sign = (look, words) => add(by_id('legend'), 'i', words, look);
  sign('bad', 'violated here');
  sign('proof', 'evidence');
  if (runs.length > 1) {
    sign('only', 'only in one run');
    add(by_id('legend'), 'b', 'number');
    by_id('legend').append(' goes another way; ');
  }
  by_id('legend').append('pale: the violation does not need it');
}

function open_page() {
  const needless = rows.some((steps, row) => is_needless(row));
  by_id('needless-box').hidden = !needless;
  by_id('repeats').parentNode.hidden = !data.pieces.length;
  folding.needless = by_id('needless').checked = needless && rows.length > 60;
  folding.repeats = by_id('repeats').checked = true;
  put_legend();
  fill_filters();
  set_theme(kept_theme());
  width = by_id('rows').clientWidth;
  measure();
  show_again();
  lay_out();
  if (rows.length) pick_row(row_in_address());
}
open_page();
