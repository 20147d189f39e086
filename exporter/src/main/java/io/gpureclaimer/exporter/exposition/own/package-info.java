/** The program's own metrics: about itself, not about GPUs. */
@NullMarked
package io.gpureclaimer.exporter.exposition.own;

import org.jspecify.annotations.NullMarked;
