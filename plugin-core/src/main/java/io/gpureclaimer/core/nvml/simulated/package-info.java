/** A driver without a card: it writes into the same memory as the real one, after a script. */
@NullMarked
package io.gpureclaimer.core.nvml.simulated;

import org.jspecify.annotations.NullMarked;
