import '@fontsource/inter/400.css';
import '@fontsource/inter/500.css';
import { locationUtil, rangeUtil, ThemeContext } from '@grafana/data';
import { initPluginTranslations } from '@grafana/i18n';
import { GlobalStyles, Icon, PanelChrome } from '@grafana/ui';
import { createRoot } from 'react-dom/client';
import { framesOf, theme } from './frames';
import { Inside } from './panels';

const CELL = 30;
const GAP = 8;

/** Tells the program that waits outside. */
function tell(outcome) {
  return fetch('/', { method: 'POST', body: JSON.stringify(outcome) });
}

function Dashboard({ board }) {
  const column = (board.width - 2 * GAP * 2 + GAP) / 24;
  return (
    <div style={{ padding: 2 * GAP }}>
      <Head board={board} />
      <div style={{ position: 'relative' }}>
        {board.panels.map((panel) => {
          const { x, y, w, h } = panel.gridPos;
          const size = { width: w * column - GAP, height: h * (CELL + GAP) - GAP };
          return (
            <div key={panel.id} style={{ position: 'absolute', left: x * column, top: y * (CELL + GAP), ...size }}>
              {panel.type === 'row' ? <Row title={panel.title} /> : <Panel panel={panel} board={board} {...size} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Head({ board }) {
  return (
    <div style={{ height: 72 }}>
      <div style={{ display: 'flex', justifyContent: 'space-between', marginBottom: GAP }}>
        <span style={theme.typography.h4}>{board.title}</span>
        <span style={{ color: theme.colors.text.secondary }}>{rangeUtil.describeTimeRange({ from: board.from, to: 'now' })}</span>
      </div>
      <div style={{ display: 'flex', gap: GAP }}>
        {board.variables.map(({ label, text }) => (
          <span key={label} style={{ border: `1px solid ${theme.colors.border.medium}`, borderRadius: 2, padding: '3px 8px' }}>
            <span style={{ color: theme.colors.text.secondary, marginRight: GAP }}>{label}</span>
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

function Row({ title }) {
  return (
    <div style={{ ...theme.typography.h6, display: 'flex', alignItems: 'center', gap: GAP, height: '100%' }}>
      <Icon name="angle-down" />
      {title}
    </div>
  );
}

function Panel({ panel, board, width, height }) {
  const links = (panel.links ?? []).map(({ title }) => (
    <PanelChrome.TitleItem key={title} title={title} href="#">
      <Icon name="external-link-alt" size="md" />
    </PanelChrome.TitleItem>
  ));
  return (
    <PanelChrome title={panel.title} description={panel.description} titleItems={links} width={width} height={height}
      padding={panel.type === 'table' ? 'none' : 'md'}>
      {(innerWidth, innerHeight) => (
        <Inside panel={panel} frames={panel.frames} start={board.start} end={board.end} width={innerWidth} height={innerHeight} />
      )}
    </PanelChrome>
  );
}

async function draw() {
  window.addEventListener('error', (event) => tell({ problem: `${event.message}` }));
  await initPluginTranslations('dashboard-picture', []);
  locationUtil.initialize({ config: { appSubUrl: '' }, getVariablesUrlParams: () => ({}), getTimeRangeForUrl: () => ({}) });
  const board = await (await fetch('/dashboard.json')).json();
  for (const panel of board.panels.filter(({ type }) => type !== 'row')) {
    panel.frames = await framesOf(panel);
  }
  await Promise.all(['400 14px Inter', '500 14px Inter'].map((font) => document.fonts.load(font)));
  const failed = (error) => tell({ problem: `${error.stack}` });
  createRoot(document.getElementById('root'), { onUncaughtError: failed, onCaughtError: failed }).render(
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      <Dashboard board={board} />
    </ThemeContext.Provider>,
  );
  setTimeout(() => tell({}), 3000);
}

draw().catch((error) => tell({ problem: `${error.stack}` }));
