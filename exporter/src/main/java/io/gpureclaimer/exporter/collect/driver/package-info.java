/** The session with the driver, and the one thread that may ask it. */
@NullMarked
package io.gpureclaimer.exporter.collect.driver;

import org.jspecify.annotations.NullMarked;
