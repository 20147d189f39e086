/** What to do now, in which order, and why. Pure: no I/O, no clock. */
@NullMarked
package io.gpureclaimer.reclaimer.plan;

import org.jspecify.annotations.NullMarked;
