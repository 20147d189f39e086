import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const LIMIT_MS = 60_000;
const PAGE = '<!doctype html><style>body { margin: 0 }</style><link rel="stylesheet" href="/page.css"><div id="root"></div><script src="/page.js"></script>';
const TYPES = { '': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' };

/**
 * Lets a browser draw the page and takes its picture.
 *
 * @param folder which has the bundled page
 * @param images Grafana's icons
 * @param dashboard what the page shows
 */
export async function photograph({ browser, folder, images, dashboard, size, picture }) {
  const told = [];
  const server = createServer((request, response) =>
    request.method === 'POST' ? listen(request, response, told) : answer(request, response, { folder, images, dashboard }),
  );
  const taken = join(folder, 'picture.png');
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    const { code, said } = await run(browser, [
      '--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--lang=en-US',
      `--user-data-dir=${join(folder, 'profile')}`, `--window-size=${size.width},${size.height}`,
      '--virtual-time-budget=20000', `--screenshot=${taken}`, `http://127.0.0.1:${server.address().port}/`,
    ]);
    const problem = told.map((outcome) => outcome.problem).find(Boolean);
    if (problem) {
      throw new Error(`the page failed: ${problem}`);
    }
    if (code !== 0 || told.length === 0) {
      throw new Error(`the page was not drawn; the browser ended with ${code} and said\n${said}`);
    }
    copyFileSync(taken, picture);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** What the page tells: that it is drawn, or its problem. */
function listen(request, response, told) {
  let body = '';
  request.on('data', (part) => (body += part));
  request.on('end', () => {
    told.push(JSON.parse(body));
    response.end();
  });
}

function answer(request, response, { folder, images, dashboard }) {
  const path = new URL(request.url, 'http://here').pathname;
  try {
    const body = path === '/' ? PAGE
      : path === '/dashboard.json' ? JSON.stringify(dashboard)
      : path.includes('/img/') ? readFileSync(join(images, path.replace(/.*\/img\//, '')))
      : readFileSync(join(folder, path));
    response.setHeader('Content-Type', TYPES[extname(path)] ?? 'application/octet-stream');
    response.end(body);
  } catch {
    response.statusCode = 404;
    response.end();
  }
}

function run(browser, flags) {
  const child = spawn(browser, flags, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, TZ: 'UTC' } });
  const late = setTimeout(() => child.kill(), LIMIT_MS);
  let said = '';
  child.stderr.on('data', (part) => (said += part));
  return new Promise((ended) => {
    child.on('error', (problem) => ended({ code: -1, said: problem.message }));
    child.on('close', (code) => {
      clearTimeout(late);
      ended({ code, said });
    });
  });
}
