/** Asks the driver: one collector per file, timed and kept apart by the pass. */
@NullMarked
package io.gpureclaimer.exporter.collect;

import org.jspecify.annotations.NullMarked;
