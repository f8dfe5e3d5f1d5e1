// Reads sequence diagrams with Mermaid's own parser: node mermaid.mjs FILE...
// The packages stand beside this file, or in the folder that MODULES names.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const modules = process.env.MODULES;
const require = createRequire(modules ? pathToFileURL(modules + '/package.json') : import.meta.url);
const load = name => import(pathToFileURL(require.resolve(name)));
const { JSDOM } = require('jsdom');
const page = new JSDOM('<body></body>');
globalThis.window = page.window;
globalThis.document = page.window.document;
const { default: mermaid } = await load('mermaid');

for (const file of process.argv.slice(2)) {
  try {
    const { diagramType } = await mermaid.parse(fs.readFileSync(file, 'utf8'));
    if (diagramType !== 'sequence') throw new Error('it is taken for ' + diagramType);
  } catch (problem) {
    console.error(`${file}: ${String(problem).slice(0, 600)}`);
    process.exitCode = 1;
  }
}
