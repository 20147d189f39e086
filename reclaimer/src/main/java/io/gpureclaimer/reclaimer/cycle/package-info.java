/** The conductor: one look, one judgment, one plan, and what comes of it. */
@NullMarked
package io.gpureclaimer.reclaimer.cycle;

import org.jspecify.annotations.NullMarked;
