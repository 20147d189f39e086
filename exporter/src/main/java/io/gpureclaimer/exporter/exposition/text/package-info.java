/** A snapshot as the text of a scrape. */
@NullMarked
package io.gpureclaimer.exporter.exposition.text;

import org.jspecify.annotations.NullMarked;
