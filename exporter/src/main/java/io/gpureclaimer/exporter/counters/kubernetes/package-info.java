/** A counters file that is kept in the API server. */
@NullMarked
package io.gpureclaimer.exporter.counters.kubernetes;

import org.jspecify.annotations.NullMarked;
