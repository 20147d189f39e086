/**
 * One session with the driver: typed questions, and the one place where a return code becomes
 * meaning.
 */
@NullMarked
package io.gpureclaimer.core.nvml;

import org.jspecify.annotations.NullMarked;
