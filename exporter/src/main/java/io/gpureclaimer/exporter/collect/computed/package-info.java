/**
 * Collectors that have to remember or to compute: what happened, and what follows from several
 * numbers.
 */
@NullMarked
package io.gpureclaimer.exporter.collect.computed;

import org.jspecify.annotations.NullMarked;
