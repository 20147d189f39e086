// Draws one of our dashboards from what a Prometheus answers. verification/sh/dashboard-picture starts it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { photograph } from './photograph.mjs';
import { Prometheus } from './prometheus.mjs';
import { Variables } from './variables.mjs';

const WIDTH = 1600;

/** Of a line of Grafana's grid, and of what is above the first and below the last. */
const LINE = 38;
const MARGINS = 104;

const [modules, browser, file, address, picture, ...choices] = process.argv.slice(2);
const require = createRequire(join(modules, 'package.json'));
const here = new URL('.', import.meta.url).pathname;
const chosen = Object.fromEntries(choices.map((choice) => choice.split(/=(.*)/s, 2)));

/** The dashboard, if there is nothing in it that would be left out. */
function dashboard() {
  const Ajv = require('ajv');
  const schema = JSON.parse(readFileSync(join(here, 'drawable.schema.json'), 'utf8'));
  const drawable = new Ajv({ strict: false, allErrors: true }).compile(schema);
  const read = JSON.parse(readFileSync(file, 'utf8'));
  if (!drawable(read)) {
    const faults = drawable.errors.map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
    throw new Error(`${file} has what this tool cannot draw:\n${faults.join('\n')}`);
  }
  return upTo(chosen['last-row'], read);
}

/** The dashboard without the rows below the one of this title. */
function upTo(title, whole) {
  if (title === undefined) {
    return whole;
  }
  const rows = whole.panels.filter((panel) => panel.type === 'row');
  const last = rows.findIndex((row) => row.title === title);
  if (last < 0) {
    throw new Error(`no row is called ${title}, but ${rows.map((row) => row.title).join(', ')}`);
  }
  const below = rows[last + 1]?.gridPos.y ?? Infinity;
  return { ...whole, panels: whole.panels.filter((panel) => panel.gridPos.y < below) };
}

/** The panel with the answers to its questions. */
async function answered(panel, variables, prometheus) {
  const width = (panel.gridPos.w / 24) * WIDTH;
  const answers = [];
  for (const target of panel.targets ?? []) {
    answers.push(await prometheus.ask(target, width, (text, more) => variables.fillIn(text, more)));
  }
  return { ...panel, answers };
}

function bundle(folder) {
  require('esbuild').buildSync({
    entryPoints: [join(here, 'page.jsx')],
    bundle: true,
    outdir: folder,
    nodePaths: [join(modules, 'node_modules')],
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', global: 'window' },
    loader: { '.woff': 'dataurl', '.woff2': 'dataurl' },
    external: ['monaco-editor'], // an editor, which no panel has
    logLevel: 'error',
  });
}

async function main(folder) {
  const { title, time, templating, panels: asked } = dashboard();
  const from = chosen.from ?? time.from;
  const prometheus = await Prometheus.at(address, from);
  const variables = await Variables.of(templating.list, chosen, prometheus);
  const panels = [];
  for (const panel of asked) {
    panels.push(await answered(panel, variables, prometheus));
  }
  bundle(folder);
  const { start, end } = prometheus;
  const lines = Math.max(...panels.map(({ gridPos }) => gridPos.y + gridPos.h));
  await photograph({
    browser,
    folder,
    images: join(modules, 'node_modules/@grafana/ui/dist/public/img'),
    dashboard: { title, from, start, end, panels, width: WIDTH, variables: variables.shown() },
    size: { width: WIDTH, height: MARGINS + lines * LINE },
    picture: resolve(picture),
  });
}

const folder = mkdtempSync(join(tmpdir(), 'dashboard-picture-'));
main(folder)
  .catch((problem) => {
    console.error(problem.cause ? `${problem.message}: ${problem.cause.message}` : problem.message);
    process.exitCode = 1;
  })
  .finally(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
