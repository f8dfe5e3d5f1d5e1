// Words that are looked for, and filters. A row matches if it has all the words, in whichever order:
// in what happens, in what it causes, in the fields that change, in its number.
/* global data, runs, rows, add, by_id, head_of, roles_at, changes_at, looks_of, grouped */
/* exported matched, search_for, next_match, matches, matching, fill_filters, filter_flags */

let matches = [];  // rows, in order
let is_match = null;  // a flag a row

const look_words = [];  // of a look, made when first asked for
function words_of_look(number) {
  if (look_words[number] === undefined) {
    const look = data.looks[number];
    look_words[number] =
      [look.title, look.label].concat(look.effects.map(one => one[1])).join('\n').toLowerCase();
  }
  return look_words[number];
}
// The rest of a row: its number, roles and states.
const row_words = [];
function words_of_row(row) {
  if (row_words[row] === undefined)
    row_words[row] = runs.map((run, r) => {
      const step = rows[row][r];
      if (step < 0) return '';
      const changes = changes_at(r, step);
      return step + '\n' + roles_at(r, step).join('\n') + '\n' +
        (changes.length ? JSON.stringify(changes) : '');
    }).join('\n').toLowerCase();
  return row_words[row];
}

function matched(row) { return is_match !== null && is_match[row] === 1; }
function matching() { return is_match !== null; }

function search_for(query) {
  const words = query.toLowerCase().split(/\s+/).filter(word => word);
  matches = [];
  is_match = words.length ? new Uint8Array(rows.length) : null;
  if (!words.length) return;
  // Looks repeat: which of the words each has is found once.
  const in_look = words.map(() => new Int8Array(data.looks.length).fill(-1));
  const look_has = (number, i) => {
    if (in_look[i][number] < 0) in_look[i][number] = words_of_look(number).includes(words[i]) ? 1 : 0;
    return in_look[i][number] === 1;
  };
  for (let row = 0; row < rows.length; ++row) {
    const looks = runs.map((run, r) => rows[row][r] < 0 ? -1 : run.steps[rows[row][r]][0]);
    const has = i => looks.some(number => number >= 0 && look_has(number, i)) ||
      words_of_row(row).includes(words[i]);
    if (!words.every((word, i) => has(i))) continue;
    is_match[row] = 1;
    matches.push(row);
  }
}

// The match after or before a row, round the end; -1: there is none.
function next_match(row, by) {
  if (!matches.length) return -1;
  if (by > 0) {
    const later = matches.find(one => one > row);
    return later === undefined ? matches[0] : later;
  }
  const earlier = matches.filter(one => one < row);
  return earlier.length ? earlier[earlier.length - 1] : matches[matches.length - 1];
}

// ---- filters ---------------------------------------------------------------------------------

function fill_choice(id, all, counts) {
  const choice = by_id(id);
  add(choice, 'option', all).value = '';
  for (const name of [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)))
    add(choice, 'option', name + ' (' + grouped(counts.get(name)) + ')').value = name;
}
function fill_filters() {
  const types = new Map(), changed = new Map(), more = (map, key) => map.set(key, (map.get(key) || 0) + 1);
  for (let row = 0; row < rows.length; ++row) {
    const heads = looks_of(row).filter(look => look).map(look => head_of(look.label));
    new Set(heads).forEach(head => more(types, head));
    fields_of(row, '').forEach(field => more(changed, field));
  }
  fill_choice('type', 'all types', types);
  fill_choice('field', 'all fields', changed);
  add(by_id('node'), 'option', 'all nodes').value = '';
  for (let node = 0; node < data.nodes; ++node)
    add(by_id('node'), 'option', 'node ' + data.names[node]).value = node;
}

// The fields that a row changes, at a node or at any. The state that a node starts with is none.
function fields_of(row, node) {
  const found = new Set();
  runs.forEach((run, r) => {
    if (rows[row][r] < 0) return;
    for (const [where, , changed] of changes_at(r, rows[row][r]))
      if (changed && (node === '' || String(where) === node))
        for (const key of Object.keys(changed)) found.add(key);
  });
  return found;
}
function is_at(look, node) {
  return [look.node, look.from, look.to].some(one => String(one) === node) || look.kind === 'nothing';
}

// A flag a row, or null where nothing is filtered.
function filter_flags() {
  const [type, node, field] = ['type', 'node', 'field'].map(id => by_id(id).value);
  if (!type && !node && !field) return null;
  return Uint8Array.from(rows, (steps, row) => {
    const looks = looks_of(row).filter(look => look);
    return (!type || looks.some(look => head_of(look.label) === type)) &&
      (!node || looks.some(look => is_at(look, node))) &&
      (!field || fields_of(row, node).has(field)) ? 1 : 0;
  });
}
