import { applyNullInsertThreshold, dateTime, getDisplayValueAlignmentFactors, getFieldDisplayValues } from '@grafana/data';
import { BarGauge, BigValue, TimeSeries, VizRepeater } from '@grafana/ui';
import { TableNG } from '@grafana/ui/unstable';
import { theme } from './frames';

/** The inside of a panel. */
export function Inside(props) {
  const Kind = { stat: Stat, bargauge: Bars, timeseries: Lines, table: Table }[props.panel.type];
  return <Kind {...props} />;
}

function Repeated({ panel, frames, width, height, spacing, render }) {
  const { reduceOptions, orientation, minVizHeight, maxVizHeight } = panel.options;
  const values = () => getFieldDisplayValues({
    fieldConfig: panel.fieldConfig, reduceOptions, replaceVariables: (text) => text, theme, data: frames, timeZone: 'utc',
  });
  return (
    <VizRepeater getValues={values} getAlignmentFactors={getDisplayValueAlignmentFactors} renderValue={render} source={frames}
      renderCounter={0} width={width} height={height} orientation={orientation} itemSpacing={spacing} autoGrid={panel.type === 'stat'}
      minVizHeight={minVizHeight} maxVizHeight={maxVizHeight} />
  );
}

function Stat(props) {
  const { colorMode, graphMode, justifyMode, textMode } = props.panel.options;
  const render = ({ value, alignmentFactors, width, height, count }) => (
    <BigValue value={value.display} alignmentFactors={alignmentFactors} width={width} height={height} count={count} theme={theme}
      colorMode={colorMode} graphMode={graphMode} justifyMode={justifyMode} textMode={textMode} />
  );
  return <Repeated {...props} spacing={3} render={render} />;
}

function Bars(props) {
  const { displayMode } = props.panel.options;
  const render = ({ value, alignmentFactors, width, height, orientation, count }) => (
    <BarGauge value={value.display} display={value.view?.getFieldDisplayProcessor(value.colIndex)} field={value.field}
      alignmentFactors={count > 1 ? alignmentFactors : undefined} width={width} height={height} orientation={orientation}
      itemSpacing={10} displayMode={displayMode} valueDisplayMode="color" namePlacement="auto" showUnfilled theme={theme} />
  );
  return <Repeated {...props} spacing={10} render={render} />;
}

function Lines({ panel, frames, width, height, start, end }) {
  if (frames.length === 0) {
    return <NoData />;
  }
  const gapped = frames.map((frame) =>
    applyNullInsertThreshold({ frame: finite(frame), refFieldPseudoMin: start * 1000, refFieldPseudoMax: end * 1000 }),
  );
  const range = { from: dateTime(start * 1000), to: dateTime(end * 1000), raw: { from: '', to: '' } };
  return <TimeSeries frames={gapped} timeRange={range} timeZone="utc" width={width} height={height} legend={panel.options.legend} />;
}

/** A line has a gap where a value is not a number. */
function finite(frame) {
  const values = (field) => field.values.map((value) => (Number.isFinite(value) ? value : null));
  return { ...frame, fields: frame.fields.map((field) => ({ ...field, values: values(field) })) };
}

function Table({ panel, frames, width, height }) {
  if (!frames[0]?.length) {
    return <NoData />;
  }
  const { showHeader, cellHeight, sortBy } = panel.options;
  return (
    <TableNG data={frames[0]} width={width} height={height} noHeader={!showHeader} cellHeight={cellHeight} sortBy={sortBy}
      fieldConfig={panel.fieldConfig} enableVirtualization={false} />
  );
}

function NoData() {
  return (
    <div style={{ height: '100%', display: 'grid', placeItems: 'center', color: theme.colors.text.secondary, fontSize: theme.typography.size.lg }}>
      No data
    </div>
  );
}
