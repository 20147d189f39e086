package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.vocabulary.DcgmField;

/**
 * What a name stands for.
 *
 * @param field whose value it is
 * @param factor makes the unit that the name promises of the unit that the field has
 */
record Quantity(DcgmField field, double factor) {}
