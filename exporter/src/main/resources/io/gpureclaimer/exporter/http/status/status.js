'use strict';

// Renders the JSON of this address. All text is set by textContent; absent values are shown as a dash.
const REFRESH_MILLISECONDS = 5000;
const ABSENT = '–';

/** The two largest units of the time between two timestamps. */
function age(from, to) {
  return duration(Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1000)));
}

function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds} s`;
  if (hours === 0) return `${minutes} min ${seconds % 60} s`;
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function element(name, text) {
  const it = document.createElement(name);
  if (text !== undefined) it.textContent = text;
  return it;
}

const ok = (text) => ({ text, status: 'ok' });
const problem = (text) => ({ text, status: 'problem' });
const withUnit = (value, unit) => (value === undefined ? ABSENT : `${value} ${unit}`);
const pod = (it) => `${it.namespace}/${it.pod}`;

/** A heading and a table; without rows the text instead. A cell is a text or {text, status}. */
function section(heading, columns, rows, empty) {
  const content = [element('h2', heading)];
  if (rows.length === 0) {
    content.push(element('p', empty));
    return content;
  }
  const table = element('table');
  const header = table.insertRow();
  columns.forEach((column) => header.append(element('th', column)));
  for (const row of rows) {
    const line = table.insertRow();
    row.forEach((value, i) => {
      const cell = line.insertCell();
      cell.dataset.column = columns[i];
      cell.textContent = value.text ?? value;
      const status = value === ABSENT ? 'absent' : value.status;
      if (status) cell.className = status;
    });
  }
  const scroll = element('div');
  scroll.className = 'scroll';
  scroll.append(table);
  content.push(scroll);
  return content;
}

function component(it, now) {
  const since = it.since && `for ${age(it.since, now)}`;
  return [it.name, { text: it.state, status: it.status }, [it.message, since].filter(Boolean).join(', ')];
}

function deviceName(it) {
  if (it.gpu === undefined) return it.instance === undefined ? it.uuid : `${it.uuid} instance ${it.instance}`;
  if (it.instance !== undefined) return `${it.gpu} instance ${it.instance}`;
  if (it.uuid === undefined) return `${it.gpu}`;
  return it.busId === undefined ? `${it.gpu} ${it.uuid}` : `${it.gpu} ${it.busId}\n${it.uuid}`;
}

function errors(it) {
  const bits = it.doubleBitErrors > 0 ? [`${it.doubleBitErrors} double-bit error${it.doubleBitErrors === 1 ? '' : 's'}`] : [];
  return [...bits, ...(it.healthIssues ?? [])].join(', ');
}

function deviceState(it) {
  if (it.reason !== undefined) return problem(`${it.state}: ${it.reason}`);
  const state = it.health === undefined ? it.state : `${it.state}, ${it.health}`;
  return errors(it) ? problem(`${state}: ${errors(it)}`) : ok(state);
}

const gib = (mib) => (mib / 1024).toFixed(1);

function memory(it) {
  if (it.memoryUsedMib === undefined) return ABSENT;
  return it.memoryTotalMib === undefined
    ? `${gib(it.memoryUsedMib)} GiB`
    : `${gib(it.memoryUsedMib)} of ${gib(it.memoryTotalMib)} GiB`;
}

function lastXid(it, now) {
  if (it.lastXid) return `${it.lastXid.code}, ${age(it.lastXid.at, now)} ago: ${it.lastXid.description}`;
  return it.xidsSubscribed ? 'none' : ABSENT;
}

function device(it, now) {
  return [
    deviceName(it),
    it.model ?? ABSENT,
    deviceState(it),
    withUnit(it.utilizationPercent, '%'),
    memory(it),
    withUnit(it.temperatureCelsius, '°C'),
    withUnit(it.powerWatts, 'W'),
    lastXid(it, now),
  ];
}

function allocation(it, now) {
  const observed = it.observedSince !== undefined;
  const active = it.lastActive ? `${age(it.lastActive, now)} ago` : 'not since it is observed';
  return [
    deviceName(it),
    pod(it),
    it.container,
    observed ? active : 'not observed',
    observed ? age(it.observedSince, it.observedUntil) : ABSENT,
  ];
}

function sampled(it) {
  const now = it.startedAt;
  return [
    ...section('Sources', ['source', 'state', 'detail'],
      it.components.map((one) => component(one, now))),
    ...section('Devices',
      ['device', 'model', 'state', 'utilization', 'memory', 'temperature', 'power', 'last XID'],
      it.devices.map((one) => device(one, now)), 'No GPU is known.'),
    ...section('Allocations', ['device', 'pod', 'container', 'last active', 'observed for'],
      it.allocations.map((one) => allocation(one, now)), 'No allocation is known.'),
    ...section('Rows of the counters file that are not served', ['row', 'reason'],
      it.unservedRows.map((one) => [one.line ? `line ${one.line}: ${one.name}` : one.name, one.reason]), 'None.'),
  ];
}

function resource(it, now) {
  const healthy = `${it.healthy} of ${it.devices} healthy`;
  const { granted, refused, failed } = it.allocations;
  return [
    it.name,
    it.watchedSince
      ? ok(`watching for ${age(it.watchedSince, now)}`)
      : problem(it.registered ? 'registered, not watching' : 'not registered'),
    it.healthy === it.devices ? healthy : problem(healthy),
    `${granted} granted, ${refused} refused, ${failed} failed`,
    it.lastError ?? ABSENT,
  ];
}

function offered(it) {
  const holders = it.allocations?.map((one) => `${pod(one)} (${one.container})`).join(', ');
  return [
    `${it.index} ${it.uuid}${it.profile ? ` (${it.profile})` : ''}`,
    it.resource,
    it.replicas === undefined ? ABSENT : `${it.replicas}`,
    {
      text: it.reason ? `${it.health}: ${it.reason}` : it.health,
      status: { healthy: 'ok', unhealthy: 'problem' }[it.health],
    },
    holders === undefined ? `unknown: ${it.allocationsUnknown}` : holders || 'none',
  ];
}

const CHECK_STATUS = { PROBLEM: 'problem', WARNING: 'problem', OK: 'ok' };

function check(it) {
  const outcome = it.outcome.toLowerCase().replace('_', ' ');
  return [it.check, { text: outcome, status: CHECK_STATUS[it.outcome] }, it.found, it.advice ?? ''];
}

function devicePlugin(it) {
  const node = it.node;
  const content = [
    ...section('Device plugin', ['component', 'state', 'detail'], it.components.map((one) => component(one, it.at))),
    ...section('Resources', ['resource', 'kubelet', 'devices', 'allocations', 'last error'],
      it.resources.map((one) => resource(one, it.at)), 'None is offered.'),
  ];
  if (it.devices.length > 0) {
    content.push(...section('Offered devices', ['device', 'resource', 'replicas', 'health', 'allocated to'],
      it.devices.map(offered)));
  }
  content.push(...section('Node', ['check', 'outcome', 'found', 'advice'], (node.checks ?? []).map(check),
    node.simulated ? 'Not checked: the GPUs are simulated.' : 'Check in progress.'));
  if (node.checkedAt) content.push(element('p', `Checked ${age(node.checkedAt, it.at)} ago.`));
  return content;
}

function summary(status) {
  const { gpus, gpusResponding, devices = [] } = status.sampling ?? {};
  const failing = devices.filter((it) => it.state === 'responding' && it.health === 'failing').length;
  return [
    status.ready ? 'Ready.' : `Not ready: ${status.reason}.`,
    gpus === undefined ? '' : `${gpusResponding} of ${gpus} GPUs responding${failing ? `, ${failing} failing` : ''}.`,
    `Version ${status.version}, up ${duration(status.uptimeSeconds)}.`,
  ].join(' ');
}

function render(status) {
  document.querySelector('h1').textContent = `gpu-exporter${status.hostname ? ` on ${status.hostname}` : ''}`;
  const line = document.querySelector('#summary');
  line.textContent = summary(status);
  line.className = status.ready ? '' : 'problem';
  document.querySelector('main').replaceChildren(
    ...(status.sampling ? sampled(status.sampling) : []),
    ...(status.devicePlugin ? devicePlugin(status.devicePlugin) : []),
  );
}

async function refresh() {
  try {
    const response = await fetch('status', { headers: { Accept: 'application/json' }, cache: 'no-store' });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    render(await response.json());
  } catch (e) {
    const line = document.querySelector('#summary');
    line.textContent = `Status not available, so this page may be outdated: ${e.message}`;
    line.className = 'problem';
  }
  setTimeout(refresh, REFRESH_MILLISECONDS);
}

refresh();
