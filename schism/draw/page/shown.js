// What is shown of the rows: all that no filter hides, with repetitions and needless stretches
// folded. An entry covers the rows from `first` to `last`; a folded one more than one.
/* global rows, pieces, is_needless, is_violating, roles_at, grouped */
/* exported shown, entry_of, show_again, toggle, reveal, filtered */

let shown = [];  // entries
const entry_of = new Int32Array(rows.length);  // the entry that shows, or hides, a row
const folding = { repeats: true, needless: false };
const unfolded = new Set();  // names of folds that a person opened
let filter = null;  // a flag a row, or null

const needless_min = 4;  // rows that are worth a fold
const piece_at = new Map(pieces.map(piece => [piece.first, piece]));

// Where a stretch of rows that the violation does not need ends; the row itself: none begins.
function needless_until(row) {
  let end = row;
  while (end < rows.length && is_needless(end) && !is_violating(end) &&
    !(rows[end][0] >= 0 && roles_at(0, rows[end][0]).length)) ++end;
  return end - row >= needless_min ? end : row;
}

// A fold, or the line by which it can be closed again; says where the rows go on.
function put_fold(name, first, last, words) {
  const open = unfolded.has(name);
  shown.push({ kind: open ? 'open' : 'fold', name, first, last, words });
  return open ? first : last + 1;
}

function show_folded() {
  for (let row = 0; row < rows.length;) {
    const end = folding.needless ? needless_until(row) : row;
    const piece = folding.repeats ? piece_at.get(row) : undefined;
    let inside = row + 1;  // rows up to here are shown one by one
    if (end > row) {
      row = put_fold('needless' + row, row, end - 1,
        grouped(end - row) + ' steps that the violation does not need');
      inside = end;
    } else if (piece) {
      for (let i = 0; i < piece.told; ++i) shown.push({ kind: 'row', first: row + i, last: row + i });
      inside = row + piece.steps;
      row = put_fold('again' + row, row + piece.told, inside - 1, piece.words);
    }
    for (; row < inside; ++row) shown.push({ kind: 'row', first: row, last: row });
  }
}

function show_filtered() {
  for (let row = 0; row < rows.length;) {
    let end = row;
    while (end < rows.length && !filter[end]) ++end;
    if (end > row)
      shown.push({ kind: 'gap', first: row, last: end - 1, words: grouped(end - row) + ' not shown' });
    if (end < rows.length) shown.push({ kind: 'row', first: end, last: end });
    row = end + 1;
  }
}

function show_again() {
  shown = [];
  if (filter) show_filtered();
  else show_folded();
  shown.forEach((entry, i) => {
    if (entry.kind !== 'open') entry_of.fill(i, entry.first, entry.last + 1);
  });
}

function filtered(flags) { filter = flags; }

// Opens or closes a fold; says whether the entry is one.
function toggle(entry) {
  if (entry.kind !== 'fold' && entry.kind !== 'open') return false;
  if (!unfolded.delete(entry.name)) unfolded.add(entry.name);
  show_again();
  return true;
}

// Opens what hides a row; says whether anything did. What a filter hides stays hidden.
function reveal(row) {
  const entry = shown[entry_of[row]];
  return entry.kind === 'fold' && toggle(entry);
}
