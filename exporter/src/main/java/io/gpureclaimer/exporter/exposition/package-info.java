/** Snapshot to bytes, and the one hand-over between sampling and scraping. */
@NullMarked
package io.gpureclaimer.exporter.exposition;

import org.jspecify.annotations.NullMarked;
