/** One record per prefix; a value that cannot be honored stops the start. */
@NullMarked
package io.gpureclaimer.exporter.config;

import org.jspecify.annotations.NullMarked;
