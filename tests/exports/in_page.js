// Uses the page as a person does, inside a browser: browser.py puts this behind the page's script
// and reads what it found from the last element.
/* global rows, shown, entry_of, begin, runs, by_id, data, matches, next_match */
'use strict';
(() => {
  const problems = window.problems, facts = {};
  const need = (holds, what) => { if (!holds) problems.push(what); };
  const press = (key, target) => (target || document.body).dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const choose = (id, value) => {
    by_id(id).value = value;
    by_id(id).dispatchEvent(new Event('change'));
  };
  const tick = id => { by_id(id).checked = !by_id(id).checked; by_id(id).dispatchEvent(new Event('change')); };
  const step = row => '#' + (rows[row][0] >= 0 ? rows[row][0] : runs[1].prefix + rows[row][1]);

  // ---- nothing lies over anything else -------------------------------------------------------
  const seen = element => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 ? box : null;
  };
  const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
    a.top < b.bottom - 1 && b.top < a.bottom - 1;
  function expect_apart(elements, where) {
    const boxes = elements.map(seen).filter(box => box);
    for (let i = 0; i < boxes.length; ++i)
      for (let j = i + 1; j < boxes.length; ++j)
        if (overlap(boxes[i], boxes[j])) {
          problems.push(where + ': ' + i + ' lies over ' + j);
          return;
        }
  }
  function expect_tidy(where) {
    need(document.documentElement.scrollWidth <= window.innerWidth, where + ': wider than the window');
    expect_apart([...document.querySelectorAll('.bar > *')], where + ', the bar');
    expect_apart([...document.querySelectorAll('header, .bar, #strip, main, .wide')], where + ', the page');
    expect_apart([...document.querySelectorAll('#story, #panel')], where + ', story and panel');
    const shown_rows = [...document.querySelectorAll('#blocks .row')];
    for (let i = 1; i < shown_rows.length; ++i)
      expect_apart([shown_rows[i - 1], shown_rows[i]], where + ', rows');
    for (const row of shown_rows.slice(0, 80))
      for (const cell of row.children) {
        expect_apart([...cell.children], where + ', ' + row.id);
        const words = cell.querySelector('.words');
        need(words.scrollWidth <= words.clientWidth + 1, where + ', ' + row.id + ': words are cut');
      }
    for (const cell of document.querySelectorAll('#panel td, #panel li, #panel h2'))
      need(cell.scrollWidth <= cell.clientWidth + 1, where + ': the panel is cut: ' + cell.textContent);
  }

  function use() {
    if (!rows.length) return;
    need(location.hash === (window.opened || step(begin)), 'opens at ' + location.hash);
    if (window.opened) return;
    expect_tidy('as opened');
    need(document.querySelectorAll('#panel table').length === data.nodes, 'a table a node');
    need(document.querySelectorAll('.row.picked').length === 1, 'one row is picked');
    const [row_box, list_box] = ['.row.picked', '#rows'].map(name => seen(document.querySelector(name)));
    need(row_box.top >= list_box.top && row_box.bottom <= list_box.bottom + 1, 'the row picked is seen');

    press('Home');
    need(location.hash === step(0), 'Home');
    press('j');
    need(location.hash === step(shown[Math.min(1, shown.length - 1)].first), 'j');
    press('ArrowUp');
    need(location.hash === step(0), 'ArrowUp');
    press('End');
    need(location.hash === step(shown[shown.length - 1].first), 'End');
    expect_tidy('at the end');
    press('v');
    need(location.hash === step(begin), 'v');
    press('?');
    need(by_id('help').open, '? opens the keys');
    by_id('help').close();

    // Folding hides, and gives everything back in order.
    for (const id of ['repeats', 'needless']) if (by_id(id).checked) tick(id);
    need(shown.length === rows.length, 'unfolded there is every row');
    need(shown.every((entry, i) => entry.kind === 'row' && entry.first === i), 'in order');
    for (const id of ['repeats', 'needless']) tick(id);
    facts.rows = rows.length;
    facts.folded = shown.length;
    let next = 0;
    for (const entry of shown) {
      need(entry.first === next, 'a fold loses rows at ' + next);
      next = entry.last + 1;
    }
    need(next === rows.length, 'folds end early');
    const fold = shown.findIndex(entry => entry.kind === 'fold');
    if (fold >= 0) {
      const { first, last } = shown[fold], before = shown.length;
      need(entry_of[last] === fold, 'a fold hides its rows');
      location.hash = '';
      press('Home');
      for (let i = 0; i < fold; ++i) press('j');
      press('Enter');
      need(shown.length > before && shown[entry_of[last]].kind === 'row', 'Enter unfolds');
      need(shown[entry_of[first]].first === first, 'what was hidden is there');
      press('Enter');
      need(shown.length === before, 'Enter folds again');
    }

    // Search: every match is real, none is missed, and it answers at once.
    let slowest = 0;
    const words = data.looks[data.looks.length - 1].label.split(/[ (]/)[0];
    for (const query of [words.slice(0, 1), words, words + ' ' + data.nodes, 'no such word', String(rows.length)]) {
      by_id('search').value = query;
      const start = performance.now();
      by_id('search').dispatchEvent(new Event('input'));
      document.body.getBoundingClientRect();
      slowest = Math.max(slowest, performance.now() - start);
    }
    by_id('search').value = words;
    by_id('search').dispatchEvent(new Event('input'));
    const titles = rows.map(steps => runs.map((run, r) => steps[r] < 0 ? '' :
      JSON.stringify([steps[r], data.looks[run.steps[steps[r]][0]], run.steps[steps[r]]])).join(' ').toLowerCase());
    const missed = rows.findIndex((steps, row) =>
      data.looks.length && runs.some((run, r) => steps[r] >= 0 &&
        data.looks[run.steps[steps[r]][0]].label.includes(words)) && !matches.includes(row));
    need(missed < 0, 'search misses row ' + missed);
    need(matches.every(row => titles[row].includes(words.toLowerCase())), 'a match has the word');
    press('Home');
    const wanted = next_match(shown[0].last, 1);
    const start = performance.now();
    press('n');
    slowest = Math.max(slowest, performance.now() - start);
    need(location.hash === step(wanted), 'n goes to ' + location.hash + ' instead of ' + step(wanted));
    press('N');
    expect_tidy('with matches');
    press('Escape');
    need(!matches.length && by_id('search').value === '', 'Escape ends the search');
    facts.search_ms = Math.round(slowest * 10) / 10;

    // Filters.
    for (const id of ['type', 'node', 'field']) {
      const choice = by_id(id).options[by_id(id).options.length - 1];
      if (!choice.value) continue;
      choose(id, choice.value);
      need(shown.some(entry => entry.kind === 'row'), id + ': something is left');
      const listed = /\(([\d,]+)\)$/.exec(choice.textContent);
      const left = shown.filter(entry => entry.kind === 'row').length;
      need(!listed || Number(listed[1].replace(/,/g, '')) === left, id + ': as many as it says');
      expect_tidy('filtered by ' + id);
      choose(id, '');
    }
    need(!shown.some(entry => entry.kind === 'gap'), 'without filters nothing is hidden');
    if (runs.length > 1)
      for (const which of ['both', '1', '0', '']) {
        choose('which', which);
        need(document.querySelectorAll('.row.picked').length === 1, 'one row is picked, runs ' + which);
        if (which !== 'both' || window.innerWidth > 1000) expect_tidy('runs ' + which);
      }
    for (let i = 0; i < 3; ++i) by_id('theme').click();
    need(document.querySelectorAll('#blocks .row').length <= 600, 'few rows hold elements');
    window.dispatchEvent(new Event('beforeprint'));
    press('v');
  }

  try {
    use();
  } catch (problem) {
    problems.push(String(problem.stack || problem));
  }
  const result = document.createElement('pre');
  result.id = 'result';
  result.textContent = JSON.stringify({ problems: problems.slice(0, 20), facts });
  result.hidden = true;
  document.body.appendChild(result);
})();
