/** Which fields are served, under which name, type and help: dcgm-exporter's counters file. */
@NullMarked
package io.gpureclaimer.exporter.counters;

import org.jspecify.annotations.NullMarked;
