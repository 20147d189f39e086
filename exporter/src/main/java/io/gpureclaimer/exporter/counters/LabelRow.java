package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.vocabulary.DcgmField;

/**
 * One row of the counters file that becomes a label on all series of a device.
 *
 * @param field whose value is the label's
 * @param name of the label, as the row spells it
 */
public record LabelRow(DcgmField field, String name) {}
