// What is known of the entry that is picked: what happened, what changed at each node since the
// step before (over a fold: since the step before it), and the whole state of every node.
/* global data, runs, rows, by_id, add, text, look_of, roles_at, is_violating, is_needless */
/* global last_step, states_at, is_keyed, keyed_items, keyed_text */
/* exported tell_of */

const panel = by_id('panel');

function tell_step(r, row) {
  const step = rows[row][r], look = look_of(r, row);
  if (!look) return;
  const title = add(panel, 'h2', 'Step ' + step + ': ' + look.title);
  if (runs.length > 1) add(title, 'small', ' in the ' + runs[r].name);
  const notes = look.effects.map(([, words]) => words);
  for (const role of roles_at(r, step)) notes.push('◆ evidence: ' + role);
  if (r === 0 && is_violating(row)) notes.push('◆ ' + data.violated + ' is violated here');
  if (r === 0 && is_needless(row)) notes.push('the violation does not need this step');
  if (!notes.length) return;
  const list = add(panel, 'ul');
  for (const note of notes) add(list, 'li', note);
}

function fields(state) {
  return state !== null && typeof state === 'object' && !Array.isArray(state) ? state : { state };
}

// What a list begins or ends with as before: in full while it is short.
function alike_items(items) {
  return items.length > 4 ? '… ' + items.length + ' alike …' : items.map(text).join(', ');
}
// Of two lists what stands between the parts that are alike.
function put_list_change(box, was, now) {
  let begin = 0, end = 0;
  const least = Math.min(was.length, now.length), alike = (a, b) => text(a) === text(b);
  while (begin < least && alike(was[begin], now[begin])) ++begin;
  while (end < least - begin && alike(was[was.length - 1 - end], now[now.length - 1 - end])) ++end;
  const gone = was.slice(begin, was.length - end), come = now.slice(begin, now.length - end);
  const changed = gone.length + come.length > 0;
  box.append('[' + alike_items(now.slice(0, begin)) + (begin && (changed || end) ? ', ' : ''));
  if (gone.length === come.length)
    come.forEach((item, i) => {
      if (i) box.append(', ');
      put_change(box, gone[i], item);
    });
  else {
    if (gone.length) add(box, 'del', gone.map(text).join(', '));
    if (come.length) add(box, 'ins', come.map(text).join(', '));
  }
  box.append((end && changed ? ', ' : '') + alike_items(now.slice(now.length - end)) + ']');
}
// Of two maps or sets what came, what went, and what a key now has; the rest is counted.
function put_keyed_change(box, was, now) {
  const name = item => text(item[0]);
  const old = new Map(keyed_items(was).map(item => [name(item), item]));
  const parts = keyed_items(now).filter(item =>
    !old.has(name(item)) || keyed_text(old.get(name(item))) !== keyed_text(item));
  const left = new Set(keyed_items(now).map(name));
  const gone = [...old.values()].filter(item => !left.has(name(item)));
  const alike = left.size - parts.length;
  box.append('{' + (alike ? '… ' + alike + ' alike' : ''));
  parts.concat(gone).forEach((item, i) => {
    if (i || alike) box.append(', ');
    if (!left.has(name(item))) add(box, 'del', keyed_text(item));
    else if (!old.has(name(item))) add(box, 'ins', keyed_text(item));
    else {
      box.append(item[0] + ': ');
      put_change(box, old.get(name(item))[1], item[1]);
    }
  });
  box.append('}');
}
function is_object(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
// Of two objects the fields that differ.
function put_object_change(box, was, now) {
  const keys = Object.keys(now), other = keys.filter(key => text(was[key]) !== text(now[key]));
  box.append('(');
  other.forEach((key, i) => {
    box.append((i ? ', ' : '') + key + '=');
    put_change(box, was[key], now[key]);
  });
  box.append((keys.length > other.length ? ', … ' + (keys.length - other.length) + ' alike' : '') + ')');
}
function put_change(box, was, now) {
  if (Array.isArray(was) && Array.isArray(now)) return put_list_change(box, was, now);
  if (is_keyed(was) && is_keyed(now)) return put_keyed_change(box, was, now);
  if (is_object(was) && is_object(now)) return put_object_change(box, was, now);
  add(box, 'del', text(was));
  box.append(' → ');
  add(box, 'ins', text(now));
}

function put_value(line, was, now, differs) {
  const changed = was !== undefined && text(was) !== text(now);
  const cell = add(line, 'td', undefined, (differs ? 'differs ' : '') + (changed ? 'changed' : ''));
  const box = add(cell, 'div');
  if (changed) put_change(box, was, now);
  else box.textContent = text(now);
}

function put_node(node, before, now) {
  const box = add(panel, 'table');
  add(box, 'caption', 'node ' + data.names[node]);
  if (runs.length > 1) {
    const head = add(add(box, 'thead'), 'tr');
    for (const name of ['', ...runs.map(run => run.name)])
      add(head, 'th', name).setAttribute('scope', 'col');
  }
  const body = add(box, 'tbody'), keys = new Set();
  for (const states of now)
    if (states[node] !== null) for (const key of Object.keys(fields(states[node]))) keys.add(key);
  if (!keys.size) add(add(body, 'tr'), 'td', 'down').colSpan = runs.length + 1;
  for (const key of keys) {
    const line = add(body, 'tr');
    add(line, 'th', key).setAttribute('scope', 'row');
    const value = states => states[node] === null ? 'down' : fields(states[node])[key];
    const differs = now.some(states => text(value(states)) !== text(value(now[0])));
    // What a node starts with is no change.
    now.forEach((states, r) =>
      put_value(line, before[r] ? value(before[r]) : undefined, value(states), differs));
  }
}

// Nodes at which something changed or differs first.
function put_nodes(first, last) {
  const now = runs.map((run, r) => states_at(r, last_step(r, last)));
  const before = runs.map((run, r) => {
    const step = last_step(r, first - 1);
    return step < 0 ? null : states_at(r, step);
  });
  const still = node => now.every((states, r) => before[r] !== null &&
    states[node] === before[r][node] && text(states[node]) === text(now[0][node]));
  const nodes = Array.from({ length: data.nodes }, (_, node) => node);
  for (const node of nodes.filter(one => !still(one))) put_node(node, before, now);
  for (const node of nodes.filter(still)) put_node(node, before, now);
}

function tell_of(entry) {
  panel.replaceChildren();
  if (!entry) return;
  if (entry.kind === 'row') runs.forEach((run, r) => tell_step(r, entry.first));
  else {
    add(panel, 'h2', entry.words);
    if (entry.kind !== 'gap')
      add(panel, 'p', entry.kind === 'fold' ? 'Enter or a click shows every step.'
        : 'Enter or a click folds it again.', 'soft');
  }
  put_nodes(entry.first, entry.last);
}
