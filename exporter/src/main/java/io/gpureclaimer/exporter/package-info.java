/** The per-node agent: reads the GPUs and serves what they said. */
@NullMarked
package io.gpureclaimer.exporter;

import org.jspecify.annotations.NullMarked;
