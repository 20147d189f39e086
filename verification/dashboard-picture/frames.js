import {
  applyFieldOverrides, cacheFieldDisplayNames, createTheme, dataLinksOverrideProcessor, FieldType, formatLabels,
  identityOverrideProcessor, numberOverrideProcessor, standardFieldConfigEditorRegistry, standardTransformers,
  standardTransformersRegistry, thresholdsOverrideProcessor, transformDataFrame, unitOverrideProcessor, valueMappingsOverrideProcessor,
} from '@grafana/data';
import { firstValueFrom } from 'rxjs';

export const theme = createTheme({ colors: { mode: 'dark' } });

const property = (id, process, isCustom = false) => ({
  id: isCustom ? `custom.${id}` : id, path: id, name: id, isCustom, process, override: () => null, editor: () => null,
  shouldApply: () => true,
});

// The server registers these with editors for each; here they are only applied.
standardFieldConfigEditorRegistry.setInit(() => [
  property('unit', unitOverrideProcessor),
  property('min', numberOverrideProcessor),
  property('max', numberOverrideProcessor),
  property('decimals', numberOverrideProcessor),
  property('color', identityOverrideProcessor),
  property('thresholds', thresholdsOverrideProcessor),
  property('mappings', valueMappingsOverrideProcessor),
  property('links', dataLinksOverrideProcessor),
  ...['drawStyle', 'lineWidth', 'fillOpacity', 'showPoints', 'spanNulls', 'stacking', 'axisPlacement', 'axisSoftMax', 'width']
    .map((id) => property(id, identityOverrideProcessor, true)),
]);

standardTransformersRegistry.setInit(() =>
  [standardTransformers.mergeTransformer, standardTransformers.organizeFieldsTransformer].map((transformer) => ({
    id: transformer.id, name: transformer.name, transformation: () => Promise.resolve(transformer), editor: () => null,
  })),
);

/** Fails where Grafana would leave out what nobody registered. */
function requireKnown({ defaults, overrides }) {
  const { custom = {}, ...standard } = defaults;
  const ids = [
    ...Object.keys(standard), ...Object.keys(custom).map((id) => `custom.${id}`),
    ...overrides.flatMap(({ properties }) => properties.map(({ id }) => id)),
  ];
  ids.forEach((id) => standardFieldConfigEditorRegistry.get(id));
}

/** The frames that the panel's component draws. */
export async function framesOf(panel) {
  requireKnown(panel.fieldConfig);
  const single = panel.answers.length === 1;
  const answers = panel.answers.flatMap((answer, index) => {
    const target = panel.targets[index];
    return target.format === 'table'
      ? [table(answer, single ? 'Value' : `Value #${answer.refId}`)]
      : answer.series.map((series) => line(answer, series, target.legendFormat));
  });
  const transformed = panel.transformations
    ? await firstValueFrom(transformDataFrame(panel.transformations, answers))
    : answers;
  const frames = applyFieldOverrides({
    data: transformed, fieldConfig: panel.fieldConfig, theme, timeZone: 'utc', replaceVariables: (text) => text,
  });
  cacheFieldDisplayNames(frames);
  return frames;
}

function line(answer, { metric, value, values }, legend) {
  const points = values ?? [value];
  const name = legend?.replace(/\{\{\s*(.+?)\s*\}\}/g, (_, label) => metric[label] ?? '') ?? formatLabels(metric);
  return {
    refId: answer.refId,
    length: points.length,
    fields: [
      { name: 'Time', type: FieldType.time, config: { interval: answer.step * 1000 }, values: points.map(([time]) => time * 1000) },
      { name: 'Value', type: FieldType.number, labels: metric, config: { displayNameFromDS: name }, values: points.map(([, text]) => number(text)) },
    ],
  };
}

function table(answer, valueName) {
  const labels = [...new Set(answer.series.flatMap(({ metric }) => Object.keys(metric).sort()))];
  const column = (name, type, values) => ({ name, type, config: {}, values });
  return {
    refId: answer.refId,
    length: answer.series.length,
    fields: [
      column('Time', FieldType.time, answer.series.map(({ value }) => value[0] * 1000)),
      ...labels.map((label) => column(label, FieldType.string, answer.series.map(({ metric }) => metric[label] ?? ''))),
      column(valueName, FieldType.number, answer.series.map(({ value }) => number(value[1]))),
    ],
  };
}

/** Prometheus writes numbers as text, and +Inf for infinity. */
function number(text) {
  return Number(text.replace('Inf', 'Infinity'));
}
