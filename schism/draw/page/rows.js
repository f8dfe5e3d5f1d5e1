// The rows in blocks. Only blocks near what is seen hold elements; the others hold their place, so
// that a run of any length is as quick as a short one.
/* global runs, rows, shown, add, svg, by_id, draw_lanes, draw_heads, arrows_between, lanes_width */
/* global looks_of, is_violating, is_needless, is_odd, run_differs, roles_at, matched, data */
/* exported lay_out, row_element, refresh, seen_entries, fill_all, columns, show_columns */

const block_rows = 40, row_height = 24;
let blocks = [];
let columns = [0];  // the runs that are shown
const near = new IntersectionObserver(changes => {
  for (const change of changes) {
    const block = blocks[Number(change.target.dataset.block)];
    if (!block || block.box !== change.target) continue;
    if (change.isIntersecting) fill(block);
    else empty(block);
  }
}, { root: by_id('rows'), rootMargin: '800px 0px' });

function said(look) {
  return look.effects.filter(([kind]) => kind === 'announces' || kind === 'answers' || kind === 'fails')
    .map(([kind, words, content]) => kind === 'announces' ? content : words).join(' · ');
}

// What part the step plays, then what it is, then what it says.
function put_words(cell, r, row) {
  const look = looks_of(row)[r], words = add(cell, 'div', undefined, 'words');
  if (!look) return;
  const roles = roles_at(r, rows[row][r]);
  const violated = r === 0 && is_violating(row) && !roles.length;
  if (roles.length || violated)
    add(words, 'b', '◆ ' + (violated ? 'violated' : roles.join(', ')), 'role');
  add(words, 'span', look.label, 'what');
  const loud = said(look);
  if (loud) add(words, 'b', loud, 'loud');
}

function put_row(parent, at, arrows) {
  const entry = shown[at], row = entry.first;
  const box = add(parent, 'div', undefined, 'row');
  box.id = 'entry' + at;
  box.dataset.entry = at;
  box.setAttribute('role', 'option');
  box.setAttribute('aria-selected', 'false');
  box.setAttribute('aria-posinset', at + 1);
  box.setAttribute('aria-setsize', shown.length);
  if (entry.kind !== 'row') {
    box.classList.add('folded', entry.kind);
    for (const r of columns) {
      const cell = add(box, 'div', undefined, 'cell');
      add(cell, 'span', r > columns[0] ? '' : entry.kind === 'open' ? '▾' : entry.kind === 'fold' ? '▸' : '⋮',
        'number');
      draw_lanes(cell, r, at, arrows[r].get(at));
      add(cell, 'div', r > columns[0] ? '' : entry.words, 'words');
    }
    return;
  }
  const flags = { dim: is_needless(row), violating: is_violating(row), odd: is_odd(row),
    other: run_differs(row), match: matched(row),
    evidence: rows[row][0] >= 0 && roles_at(0, rows[row][0]).length > 0 };
  for (const name of Object.keys(flags)) if (flags[name]) box.classList.add(name);
  for (const r of columns) {
    const step = rows[row][r];
    const cell = add(box, 'div', undefined, step < 0 ? 'cell missing' : 'cell');
    add(cell, 'span', step < 0 ? '' : step, 'number');
    draw_lanes(cell, r, at, arrows[r].get(at));
    put_words(cell, r, row);
  }
}

function fill(block) {
  if (block.full) return;
  block.full = true;
  const arrows = runs.map((run, r) =>
    columns.includes(r) ? arrows_between(r, block.first, block.end) : new Map());
  for (let i = block.first; i < block.end; ++i) put_row(block.box, i, arrows);
  block.box.style.height = '';
}
function empty(block) {
  if (!block.full) return;
  block.full = false;
  block.box.style.height = block.box.offsetHeight + 'px';
  block.box.replaceChildren();
}
function fill_all(most) {
  blocks.slice(0, Math.ceil(most / block_rows)).forEach(fill);
  return shown.length <= most;
}

function put_heads() {
  const heads = by_id('heads');
  heads.replaceChildren();
  for (const r of columns) {
    const cell = add(heads, 'div', undefined, 'cell');
    add(cell, 'span', 'step', 'number');
    draw_heads(svg(add(cell, 'div', undefined, 'lanes'), 'svg',
      { 'aria-label': 'nodes ' + data.names.join(' ') }));
    add(cell, 'div', runs.length > 1 ? runs[r].name : '', 'words');
  }
}

function show_columns(wanted) { columns = wanted; }

// Everything anew, after the entries or the room for them have changed.
function lay_out() {
  near.disconnect();
  const parent = by_id('blocks'), list = by_id('rows');
  list.style.setProperty('--columns', columns.length);
  list.style.setProperty('--lanes', lanes_width() + 'px');
  list.style.setProperty('--digits', Math.max(4, String(rows.length).length) + 'ch');
  parent.replaceChildren();
  put_heads();
  blocks = [];
  for (let first = 0; first < shown.length; first += block_rows) {
    const end = Math.min(first + block_rows, shown.length);
    const box = add(parent, 'div', undefined, 'block');
    box.dataset.block = blocks.length;
    box.style.height = (end - first) * row_height + 'px';
    box.setAttribute('role', 'presentation');
    blocks.push({ box, first, end, full: false });
    near.observe(box);
  }
}

// What matches has changed.
function refresh() {
  for (const box of by_id('blocks').querySelectorAll('.row:not(.folded)'))
    box.classList.toggle('match', matched(shown[Number(box.dataset.entry)].first));
}

// The element of an entry. The blocks around it are filled too: who scrolls there sees nothing move.
function row_element(at) {
  const own = Math.floor(at / block_rows);
  blocks.slice(Math.max(0, own - 1), own + 2).forEach(fill);
  return by_id('entry' + at);
}

// The first and last entry on the screen, as fractions of one where a block is not filled.
function seen_entries() {
  const list = by_id('rows'), top = list.scrollTop + by_id('heads').offsetHeight;
  const entry_at = height => {
    for (const block of blocks) {
      const begin = block.box.offsetTop, end = begin + block.box.offsetHeight;
      if (height <= end)
        return block.first + (block.end - block.first) *
          Math.max(0, Math.min(1, (height - begin) / Math.max(1, end - begin)));
    }
    return shown.length;
  };
  return [entry_at(top), entry_at(list.scrollTop + list.clientHeight)];
}
