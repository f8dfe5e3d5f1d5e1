// Checks the page's style: node lint-style.js STYLE USER...
// Rules that browsers would drop in silence (css-tree knows the properties and their values),
// colours that nobody defined, and classes or identifiers that no USER names.
'use strict';
const fs = require('fs');
const css = require('css-tree');

const [style, ...users] = process.argv.slice(2);
const problems = [];
const complain = (place, what) => problems.push(`${style}:${place.loc.start.line}: ${what}`);
const used_by = users.map(name => fs.readFileSync(name, 'utf8')).join('\n');
const tree = css.parse(fs.readFileSync(style, 'utf8'), {
  positions: true,
  parseCustomProperty: false,
  onParseError: problem => problems.push(`${style}:${problem.line}: ${problem.message}`),
});

const defined = new Set(['--columns', '--lanes', '--digits', '--above']);  // by the script
css.walk(tree, node => {
  if (node.type === 'Declaration' && node.property.startsWith('--')) defined.add(node.property);
});
// What css-tree's tables, which are some years old, do not know yet.
const newer = new Set(['print-color-adjust', 'clip-path', 'overscroll-behavior']);
css.walk(tree, node => {
  if (node.type === 'ClassSelector' || node.type === 'IdSelector') {
    if (!new RegExp(`\\b${node.name}\\b`).test(used_by))
      complain(node, `nobody is called ${node.type === 'IdSelector' ? '#' : '.'}${node.name}`);
  } else if (node.type === 'Function' && node.name === 'var') {
    const name = node.children.first.name;
    if (!defined.has(name)) complain(node, `${name} is not defined`);
  } else if (node.type === 'Declaration' && !node.property.startsWith('--')) {
    const value = css.generate(node.value);
    if (value.includes('var(') || /\b(max|min|clamp)\(/.test(value) || newer.has(node.property)) return;
    const { error } = css.lexer.matchProperty(node.property, node.value);
    if (error) complain(node, `${node.property}: ${value}: ${error.message.split('\n')[0]}`);
  }
});
if (problems.length) {
  console.log(problems.join('\n'));
  process.exit(1);
}
