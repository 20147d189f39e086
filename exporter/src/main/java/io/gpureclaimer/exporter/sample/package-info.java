/** The immutable values in the middle: what a pass saw, on its way from the driver to a scrape. */
@NullMarked
package io.gpureclaimer.exporter.sample;

import org.jspecify.annotations.NullMarked;
